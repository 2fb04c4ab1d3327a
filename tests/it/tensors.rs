//! Tensors of host code: shapes, types and contents, compared with NumPy if it is installed, and with the
//! documentation of torch.

use std::process::{Command, Stdio};

use a2lint::frontend::dsl::trace;
use a2lint::ir::{LaunchTensor, TensorInit};
use a2lint::isa::DType;
use a2lint::text::SourceText;
use serde_json::Value;

use crate::common::Random;

/// Returns a kernel with a parameter for each name, and host code that passes these tensors.
fn program(host: &str, names: &[String]) -> String {
    let params: Vec<String> = (0..names.len())
        .map(|at| format!("p{at}: GMTensor"))
        .collect();
    format!(
        "from easyasc.a2 import *\nimport numpy as np\nimport torch\n\n\n@kernel()\ndef k({}):\n    return p0\n\n\n{host}\nOpExec(k, \"\")({})\n",
        params.join(", "),
        names.join(", ")
    )
}

/// Returns the tensors that the host code passes, as the launch is read.
fn passed(host: &str, names: &[String]) -> Vec<LaunchTensor> {
    let module = trace(&SourceText::new(program(host, names)));
    let launch = module.launches.into_iter().next().expect("a launch");
    launch.tensors
}

fn one(expression: &str) -> LaunchTensor {
    let host = format!("r = {expression}");
    passed(&host, &["r".to_owned()]).remove(0)
}

/// Formats a tensor as `half[2, 3] Normal`.
fn shown(tensor: &LaunchTensor) -> String {
    let dtype = tensor.dtype.map_or("?", DType::name);
    let shape = tensor
        .shape
        .as_ref()
        .map_or("?".to_owned(), |shape| format!("{shape:?}"));
    format!("{dtype}{shape} {:?}", tensor.init)
}

