//! The same kernel in two languages, a DSL and AscendC: both compute the same bytes, neither has a finding, and
//! what is proved of the first is proved of the second.

use std::path::Path;

use a2lint::check::{Settings, check, trace_ascendc};
use a2lint::device::Device;
use a2lint::finding::{Finding, Severity};
use a2lint::frontend::dsl::trace;
use a2lint::ir::{Module, ParamKind};
use a2lint::isa::DType;
use a2lint::language::Language;
use a2lint::machine::{Bindings, BoundLaunch, Contents, End, NullObserver, Options, simulate};
use a2lint::text::SourceText;
use a2lint::verdict::Status;
use half::f16;

use crate::common::{read, root};

const KERNEL: &str = "flash_attention";
const IN_DSL: &str = "tests/twins/flash_attention.py";
const IN_CPP: &str = "tests/ascendc/kernels/flash_attention.cpp";

/// Properties that are proved in AscendC alone: there, loops deal out heads and their tiles, and the other kernel deals
/// out tiles of all heads by their number, which no proof bounds.
const PROVED_IN_CPP_ALONE: &[&str] = &["bounds", "scalars"];

/// Returns the AscendC kernel with the tiles of the other one, and the sizes of its launch to match.
fn in_cpp() -> String {
    let text = read(&root().join(IN_CPP));
    let changes = [
        ("ROWS = 32, KEYS = 32", "ROWS = 64, KEYS = 64"),
        ("[3, 64, 64]", "[3, 128, 64]"),
        (
            "s=float[2, 32, 32], p=half[2, 32, 32], o=float[2, 32, 64]",
            "s=float[2, 64, 64], p=half[2, 64, 64], o=float[2, 64, 64]",
        ),
        ("length=64", "length=128"),
    ];
    changes.iter().fold(text, |text, (from, to)| {
        assert!(text.contains(from), "the kernel has no {from}");
        text.replace(from, to)
    })
}

/// Returns the result of a kernel for inputs that depend on the sizes alone.
fn result(module: &Module, heads: i64, length: i64) -> Vec<u8> {
    const CORES: i64 = 2;
    let program = module.programs.iter().find(|it| it.name == KERNEL);
    let program = program.expect("the kernel is traced");
    let is_flat = program.globals.iter().all(|global| global.shape.len() < 2);
    let tensor = |name: &str, dtype, shape: [i64; 3]| {
        let shape = match is_flat {
            true => vec![shape.iter().product()],
            false => shape.to_vec(),
        };
        (name.to_owned(), dtype, shape)
    };
    let input = [heads, length, 64];
    let mut tensors = vec![
        tensor("q", DType::Half, input),
        tensor("k", DType::Half, input),
        tensor("v", DType::Half, input),
        tensor("y", DType::Float, input),
    ];
    // The DSL declares these itself.
    if is_flat {
        tensors.push(tensor("s", DType::Float, [CORES, 64, 64]));
        tensors.push(tensor("p", DType::Half, [CORES, 64, 64]));
        tensors.push(tensor("o", DType::Float, [CORES, 64, 64]));
    }
    let numbers = [
        ("heads", heads as f64),
        ("length", length as f64),
        ("scale", 0.125),
    ];
    let mut bindings = Bindings {
        scalars: numbers.map(|(name, value)| (name.to_owned(), value)).into(),
        cores: Some(CORES as u32),
        ..Bindings::default()
    };
    for (at, (name, dtype, shape)) in tensors.into_iter().enumerate() {
        if dtype == DType::Half && at < 3 {
            let count = shape.iter().product::<i64>() as usize;
            let value =
                |index: usize| ((index * (7919 + 2 * at) + at * 31) % 257) as f32 / 64.0 - 2.0;
            let bytes = (0..count).flat_map(|index| f16::from_f32(value(index)).to_le_bytes());
            let contents = Contents::Bytes(bytes.collect::<Vec<u8>>().into());
            bindings.contents.push((name.clone(), contents));
        }
        bindings.shapes.push((name.clone(), shape));
        bindings.dtypes.push((name, dtype));
    }
    let launch = BoundLaunch::bind(program, None, &[], &bindings, Device::default(), 1 << 28);
    let launch = launch.expect("the launch fits the kernel");
    let outcome = simulate(program, &launch, &Options::default(), &mut NullObserver);
    assert_eq!(outcome.end, End::Finished);
    assert!(outcome.findings.is_empty(), "{:?}", outcome.findings);
    let y = program
        .params
        .iter()
        .find(|it| it.name == "y")
        .expect("the result");
    let ParamKind::Global(id) = y.kind else {
        panic!("the result is a tensor");
    };
    let memory = &outcome.globals[id.index()];
    assert!(memory.all_defined(0..memory.capacity()));
    memory.bytes(0..memory.capacity()).to_vec()
}

#[test]
fn both_compute_the_same_bytes() {
    let settings = Settings::default();
    let dsl = trace(&SourceText::new(read(&root().join(IN_DSL))));
    let cpp = trace_ascendc(&SourceText::new(in_cpp()), &settings).0;
    for (heads, length) in [(3, 128), (1, 64)] {
        let [left, right] = [&dsl, &cpp].map(|module| result(module, heads, length));
        assert!(left == right, "{heads} heads of {length}");
        assert!(left.iter().any(|byte| *byte != 0));
    }
}

/// Returns the names of the properties that are proved, under preconditions or without.
fn proved(text: String, language: Language, path: &str) -> Vec<&'static str> {
    let analysis = check(&SourceText::new(text), language, &Settings::default());
    let is_fault = |finding: &&Finding| finding.severity >= Severity::Warning;
    let fault = analysis.findings.iter().find(is_fault);
    assert!(fault.is_none(), "{path}: {fault:?}");
    let verdicts = analysis.verdicts().next().expect("a kernel");
    let proved = verdicts
        .iter()
        .filter(|it| matches!(it.status, Status::Proved { .. }));
    proved.map(|verdict| verdict.property.name()).collect()
}

#[test]
fn what_is_proved_in_the_dsl_is_proved_in_cpp() {
    let path = Path::new(IN_DSL);
    let dsl = proved(read(&root().join(path)), Language::Easyasc, IN_DSL);
    let cpp = proved(in_cpp(), Language::Cpp, IN_CPP);
    let alone = |mine: &[&'static str], other: &[&str]| -> Vec<&str> {
        let all = mine.iter().copied();
        all.filter(|it| !other.contains(it)).collect()
    };
    assert_eq!(alone(&dsl, &cpp), [""; 0]);
    assert_eq!(alone(&cpp, &dsl), PROVED_IN_CPP_ALONE);
}
