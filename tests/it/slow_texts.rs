//! Texts that are made to take long: each ends with a specified result, within bounds on the amount of work.
//!
//! The sizes are such that quadratic work would take minutes. `A2LINT_LARGE_INPUTS=all` uses sizes near the limits
//! for a text.

use std::time::Duration;

use crate::common::within;
use a2lint::check::{Analysis, Settings, check};
use a2lint::language::Language;
use a2lint::replay::LaunchOutcome;
use a2lint::suppress::Suppressions;
use a2lint::text::SourceText;
use a2lint::verdict::Property;

/// No text may take longer than this, in the slowest build: three times what SECURITY.md says of a release.
const BOUND: Duration = Duration::from_secs(30);

fn checked(text: &str, language: Language) -> Analysis {
    checked_with(text, language, Settings::default())
}

fn checked_with(text: &str, language: Language, settings: Settings) -> Analysis {
    let source = SourceText::new(text);
    let beginning: String = text.chars().take(200).collect();
    within(BOUND, &beginning, move || {
        check(&source, language, &settings)
    })
}

/// Settings under which all rules run.
fn pedantic() -> Settings {
    Settings {
        pedantic: true,
        ..Settings::default()
    }
}

/// Returns a size near the limits for a text, or a quarter of it by default.
fn size(most: usize) -> usize {
    match std::env::var_os("A2LINT_LARGE_INPUTS") {
        Some(_) => most,
        None => most / 4,
    }
}

fn repeated(count: usize, line: impl Fn(usize) -> String) -> String {
    (0..count).map(line).collect()
}

const HEAD: &str = "from easyasc.a2 import *\n\n";

/// Returns a kernel with lines in its loop.
fn kernel(name: &str, lines: &str) -> String {
    let lines: String = lines
        .lines()
        .map(|line| format!("            {line}\n"))
        .collect();
    format!(
        "@kernel()\ndef {name}(x: GMTensor, y: GMTensor, M: Var):\n    t = DBuff(DT.float, [8, 64], Position.UB)\n    \
         i = Var(0)\n    with auto_sync():\n        for r in range(GetVecIdx(), CeilDiv(M, 8), GetVecNum()):\n            \
         t[i][0:8, 0:64] <<= x[r * 8 : r * 8 + 8, 0:64]\n{lines}            \
         y[r * 8 : r * 8 + 8, 0:64] <<= t[i][0:8, 0:64]\n            i += 1\n    return y\n\n"
    )
}

/// Returns a kernel with this body.
fn body(lines: &str) -> String {
    let lines: String = lines.lines().map(|line| format!("    {line}\n")).collect();
    format!("{HEAD}@kernel()\ndef f(x: GMTensor, y: GMTensor, M: Var):\n{lines}    return y\n")
}

fn reasons(analysis: &Analysis) -> Vec<&str> {
    analysis
        .not_analysed()
        .iter()
        .map(|it| it.reason.as_str())
        .collect()
}

#[test]
fn suppressions_take_work_in_proportion_to_their_names() {
    let names = |count: usize, name: &dyn Fn(usize) -> String| {
        (0..count).map(name).collect::<Vec<_>>().join(",")
    };
    // A list of rules without an end is no suppression.
    let text = format!(
        "{HEAD}{}x = 1  # a2lint: ignore[{}]\n",
        kernel("f", ""),
        names(40_000, &|_| "a".to_owned())
    );
    let found = checked(&text, Language::Easyasc);
    let messages: Vec<&str> = found
        .findings
        .iter()
        .map(|it| it.message.as_str())
        .collect();
    assert!(
        messages.len() == 1 && messages[0].contains("names 40000 rules"),
        "{messages:?}"
    );
    // Many lists: those beyond the limit on findings of a file are counted.
    let list = |line: usize| {
        format!(
            "x = 1  # a2lint: ignore[{}]\n",
            names(50, &|at| format!("r{line}x{at}"))
        )
    };
    let text = format!("{HEAD}{}{}", kernel("f", ""), repeated(size(800), list));
    let found = checked(&text, Language::Easyasc);
    assert_eq!(found.findings.len(), 2_000);
    assert_eq!(
        reasons(&found),
        [format!(
            "{} findings; the first 2000 are shown",
            size(800) * 50
        )]
    );
    // Regions that are not ended, and one that would end all of them.
    let region = "# a2lint: disable[dup-coverage]\nx = 1\n".repeat(size(8_000));
    let text = format!("{region}# a2lint: enable[dup-coverage]\n");
    let all = Suppressions::of(&SourceText::new(text), Language::Easyasc);
    assert_eq!(all.directives.len(), size(8_000) + 1);
    assert!(
        all.directives
            .iter()
            .all(|it| it.entries[0].ending.is_some() || it.entries[0].used)
    );
    for language in [Language::Cpp, Language::Ptx, Language::Pto] {
        let text = format!(
            "// a2lint: ignore[{}]\n",
            names(40_000, &|_| "a".to_owned())
        );
        let found = checked(&text, language);
        assert_eq!(found.findings.len(), 1, "{language:?}");
    }
}

