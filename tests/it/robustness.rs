//! Incomplete and mangled kernels: no text makes the checker panic or hang.

use std::path::PathBuf;
use std::time::Duration;

use rayon::prelude::*;

use crate::common::{Random, within};
use a2lint::check::{Settings, check};
use a2lint::language::Language;
use a2lint::text::SourceText;

/// No mangled kernel may take longer than this, in the slowest build: it would be a hang.
pub(crate) const BOUND: Duration = Duration::from_secs(120);
/// One mangled kernel in `REPLAYED` is replayed as well, because a run takes much longer than the rest.
const REPLAYED: usize = 40;
/// Kernels are cut at one token in `CUT`.
const CUT: usize = 32;
/// Number of mutations of each kernel.
const ROUNDS: usize = 24;

/// Whether the test is exhaustive: `A2LINT_ROBUSTNESS=all` cuts kernels at every token and makes twenty times as many
/// mutations.
pub(crate) fn is_thorough() -> bool {
    std::env::var("A2LINT_ROBUSTNESS").is_ok_and(|value| value == "all")
}

fn kernels() -> Vec<(PathBuf, String)> {
    let folder = crate::common::root().join("tests/kernels");
    crate::common::files(&folder, "py")
        .into_iter()
        .filter(|path| path.parent() == Some(&folder))
        .map(|path| {
            let text = crate::common::read(&path);
            (path, text)
        })
        .collect()
}

/// Returns the offsets between tokens, where the class of characters changes.
pub(crate) fn boundaries(text: &str) -> Vec<usize> {
    let kind = |c: char| match c {
        c if c.is_alphanumeric() || c == '_' => 0,
        c if c.is_whitespace() => 1,
        _ => 2,
    };
    let mut found = vec![0];
    let mut before: Option<char> = None;
    for (at, c) in text.char_indices() {
        if before.is_some_and(|before| kind(before) != kind(c) || kind(c) == 2) {
            found.push(at);
        }
        before = Some(c);
    }
    found.push(text.len());
    found
}

fn checked(text: String, replay: bool, what: &str) {
    let settings = Settings {
        pedantic: true,
        replay,
        prove: replay,
        ..Settings::default()
    };
    let (source, analysis) = within(BOUND, what, move || {
        let source = SourceText::new(text);
        let analysis = check(&source, Language::Easyasc, &settings);
        (source, analysis)
    });
    for finding in &analysis.findings {
        let spans = finding
            .labels
            .iter()
            .map(|label| label.span)
            .chain([finding.span]);
        for span in spans {
            assert!(
                source.as_str().get(span.range()).is_some(),
                "{what}: {} points outside the text",
                finding.name
            );
        }
    }
}

#[test]
fn kernels_cut_at_tokens() {
    let step = if is_thorough() { 1 } else { CUT };
    let kernels: Vec<_> = kernels().into_iter().enumerate().collect();
    kernels.par_iter().for_each(|(number, (path, text))| {
        let cuts = boundaries(text).into_iter().skip(number % step);
        for (at, end) in cuts.step_by(step).enumerate() {
            checked(
                text[..end].to_owned(),
                at % REPLAYED == 0,
                &format!("{} cut at {end}", path.display()),
            );
        }
    });
}

#[test]
fn kernels_with_tokens_deleted_doubled_and_swapped() {
    let rounds = if is_thorough() { 20 * ROUNDS } else { ROUNDS };
    let kernels: Vec<_> = kernels().into_iter().enumerate().collect();
    kernels.par_iter().for_each(|(number, (path, text))| {
        let mut random = Random(0x9E37_79B9 + *number as u64);
        for round in 0..rounds {
            let Some(mangled) = mangled(text, &mut random, round) else {
                continue;
            };
            let what = format!("{} round {round}", path.display());
            checked(mangled, round % REPLAYED == 0, &what);
        }
    });
}

/// Deletes, doubles or swaps a token of a text; `None` if that changes nothing.
pub(crate) fn mangled(text: &str, random: &mut Random, round: usize) -> Option<String> {
    let cuts = boundaries(text);
    let token = |at: usize| &text[cuts[at]..cuts[at + 1]];
    let at = random.below(cuts.len() - 1);
    let other = random.below(cuts.len() - 1);
    let (first, second) = (at.min(other), at.max(other));
    match round % 3 {
        0 => Some(format!("{}{}", &text[..cuts[at]], &text[cuts[at + 1]..])),
        1 => Some(format!("{}{}", &text[..cuts[at + 1]], &text[cuts[at]..])),
        _ if first == second => None,
        _ => Some(
            [
                &text[..cuts[first]],
                token(second),
                &text[cuts[first + 1]..cuts[second]],
                token(first),
                &text[cuts[second + 1]..],
            ]
            .concat(),
        ),
    }
}