#[test]
fn tensors_of_torch_are_what_its_manual_says() {
    for (expression, wanted) in [
        // Views of another type scale the last dimension.
        (
            "torch.zeros(6, 32).view(torch.float16)",
            "half[6, 64] Full(0.0)",
        ),
        (
            "torch.randn(6, 64).half().view(torch.int32)",
            "int[6, 32] Computed",
        ),
        (
            "torch.randn(6, 3).half().view(torch.int32)",
            "int? Computed",
        ),
        (
            "torch.randn(6, 64).view(torch.int32)",
            "int[6, 64] Computed",
        ),
        // Axes.
        ("torch.randn(1, 64, 6).mT", "float[1, 6, 64] Normal"),
        ("torch.randn(2, 3, 64).flatten(0, 1)", "float[6, 64] Normal"),
        (
            "torch.randn(2, 3, 64).flatten(start_dim=1)",
            "float[2, 192] Normal",
        ),
        ("torch.arange(6).reshape(2, 3).t()", "int64[3, 2] Computed"),
        ("torch.randn(2, 3, 4).t()", "float? Normal"),
        (
            "torch.randn(2, 3, 4).transpose(-1, 0)",
            "float[4, 3, 2] Normal",
        ),
        (
            "torch.randn(2, 3, 4).permute(2, 0, 1)",
            "float[4, 2, 3] Normal",
        ),
        ("torch.randn(2, 3, 4).permute(2, 0, 0)", "float? Normal"),
        ("torch.randn(1, 3, 1).squeeze()", "float[3] Normal"),
        ("torch.randn(1, 3, 1).squeeze(1)", "float[1, 3, 1] Normal"),
        ("torch.randn(3, 4).unsqueeze(-1)", "float[3, 4, 1] Normal"),
        (
            "torch.randn(3, 1).expand(2, -1, 5)",
            "float[2, 3, 5] Normal",
        ),
        ("torch.randn(3, 4).repeat(2)", "float? Computed"),
        (
            "torch.ones(3, 4).repeat(2, 1, 3)",
            "float[2, 3, 12] Full(1.0)",
        ),
        ("torch.randn(3, 4).tile(2)", "float[3, 8] Computed"),
        ("torch.randn(8, 4).narrow(0, 2, 3)", "float[3, 4] Normal"),
        ("torch.randn(10, 4).split(4)[2]", "float[2, 4] Normal"),
        ("torch.randn(10, 4).chunk(4)[3]", "float[1, 4] Normal"),
        (
            "torch.randn(10, 4).split([3, 7], 0)[1]",
            "float[7, 4] Normal",
        ),
        (
            "torch.cat([torch.randn(2, 4), torch.randn(3, 4)])",
            "float[5, 4] Normal",
        ),
        (
            "torch.stack([torch.zeros(2), torch.zeros(2)], dim=1)",
            "float[2, 2] Full(0.0)",
        ),
        ("torch.randn(3, 4).view(-1)", "float[12] Normal"),
        ("torch.randn(3, 4).view(5, -1)", "float? Normal"),
        // Subscripts.
        ("torch.randn(8, 4)[2:6:2]", "float[2, 4] Normal"),
        ("torch.randn(8, 4, 5)[..., 0]", "float[8, 4] Normal"),
        ("torch.randn(8, 4)[:, None]", "float[8, 1, 4] Normal"),
        (
            "torch.randn(8, 4)[torch.tensor([0, 3])]",
            "float[2, 4] Computed",
        ),
        ("torch.randn(8, 4)[torch.randn(8, 4) > 0]", "float? Normal"),
        ("torch.randn(8, 4)[-3]", "float[4] Normal"),
        ("torch.randn(8, 4)[9]", "float? Normal"),
        // Types.
        ("torch.arange(4) * 2.0", "float[4] Steps(0.0, 2.0)"),
        ("torch.arange(4) * 2", "int64[4] Steps(0.0, 2.0)"),
        ("torch.randn(4).half() * 2.5", "half[4] NormalOf(0.0, 2.5)"),
        (
            "torch.randn(4).half() + torch.randn(4).bfloat16()",
            "float[4] Computed",
        ),
        (
            "torch.zeros(4, dtype=torch.uint8) + torch.zeros(4, dtype=torch.int8)",
            "int16[4] Computed",
        ),
        ("torch.arange(4) / 2", "float[4] Steps(0.0, 0.5)"),
        ("torch.arange(4, dtype=torch.int32) // 2", "int[4] Computed"),
        ("torch.randn(4) > 0", "bool[4] Computed"),
        ("torch.arange(0, 1, 0.25)", "float[4] Steps(0.0, 0.25)"),
        ("torch.arange(0, 1, 0.3)", "float[4] Computed"),
        ("torch.full((2, 3), 7)", "int64[2, 3] Full(7.0)"),
        ("torch.full((2, 3), True)", "bool[2, 3] Full(1.0)"),
        ("torch.tensor([1, 2.5])", "float[2] Computed"),
        ("torch.tensor([[1], [1]])", "int64[2, 1] Full(1.0)"),
        (
            "torch.randn(4, 8).sum(1, keepdim=True)",
            "float[4, 1] Computed",
        ),
        (
            "torch.zeros(4, 8, dtype=torch.int32).sum(0)",
            "int64[8] Computed",
        ),
        ("torch.randn(4, 8).max(dim=1)[1]", "int64[4] Computed"),
        ("torch.randn(4, 8).argmax(-1)", "int64[4] Computed"),
        (
            "torch.randn(4, 8).mean((0, 1), keepdim=True)",
            "float[1, 1] Computed",
        ),
        (
            "torch.randn(2, 4, 8) @ torch.randn(8, 3)",
            "float[2, 4, 3] Computed",
        ),
        ("torch.randn(4, 8) @ torch.randn(8)", "float[4] Computed"),
        (
            "torch.randn(4, 8).half() @ torch.randn(8, 3)",
            "?[4, 3] Computed",
        ),
        (
            "torch.where(torch.randn(4) > 0, torch.randn(3, 4), torch.randn(1, 4))",
            "float[3, 4] Computed",
        ),
        ("torch.full((4,), 0.1).half()", "half[4] Computed"),
        ("torch.full((4,), 0.5).half()", "half[4] Full(0.5)"),
        ("torch.full((4,), -1.5).int()", "int[4] Full(-1.0)"),
        (
            "torch.randn(4).to('npu').to(torch.float16)",
            "half[4] Normal",
        ),
        ("torch.randn(4, 8).softmax(dim=-1)", "float[4, 8] Computed"),
        ("torch.zeros(4).double().float()", "float[4] Computed"),
        ("torch.empty(4, 4)", "float[4, 4] Empty"),
        ("torch.randn(4).new_ones(2, 3)", "float[2, 3] Full(1.0)"),
        ("torch.linspace(0, 1, 5)", "float[5] Computed"),
        ("torch.randint(3, 9, (4,))", "int64[4] Integers(3, 9)"),
        (
            "torch.randint(9, (4,), dtype=torch.int32) + 3",
            "int[4] Integers(3, 12)",
        ),
        // Unknown values are not guessed.
        ("torch.randn(4, 8).frobnicate(3)", "float? Computed"),
        ("torch.randn(4, 8).frobnicate().float()", "float? Computed"),
    ] {
        assert_eq!(shown(&one(expression)), wanted, "{expression}");
    }
}

