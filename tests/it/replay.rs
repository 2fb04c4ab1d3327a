//! Replay: launches, witnesses, and the effect of `--no-replay`.

use std::path::{Path, PathBuf};

use a2lint::check::{Analysis, Settings, check};
use a2lint::finding::{Basis, Finding, Severity};
use a2lint::language::Language;
use a2lint::record::GapKind;
use a2lint::text::SourceText;

fn checked(text: &str, settings: &Settings) -> Analysis {
    check(&SourceText::new(text), Language::Easyasc, settings)
}

/// Returns the reasons why kernels were not replayed.
fn not_replayed(analysis: &Analysis) -> Vec<String> {
    let gaps = analysis.records.iter().filter_map(|record| record.gap());
    let gaps = gaps.filter(|gap| gap.kind == GapKind::NotReplayed);
    gaps.map(|gap| gap.because).collect()
}

#[test]
fn kernels_without_their_launches_stay_clean() {
    let clean = crate::common::root().join("tests/kernels");
    let is_clean = |path: &&PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        path.parent() == Some(&clean)
            || name.contains("good")
            || path
                .parent()
                .is_some_and(|folder| folder.ends_with("silent"))
    };
    let (mut replayed, mut reasons, mut alarms) = (0, Vec::new(), Vec::new());
    for path in crate::common::cases().iter().filter(is_clean) {
        let text = crate::common::without_launches(&crate::common::read(path));
        let analysis = crate::common::checked(&text);
        // This kernel is correct only for the sizes of its launch.
        if path.ends_with("case_07_good_no_rows.py") {
            continue;
        }
        let seen = analysis.findings.iter();
        let seen = seen.filter(|finding| finding.witness.is_some());
        alarms.extend(seen.map(|finding| format!("{}: {}", path.display(), finding.message)));
        if path.parent() == Some(&clean) {
            assert_eq!(analysis.findings, [], "{}", path.display());
            let not_replayed = not_replayed(&analysis);
            replayed += analysis.records.len() - not_replayed.len();
            let name = path
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            let not_replayed = not_replayed.iter();
            reasons.extend(not_replayed.map(|reason| format!("{name}: {reason}")));
        }
    }
    assert!(alarms.is_empty(), "{alarms:#?}");
    assert!(replayed >= 12, "{replayed} replayed; {reasons:#?}");
}

#[test]
fn a_kernel_without_a_launch_is_replayed_with_sizes_of_its_own() {
    let path = crate::common::root().join("tests/kernels/broken/uninitialized_ub.py");
    let text = crate::common::without_launches(&crate::common::read(&path));
    let findings = checked(&text, &Settings::default()).findings;
    let [finding] = &findings[..] else {
        panic!("{findings:?}");
    };
    let witness = finding.witness.as_ref().expect("a witness");
    assert!(
        witness
            .detail
            .starts_with("confirmed by simulation (invented launch ROWS="),
        "{}",
        witness.detail
    );
    let numbers = finding.numbers.as_ref().expect("numbers");
    assert!(numbers.is_invented);
    let accumulator = numbers.strips.iter().find(|strip| strip.view == "acc");
    let accumulator = accumulator.expect("the operand that nothing has written");
    assert_eq!(accumulator.undefined, accumulator.elements());
}

#[test]
fn sizes_that_come_from_data_are_not_invented() {
    let text = "\
from easyasc.a2 import *

@kernel(mode=\"vec\")
def counted(x: GMTensor, counts: GMTensor, y: GMTensor):
    ub = Tensor(DT.float, [1, 64], Position.UB)
    number = Tensor(DT.int, [1, 8], Position.UB)
    number <<= counts[0:8]
    bar_all()
    rows = Var(0)
    rows.GetValueFrom(number)
    for row in range(rows):
        ub <<= x[row, 0:64]
        bar_all()
        y[row, 0:64] <<= ub
        bar_all()
    return y
";
    let analysis = checked(text, &Settings::default());
    let gaps = analysis.records.iter().filter_map(|record| record.gap());
    let because: Vec<String> = gaps.map(|gap| gap.because).collect();
    assert_eq!(
        because,
        ["it takes indices from data, and all of them were 0"],
    );
}

/// A kernel that forgets the last, partial tile: correct under its launch, but not under others.
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
    assert_eq!(finding.basis, Basis::Replayed);
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
        "confirmed by simulation (M=33, N=40, core 0, vec0, `t` iteration 0): elements 40..64 \
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

/// Returns a kernel that is correct under its launch, but not with partial tiles.
fn whole_tiles_only() -> String {
    TAIL.replace("TILE = 32", "TILE = 64")
        .replace("cols = Min(64, N)", "cols = Var(64)")
        .replace("[(70, 64), (33, 40)]", "[(64, 64)]")
        .replace(
            "cmax(best, tile)",
            "cmax(best, tile)\n            cadd(sums, best)",
        )
        .replace(
            "y[row0:row0 + rows] <<= best[0:1, 0:rows]",
            "y[t:t + 1] <<= sums[0:1, 0:1]",
        )
        .replace("y = torch.empty(M)", "y = torch.empty(1)")
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
        detail.starts_with("confirmed by simulation (invented launch M=63"),
        "{detail}"
    );
}