/// Returns a kernel with hostile statements.
fn kernel(body: &str) -> String {
    let mut text = String::from(
        "from easyasc.a2 import *\n@kernel()\ndef k(x: GMTensor, M: Var):\n    ub = DBuff(DT.float, [64, 64], Position.UB)\n",
    );
    for line in body.lines() {
        text.push_str("    ");
        text.push_str(line);
        text.push('\n');
    }
    text.push_str("    return x\n");
    text
}

#[test]
fn hostile_kernels_end() {
    let deep_loops: String = (0..150)
        .map(|depth| format!("{}for i{depth} in range(M):\n", " ".repeat(depth)))
        .chain([format!("{}ub[0] <<= ub[0] + 1.0\n", " ".repeat(150))])
        .collect();
    let deep_ifs: String = (0..150)
        .map(|depth| format!("{}if M > {depth}:\n", " ".repeat(depth)))
        .chain([format!("{}ub[0] <<= ub[0] + 1.0\n", " ".repeat(150))])
        .collect();
    let cases = [
        ("endless while", "while True:\n    pass".to_owned()),
        (
            "endless recursion",
            "def f(n):\n    return f(n + 1)\nf(0)".to_owned(),
        ),
        (
            "large unroll",
            "for i in unroll(10**12):\n    ub[i] <<= ub[i] + 1.0".to_owned(),
        ),
        (
            "large list",
            "xs = [0] * 10**9\nys = [i for i in unroll(10**9)]".to_owned(),
        ),
        (
            "doubling scalars",
            "t = M\nfor i in unroll(5000):\n    t = t * t + t".to_owned(),
        ),
        (
            "doubling places",
            "t = M\nfor i in unroll(60):\n    t = t * t + t\n\
             ws = split_workspace(DT.float, [64, 64])\n\
             ub[0] <<= ws[t:t + 64, 0:64]\n\
             for j in range(GetCubeIdx(), t):\n    ws[t:t + 64, 0:64] <<= ub[0]"
                .to_owned(),
        ),
        (
            "doubling lists",
            "xs = [1]\nfor i in unroll(60):\n    xs = xs + xs".to_owned(),
        ),
        (
            "a pipe that waits for ever",
            "e = SEvent(Pipe.V, Pipe.MTE2)\nfor i in range(0, 10000000):\n    e.wait()\n    ub[i] <<= x[0:64, 0:64]"
                .to_owned(),
        ),
        ("deep loops", deep_loops),
        ("deep branches", deep_ifs),
        (
            "huge shapes",
            "t = Tensor(DT.float, [2**62, 2**62], Position.UB)\ndup(t, 0.0)".to_owned(),
        ),
        (
            "huge strides",
            "dup(ub[0], 0.0, 2**40, 2**62, 2**62)".to_owned(),
        ),
        (
            "huge offsets",
            "add(ub[0][2**61:2**62, 2**60:2**61], ub[0], ub[0])".to_owned(),
        ),
        (
            "huge bursts",
            "gm_to_ub_pad(ub[0], x[0:64, 0:64], 2**62, 2**62, 2**62, 2**62)".to_owned(),
        ),
        (
            "huge power",
            "n = 10 ** 10 ** 10\nm = 2 << 10**9".to_owned(),
        ),
        (
            "negative everything",
            "dup(ub[-5][-3:-9, -7:-1], -1, -2, -3, -4)".to_owned(),
        ),
        (
            "nested slices",
            "t = ub[0]\nfor i in unroll(2000):\n    t = t[M:, M:]\nt <<= t + 1.0".to_owned(),
        ),
        (
            "many large lists",
            "zs = []\nfor i in unroll(100000):\n    zs.append([0] * 200000)".to_owned(),
        ),
        (
            "large lists read often",
            "xs = [0] * 200000\nfor i in unroll(190000):\n    n = xs[i] + len(xs)\n    m = 5 in xs\n    xs[M] = 1"
                .to_owned(),
        ),
        (
            "ranges counted often",
            "for i in unroll(190000):\n    n = sum(unroll(199999)) + len(unroll(199999))".to_owned(),
        ),
        (
            "a large dictionary",
            "d = {}\nfor i in unroll(190000):\n    d[i] = d.get(i, 0)\n    n = d[i]".to_owned(),
        ),
        (
            "lists in lists in lists",
            "xs = []\nfor i in unroll(190000):\n    xs = [xs]\nys = ()\nfor i in unroll(190000):\n    ys = (ys,)\n\
             d = {}\nfor i in unroll(190000):\n    d = {0: d}"
                .to_owned(),
        ),
        (
            "equal towers",
            "a = [0] * 100\nb = [0] * 100\nfor i in unroll(8):\n    a = [a] * 100\n    b = [b] * 100\n\
             for i in unroll(9999):\n    c = a == b\n    d = a in [b]"
                .to_owned(),
        ),
        ("a returned list of itself", "xs = []\nxs.append(xs)\nreturn xs, [xs]".to_owned()),
        (
            "returned towers",
            "xs = [x] * 1000\nfor i in unroll(9):\n    xs = [xs] * 1000\nreturn xs".to_owned(),
        ),
        (
            "the ends of wide integers",
            "n = -2 << 126\na = n // -1\nb = n % -1\nc = abs(n)\nd = -n\ne = n // 3 % 7\n\
             f = [i for i in unroll(0, 1 << 126, 1 << 126)]\ng = [0, 1][0 : 2 : 1 << 126]\n\
             h = [0, 1][n]\nub[n] <<= ub[n // 2] + 1.0"
                .to_owned(),
        ),
        (
            "an empty tensor that is written to",
            "l1 = Tensor(DT.half, [16, 64], Position.L1)\nl0 = Tensor(DT.half, [32, 0], Position.L0B)\n\
             l1 <<= x[0:16, 0:64]\nl0[2:18, 0:64] <<= l1"
                .to_owned(),
        ),
        (
            "self-calling list",
            "xs = []\nxs.append(xs)\nfor a in xs:\n    print(a == xs)".to_owned(),
        ),
    ];
    for (what, body) in cases {
        checked(kernel(&body), true, what);
    }
}

