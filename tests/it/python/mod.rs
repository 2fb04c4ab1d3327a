//! Python that is evaluated while kernels are traced: each construct with a size that fits, and with one that does
//! not. The second one is found only if the construct is evaluated.

mod claims;
mod constructs;
mod differential;
mod fragments;
mod hostile;
mod operators;
mod programs;
mod snippets;

use a2lint::check::{Analysis, Settings, check};
use a2lint::language::Language;
use a2lint::text::SourceText;

use constructs::CONSTRUCTS;
use operators::OPERATORS;

/// A kernel whose buffer has `n` rows of 1 KB.
const KERNEL: &str = r#"from easyasc.a2 import *
{before}

@kernel(mode="vec")
def k(x: GMTensor, y: GMTensor):
    {line}
    a = Tensor(DT.float, [n, 256], Position.UB)
    with auto_sync():
        a[0:8, 0:256] <<= x[0:8, 0:256]
        y[0:8, 0:256] <<= a[0:8, 0:256]
    return y
"#;

/// A number of rows that fits into UB, and one that does not.
const FITS: &str = "64";
const OVERFLOWS: &str = "256";

fn analysed(text: &str) -> Analysis {
    let settings = Settings {
        replay: false,
        ..Settings::default()
    };
    check(&SourceText::new(text), Language::Easyasc, &settings)
}

fn names(analysis: &Analysis) -> Vec<&'static str> {
    let findings = analysis.findings.iter();
    findings.map(|finding| finding.name).collect()
}

/// Returns every construct in its kernel, without mistakes.
pub fn texts() -> Vec<String> {
    let constructs = CONSTRUCTS
        .iter()
        .chain(OPERATORS)
        .map(|(before, line)| kernel(before, line));
    let factories = FACTORIES.iter().map(|(text, _)| factory(text));
    let device = DEVICE
        .iter()
        .map(|(before, body, wait)| launched(before, body).replace("WAIT", wait));
    let texts = constructs.chain(factories).chain(device);
    texts.map(|text| text.replace("ROWS", FITS)).collect()
}

fn kernel(before: &str, line: &str) -> String {
    let indented = line.replace('\n', "\n    ");
    KERNEL
        .replace("{before}", before)
        .replace("{line}", &indented)
}

fn with(before: &str, line: &str, rows: &str) -> Analysis {
    analysed(&kernel(before, line).replace("ROWS", rows))
}