fn run_with(path: &Path, finding: &Finding) -> serde_json::Value {
    let mut command = crate::common::binary();
    let kernel = finding.kernel.as_deref().expect("a kernel");
    command.args(["run", "--json", &format!("{}::{kernel}", path.display())]);
    for (name, value) in &finding.witness.as_ref().expect("a witness").launch {
        command.args(["--bind", &format!("{name}={value}")]);
    }
    let output = command.output().expect("the binary runs");
    serde_json::from_slice(&output.stdout).expect("one JSON object")
}

/// Whether a finding in JSON, or one of its labels, starts at an offset. A finding without a run may be at the other
/// statement of a pair.
fn stands_at(shown: &serde_json::Value, start: usize) -> bool {
    let labels = shown["labels"].as_array();
    let labels = labels.into_iter().flatten().map(|label| &label["range"]);
    let mut ranges = labels.chain([&shown["range"]]);
    ranges.any(|range| range["start_offset"] == start)
}

/// One case in `RERUN` is run again.
const RERUN: usize = 4;

/// `A2LINT_WITNESSES=all` reruns the bindings of every witness.
#[test]
fn a_run_with_the_bindings_of_a_witness_shows_the_same() {
    let takes_all = std::env::var("A2LINT_WITNESSES").is_ok_and(|value| value == "all");
    let step = if takes_all { 1 } else { RERUN };
    let mut compared = 0;
    for path in crate::common::cases().into_iter().step_by(step) {
        let analysis = crate::common::checked(&crate::common::read(&path));
        let findings = analysis.findings.iter();
        for finding in findings.filter(|finding| finding.witness.is_some()) {
            let report = run_with(&path, finding);
            let shown = report["findings"].as_array().expect("a list of findings");
            // A statement may have two races, and a finding without a run has another message.
            let alike: Vec<_> = shown
                .iter()
                .filter(|shown| shown["code"] == finding.code)
                .filter(|shown| stands_at(shown, finding.span.start as usize))
                .collect();
            let mut same = alike
                .iter()
                .filter(|it| it["message"] == finding.message.as_str());
            let same = same
                .next()
                .or(alike.first())
                .unwrap_or_else(|| panic!("{}: {finding:?}\n{report:#}", path.display()));
            let witness = finding.witness.as_ref().expect("a witness");
            assert_eq!(
                same["witness"]["lane"],
                witness.lane.as_str(),
                "{}",
                path.display()
            );
            compared += 1;
            let Some(numbers) = &finding.numbers else {
                continue;
            };
            let strips = &same["witness"]["numbers"]["operands"];
            for (strip, shown) in numbers
                .strips
                .iter()
                .zip(strips.as_array().expect("operands"))
            {
                assert_eq!(shown["text"], strip.view.as_str(), "{}", path.display());
                assert_eq!(shown["undefined"], strip.undefined, "{}", path.display());
                assert_eq!(shown["changed"], strip.changed, "{}", path.display());
            }
        }
    }
    assert!(compared >= 60, "{compared}");
}

#[test]
fn undefined_data_names_the_workspaces_on_its_way() {
    let path = "tests/rules/uninitialized-read/bad_through_workspace.py";
    let text = crate::common::read(&crate::common::root().join(path));
    let analysis = checked(&text, &Settings::default());
    let [finding] = analysis.findings.as_slice() else {
        panic!("{:#?}", analysis.findings);
    };
    let crossing = finding
        .labels
        .iter()
        .find(|label| label.message.contains("cross through `ws`"))
        .expect("the store to the workspace is labelled");
    assert!(text[crossing.span.range()].starts_with("ws[core, 0:64, 0:64] <<= acc"));
    let witness = finding.witness.as_ref().expect("it was replayed");
    assert!(
        witness.detail.contains("of l1_a are undefined"),
        "{}",
        witness.detail
    );
    assert!(
        witness.detail.contains("through ws and out"),
        "{}",
        witness.detail
    );
}
