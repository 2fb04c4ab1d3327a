//! Contracts: what is decided, run and refused under `assume(…)` and `shapes(…)`.

use std::fs;

use a2lint::check::{Analysis, Settings, check};
use a2lint::finding::Severity;
use a2lint::frontend::TraceOptions;
use a2lint::frontend::dsl::trace_with;
use a2lint::ir::{Argument, GivenLaunch};
use a2lint::language::Language;
use a2lint::launches::LaunchSource;
use a2lint::record::GapKind;
use a2lint::replay::{LaunchOutcome, Replay};
use a2lint::text::SourceText;
use a2lint::verdict::{Property, Status, Verdict};

fn checked(text: &str, settings: &Settings) -> Analysis {
    check(&SourceText::new(text), Language::Easyasc, settings)
}

fn without_replay() -> Settings {
    Settings {
        replay: false,
        ..Settings::default()
    }
}

/// Returns a kernel with these comments above it, one per line.
fn kernel(comments: &[&str], def: &str) -> String {
    let comments: Vec<String> = comments
        .iter()
        .map(|it| format!("# a2lint: {it}\n"))
        .collect();
    let comments = comments.concat();
    format!("from easyasc.a2 import *\n\n\n{comments}@kernel(mode=\"vec\")\n{def}")
}

fn names(analysis: &Analysis) -> Vec<&'static str> {
    analysis
        .findings
        .iter()
        .map(|finding| finding.name)
        .collect()
}

/// Reads rows 8 to 16 of a buffer whose first `D` rows are written.
const PARTLY_WRITTEN: &str = "\
def k(x: GMTensor, y: GMTensor, D: Var, E: Var):
    tile = Tensor(DT.float, [16, 64], Position.UB)
    with auto_sync():
        tile[0:D, 0:64] <<= x[0:D, 0:64]
        exp(tile[8:16, 0:64], tile[8:16, 0:64])
        y[0:8, 0:64] <<= tile[8:16, 0:64]
    return y
";

#[test]
fn conditions_are_facts_about_parameters() {
    for (conditions, is_found) in [
        ("D <= 8", true),
        ("D < 9 and D >= 1", true),
        ("D == 8", true),
        ("D < 16, D % 8 == 0", true),
        ("D <= E, E <= 8", true),
        ("2 * D + E <= 16, E >= 0", true),
        ("D + E == 12, E >= 4", true),
        ("D <= 9", false),
        ("D < 16", false),
        ("D >= 8", false),
        ("D <= E", false),
        ("D % 8 == 0", false),
        // A contract that no launch satisfies causes no finding.
        ("D <= 8, D >= 9", false),
        ("D <= 8 or D <= 9", false),
    ] {
        let text = kernel(&[&format!("assume({conditions})")], PARTLY_WRITTEN);
        let analysis = checked(&text, &without_replay());
        let found = names(&analysis).contains(&"uninitialized-read");
        assert_eq!(found, is_found, "{conditions}: {:?}", analysis.findings);
    }
}

#[test]
fn extents_are_what_the_contract_says() {
    let def = PARTLY_WRITTEN.replace(", D: Var, E: Var):\n", "):\n    D = Var(x.shape[0])\n");
    for (contract, is_found) in [
        (&["shapes(x=float[8, 64])"][..], true),
        (&["shapes(x=float[R, 64])", "assume(R <= 8)"], true),
        (&["shapes(x=float[2 * R, 64])", "assume(R <= 4)"], true),
        (
            &["assume(R <= 4)", "shapes(x=float[2 * R, 64], y=[R, 64])"],
            true,
        ),
        (&["shapes(x=float[R, 64])"], false),
        (&["shapes(x=float[16, 64])"], false),
        (&["shapes(x=float[2 * R, 64])", "assume(R <= 5)"], false),
        (&["shapes(y=float[8, 64])"], false),
    ] {
        let analysis = checked(&kernel(contract, &def), &without_replay());
        let found = names(&analysis).contains(&"uninitialized-read");
        assert_eq!(found, is_found, "{contract:?}: {:?}", analysis.findings);
    }
}