#[test]
fn constructs_are_evaluated() {
    let mut wrong = Vec::new();
    for (before, line) in CONSTRUCTS.iter().chain(OPERATORS) {
        let bad = with(before, line, OVERFLOWS);
        let good = with(before, line, FITS);
        let unknown = bad
            .records
            .iter()
            .flat_map(|record| &record.unknown)
            .count();
        if names(&bad) != ["ub-overflow"] || !names(&good).is_empty() || unknown > 0 {
            wrong.push(format!(
                "{before}\n{line}\n  {:?} {:?} {unknown} {:?}",
                names(&bad),
                names(&good),
                bad.findings.first().map(|finding| &finding.message)
            ));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {}:\n{}",
        wrong.len(),
        CONSTRUCTS.len() + OPERATORS.len(),
        wrong.join("\n")
    );
}

/// Factories and calls of them; `ROWS` decides whether the buffer of the kernel fits.
const FACTORIES: &[(&str, &str)] = &[
    (
        "def build(T):\n    @kernel(mode='vec')\n    def k(x: GMTensor, y: GMTensor):\nBODY\n    return k\nk = build(ROWS)",
        "build[T=ROWS]",
    ),
    (
        "import functools\n@functools.lru_cache(maxsize=None)\ndef build(device, T=4):\n    @kernel(mode='vec')\n    def k(x: GMTensor, y: GMTensor):\nBODY\n    return k\nbuild('a2', T=ROWS)",
        "build[device=a2, T=ROWS]",
    ),
    (
        "def build(T):\n    def k(x: GMTensor, y: GMTensor):\nBODY\n    return kernel(mode='vec')(k)\nk = build(ROWS)",
        "build[T=ROWS]",
    ),
    (
        "T = ROWS\ndef k(x: GMTensor, y: GMTensor):\nBODY\nk = kernel(mode='vec')(k)",
        "k",
    ),
    (
        "T = ROWS\ndef k(x: GMTensor, y: GMTensor):\nBODY\nk = kernel(k)",
        "k",
    ),
    (
        "from dataclasses import dataclass\n@dataclass(frozen=True)\nclass Tile:\n    rows: int\ndef build(tile):\n    T = tile.rows\n    @kernel(mode='vec')\n    def k(x: GMTensor, y: GMTensor):\nBODY\n    return k\nk = build(Tile(ROWS))",
        "build[tile=Tile(rows=ROWS)]",
    ),
    (
        "def build(T):\n    @kernel(mode='vec')\n    def k(x: GMTensor, y: GMTensor):\nBODY\n    return k\ndef test_k():\n    x = torch.randn(8, 256)\n    OpExec(build(ROWS))(x, x)",
        "build[T=ROWS]",
    ),
    (
        "def build(T):\n    @kernel(mode='vec')\n    def first(x: GMTensor, y: GMTensor):\nBODY\n    @kernel(mode='vec')\n    def second(x: GMTensor, y: GMTensor):\n        a = Tensor(DT.float, [8, 64], Position.UB)\n        with auto_sync():\n            a <<= x[0:8, 0:64]\n            y[0:8, 0:64] <<= a\n        return y\n    return first, second\nf, s = build(ROWS)",
        "build[T=ROWS].first",
    ),
    (
        "class Op:\n    def __init__(self, T):\n        @kernel(mode='vec')\n        def k(x: GMTensor, y: GMTensor):\nBODY\n        self.k = k\nop = Op(ROWS)",
        "__init__[T=ROWS]",
    ),
    (
        "def build(T=ROWS):\n    @kernel(mode='vec')\n    def k(x: GMTensor, y: GMTensor):\nBODY\n    return k",
        "k",
    ),
    (
        "def timed(f):\n    def inner(*args):\n        return f(*args)\n    return inner\nT = ROWS\n@timed\n@kernel(mode='vec')\ndef k(x: GMTensor, y: GMTensor):\nBODY\nx = torch.randn(8, 256)\nk(x, x)",
        "k",
    ),
];

/// Returns a factory with the body of its kernel.
fn factory(text: &str) -> String {
    const BODY: &str = "a = Tensor(DT.float, [T, 256], Position.UB)\nwith auto_sync():\n    a[0:8, 0:256] <<= x[0:8, 0:256]\n    y[0:8, 0:256] <<= a[0:8, 0:256]\nreturn y";
    let lines = text.lines().collect::<Vec<_>>();
    let at = lines.iter().position(|line| *line == "BODY").unwrap();
    let before = lines[at - 1];
    let indent = before.len() - before.trim_start().len() + 4;
    let body = BODY.lines().map(|line| format!("{:indent$}{line}", ""));
    let body = body.collect::<Vec<_>>().join("\n");
    let head = "from easyasc.a2 import *\nimport torch\n";
    format!("{head}{}\n", text.replace("BODY", &body))
}

#[test]
fn factories_build_kernels() {
    for (text, name) in FACTORIES {
        let of = |rows: &str| analysed(&factory(text).replace("ROWS", rows));
        let (bad, good) = (of(OVERFLOWS), of(FITS));
        let kernels: Vec<&str> = bad
            .module
            .programs
            .iter()
            .map(|it| it.name.as_str())
            .collect();
        assert!(
            kernels.contains(&name.replace("ROWS", OVERFLOWS).as_str()),
            "{text}\n{kernels:?}"
        );
        assert_eq!(names(&bad), ["ub-overflow"], "{text}\n{kernels:?}");
        assert_eq!(names(&good), Vec::<&str>::new(), "{text}");
    }
}

#[test]
fn instances_are_kernels_of_their_own() {
    let text = "from easyasc.a2 import *\nimport torch\ndef build(T):\n    @kernel(mode='vec')\n    def k(x: GMTensor, y: GMTensor):\n        a = Tensor(DT.float, [T, 256], Position.UB)\n        with auto_sync():\n            a[0:8, 0:256] <<= x[0:8, 0:256]\n            y[0:8, 0:256] <<= a[0:8, 0:256]\n        return y\n    return k\nfor T in [8, 16, 8, 256, 512]:\n    x = torch.randn(8, 256)\n    OpExec(build(T))(x, x)\n";
    let analysis = analysed(text);
    let kernels: Vec<&str> = analysis
        .module
        .programs
        .iter()
        .map(|it| it.name.as_str())
        .collect();
    assert_eq!(
        kernels,
        ["build[T=8]", "build[T=16]", "build[T=256]", "build[T=512]"]
    );
    let launched: Vec<&str> = analysis
        .module
        .launches
        .iter()
        .map(|it| it.kernel.as_str())
        .collect();
    assert_eq!(launched, kernels);
    // Two sizes cause two findings, whose messages differ.
    assert_eq!(names(&analysis), ["ub-overflow", "ub-overflow"]);
}

/// Python with an effect on the device. There is a race unless `exp` waits.
const DEVICE: &[(&str, &str, &str)] = &[
    (
        "class Pair:\n    def __init__(self, rows):\n        self.a = Tensor(DT.float, [rows, 64], Position.UB)\n    def load(self, x):\n        self.a <<= x[0:64, 0:64]\n    def work(self):\n        exp(self.a, self.a)",
        "p = Pair(64)\np.load(x)\nWAIT\np.work()\nbar_all()\ny[0:64, 0:64] <<= p.a",
        "bar_all()",
    ),
    (
        "from contextlib import contextmanager\n@contextmanager\ndef loaded(a, x):\n    a <<= x[0:64, 0:64]\n    WAIT\n    yield a\n    bar_all()",
        "a = Tensor(DT.float, [64, 64], Position.UB)\nwith loaded(a, x) as t:\n    exp(t, t)\ny[0:64, 0:64] <<= a",
        "bar_all()",
    ),
    (
        "class Guard:\n    def __enter__(self):\n        return 1\n    def __exit__(self, *all):\n        WAIT",
        "a = Tensor(DT.float, [64, 64], Position.UB)\nwith Guard():\n    a <<= x[0:64, 0:64]\nexp(a, a)\nbar_all()\ny[0:64, 0:64] <<= a",
        "bar_all()",
    ),
    (
        "from functools import partial\ndef step(f, t):\n    f(t, t)",
        "a = Tensor(DT.float, [64, 64], Position.UB)\na <<= x[0:64, 0:64]\nWAIT\nrun = partial(step, exp)\nrun(a)\nbar_all()\ny[0:64, 0:64] <<= a",
        "bar_all()",
    ),
    (
        "def counted(f):\n    def inner(t):\n        f(t)\n        WAIT\n    return inner\n@counted\ndef load(t):\n    t[0] <<= t[1][0:64, 0:64]",
        "a = Tensor(DT.float, [64, 64], Position.UB)\nload([a, x])\nexp(a, a)\nbar_all()\ny[0:64, 0:64] <<= a",
        "bar_all()",
    ),
    (
        "",
        "a = Tensor(DT.float, [64, 64], Position.UB)\na <<= x[0:64, 0:64]\nfor wait in [lambda: WAIT]:\n    wait()\nexp(a, a)\nbar_all()\ny[0:64, 0:64] <<= a",
        "bar_all()",
    ),
];

/// A kernel with a launch.
fn launched(before: &str, body: &str) -> String {
    let body = body.replace('\n', "\n    ");
    format!(
        "from easyasc.a2 import *\n{before}\n\n# a2lint: launch(x=float[64, 64], y=float[64, 64])\n@kernel(mode='vec')\ndef k(x: GMTensor, y: GMTensor):\n    {body}\n    return y\n"
    )
}

#[test]
fn what_python_does_on_the_device_is_followed() {
    for (before, body, wait) in DEVICE {
        let of = |wait: &str| {
            let text = launched(before, body);
            let settings = Settings {
                replay_work: 100_000,
                ..Settings::default()
            };
            check(
                &SourceText::new(text.replace("WAIT", wait)),
                Language::Easyasc,
                &settings,
            )
        };
        let (bad, good) = (of("print()"), of(wait));
        assert_eq!(names(&bad), ["race"], "{before}\n{body}");
        assert!(
            !names(&good).contains(&"race"),
            "{before}\n{body}\n{:?}",
            names(&good)
        );
        let unknown = bad
            .records
            .iter()
            .flat_map(|record| &record.unknown)
            .count();
        assert_eq!(unknown, 0, "{before}\n{body}");
    }
}

#[test]
fn constructs_cut_anywhere_are_survived() {
    use rayon::prelude::*;
    CONSTRUCTS.par_iter().for_each(|(before, line)| {
        let indented = line.replace('\n', "\n    ");
        let text = KERNEL
            .replace("{before}", before)
            .replace("{line}", &indented);
        let text = text.replace("ROWS", FITS);
        for at in (0..text.len()).step_by(11) {
            analysed(&text[..at]);
            // A part is missing or duplicated.
            let end = (at + 5).min(text.len());
            analysed(&format!("{}{}", &text[..at], &text[end..]));
            analysed(&format!("{}{}", &text[..end], &text[at..]));
        }
    });
}