#[test]
fn kernels_of_a_file_are_bounded_together() {
    let factory = kernel("f", "")
        .lines()
        .map(|line| format!("    {line}\n"))
        .collect::<String>();
    let factory = format!(
        "{HEAD}def build(n):\n{factory}    return f\n\n\nks = [build(n) for n in range(100000)]\n"
    );
    let found = checked(&factory, Language::Easyasc);
    assert_eq!(found.module.programs.len(), 1_024);
    assert_eq!(
        reasons(&found),
        ["98976 further kernels were left out: 1024 kernels were traced before"]
    );
    let steps = "    z = [a * b for a in list(unroll(1400)) for b in list(unroll(1400))]\n";
    let long = |at: usize| {
        format!("@kernel()\ndef f{at}(x: GMTensor, y: GMTensor, M: Var):\n{steps}    return y\n")
    };
    let found = checked(&format!("{HEAD}{}", repeated(40, long)), Language::Easyasc);
    let last = *reasons(&found).last().expect("a reason");
    assert!(
        last.ends_with("further kernels were left out: 16000000 steps were evaluated before"),
        "{last}"
    );
}

#[test]
fn kernels_have_bounds_of_their_own() {
    let many = repeated(3_000, |at| format!("x{at}: GMTensor, "));
    let text = format!("{HEAD}@kernel()\ndef f({many}M: Var):\n    return x0\n");
    assert_eq!(
        reasons(&checked(&text, Language::Easyasc)),
        ["it has 3001 parameters, more than 512"]
    );
    let buffers = "for q in unroll(20000):\n    t = DBuff(DT.float, [1, 8], Position.UB)\n    t[0] <<= x[0:1, 0:8]\n";
    assert_eq!(
        reasons(&checked(&body(buffers), Language::Easyasc)),
        ["the traced program is too large"]
    );
    let statements = kernel(
        "f",
        "for q in unroll(50000):\n    adds(t[i], t[i], 1.0)\n    adds(t[i], t[i], 1.0)\n",
    );
    let text = format!("{HEAD}{statements}");
    assert_eq!(
        reasons(&checked(&text, Language::Easyasc)),
        ["the traced program is too large"]
    );
}

#[test]
fn long_kernels_are_undecided_where_pairs_are_compared() {
    let lines = format!(
        "for q in unroll({}):\n    adds(t[i], t[i], 1.0)\n",
        size(20_000)
    );
    let found = checked(&format!("{HEAD}{}", kernel("f", &lines)), Language::Easyasc);
    let verdicts = found.verdicts().next().expect("a kernel");
    let order = &verdicts[Property::ALL
        .iter()
        .position(|it| *it == Property::Order)
        .expect("a property")];
    assert!(!format!("{order:?}").contains("Proved"), "{order:?}");
}