/// Copies whole tiles of 64 rows; the number of rows is read from the tensor's shape.
const WHOLE_TILES: &str = "\
def k(x: GMTensor, y: GMTensor):
    tile = Tensor(DT.float, [64, 128], Position.UB)
    M = Var(x.shape[0])
    D = Var(x.shape[1])
    with auto_sync():
        for row in range(GetVecIdx() * 64, M, GetVecNum() * 64):
            tile[0:64, 0:D] <<= x[row:row + 64, 0:D]
            y[row:row + 64, 0:D] <<= tile[0:64, 0:D]
    return y
";
const ANY: &str = "shapes(x=float[M, D], y=float[M, D])";

#[test]
fn kernels_are_run_with_sizes_of_their_contract() {
    let analysis = checked(&kernel(&[], WHOLE_TILES), &Settings::default());
    let gap = analysis.records[0].gap().expect("nobody knows the shape");
    assert_eq!(gap.kind, GapKind::NotReplayed);
    for (conditions, found) in [
        ("D <= 128, M % 64 == 0", &[][..]),
        ("D <= 128, M % 64 == 32", &["gm-out-of-bounds"]),
        ("D > 128, M % 64 == 0", &["repeat-range"]),
    ] {
        let contract = [ANY, &format!("assume({conditions})")];
        let analysis = checked(&kernel(&contract, WHOLE_TILES), &Settings::default());
        let mut names = names(&analysis);
        names.dedup();
        assert_eq!(names, found, "{conditions}: {:?}", analysis.findings);
        // The sizes are invented.
        let mut severities = analysis.findings.iter().map(|it| it.severity);
        assert!(severities.all(|severity| severity == Severity::Warning));
        let record = &analysis.records[0];
        let is_guess = |run: &a2lint::replay::LaunchRun| run.source == LaunchSource::Guess;
        assert!(record.launches.len() > 1 && record.launches.iter().all(is_guess));
        if found.is_empty() {
            assert_eq!(record.gap().map(|gap| gap.kind), Some(GapKind::Guessed));
            let verdicts = record.verdicts(&analysis.findings);
            let bounds = verdicts.iter().find(|it| it.property == Property::Bounds);
            let is_proved = |it: &Verdict| matches!(it.status, Status::Proved { .. });
            assert!(bounds.is_some_and(is_proved), "{bounds:?}");
        }
    }
    // Sizes that the contract fixes are those of every launch.
    let contract = [ANY, "assume(M == 96, D == 128)"];
    let analysis = checked(&kernel(&contract, WHOLE_TILES), &Settings::default());
    assert_eq!(analysis.findings[0].severity, Severity::Error);
}

/// Copies rows in tiles of 64, with tails.
const COPY: &str = "\
def k(x: GMTensor, y: GMTensor, M: Var, N: Var):
    tile = DBuff(DT.float, [64, 256], Position.UB)
    cnt = Var(0)
    with auto_sync():
        for row in range(GetVecIdx() * 64, M, GetVecNum() * 64):
            rows = Min(64, M - row)
            tile[cnt][0:rows, 0:N] <<= x[row:row + rows, 0:N]
            y[row:row + rows, 0:N] <<= tile[cnt][0:rows, 0:N]
            cnt += 1
    return y
";

fn replay_of(text: &str, settings: &Settings) -> (a2lint::ir::Module, Replay) {
    let module = trace_with(&SourceText::new(text), &settings.trace);
    let program = module.programs.first().expect("a kernel");
    let replay = settings.replay_unless(&|| false, program, &module);
    let replay = replay.expect("nobody cancels it");
    (module, replay)
}