#[test]
fn writes_reach_every_view_and_no_copy() {
    let cases = [
        (
            "x = torch.empty(4, 8)\ny = x.view(8, 4)\ny.zero_()",
            "float[4, 8] Full(0.0)",
        ),
        (
            "x = torch.zeros(4, 8)\ny = x.clone()\ny.fill_(3)",
            "float[4, 8] Full(0.0)",
        ),
        ("x = torch.zeros(4, 8)\nx[0] = 1", "float[4, 8] Computed"),
        ("x = torch.empty(4, 8)\nx[:] = 1", "float[4, 8] Full(1.0)"),
        ("x = torch.empty(4, 8)\nx[...] = 1", "float[4, 8] Full(1.0)"),
        (
            "x = torch.zeros(4, 8)\nx[2:].add_(1)",
            "float[4, 8] Computed",
        ),
        ("x = torch.zeros(4, 8)\nx += 2", "float[4, 8] Full(2.0)"),
        (
            "x = torch.arange(4)\ny = x\ny *= 2",
            "int64[4] Steps(0.0, 2.0)",
        ),
        (
            "x = torch.zeros(4, 8)\ny = x.t()\ny.fill_(2)",
            "float[4, 8] Full(2.0)",
        ),
        (
            "x = torch.zeros(4, 8)\nx.numpy()[0] = 1",
            "float[4, 8] Computed",
        ),
        (
            "a = np.zeros((4, 8), np.float32)\nx = torch.from_numpy(a)\na.fill(3)",
            "float[4, 8] Full(3.0)",
        ),
        (
            "a = np.zeros((4, 8), np.float32)\nx = torch.tensor(a)\na.fill(3)",
            "float[4, 8] Full(0.0)",
        ),
        (
            "x = torch.zeros(4, 8)\nx.unsqueeze_(0)",
            "float[1, 4, 8] Full(0.0)",
        ),
        ("x = torch.zeros(4, 8)\nx.resize_(2, 2)", "?? Computed"),
        (
            "x = torch.zeros(4, 8)\ntorch.nn.init.uniform_(x)",
            "float[4, 8] Computed",
        ),
        (
            "x = torch.zeros(4, 8)\ntorch.add(x, 1, out=x)",
            "float[4, 8] Computed",
        ),
        (
            "x = torch.zeros(4, 8)\nimport somewhere\nsomewhere.fill(x)",
            "float[4, 8] Computed",
        ),
        (
            "x = torch.zeros(4, 8)\nx.frobnicate()",
            "float[4, 8] Computed",
        ),
        (
            "x = torch.zeros(4, 8)\nfor row in x:\n    row.fill_(1)",
            "float[4, 8] Computed",
        ),
        (
            "import sys\nx = torch.zeros(4, 8)\nif sys.platform == 'x':\n    x.fill_(1)",
            "float[4, 8] Computed",
        ),
        (
            "x = torch.zeros(4, 8)\nx.cpu().fill_(1)",
            "float[4, 8] Computed",
        ),
        (
            "x = torch.zeros(4, 8)\nx.float().fill_(1)",
            "float[4, 8] Full(1.0)",
        ),
        (
            "x = torch.zeros(4, 8)\nx.half().fill_(1)",
            "float[4, 8] Full(0.0)",
        ),
        (
            "x = torch.empty(4, 8)\nx.copy_(torch.ones(4, 8))",
            "float[4, 8] Full(1.0)",
        ),
        (
            "x = torch.empty(4, 8).normal_(2, 3)",
            "float[4, 8] NormalOf(2.0, 3.0)",
        ),
    ];
    for (host, wanted) in cases {
        let tensors = passed(host, &["x".to_owned()]);
        assert_eq!(shown(&tensors[0]), wanted, "{host}");
    }
}

