//! Reading of Ascriptor sources: imports, symbols, launches, numbers of cores.

use a2lint::device::Device;
use a2lint::frontend::dsl::trace;
use a2lint::ir::{LaunchOrigin, Module};
use a2lint::isa::Dialect;
use a2lint::machine::{Bindings, BoundLaunch};
use a2lint::text::SourceText;

/// Returns a kernel of vector cores that loads, scales and stores tiles of 32 rows.
fn kernel(imports: &str, extents: &str, tail: &str) -> String {
    format!(
        "{imports}

@kernel(mode=\"vec\")
def scaled(x: GM[f32, {extents}], y: GM[f32, {extents}]):
    tile = DBuff(f32, [32, 64], Position.UB)
    out = DBuff(f32, [32, 64], Position.UB)
    beat = Var(0)
    with auto_sync():
        for t in range(GetVecIdx(), x.shape[0] // 32, GetVecNum()):
            tile[beat] <<= x[t * 32:t * 32 + 32, 0:64]
            muls(out[beat], tile[beat], 2.0)
            y[t * 32:t * 32 + 32, 0:64] <<= out[beat]
            beat += 1
    return y
{tail}"
    )
}

const STAR: &str = "import torch
from ascriptor.a2 import *
from ascriptor.runtime import OpExec";

fn traced(text: &str) -> Module {
    trace(&SourceText::new(text))
}

fn bound(module: &Module) -> BoundLaunch {
    let launch = module.launches.first();
    let (bindings, device) = (Bindings::default(), Device::default());
    let program = &module.programs[0];
    BoundLaunch::bind(
        program,
        launch,
        &module.launches,
        &bindings,
        device,
        1 << 28,
    )
    .expect("it fits")
}

#[test]
fn a_launch_gives_symbols_their_values() {
    let tail = "
OpExec(scaled, launcher=\"sim\", block_dim=3)(torch.randn(96, 64), torch.empty(96, 64))
";
    let module = traced(&kernel(STAR, "(\"M\", 64)", tail));
    assert!(module.not_analysed.is_empty() && module.notes.is_empty());
    let program = &module.programs[0];
    assert_eq!(program.dialect, Dialect::Ascriptor);
    assert!(program.notes.is_empty(), "{:?}", program.notes);
    let launch = bound(&module);
    assert_eq!(launch.scalars(program), [("M".to_owned(), 96.0)]);
    // The number counts vector cores: an odd one leaves half of a core unused.
    assert_eq!((launch.cores, launch.vec_lanes), (2, 3));
}

#[test]
fn bindings_of_compile_kernel_are_a_launch() {
    let tail = "
from ascriptor.runtime import compile_kernel

compile_kernel(scaled, backend=\"cce\", block_dim=2, bindings={\"M\": 96})
";
    let module = traced(&kernel(STAR, "(\"M\", 64)", tail));
    let launch = bound(&module);
    assert_eq!(module.launches[0].origin, LaunchOrigin::Code);
    assert_eq!(
        launch.scalars(&module.programs[0]),
        [("M".to_owned(), 96.0)]
    );
    assert_eq!(
        (launch.globals[0].shape.as_slice(), launch.vec_lanes),
        ([96, 64].as_slice(), 2)
    );
    // Without the size, the bindings are not enough for a launch.
    let open = tail.replace("\"M\": 96", "");
    assert!(
        traced(&kernel(STAR, "(\"M\", 64)", &open))
            .launches
            .is_empty()
    );
}

#[test]
fn extents_that_are_numbers_are_a_launch() {
    let module = traced(&kernel(STAR, "(64, 64)", ""));
    let origins: Vec<LaunchOrigin> = module.launches.iter().map(|it| it.origin).collect();
    assert_eq!(origins, [LaunchOrigin::Signature]);
    let launch = bound(&module);
    assert_eq!(launch.globals[0].shape, [64, 64]);
    assert_eq!(launch.vec_lanes, 40);
}

#[test]
fn literal_cases_are_launches() {
    let tail = "
CASES = [
    {\"id\": \"small\", \"block_dim\": 2, \"parameters\": {\"M\": 32}},
    {\"id\": \"large\", \"block_dim\": 8, \"parameters\": {\"M\": 320}},
]
";
    let module = traced(&kernel(STAR, "(\"M\", 64)", tail));
    let cases: Vec<_> = module
        .launches
        .iter()
        .map(|it| (it.scalars.clone(), it.block_dim))
        .collect();
    let case = |m: f64, cores| (vec![("M".to_owned(), m)], Some(cores));
    assert_eq!(cases, [case(32.0, 2), case(320.0, 8)]);
}

#[test]
fn factories_import_facades_by_names_that_they_put_together() {
    let inner = kernel("", "(\"M\", 64)", "").replace('\n', "\n    ");
    let text = format!(
        "from importlib import import_module

def build(device):
    api = import_module(\"ascriptor.\" + device)
    kernel, GM, f32, DBuff, Position = api.kernel, api.GM, api.f32, api.DBuff, api.Position
    Var, auto_sync, GetVecIdx, GetVecNum = api.Var, api.auto_sync, api.GetVecIdx, api.GetVecNum
    muls = api.muls
    {inner}
    return scaled

on_a2 = build(\"a2\")
on_a3 = build(\"a3\")
on_a5 = build(\"a5\")
"
    );
    let module = traced(&text);
    let names: Vec<&str> = module.programs.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(names, ["scaled"]);
    assert!(
        module.programs[0].unknown.is_empty(),
        "{:?}",
        module.programs[0].unknown
    );
    let reasons: Vec<&str> = module
        .not_analysed
        .iter()
        .map(|it| it.reason.as_str())
        .collect();
    assert_eq!(reasons, ["ascriptor.a5 targets A5 devices"]);
}

/// Returns the trace of a function that another function turns into a kernel.
fn made(making: &str) -> Module {
    let body = kernel("", "(\"M\", 64)", "").replace("@kernel(mode=\"vec\")\n", "");
    traced(&format!(
        "from functools import lru_cache
from importlib import import_module
from ascriptor.a2 import *

MODES = {{\"scaled\": \"vec\"}}
{body}
@lru_cache(maxsize=2)
def build(device, name=None):
    if device not in (\"a2\", \"a3\"):
        raise ValueError(device)
    {making}
"
    ))
}

#[test]
fn factories_make_kernels_for_devices_that_are_not_named() {
    for (making, is_vec_only) in [
        (
            "return import_module(f\"ascriptor.{device}\").kernel(mode=\"vec\")(scaled)",
            true,
        ),
        (
            "facade = import_module(\"ascriptor.\" + device)\n    return facade.kernel(scaled)",
            false,
        ),
        (
            "return import_module(\"ascriptor.\" + device).kernel(mode=MODES[name])(globals()[name])",
            false,
        ),
    ] {
        let module = made(making);
        let [program] = module.programs.as_slice() else {
            panic!("{making}: {} kernels", module.programs.len());
        };
        assert_eq!(program.name, "scaled");
        assert_eq!(program.vec_only, is_vec_only, "{making}");
        assert!(program.unknown.is_empty() && program.notes.is_empty());
    }
    let module = made("return device");
    assert!(module.programs.is_empty(), "nothing makes a kernel of it");
}

#[test]
fn symbols_that_only_extents_name_are_measured() {
    let text = "from ascriptor.a2 import *

@kernel(mode=\"vec\")
def gate(
    g: GM[f32, (\"BT\", \"HVK\")], w: GM[f16, (\"B\", \"H\", 64, \"W\")],
    y: GM[f32, (\"BT\", \"HVK\")], B: i32, H: i32, T: i32,
):
    tile = Tensor(f32, [64, 128], Position.UB)
    wide = Tensor(f32, [64, 128], Position.UB)
    half = Tensor(f16, [64, 128], Position.UB)
    with auto_sync():
        for unit in range(GetVecIdx(), B * H, GetVecNum()):
            head = Var(unit % H)
            batch = Var(unit // H)
            half <<= w[batch, head, 0:64, 0:128]
            cast(wide, half)
            for chunk in range(T // 64):
                row = Var(batch * T + chunk * 64)
                tile <<= g[row:row + 64, head * 128:head * 128 + 128]
                mul(tile, tile, wide)
                y[row:row + 64, head * 128:head * 128 + 128] <<= tile
    return y
";
    let analysis = crate::common::analysis(&SourceText::new(text), false);
    assert!(analysis.findings.is_empty(), "{:?}", analysis.findings);
    let verdicts = analysis.verdicts().flatten();
    // No launch gives the sizes of the tensors, so `bounds` and `ownership` are open.
    let open = ["bounds", "ownership"];
    for verdict in verdicts.filter(|it| !open.contains(&it.property.name())) {
        let status = verdict.status.name();
        assert_ne!(status, "undecided", "{}", verdict.property.name());
    }
}

#[test]
fn a_file_may_hold_kernels_of_both() {
    let first = "import easyasc.a2 as ea

@ea.kernel(mode=\"vec\")
def copied(x: ea.GMTensor, y: ea.GMTensor):
    ub = ea.Tensor(ea.DT.float, [64, 64], ea.Position.UB)
    with ea.auto_sync():
        ub <<= x[0:64, 0:64]
        y[0:64, 0:64] <<= ub
    return y
";
    let module = traced(&format!("{first}\n{}", kernel(STAR, "(64, 64)", "")));
    let dialects: Vec<Dialect> = module.programs.iter().map(|it| it.dialect).collect();
    assert_eq!(dialects, [Dialect::Easyasc, Dialect::Ascriptor]);
    assert!(module.programs.iter().all(|it| it.unknown.is_empty()));
}

#[test]
fn kernels_of_other_devices_are_named() {
    let module =
        traced("from ascriptor.a5 import *\n\n@kernel()\ndef k(x: GM[f32, 8]):\n    return x\n");
    let reasons: Vec<&str> = module
        .not_analysed
        .iter()
        .map(|it| it.reason.as_str())
        .collect();
    assert_eq!(reasons, ["ascriptor.a5 targets A5 devices"]);
}