#[test]
fn no_launch_that_is_run_leaves_the_contract() {
    let small = Settings {
        replay_work: 60_000,
        ..Settings::default()
    };
    let shapes = "shapes(x=float[M, N], y=float[M, N])";
    for conditions in [
        "M >= 1, N <= 256",
        "M % 48 == 0, N == 64",
        "M == 3 * N, N % 8 == 0, N <= 256",
        "1 <= M <= 40, N == 128",
        "M % 64 == 63, N % 64 == 0, N <= 128",
        "M != 128, M != 64, N <= M, N <= 256",
        "M + N <= 300, M > 100",
    ] {
        let assume = format!("assume({conditions})");
        for launches in [
            &[][..],
            &["launch(M=96, N=64)", "launch(M=192, N=64)"],
            &["launch(M=1_000_000, N=64)"],
            &["launch(M=0, N=999)"],
        ] {
            let comments = [&[shapes, &assume][..], launches].concat();
            for settings in [&Settings::default(), &small] {
                let (module, replay) = replay_of(&kernel(&comments, COPY), settings);
                assert!(module.notes.is_empty(), "{:?}", module.notes);
                let program = &module.programs[0];
                for execution in &replay.executions {
                    let given = execution.bound.given(program);
                    let breaches = program.contract.breaches(&given);
                    assert!(breaches.is_empty(), "{comments:?}: {breaches:?}");
                }
                let is_run = !replay.executions.is_empty();
                assert!(is_run || replay.reason.is_some(), "{comments:?}");
            }
        }
    }
}

#[test]
fn a_launch_outside_is_not_run_and_says_why() {
    let comments = [
        "assume(M % 64 == 0, N <= 256)",
        "launch(M=100, N=64)",
        "launch(M=128, N=64)",
    ];
    let analysis = checked(&kernel(&comments, COPY), &Settings::default());
    assert_eq!(names(&analysis), ["contract-violated"]);
    let runs = &analysis.records[0].launches;
    assert_eq!(runs[0].outcome, LaunchOutcome::Unusable);
    let reason = "it breaks the contract: `M % 64 == 0`, but M = 100";
    assert_eq!(runs[0].reason.as_deref(), Some(reason));
    assert_eq!(runs[1].outcome, LaunchOutcome::Finished);
    for (contract, reason) in [
        ("assume(M >= 1, M <= 0)", "no launch satisfies its contract"),
        ("assume(M ? 1)", "its contract cannot be read"),
        (
            "assume(M % 2 != 0, M % 2 != 1)",
            "no sizes were found that its contract allows",
        ),
    ] {
        let analysis = checked(&kernel(&[contract], COPY), &Settings::default());
        let record = &analysis.records[0];
        assert_eq!(record.unreplayed.as_deref(), Some(reason), "{contract}");
        assert!(
            names(&analysis)
                .iter()
                .all(|name| *name == "launch-unusable")
        );
    }
    let small = Settings {
        replay_work: 30_000,
        ..Settings::default()
    };
    let shapes = "shapes(x=float[M, N], y=float[M, N])";
    let comments = [shapes, "assume(M >= 900_000)", "launch(M=1_000_000, N=64)"];
    let analysis = checked(&kernel(&comments, COPY), &small);
    let reason = analysis.records[0].launches[0]
        .reason
        .clone()
        .unwrap_or_default();
    assert!(
        reason.ends_with("no smaller sizes were found that its contract allows"),
        "{reason}"
    );
}