/// Generates random statements on arrays `a0`, `a1`, ….
fn statements(random: &mut Random, count: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let shapes = ["(2, 3)", "(4,)", "(1, 3)", "(2, 1, 3)", "(6,)", "(2, 3, 4)"];
    let types = [
        "np.float16",
        "np.float32",
        "np.int32",
        "np.int8",
        "np.uint8",
        "np.int16",
        "bool",
        "'f4'",
        "np.int64",
    ];
    for at in 0..count {
        let mut pick = |list: &[&str]| list[random.below(list.len())].to_owned();
        let (shape, dtype, axis) = (pick(&shapes), pick(&types), pick(&["0", "-1", "1"]));
        let known = |name: usize| format!("a{name}");
        let a = known(random.below(at.max(1)));
        let b = known(random.below(at.max(1)));
        let made = match random.below(if at < 3 { 6 } else { 40 }) {
            0 => format!("np.zeros({shape}, {dtype})"),
            1 => format!("np.ones({shape}, dtype={dtype})"),
            2 => format!("np.full({shape}, 2, {dtype})"),
            3 => format!("np.arange(12, dtype={dtype}).reshape(3, 4)"),
            4 => format!("np.arange(1, 7, 2).astype({dtype})"),
            5 => format!("np.random.randint(0, 5, {shape}).astype({dtype})"),
            6 => format!("{a}.reshape(-1)"),
            7 => format!("{a}.reshape(2, -1)"),
            8 => format!("{a}.T"),
            9 => format!("{a}.transpose(1, 0)"),
            10 => format!("{a}.flatten()"),
            11 => format!("{a}.ravel()"),
            12 => format!("{a}.squeeze()"),
            13 => format!("np.expand_dims({a}, {axis})"),
            14 => format!("{a}[None]"),
            15 => format!("{a}[..., 0]"),
            16 => format!("{a}[1:]"),
            17 => format!("{a}[::2]"),
            18 => format!("{a}[::-1]"),
            19 => format!("{a}[:, -1]"),
            20 => format!("{a}[[0, 1, 0]]"),
            21 => format!("{a} + {b}"),
            22 => format!("{a} * 2"),
            23 => format!("{a} - 1.5"),
            24 => format!("{a} / 2"),
            25 => format!("{a} // 2"),
            26 => format!("{a} == {b}"),
            27 => format!("-{a}"),
            28 => format!("{a} @ {b}"),
            29 => format!("{a}.sum(axis={axis})"),
            30 => format!("{a}.max(axis={axis}, keepdims=True)"),
            31 => format!("{a}.astype({dtype})"),
            32 => format!("{a}.copy()"),
            33 => format!("np.concatenate([{a}, {b}], axis={axis})"),
            34 => format!("np.stack([{a}, {a}], axis={axis})"),
            35 => format!("{a}.repeat(2, axis={axis})"),
            36 => format!("np.tile({a}, (2, 1))"),
            37 => format!("{a}.view({dtype})"),
            38 => format!("{a}.argmax({axis})"),
            _ => format!("np.broadcast_to({a}, (2, 2, 3))"),
        };
        lines.push(format!("a{at} = {made}"));
        let write = match random.below(12) {
            0 => format!("{a}[...] = 1"),
            1 => format!("{a} += 1"),
            2 => format!("{a}.fill(3)"),
            3 => format!("{a}[0] = 0"),
            4 => format!("{a} *= 2"),
            5 => format!("{a}[:] = {b}"),
            _ => continue,
        };
        lines.push(write);
    }
    lines
}

/// A script that runs programs in NumPy. For each it prints the statements that do not fail, and the resulting
/// arrays.
const NUMPY: &str = r#"
import json, sys
import numpy as np

def run(lines):
    scope, kept = {'np': np}, []
    for line in lines:
        try:
            exec(line, scope)
            kept.append(line)
        except Exception:
            pass
    return scope, kept

def shown(array):
    if not isinstance(array, np.ndarray):
        return None
    return [array.dtype.name, list(array.shape), [float(value) for value in array.ravel()]]

answer = []
for lines, count in json.load(sys.stdin):
    # What fails half way may have written something: such statements are left out.
    for _ in range(8):
        before = len(lines)
        scope, lines = run(lines)
        if len(lines) == before:
            break
    answer.append([lines, [shown(scope.get(f'a{at}')) for at in range(count)]])
json.dump(answer, sys.stdout)
"#;

/// Returns the output of NumPy; `None` if it is not installed.
fn numpy(programs: &[(Vec<String>, usize)]) -> Option<Value> {
    let mut child = Command::new("python3")
        .args(["-W", "ignore", "-c", NUMPY])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let input = child.stdin.take()?;
    serde_json::to_writer(input, programs).ok()?;
    let output = child.wait_with_output().ok()?;
    serde_json::from_slice(&output.stdout).ok()
}

fn numpy_type(name: &str) -> Option<DType> {
    Some(match name {
        "float16" => DType::Half,
        "float32" => DType::Float,
        "bool" => DType::Bool,
        "int8" => DType::Int8,
        "int16" => DType::Int16,
        "int32" => DType::Int,
        "int64" => DType::Int64,
        "uint8" => DType::UInt8,
        "uint16" => DType::UInt16,
        "uint32" => DType::UInt32,
        "uint64" => DType::UInt64,
        _ => return None,
    })
}