/// Counters of rings, tokens and shared slots that take steps as wide as a word.
#[test]
fn steps_at_the_ends_of_words_are_followed() {
    let folder = crate::common::root().join("tests/sync");
    let kernels = crate::common::files(&folder, "py").into_iter();
    let kernels = kernels.map(|path| (crate::common::read(&path), path));
    let counting: Vec<_> = kernels
        .filter(|(text, _)| text.contains(" += 1\n"))
        .collect();
    assert!(counting.len() >= 15, "{}", counting.len());
    counting.par_iter().for_each(|(text, path)| {
        for step in [" += -9223372036854775808\n", " += 9223372036854775807\n"] {
            let text = text.replace(" += 1\n", step);
            checked(text, true, &path.display().to_string());
        }
    });
}

/// Sizes that are compared, and tiles that are cut off, at the ends of words: launches are chosen beside them.
#[test]
fn numbers_at_the_ends_of_words_are_survived() {
    const ENDS: [&str; 4] = [
        "9223372036854775807",
        "9223372036854775806",
        "-9223372036854775807",
        "-9223372036854775808",
    ];
    let text = |condition: &str, tile: &str, size: &str| {
        format!(
            "from easyasc.a2 import *\n\n\n# a2lint: launch(M=100)\n# a2lint: launch(M={size})\n\
             @kernel(mode=\"vec\")\ndef k(x: GMTensor, y: GMTensor, M: Var):\n    \
             tile = Tensor(DT.float, [64, 64], Position.UB)\n    with auto_sync():\n        \
             for row in range(GetVecIdx() * 64, M, GetVecNum() * 64):\n            \
             rows = Min({tile}, M - row)\n            if M {condition}:\n                \
             tile[0:rows, 0:64] <<= x[row:row + rows, 0:64]\n            \
             y[row:row + rows, 0:64] <<= tile[0:rows, 0:64]\n    return y\n"
        )
    };
    for end in ENDS {
        for comparison in ["<", ">", "==", "<=", ">="] {
            checked(
                text(&format!("{comparison} {end}"), "64", "1_280"),
                true,
                end,
            );
        }
        checked(text("> 0", end, "1_280"), true, end);
        checked(text("> 0", "64", end), true, end);
    }
}

#[test]
fn closing_brackets_without_end_cost_no_kernel() {
    // Found by hand: a parser of C++ took a million steps to recover from this text.
    let noise = "@ ) x ] = }".repeat(20_000);
    let kernel = "void f() { GatherMask(a, b, 1, false, 0, p, n); TSEL(d, m, a, b, t); }\n";
    for text in [format!("{kernel}{noise}"), format!("{noise}\n{kernel}")] {
        let analysis = within(BOUND, "brackets", move || {
            check(&SourceText::new(text), Language::Cpp, &Settings::default())
        });
        assert_eq!(analysis.masks.tiles.functions.len(), 1);
        assert_eq!(analysis.not_analysed().len(), 0);
    }
}

#[test]
fn other_texts_are_no_kernels() {
    let texts = [
        String::new(),
        "\u{feff}".to_owned(),
        "from easyasc.a2 import *".to_owned(),
        "from easyasc.a2 import *\0\0\0".to_owned(),
        format!(
            "from easyasc.a2 import *\nx = {}{}",
            "(".repeat(10_000),
            ")".repeat(10_000)
        ),
        format!("from easyasc.a2 import *\nx = {}", "[".repeat(10_000)),
        format!("from easyasc.a2 import *\n{}", "@".repeat(10_000)),
        format!("from easyasc.a2 import *\nx = 1{}", " + 1".repeat(20_000)),
        "#include <easyasc.h>\nint main() { return 0; }\n".repeat(500),
        "from easyasc.a2 import *\nfn main() -> Result<(), Error> { Ok(()) }\n".to_owned(),
    ];
    for (at, text) in texts.into_iter().enumerate() {
        checked(text, true, &format!("text {at}"));
    }
}
