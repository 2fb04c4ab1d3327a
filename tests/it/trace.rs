//! The traced program of each spelling.

use a2lint::frontend::dsl::trace;
use a2lint::ir::{Module, Note, NoteKind, Program, PythonNote, print};
use a2lint::text::SourceText;

fn module(text: &str) -> (Module, SourceText) {
    let source = SourceText::new(text);
    (trace(&source), source)
}

/// Returns the notes, without the one on a missing return value, which short test kernels cause.
fn notes(program: &Program) -> Vec<&Note> {
    let notes = program.notes.iter();
    notes
        .filter(|note| note.kind != NoteKind::Python(PythonNote::NoOutput))
        .collect()
}

/// Returns the statements that `body` is traced into, without line numbers and declarations.
fn lines(body: &str) -> Vec<String> {
    kernel(
        "from easyasc.a2 import *\n@kernel()\ndef k(x: GMTensor, y: GMTensor, M: Var, s: Var):",
        body,
    )
}

fn kernel(head: &str, body: &str) -> Vec<String> {
    let indented: String = body.lines().map(|line| format!("    {line}\n")).collect();
    let (module, source) = module(&format!("{head}\n{indented}"));
    assert_eq!(module.not_analysed, []);
    let program = &module.programs[0];
    assert!(notes(program).is_empty(), "{body}");
    print(program, |span| {
        source.line_column(span.start).line.to_string()
    })
    .lines()
    .filter(|line| line.trim_start().starts_with(|c: char| c.is_ascii_digit()))
    .map(|line| {
        line.trim_start()
            .split_once(' ')
            .expect("a line number")
            .1
            .trim_end()
            .to_owned()
    })
    .collect()
}

const UB: &str = "a = Tensor(DT.float, [64, 64], Position.UB)\nb = Tensor(DT.float, [64, 64], Position.UB)\nc = Tensor(DT.float, [64, 64], Position.UB)\n";

/// Returns the names of the instructions that `body` emits on 64x64 float tiles a, b, c.
fn emitted(body: &str) -> Vec<String> {
    let names = lines(&format!("{UB}{body}"));
    names
        .iter()
        .map(|line| line.split_whitespace().next().unwrap_or("").to_owned())
        .collect()
}

#[test]
fn every_expression_form_has_its_instruction() {
    let forms = [
        ("a <<= b + c", "add"),
        ("a <<= b - c", "sub"),
        ("a <<= b * c", "mul"),
        ("a <<= b / c", "div"),
        ("a <<= maximum(b, c)", "vmax"),
        ("a <<= minimum(b, c)", "vmin"),
        ("a <<= b.maximum(c)", "vmax"),
        ("a <<= maximum(b, 0.0)", "vmaxs"),
        ("a <<= minimum(1.0, b)", "vmins"),
        ("a <<= b + 1.0", "adds"),
        ("a <<= 1.0 + b", "adds"),
        ("a <<= b - 1.0", "adds"),
        ("a <<= b * s", "muls"),
        ("a <<= s * b", "muls"),
        ("a <<= b / 2.0", "muls"),
        ("a <<= b.exp()", "exp"),
        ("a <<= b.ln()", "ln"),
        ("a <<= b.abs()", "abs"),
        ("a <<= b.rec()", "rec"),
        ("a <<= b.sqrt()", "sqrt"),
        ("a <<= b.rsqrt()", "rsqrt"),
        ("a <<= b.relu()", "relu"),
        ("a <<= b & c", "vand"),
        ("a <<= b | c", "vor"),
        ("a <<= b.vnot()", "vnot"),
        ("a[0:1, 0:64] <<= b.cmax()", "cmax"),
        ("a[0:1, 0:64] <<= b.cadd()", "cadd"),
        ("a[0:8, 0:64] <<= b.cgadd()", "cgadd"),
        ("a[0:32, 0:64] <<= b.cpadd()", "cpadd"),
        ("exp(a, b)", "exp"),
        ("exp(dst=a, src=b)", "exp"),
        ("x[0:64, 0:64] <<= a", "ub_to_gm_pad"),
        ("a <<= x[0:64, 0:64]", "gm_to_ub_pad"),
    ];
    for (body, name) in forms {
        assert_eq!(emitted(body), [name], "{body}");
    }
}

#[test]
fn every_data_path_has_its_move() {
    let declarations = "l1 = DBuff(DT.half, [128, 128], Position.L1)\nrow = Tensor(DT.float, [1, 64], Position.L1, layout=Layout.ND)\nl0a = Tensor(DT.half, [128, 128], Position.L0A)\nl0b = Tensor(DT.half, [128, 128], Position.L0B)\nl0c = Tensor(DT.float, [128, 128], Position.L0C)\nbt = Tensor(DT.float, [1, 64], Position.BT)\n";
    let forms = [
        ("l1[0] <<= x[0:128, 0:128]", "gm_to_l1_nd2nz"),
        ("row <<= x[0:64]", "gm_to_l1"),
        ("l0a <<= l1[0]", "l1_to_l0"),
        ("l0b <<= l1[0].T", "l1_to_l0"),
        ("bt <<= row", "l1_to_bt"),
        ("l1[1] <<= l0c", "l0c_to_l1"),
        ("x[0:128, 0:128] <<= l0c", "l0c_to_gm_nz2nd"),
        ("mmad(l0c, l0a, l0b)", "mmad"),
        ("matmul(l0c, l1[0], l1[1].T(), splitk=64)", "matmul"),
    ];
    for (body, name) in forms {
        let found = lines(&format!("{declarations}{body}"));
        assert!(found[0].trim_start().starts_with(name), "{body}: {found:?}");
    }
}