#[test]
fn deep_and_branching_kernels_end() {
    // Each loop level multiplies the work of a replay, and each branch may add a term to a sum.
    let nested = repeated(300, |at| {
        format!("{}for q{at} in range(0, M):\n", " ".repeat(at))
    });
    let nested = format!(
        "t = DBuff(DT.float, [8, 64], Position.UB)\n{nested}{}t[0] <<= x[0:8, 0:64]\n",
        " ".repeat(300)
    );
    let found = checked(&body(&nested), Language::Easyasc);
    assert!(
        found
            .records
            .iter()
            .any(|record| !record.unknown.is_empty()),
        "{:?}",
        found.records
    );
    let branches = repeated(size(8_000), |at| format!("if M > {at}:\n    i += 1\n"));
    let branches = format!(
        "t = DBuff(DT.float, [8, 64], Position.UB)\ni = Var(0)\n{branches}t[0] <<= x[0:8, 0:64]\n"
    );
    assert_eq!(checked(&body(&branches), Language::Easyasc).kernels(), 1);
}

#[test]
fn texts_of_every_construct_end() {
    let plain = kernel("f", "");
    let deep = |open: &str, close: &str, count: usize| {
        format!("x = {}1{}\n", open.repeat(count), close.repeat(count))
    };
    for (what, text) in [
        ("brackets", deep("(", ")", size(50_000))),
        ("attributes", format!("x = a{}\n", ".b".repeat(size(100_000)))),
        ("calls", format!("x = a{}\n", "()".repeat(size(100_000)))),
        ("sums", format!("x = 1{}\n", " + 1".repeat(size(100_000)))),
        ("conditions", format!("x = {}2\n", "1 if a else ".repeat(size(30_000)))),
        ("lambdas", format!("x = {}1\n", "lambda: ".repeat(size(20_000)))),
        ("decorators", format!("def d(f):\n    return f\n\n\n{}def g():\n    pass\n", "@d\n".repeat(size(50_000)))),
        ("statements", repeated(size(30_000), |at| format!("x{at} = {at}\n"))),
        ("helpers", repeated(size(10_000), |at| format!("def h{at}(a):\n    return a + {at}\n"))),
        ("one helper", "def h(a):\n    return a + 1\n\n\nx = 0\nfor i in range(100000):\n    x = h(x)\n".to_owned()),
        ("products", "d = [a + b + c + d for a in range(99) for b in range(99) for c in range(99) for d in range(99)]\n".to_owned()),
        ("strings", "d = 'a' * 10**9\nfor i in range(60):\n    d = d + d\n".to_owned()),
        ("lists", "d = [1, 2]\nfor i in range(60):\n    d = d + d\n".to_owned()),
        ("calls of itself", "def r(n):\n    return r(n - 1) + r(n - 1) if n else 1\n\n\nx = r(39)\n".to_owned()),
        ("format", format!("x = f'{}'\n", "{a}".repeat(size(50_000)))),
        ("comments", "# a\n".repeat(size(60_000))),
        ("imports", "import os\n".repeat(size(20_000))),
        ("launches", "import torch\nfor m in range(1, 20000):\n    OpExec(f, '')(torch.randn(8 * m, 64), torch.zeros(8 * m, 64), 8 * m)\n".to_owned()),
        ("views", "import torch\nx = torch.zeros(64, 64)\nfor i in range(20000):\n    x = x.view(64, 64)\n    x[0] = i\n".to_owned()),
        ("parts", "import torch\nx = torch.zeros(10**9).split(1)\ny = [r for r in torch.zeros(10**9)]\n".to_owned()),
    ] {
        let found = checked(&format!("{HEAD}{plain}{text}"), Language::Easyasc);
        assert!(found.kernels() == 1 || !found.not_analysed().is_empty(), "{what}");
    }
}

#[test]
fn broken_texts_end() {
    for text in [
        "x = (\n".repeat(size(20_000)),
        repeated(size(8_000), |at| format!("def f{at}(:\n    x = [\n")),
    ] {
        let found = checked(&format!("{HEAD}{text}"), Language::Easyasc);
        assert_eq!(found.kernels(), 0);
        // Next to a kernel, all errors of the text are one finding.
        let found = checked(
            &format!("{HEAD}{}{text}", kernel("f", "")),
            Language::Easyasc,
        );
        assert!(found.findings.len() <= 2_000);
        assert!(!found.findings.is_empty() || !found.not_analysed().is_empty());
    }
}

