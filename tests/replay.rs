//! Replay: launches, witnesses, and what `--no-replay` leaves.

mod common;

use std::path::{Path, PathBuf};
use std::process::Command;

use a2lint::check::{Analysis, Settings, check};
use a2lint::finding::{Confidence, Finding, Severity};
use a2lint::language::Language;
use a2lint::text::SourceText;

fn checked(text: &str, settings: &Settings) -> Analysis {
    check(&SourceText::new(text), Language::Easyasc, settings)
}

fn without_replay() -> Settings {
    Settings {
        replay: false,
        ..Settings::default()
    }
}

/// Kernels of the rule cases and the broken ones: everything there is to find.
fn bad_kernels() -> Vec<PathBuf> {
    let tests = common::root().join("tests");
    let mut paths = common::files(&tests.join("rules"), "py");
    paths.extend(common::files(&tests.join("kernels/broken"), "py"));
    paths
}

type Identity = (&'static str, a2lint::text::Span, String);

fn certain(findings: &[Finding]) -> Vec<Identity> {
    let certain = findings
        .iter()
        .filter(|finding| finding.confidence == Confidence::Certain);
    // A comment that silences what only a replay shows cannot be called idle without one.
    certain
        .filter(|finding| finding.code != "TRC011")
        .map(|finding| (finding.code, finding.span, finding.message.clone()))
        .collect()
}

#[test]
fn certain_findings_do_not_depend_on_replay() {
    for path in bad_kernels() {
        let text = common::read(&path);
        let with = checked(&text, &Settings::default());
        let without = checked(&text, &without_replay());
        assert_eq!(
            certain(&with.findings),
            certain(&without.findings),
            "{}",
            path.display()
        );
        assert!(
            without
                .findings
                .iter()
                .all(|finding| finding.witness.is_none())
        );
    }
}

/// A kernel that forgets the rest of a tile: sound under the launch it gives, not under others.
const TAIL: &str = r#"
from easyasc.a2 import *

TILE = 32

@kernel(mode="vec")
def row_maxima(x: GMTensor, y: GMTensor, M: Var, N: Var):
    tile = Tensor(DT.float, [TILE, 64], Position.UB)
    best = Tensor(DT.float, [1, 64], Position.UB)
    with auto_sync():
        for t in range(GetVecIdx(), CeilDiv(M, TILE), GetVecNum()):
            row0 = Var(t * TILE)
            rows = Min(TILE, M - row0)
            cols = Min(64, N)
            tile[0:rows, 0:cols] <<= x[row0:row0 + rows, 0:cols]
            cmax(best, tile)
            y[row0:row0 + rows] <<= best[0:1, 0:rows]
    return y

if __name__ == "__main__":
    import torch
    for M, N in [(70, 64), (33, 40)]:
        x = torch.randn(M, N)
        y = torch.empty(M)
        OpExec(row_maxima, "", simulator=True)(x, y, M, N)
"#;

#[test]
fn a_witness_says_what_happened_where() {
    let analysis = checked(TAIL, &Settings::default());
    let [finding] = &analysis.findings[..] else {
        panic!("{:?}", analysis.findings);
    };
    assert_eq!(
        (finding.code, finding.severity),
        ("INI006", Severity::Error)
    );
    assert_eq!(finding.confidence, Confidence::Replayed);
    let witness = finding
        .witness
        .as_ref()
        .expect("a replayed finding has a witness");
    assert_eq!(
        witness.launch,
        [("M".to_owned(), 33.0), ("N".to_owned(), 40.0)]
    );
    assert_eq!((witness.core, witness.lane.as_str()), (0, "vec0"));
    assert_eq!(witness.iteration, [0]);
    assert_eq!(
        witness.detail,
        "replayed with M=33, N=40: core 0, vec0, `t` iteration 0: elements 40..64 \
         (768 elements in all) of tile are undefined and reach cmax at line 16"
    );
}

#[test]
fn bindings_take_the_place_of_values_of_the_file() {
    let settings = Settings {
        bindings: vec![("N".to_owned(), 64.0)],
        ..Settings::default()
    };
    assert_eq!(checked(TAIL, &settings).findings, []);
}

/// Sound under its launch; a tile that is not full goes wrong.
fn whole_tiles_only() -> String {
    TAIL.replace("TILE = 32", "TILE = 64")
        .replace("cols = Min(64, N)", "cols = Var(64)")
        .replace("[(70, 64), (33, 40)]", "[(64, 64)]")
        .replace(
            "cmax(best, tile)",
            "cmax(best, tile)\n            cadd(sums, best)",
        )
        .replace(
            "    best = ",
            "    sums = Tensor(DT.float, [1, 64], Position.UB)\n    best = ",
        )
}

#[test]
fn invented_launches_warn_at_most() {
    let text = whole_tiles_only();
    let mut findings = checked(&text, &Settings::default()).findings;
    findings.retain(|finding| finding.witness.is_some());
    let [finding] = &findings[..] else {
        panic!("{findings:?}");
    };
    assert_eq!(finding.severity, Severity::Warning);
    let detail = &finding.witness.as_ref().expect("a witness").detail;
    assert!(
        detail.starts_with("replayed with the invented launch M=63"),
        "{detail}"
    );
}

fn run_with(path: &Path, finding: &Finding) -> serde_json::Value {
    let mut command = Command::new(env!("CARGO_BIN_EXE_a2lint"));
    let kernel = finding.kernel.as_deref().expect("a kernel");
    command.args(["run", "--json", &format!("{}::{kernel}", path.display())]);
    for (name, value) in &finding.witness.as_ref().expect("a witness").launch {
        command.args(["--bind", &format!("{name}={value}")]);
    }
    let output = command.output().expect("the binary runs");
    serde_json::from_slice(&output.stdout).expect("one JSON object")
}

#[test]
fn a_run_with_the_bindings_of_a_witness_shows_the_same() {
    let mut compared = 0;
    for path in bad_kernels() {
        let findings = checked(&common::read(&path), &Settings::default()).findings;
        for finding in findings.iter().filter(|finding| finding.witness.is_some()) {
            let report = run_with(&path, finding);
            let shown = report["findings"].as_array().expect("a list of findings");
            let same = shown.iter().find(|shown| {
                shown["code"] == finding.code
                    && shown["range"]["start_offset"] == finding.span.start
            });
            let same =
                same.unwrap_or_else(|| panic!("{}: {finding:?}\n{report:#}", path.display()));
            let witness = finding.witness.as_ref().expect("a witness");
            assert_eq!(
                same["witness"]["lane"],
                witness.lane.as_str(),
                "{}",
                path.display()
            );
            assert_eq!(same["message"], finding.message.as_str());
            compared += 1;
        }
    }
    assert!(compared >= 20, "{compared}");
}