#[test]
fn scalars_keep_what_the_device_computes() {
    let body = "buf = DBuff(DT.float, [64, 64], Position.UB)\ncnt = Var(0)\nfor m in range(0, M, 64):\n    rows = Min(64, M - m)\n    cur = buf[cnt]\n    cur[0:rows, 0:64] <<= x[m:m + rows, 0:64]\n    cnt += 1\n    y[m:m + rows, 0:64] <<= cur[0:rows, 0:64]";
    assert_eq!(
        lines(body),
        [
            "  cnt = 0",
            "  for m in range(0, M, 64)",
            "    %6 = cnt",
            "    gm_to_ub_pad dst=buf[cnt][0 +: Min(64, M - m), 0 +: 64] src=x[m +: Min(64, M - m), 0 +: 64] n_burst=Min(64, M - m) burst_len_element=64 src_stride_element=x.shape[1] - 64 dst_stride=0",
            "    cnt = cnt + 1",
            "    ub_to_gm_pad dst=y[m +: Min(64, M - m), 0 +: 64] src=buf[%6][0 +: Min(64, M - m), 0 +: 64] n_burst=Min(64, M - m) burst_len_element=64 src_stride=0 dst_stride_element=y.shape[1] - 64",
        ]
    );
}

#[test]
fn spellings_of_kernels_are_equal() {
    let body = "    u = Tensor(DT.float, [64, 64], Position.UB)\n    u <<= x[0:64, 0:64]\n    y[0:64, 0:64] <<= u\n    return y\n";
    let star = module(&format!(
        "from easyasc.a2 import *\n@kernel()\ndef k(x: GMTensor, y: GMTensor):\n{body}"
    ));
    let aliased = body
        .replace("Tensor(DT", "m.Tensor(m.DT")
        .replace("Position", "m.Position");
    let others = [
        format!("from easyasc.a2 import *\n@kernel\ndef k(x: GMTensor, y: GMTensor):\n{body}"),
        format!("from easyasc.a3 import *\n@kernel(mode='mix')\ndef k(x, y):\n{body}"),
        format!(
            "import easyasc.a2 as m\n@m.kernel()\ndef k(x: m.GMTensor, y: m.GMTensor):\n{aliased}"
        ),
        format!("from easyasc import a2 as m\n@m.kernel\ndef k(x, y):\n{aliased}"),
        format!(
            "from easyasc.a2 import kernel as op, Tensor, DT, Position, GMTensor\n@op()\ndef k(x: GMTensor, y: 'GMTensor'):\n{body}"
        ),
        format!(
            "from easyasc.a2 import *\ndef factory():\n    @kernel()\n    def k(x: GMTensor, y: GMTensor):\n{}    return k\n",
            body.replace("    ", "        ")
        ),
    ];
    let text = |(module, source): &(Module, SourceText)| {
        let print = print(&module.programs[0], |span| {
            source.line_column(span.start).line.to_string()
        });
        let lines = print.lines().map(|line| {
            line.trim_start_matches(|c: char| c == ' ' || c.is_ascii_digit())
                .to_owned()
        });
        lines.collect::<Vec<_>>()
    };
    for other in others {
        let traced = module(&other);
        assert_eq!(traced.0.programs.len(), 1, "{other}");
        assert_eq!(text(&traced), text(&star), "{other}");
    }
}

#[test]
fn helpers_are_inlined_with_their_arguments() {
    let head = "from easyasc.a2 import *\nTILE = 64\nWIDTHS = {'a': TILE, 'b': 2 * TILE}\n@func()\ndef scale(t, by=2.0):\n    muls(t, t, by)\ndef twice(t):\n    for factor in [1.0, 3.0]:\n        scale(t, by=factor)\n    scale(t)\n@kernel()\ndef k(x: GMTensor):";
    let found = kernel(
        head,
        "u = Tensor(DT.float, [TILE, WIDTHS['b'] // 2], Position.UB)\ntwice(u)",
    );
    let values: Vec<&str> = found
        .iter()
        .filter_map(|line| line.split("val=").nth(1)?.split(' ').next())
        .collect();
    assert_eq!(values, ["1.0", "3.0", "2.0"]);
}