#[test]
fn texts_that_take_the_parser_too_long_are_named() {
    let noise = "@ ) x ] = }".repeat(20_000);
    for text in [
        format!("{}{noise}\n", kernel("f", "")),
        format!("{noise}\n{}", kernel("f", "")),
    ] {
        let found = checked(&format!("{HEAD}{text}"), Language::Easyasc);
        let reasons = reasons(&found);
        assert!(
            reasons.len() == 1 && reasons[0].ends_with("too broken, to be parsed within bounds"),
            "{reasons:?}"
        );
    }
}

#[test]
fn instructions_too_deep_to_be_read_are_named() {
    let gather = "TASSIGN(dst, 0);";
    for (open, close) in [("{", "}"), ("if (a) ", "")] {
        let text = format!(
            "using namespace pto;\nvoid f() {{ {}{gather}{} }}\n",
            open.repeat(size(20_000)),
            close.repeat(size(20_000))
        );
        let found = checked(&text, Language::Cpp);
        assert_eq!(
            reasons(&found),
            ["line 2: `TASSIGN` in text that cannot be read"],
            "{open}"
        );
    }
}

#[test]
fn findings_on_one_long_line_are_shown_in_bounded_work() {
    let folder = crate::common::project(&[(
        "k.py",
        format!(
            "{HEAD}{}x = 1 {}\n",
            kernel("f", ""),
            "# a2lint: ignore[a]".repeat(size(20_000))
        ),
    )]);
    let output = crate::common::binary()
        .current_dir(folder.path())
        .args(["check", "k.py"])
        .output();
    let output = output.expect("the binary runs");
    let text = String::from_utf8_lossy(&output.stdout);
    // An excerpt of each line is shown.
    assert!(text.len() < 2_000_000, "{} bytes", text.len());
}

/// An access is compared with the latest of the atomic additions of a pipe only, so that a launch which is cut after
/// a million instructions takes seconds. Nothing is timed where a replay shows a fault, as it does of the ninth row.
#[test]
fn endless_atomic_additions_end() {
    let text = "from ascriptor.a2 import *\n\n\n@kernel(mode=\"vec\", block_dim=1)\n\
        def total(x: GM[f32, (8, 64)], s: GM[f32, (1, 64)]):\n    tile = Tensor(f32, [1, 64], Position.UB)\n    \
        with auto_sync():\n        for row in range(0x7fffffffffffffff):\n            tile <<= x[row:row + 1, 0:64]\n            \
        with atomic_add():\n                s[0:1, 0:64] <<= tile\n    return s\n";
    let analysis = checked_with(text, Language::Easyasc, pedantic());
    let record = &analysis.records[0];
    let launches = &record.launches;
    assert!(
        launches.iter().any(|run| run.outcome == LaunchOutcome::Cut),
        "{launches:?}"
    );
    assert_eq!(record.untried, 0);
}

/// Kernels that are sound and without end share the effort of their replays and of what would make them faster, however
/// many a file has. Each says what it was not examined for.
#[test]
fn a_file_of_endless_kernels_ends_with_pedantic_rules() {
    let kernel = |number: usize, line: &str| {
        format!(
            "@kernel(mode=\"vec\", block_dim=1)\ndef k{number}(x: GM[f32, (8, 64)], s: GM[f32, (8, 64)]):\n    \
             tile = Tensor(f32, [8, 64], Position.UB)\n    n = Var(0)\n    with auto_sync():\n        \
             tile <<= x[0:8, 0:64]\n        for _ in range(0x7fffffffffffffff):\n            {line}\n        \
             s[0:8, 0:64] <<= tile\n    return s\n\n\n"
        )
    };
    let lines = ["exp(tile, tile)", "bar_all()", "n += 1"];
    let kernels = repeated(150, |number| kernel(number, lines[number % lines.len()]));
    let text = format!("from ascriptor.a2 import *\n\n\n{kernels}");
    let analysis = checked_with(&text, Language::Easyasc, pedantic());
    assert_eq!(analysis.records.len(), 150);
    for record in &analysis.records {
        let mut launches = record.launches.iter();
        assert!(
            launches.any(|run| run.outcome == LaunchOutcome::Cut),
            "{record:?}"
        );
        assert!(record.untried > 0, "{}", record.name);
    }
}