/// Whether elements agree with the description of their contents.
fn holds(init: TensorInit, values: &[f64]) -> bool {
    let mut numbered = values.iter().enumerate();
    match init {
        TensorInit::Full(value) => values.iter().all(|&it| it == value),
        TensorInit::Arange => numbered.all(|(at, &it)| it == at as f64),
        TensorInit::Steps(start, step) => numbered.all(|(at, &it)| it == start + step * at as f64),
        TensorInit::Integers(low, high) => values
            .iter()
            .all(|&it| low as f64 <= it && it < high as f64),
        _ => true,
    }
}

#[test]
fn random_arrays_are_what_numpy_makes_of_them() {
    const COUNT: usize = 24;
    let count = std::env::var("A2LINT_TENSOR_PROGRAMS")
        .ok()
        .and_then(|it| it.parse().ok());
    let programs: Vec<(Vec<String>, usize)> = (0..count.unwrap_or(60))
        .map(|seed| (statements(&mut Random(seed * 7919 + 1), COUNT), COUNT))
        .collect();
    let Some(answers) = numpy(&programs) else {
        println!("skipped: python3 with numpy is not installed");
        return;
    };
    let (mut arrays, mut shapes, mut types, mut contents) = (0, 0, 0, 0);
    for answer in answers.as_array().expect("a list") {
        let lines: Vec<&str> = answer[0]
            .as_array()
            .expect("a list")
            .iter()
            .filter_map(Value::as_str)
            .collect();
        let found = answer[1].as_array().expect("a list");
        let names: Vec<usize> = (0..COUNT).filter(|&at| !found[at].is_null()).collect();
        let spelled: Vec<String> = names.iter().map(|at| format!("a{at}")).collect();
        let host = lines.join("\n");
        for (tensor, at) in passed(&host, &spelled).iter().zip(names) {
            let context = || format!("a{at} = {} in\n{host}\n{}", shown(tensor), found[at]);
            arrays += 1;
            if let Some(shape) = &tensor.shape {
                shapes += 1;
                assert_eq!(&serde_json::json!(shape), &found[at][1], "{}", context());
            }
            if let Some(dtype) = tensor.dtype {
                types += 1;
                let name = found[at][0].as_str().expect("a name");
                assert_eq!(Some(dtype), numpy_type(name), "{}", context());
            }
            let values: Vec<f64> = found[at][2]
                .as_array()
                .expect("a list")
                .iter()
                .map(|it| it.as_f64().unwrap_or(f64::NAN))
                .collect();
            contents += usize::from(tensor.init != TensorInit::Computed);
            assert!(holds(tensor.init, &values), "{}", context());
        }
    }
    // Unknown results are correct but useless, so their share is limited.
    let share = |known: usize| 100 * known / arrays;
    let shares = [share(shapes), share(types), share(contents)];
    println!("{arrays} arrays: shapes, types, contents known of {shares:?} %");
    assert!(
        shares[0] >= 85 && shares[1] >= 40 && shares[2] >= 10,
        "{shares:?}"
    );
}

#[test]
fn results_are_passed_on_until_they_are_written_to() {
    let passed = |between: &str| {
        let text = format!(
            "from ascriptor.a2 import *\nfrom ascriptor.runtime import OpExec\nimport torch\n\n\n\
             @kernel(mode=\"vec\")\ndef k(x: GM[f32, (8, 64)], y: GM[f32, (8, 64)]):\n    \
             u = Tensor(f32, [8, 64], Position.UB)\n    with auto_sync():\n        u <<= x\n        \
             y <<= u\n    return y\n\n\nx = torch.randn(8, 64)\nbase = torch.zeros(8, 64)\ny = base.npu()\n\
             OpExec(k, launcher=\"sim\")(x, y)\n{between}\n\
             OpExec(k, launcher=\"sim\")(y, torch.zeros(8, 64))\n"
        );
        let launches = trace(&SourceText::new(text)).launches;
        assert_eq!(launches.len(), 2, "{between}");
        launches[1].passing.passed.len()
    };
    assert_eq!(passed(""), 1);
    for between in [
        "y.add_(1)",
        "y[0] = 1",
        "y = base",
        "y = y.clone()",
        "base.zero_()",
    ] {
        assert_eq!(passed(between), 0, "{between}");
    }
}
