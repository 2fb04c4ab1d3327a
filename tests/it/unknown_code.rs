//! The effect of code that cannot be evaluated is local: the rest of a kernel is analysed and replayed.

use a2lint::check::{Analysis, Settings, check};
use a2lint::language::Language;
use a2lint::text::SourceText;

/// A kernel with a launch in which `exp()` does not wait for the load. `{before}` is at the start of its body, and
/// `{between}` between load and `exp()`.
const RACY: &str = r#"{imports}
from easyasc.a2 import *


# a2lint: launch(x=float[64, 64], y=float[64, 64])
@kernel(mode="vec")
def k(x: GMTensor, y: GMTensor):
    a = Tensor(DT.float, [64, 64], Position.UB)
    b = Tensor(DT.float, [64, 64], Position.UB)
    {before}
    a <<= x[0:64, 0:64]
    {between}
    exp(a, a)
    bar_all()
    b <<= a + 1.0
    bar_all()
    y[0:64, 0:64] <<= b
    return y
"#;

fn analysed(imports: &str, before: &str, between: &str) -> Analysis {
    let text = RACY
        .replace("{imports}", imports)
        .replace("{before}", before)
        .replace("{between}", between);
    check(
        &SourceText::new(text),
        Language::Easyasc,
        &Settings::default(),
    )
}

fn names(analysis: &Analysis) -> Vec<&'static str> {
    analysis
        .findings
        .iter()
        .map(|finding| finding.name)
        .collect()
}

/// Imports, and lines that use them.
const LINES: &[(&str, &str)] = &[
    ("from tiles import pick", "n = pick(64)"),
    ("import tiles", "n = tiles.pick(64)"),
    ("from tiles import ROWS", "n = ROWS * 2"),
    ("class Config:\n    rows = 64", "n = Config.rows"),
    (
        "from dataclasses import dataclass\n\n@dataclass\nclass Tile:\n    rows: int = 64",
        "n = Tile(rows=32).rows",
    ),
    (
        "from collections import namedtuple\nTile = namedtuple('Tile', 'rows columns')",
        "n = Tile(64, 64).rows",
    ),
    (
        "from types import SimpleNamespace",
        "n = SimpleNamespace(rows=64).rows",
    ),
    (
        "from enum import IntEnum\n\nclass Mode(IntEnum):\n    FAST = 1",
        "n = 64 if Mode.FAST == 1 else 32",
    ),
    ("", "n = (lambda rows: rows * 2)(32)"),
    ("import functools", "n = functools.partial(max, 3)(5)"),
    (
        "from functools import reduce",
        "n = reduce(lambda p, q: p * q, [4, 16])",
    ),
    (
        "import functools\n\n@functools.lru_cache(maxsize=None)\ndef rows(n):\n    return 2 * n",
        "n = rows(32)",
    ),
    (
        "import functools\n\ndef plain(function):\n    @functools.wraps(function)\n    def inner(*args):\n        return function(*args)\n    return inner\n\n@plain\ndef rows(n):\n    return 2 * n",
        "n = rows(32)",
    ),
    ("import numpy as np", "n = int(np.sqrt(4096))"),
    ("import numpy as np", "n = int(np.prod([8, 8]))"),
    (
        "import itertools",
        "n = [p * q for p, q in itertools.product([1, 2], [3, 4])]",
    ),
    (
        "MODE = 1",
        "match MODE:\n        case 1:\n            n = 64\n        case _:\n            n = 32",
    ),
    ("import warnings", "warnings.warn('slow')"),
    (
        "import logging",
        "logging.getLogger(__name__).info('tile %s', a)",
    ),
    ("import time", "n = time.time()"),
    ("import random", "n = random.random()"),
    ("import os", "n = int(os.environ.get('ROWS', '64'))"),
    ("from checkpoints import reached", "reached('load')"),
];

#[test]
fn a_line_that_cannot_be_evaluated_leaves_a_race_found() {
    assert_eq!(names(&analysed("", "pass", "pass")), ["race"]);
    for (imports, line) in LINES {
        for (before, between) in [(*line, "pass"), ("pass", *line)] {
            // Code between the two must neither order them nor count as an instruction.
            let analysis = analysed(imports, before, between);
            assert_eq!(names(&analysis), ["race"], "{imports}\n{line}");
            assert!(
                analysis
                    .records
                    .iter()
                    .all(|record| record.unreplayed.is_none()),
                "{imports}\n{line}"
            );
            assert!(analysis.not_analysed().is_empty(), "{imports}\n{line}");
        }
    }
}