#[test]
fn branches_depend_on_what_the_condition_is() {
    let device = lines(&format!(
        "{UB}if M > 3 and s < 2.0:\n    a <<= b + c\nelif M == 1:\n    a <<= b - c\nelse:\n    a <<= b * c"
    ));
    let heads: Vec<&str> = device
        .iter()
        .map(|line| line.trim_start().split(' ').next().unwrap_or(""))
        .collect();
    assert_eq!(heads, ["if", "add", "else", "if", "sub", "else", "mul"]);
    let contexts = lines(&format!(
        "{UB}with If(M > 3):\n    a <<= b + c\nwith Elif(M == 1):\n    a <<= b - c\nwith Else():\n    a <<= b * c"
    ));
    let heads: Vec<&str> = contexts
        .iter()
        .map(|line| line.trim_start().split(' ').next().unwrap_or(""))
        .collect();
    assert_eq!(heads, ["if", "add", "elif", "sub", "else", "mul"]);
    let (module, _) = module(
        "from easyasc.a2 import *\nFAST = True\n@kernel()\ndef k(x: GMTensor):\n    u = Tensor(DT.float, [64, 64], Position.UB)\n    if FAST:\n        dup(u, 0.0)\n    else:\n        dup(u, 1.0)\n",
    );
    assert_eq!(module.programs[0].instructions().len(), 1);
}

#[test]
fn what_is_unknown_stays_local() {
    let text = "from easyasc.a2 import *\nfrom elsewhere import thing\n@kernel()\ndef k(x: GMTensor, M: Var):\n    u = Tensor(DT.float, [64, thing.width], Position.UB)\n    v = Tensor(DT.float, [64, 64], Position.UB)\n    thing.touch(v)\n    v <<= v + 1.0\n    x[0:64, 0:64] <<= v\n";
    let (module, _) = module(text);
    let program = &module.programs[0];
    assert!(program.hides_instructions());
    let places: Vec<&str> = program
        .unknown
        .iter()
        .map(|it| &text[it.span.range()])
        .collect();
    let buffer = "Tensor(DT.float, [64, thing.width], Position.UB)";
    assert_eq!(places, ["thing.touch(v)", buffer]);
    assert_eq!(program.buffers.len(), 2);
    assert_eq!(program.instructions().len(), 2);
    assert!(notes(program).is_empty());
}

#[test]
fn launches_come_from_calls_and_comments() {
    let text = "from easyasc.a2 import *\nimport torch\n# a2lint: launch(M=256)\n@kernel()\ndef k(x: GMTensor, y: GMTensor, M: Var):\n    return y\nif __name__ == '__main__':\n    for M, dtype in [(64, torch.float16), (128, torch.float32)]:\n        N = 2 * M\n        x = torch.randn(M, N).to(dtype)\n        OpExec(k, '', simulator=True, shape_bindings={0: [0, None]})(x, torch.zeros(N, M).t().contiguous().half(), M)\n";
    let (module, _) = module(text);
    let summary: Vec<String> = module
        .launches
        .iter()
        .map(|launch| {
            let shapes: Vec<_> = launch
                .tensors
                .iter()
                .map(|tensor| (tensor.dtype, tensor.shape.clone()))
                .collect();
            format!("{:?} {:?}", shapes, launch.scalars)
        })
        .collect();
    assert_eq!(
        summary,
        [
            "[(Some(Half), Some([64, 128])), (Some(Half), Some([64, 128]))] [(\"M\", 64.0)]",
            "[(Some(Float), Some([128, 256])), (Some(Half), Some([128, 256]))] [(\"M\", 128.0)]",
            "[(None, None), (None, None)] [(\"M\", 256.0)]",
        ]
    );
}

#[test]
fn older_launches_bind_objects() {
    let text = "from easyasc.a2 import *\n@kernel()\ndef k(x, y, M):\n    y[0:1, 0:M] <<= x[0:1, 0:M]\n    return y\nM = Var(64)\nK = Var(32)\nx = GMTensor(DT.half, [M, K])\nk(x, GMTensor(DT.half, [M, K]), M)\n";
    let (module, _) = module(text);
    let launch = &module.launches[0];
    assert_eq!(launch.tensors[1].shape, Some(vec![64, 32]));
    assert_eq!(
        launch.tensors[0].spelled,
        [Some("M".into()), Some("K".into())]
    );
    assert_eq!(launch.scalars, [("M".into(), 64.0)]);
}

#[test]
fn other_devices_and_texts_are_told_apart() {
    let a5 = module("from easyasc.a5 import *\n@kernel()\ndef k(x: GMTensor):\n    pass\n").0;
    assert_eq!(a5.programs.len(), 0);
    assert_eq!(a5.not_analysed[0].reason, "easyasc.a5 targets A5 devices");
    let none = module("import torch\nx = torch.randn(3)\n").0;
    assert!(none.programs.is_empty() && none.not_analysed.is_empty());
    let large = format!("from easyasc.a2 import *\n{}", "x = (1,\n".repeat(100_000));
    assert_eq!(module(&large).0.not_analysed.len(), 1);
}