#[test]
fn every_source_of_launches_is_checked() {
    let given = |arguments: &[(&str, f64)]| GivenLaunch {
        kernel: "k".into(),
        arguments: arguments
            .iter()
            .map(|(name, value)| ((*name).to_owned(), Argument::Number(*value)))
            .collect(),
    };
    let configured = Settings {
        trace: TraceOptions {
            launches: vec![given(&[("M", 100.0), ("N", 64.0)])],
            ..TraceOptions::default()
        },
        ..Settings::default()
    };
    let bound = Settings {
        bindings: vec![("M".to_owned(), 100.0)],
        ..Settings::default()
    };
    let assume = "assume(M % 64 == 0)";
    for (comments, settings, lead) in [
        (
            &[assume][..],
            &configured,
            "launches.k of the configuration: this launch breaks",
        ),
        (
            &[assume],
            &bound,
            "with the values of `--bind`, a launch breaks",
        ),
        (
            &[assume, "launch(M=64, N=64)"],
            &bound,
            "with the values of `--bind`, a launch breaks",
        ),
        (
            &[assume, "launch(M=65, N=64)"],
            &Settings::default(),
            "this launch breaks",
        ),
    ] {
        let analysis = checked(&kernel(comments, COPY), settings);
        let findings = analysis
            .findings
            .iter()
            .filter(|it| it.name == "contract-violated");
        let messages: Vec<&str> = findings.map(|it| it.message.as_str()).collect();
        assert_eq!(messages.len(), 1, "{comments:?}: {messages:?}");
        assert!(messages[0].starts_with(lead), "{}", messages[0]);
        assert!(messages[0].contains("`M % 64 == 0`, but M = 10") || lead == "this launch breaks");
    }
    // Sizes that are too large to compare violate nothing, nor do launches that leave a tensor out.
    let large = [assume, "assume(N >= 1)", "launch(M=64, N=1e18)"];
    let found = names(&checked(&kernel(&large, COPY), &without_replay()));
    assert!(!found.contains(&"contract-violated"));
    let text = kernel(&["shapes(x=float[M, N], y=float[M, N])"], COPY);
    let text = format!("{text}import torch\nk(torch.ones(3, 3), M=64, N=64)\n");
    let found = names(&checked(&text, &without_replay()));
    assert!(!found.contains(&"contract-violated"));
    // A binding for another kernel has no effect.
    let other = Settings {
        bindings: vec![("K".to_owned(), 100.0)],
        ..Settings::default()
    };
    let found = names(&checked(&kernel(&[assume], COPY), &other));
    assert!(!found.contains(&"contract-violated"), "{found:?}");
}

#[test]
fn every_kernel_of_a_factory_has_the_contract() {
    let text = "from easyasc.a2 import *\n\ndef build(T):\n    # a2lint: assume(M % 64 == 0)\n    \
                @kernel(mode='vec')\n    def k(x: GMTensor, y: GMTensor, M: Var):\n        \
                t = Tensor(DT.float, [T, 64], Position.UB)\n        with auto_sync():\n            \
                t <<= x[0:T, 0:64]\n            y[0:T, 0:64] <<= t\n        return y\n    return k\n\n\
                import torch\nfor t, m in [(8, 64), (16, 100)]:\n    \
                OpExec(build(t), '')(torch.ones(m, 64), torch.ones(m, 64), m)\n";
    let analysis = checked(text, &Settings::default());
    let contracts = analysis
        .module
        .programs
        .iter()
        .map(|it| it.contract.conditions.len());
    assert_eq!(
        contracts.collect::<Vec<_>>(),
        [1, 1],
        "{:?}",
        analysis.module.programs.len()
    );
    assert!(names(&analysis).contains(&"contract-violated"));
}

#[test]
fn a_run_outside_is_warned_of() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("k.py");
    fs::write(&path, kernel(&["assume(M % 64 == 0)"], COPY)).expect("a file");
    let run = |rows: &str| {
        let mut command = crate::common::binary();
        command.arg("run").arg(&path);
        let output = command.args(["--bind", rows, "--bind", "N=64"]).output();
        let output = output.expect("it runs");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        (output.status.code(), said)
    };
    let (code, said) = run("M=100");
    assert_eq!(code, Some(0), "{said}");
    assert!(
        said.contains("breaks the contract of `k`: `M % 64 == 0`, but M = 100"),
        "{said}"
    );
    assert_eq!(run("M=128"), (Some(0), String::new()));
}

#[test]
fn contracts_are_no_suppressions() {
    let comments = [
        "assume(M >= 1, 1 <= N <= 256)",
        "shapes(x=float[M, N], y=float[M, N])",
        "launch(M=100, N=64)",
    ];
    assert!(names(&checked(&kernel(&comments, COPY), &Settings::default())).is_empty());
    let text = kernel(&["assumed(M >= 1)"], COPY);
    assert_eq!(
        names(&checked(&text, &Settings::default())),
        ["unused-suppression"]
    );
}