#[test]
fn unknown_code_takes_hold_of_what_it_is_given() {
    let unknown = |analysis: &Analysis| analysis.module.programs[0].unknown.len();
    let import = "from tiles import touch";
    // The unknown function may wait for the load.
    let between = analysed(import, "pass", "touch(a)");
    assert_eq!((names(&between).len(), unknown(&between)), (0, 1));
    // The unknown function may write `b`; the race is after it.
    let before = analysed(import, "touch(b)\n    b <<= b + 1.0", "pass");
    assert_eq!((names(&before), unknown(&before)), (vec!["race"], 1));
    let nothing = analysed(import, "touch(1)\n    b <<= b + 1.0", "pass");
    assert_eq!(names(&nothing), ["uninitialized-read", "race"]);
    // It is unknown which of the two buffers is meant.
    let either = "pair = [a, b]\n    t = pair[touch(0)]\n    dup(t, 0.0)\n    b <<= b + 1.0";
    let either = analysed(import, either, "pass");
    assert_eq!(names(&either), ["race"]);
    assert!(unknown(&either) > 0);
}

#[test]
fn unknown_numbers_lose_what_depends_on_them() {
    let import = "from tiles import rows, scale";
    let arithmetic = analysed(import, "dup(b, scale(1))", "pass");
    let sizes = analysed(
        import,
        "n = rows(1)\n    dup(b[0:n, 0:64], 1.0)\n    b <<= b + 1.0",
        "pass",
    );
    let loops = "for i in range(rows(1)):\n        dup(b, 0.0)\n    b <<= b + 1.0";
    let loops = analysed(import, loops, "pass");
    let branches = "if rows(1) > 2:\n        dup(b, 0.0)\n    b <<= b + 1.0";
    let branches = analysed(import, branches, "pass");
    for analysis in [arithmetic, sizes, loops, branches] {
        let program = &analysis.module.programs[0];
        assert_eq!(names(&analysis), ["race"], "{:?}", analysis.findings);
        assert!(!program.unknown.is_empty());
        assert!(
            analysis
                .records
                .iter()
                .all(|record| record.unreplayed.is_none())
        );
    }
}

#[test]
fn unknown_branches_leave_nothing_certain() {
    let import = "from tiles import rows";
    let text = "if rows(1):\n        n = 1\n    else:\n        n = 100\n    dup(b, 0.0, repeat=n)";
    let analysis = analysed(import, text, "pass");
    assert_eq!(names(&analysis), ["race"], "{:?}", analysis.findings);
}

#[test]
fn names_of_numbers_and_modes_are_corrected() {
    let fix = |line: &str| {
        let analysis = analysed("", line, "bar_all()");
        let findings: Vec<_> = analysis.findings.iter().collect();
        assert_eq!(findings.len(), 1, "{line}: {findings:?}");
        let fix = findings[0].fix.as_ref().map(|fix| fix.title.clone());
        (findings[0].name, fix.unwrap_or_default())
    };
    let expected = [
        ("dupp(b, 0.0)", "replace `dupp` with `dup`"),
        ("dup(cc, 0.0)", ""),
        (
            "a <<= x[0:64, 0:64]\n    bar_all()\n    cast(b, a, round_mode=RoundMode.RINTT)",
            "replace `RINTT` with `RINT`",
        ),
        (
            "c = Tensor(DT.hlaf, [64, 64], Position.UB)",
            "replace `hlaf` with `half`",
        ),
        ("dup(b, widht)", ""),
    ];
    for (line, title) in expected {
        assert_eq!(fix(line), ("unknown-name", title.to_owned()), "{line}");
    }
    assert_eq!(
        fix("for i in range(4)\n        dup(b, 0.0)").1,
        "insert `:`"
    );
}

/// Both lanes store the same rows, and then call an unknown function.
const ALIKE: &str = r#"
from tiles import touch
from easyasc.a2 import *


# a2lint: launch(x=float[64, 64], y=float[64, 64])
@kernel(mode="vec")
def k(x: GMTensor, y: GMTensor):
    a = Tensor(DT.float, [64, 64], Position.UB)
    a <<= x[0:64, 0:64]
    bar_all()
    y[0:64, 0:64] <<= a
    bar_all()
    touch(a)
    y[0:64, 0:64] <<= a
    return y
"#;

#[test]
fn unknown_values_are_not_other_values() {
    let checked = |text: &str| {
        let source = SourceText::new(text);
        check(&source, Language::Easyasc, &Settings::default())
    };
    let analysis = checked(ALIKE);
    assert_eq!(
        names(&analysis),
        Vec::<&str>::new(),
        "{:?}",
        analysis.findings
    );
    let other = ALIKE.replace(
        "touch(a)",
        "a <<= x[0:64, 0:64]\n    muls(a, a, 2.0)\n    bar_all()",
    );
    let known = names(&checked(&other)).contains(&"sub-block-split");
    assert!(known, "what is known to differ is told");
}

/// A misspelt keyword of an event, so that it is unknown what the event orders.
#[test]
fn events_that_raise_may_order_anything() {
    let text = RACY
        .replace("{imports}", "")
        .replace("{before}", "e = SEvent(Pipe.MTE2, Pipe.V, preste=False)")
        .replace("{between}", "e.set()\n    e.wait()");
    let source = SourceText::new(text);
    let analysis = check(&source, Language::Easyasc, &Settings::default());
    assert_eq!(names(&analysis), ["trace-error"]);
}
