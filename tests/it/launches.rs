//! Launches: which are run, how they end, and what is reported on those that are not run.

use a2lint::check::{Analysis, Settings, check, trace_cpp};
use a2lint::finding::Severity;
use a2lint::frontend::dsl::trace_with;
use a2lint::language::Language;
use a2lint::launches::{DEFAULT_WORK, LaunchSource, Request, Shapes, given};
use a2lint::machine::BoundLaunch;
use a2lint::record::GapKind;
use a2lint::replay::{Event, LaunchOutcome, Replay, Shown};
use a2lint::text::SourceText;
use a2lint::verdict::Property;

use crate::common;
use crate::laws::ROWS;

fn checked(text: &str) -> Analysis {
    let settings = Settings {
        prove: false,
        ..Settings::default()
    };
    check(&SourceText::new(text), Language::Easyasc, &settings)
}

/// Returns the replay of the first kernel of a text.
fn replay_of(text: &str, settings: &Settings) -> Replay {
    let module = trace_with(&SourceText::new(text), &settings.trace);
    let program = module.programs.first().expect("a kernel");
    let replay = settings.replay_unless(&|| false, program, &module);
    replay.expect("nobody cancels it")
}

/// A kernel that stores data without waiting for it.
const RACE: &str = r#"
from easyasc.a2 import *

@kernel(mode="vec")
def copied(x: GMTensor, y: GMTensor, M: Var):
    ub = Tensor(DT.float, [8, 64], Position.UB)
    for t in range(GetVecIdx(), M // 8, GetVecNum()):
        ub <<= x[t * 8:t * 8 + 8, 0:64]
        y[t * 8:t * 8 + 8, 0:64] <<= ub
    return y
"#;

fn with_launches(kernel: &str, launches: &[&str]) -> String {
    let calls: String = launches
        .iter()
        .map(|launch| format!("    {launch}\n"))
        .collect();
    format!("{kernel}\nif __name__ == \"__main__\":\n    import torch\n{calls}")
}

fn outcomes(replay: &Replay) -> Vec<(LaunchSource, LaunchOutcome)> {
    let asked = replay
        .launches
        .iter()
        .filter(|launch| launch.source != LaunchSource::Variant);
    asked
        .map(|launch| (launch.source, launch.outcome))
        .collect()
}

#[test]
fn every_launch_is_taken_down_with_how_it_ended() {
    let text = with_launches(
        RACE,
        &[
            "OpExec(copied, \"\")(torch.randn(64, 64), torch.empty(64, 64), 64)",
            "OpExec(copied, \"\")(torch.randn(64, 64), 64)",
            "OpExec(copied, \"\")(torch.randn(64, 64), torch.empty(64, 64), 64)",
        ],
    );
    let text = text.replace("@kernel", "# a2lint: launch(M=16)\n@kernel");
    let replay = replay_of(&text, &Settings::default());
    use LaunchOutcome::{Finished, Unusable};
    use LaunchSource::{Comment, File};
    let mut seen = outcomes(&replay);
    seen.sort_by_key(|(source, outcome)| (source.name(), outcome.name()));
    let expected = [
        (Comment, Finished),
        (File, Finished),
        (File, Finished),
        (File, Unusable),
    ];
    assert_eq!(seen, expected, "{:#?}", replay.launches);
    let unusable = replay
        .launches
        .iter()
        .find(|launch| launch.outcome == Unusable);
    let unusable = unusable.expect("one that cannot be used");
    assert_eq!(
        unusable.reason.as_deref(),
        Some("the kernel takes 2 tensors and the launch gives 1")
    );
    assert_eq!(unusable.arguments, [("M".to_owned(), 64.0)]);
    assert!(unusable.span.is_some());
}

#[test]
fn a_large_launch_leaves_the_others_their_share() {
    let text = with_launches(
        RACE,
        &[
            "OpExec(copied, \"\")(torch.randn(8000000, 64), torch.empty(8000000, 64), 8000000)",
            "OpExec(copied, \"\")(torch.randn(64, 64), torch.empty(64, 64), 64)",
        ],
    );
    let replay = replay_of(&text, &Settings::default());
    let [large, small] = &replay.launches[..2] else {
        panic!("{:?}", replay.launches);
    };
    assert_eq!(small.outcome, LaunchOutcome::Finished);
    assert_eq!(large.outcome, LaunchOutcome::Finished);
    let reason = large.reason.as_deref().expect("what was changed");
    assert!(
        reason.starts_with("run with M=") && reason.contains(" in place of 8000000"),
        "{reason}"
    );
    assert_eq!(large.arguments, [("M".to_owned(), 8e6)]);
}

#[test]
fn a_launch_of_more_bytes_than_can_be_counted_runs_smaller_too() {
    let launch = "OpExec(copied, \"\")(torch.randn(64, 1 << 60), torch.empty(64, 64), 64)";
    let replay = replay_of(&with_launches(RACE, &[launch]), &Settings::default());
    let large = &replay.launches[0];
    assert_eq!(large.outcome, LaunchOutcome::Finished);
    assert!(large.is_shrunk, "{large:?}");
}

#[test]
fn launches_beyond_those_that_are_read_are_said() {
    let calls: Vec<String> = (1..=70)
        .map(|tiles| {
            let rows = 8 * tiles;
            format!(
                "OpExec(copied, \"\")(torch.randn({rows}, 64), torch.empty({rows}, 64), {rows})"
            )
        })
        .collect();
    let calls: Vec<&str> = calls.iter().map(String::as_str).collect();
    let gap = |calls: &[&str]| {
        let analysis = checked(&with_launches(RACE, calls));
        analysis.records[0].gap().map(|gap| gap.because)
    };
    let said = gap(&calls).expect("six launches are not read");
    assert!(said.contains("more launches than are read"), "{said}");
    let said = gap(&calls[..4]);
    assert!(said.is_none(), "{said:?}");
}

#[test]
fn what_is_not_simulated_hides_nothing_else() {
    let text = r#"
from easyasc.a2 import *

@kernel()
def windows(x: GMTensor, y: GMTensor):
    l1 = Tensor(DT.half, [16, 16], Position.L1)
    l0a = Tensor(DT.half, [16, 16], Position.L0A)
    ub = Tensor(DT.half, [16, 16], Position.UB)
    l1 <<= x[0:16, 0:16]
    img2col(l0a, l1)
    ub <<= x[0:16, 0:16]
    y[0:16, 0:16] <<= ub
    return y

if __name__ == "__main__":
    import torch
    OpExec(windows, "")(torch.randn(16, 16).half(), torch.empty(16, 16).half())
"#;
    let findings = checked(text).findings;
    assert!(
        findings.iter().any(|finding| finding.name == "race"),
        "{findings:?}"
    );
    let replay = replay_of(text, &Settings::default());
    let launch = &replay.launches[0];
    assert_eq!(launch.outcome, LaunchOutcome::Finished);
    let reason = launch.reason.as_deref().unwrap_or_default();
    assert!(reason.contains("img2col is not simulated"), "{reason}");
    // The part that was left out is reported, and no property that depends on it counts as tested.
    let records = checked(text).records;
    let gap = records[0].gap().expect("something was left out");
    assert_eq!(gap.kind, GapKind::PartlyReplayed);
    assert!(gap.because.contains("img2col"), "{}", gap.because);
}

#[test]
fn block_dim_is_the_number_of_cores() {
    let cores = |text: &str| {
        replay_of(text, &Settings::default()).executions[0]
            .bound
            .cores
    };
    let call = "OpExec(copied, \"\")(torch.randn(64, 64), torch.empty(64, 64), 64)";
    let plain = with_launches(RACE, &[call]);
    assert_eq!(cores(&plain), Settings::default().trace.device.cube_cores);
    let decorated = RACE.replace("mode=\"vec\"", "mode=\"vec\", block_dim=CORES");
    let decorated = decorated.replace("@kernel", "CORES = 3\n\n@kernel");
    assert_eq!(cores(&with_launches(&decorated, &[call])), 3);
    assert_eq!(cores(&decorated), 3);
    let launched = call.replace("\"\")", "\"\", block_dim=2)");
    assert_eq!(cores(&with_launches(&decorated, &[&launched])), 2);
    let commented = decorated.replace(
        "@kernel",
        "# a2lint: launch(M=64, block_dim=4, x=float[M, 64], y=float[M, 64])\n@kernel",
    );
    assert_eq!(cores(&commented), 4);
}

/// A kernel that computes the square root of its input.
const ROOT: &str = r#"
from easyasc.a2 import *

@kernel(mode="vec")
def roots(x: GMTensor, y: GMTensor, M: Var):
    ub = Tensor(DT.float, [8, 64], Position.UB)
    with auto_sync():
        for t in range(GetVecIdx(), M // 8, GetVecNum()):
            ub <<= x[t * 8:t * 8 + 8, 0:64]
            sqrt(ub, ub)
            y[t * 8:t * 8 + 8, 0:64] <<= ub
    return y
"#;

#[test]
fn nan_of_data_that_nobody_gave_has_to_come_with_any_data() {
    let is_found = |text: &str| {
        let findings = checked(text).findings;
        findings
            .iter()
            .any(|finding| finding.name == "nan-produced")
    };
    let comment = "# a2lint: launch(M=64, x=float[M, 64], y=float[M, 64])\n@kernel";
    let commented = ROOT.replace("@kernel", comment);
    assert!(!is_found(&commented) && !is_found(ROOT));
    // The operand is -1 whatever the input is.
    let always = |text: &str| {
        text.replace(
            "            sqrt",
            "            muls(ub, ub, 0.0)\n            adds(ub, ub, -1.0)\n            sqrt",
        )
    };
    assert!(is_found(&always(&commented)));
    assert!(is_found(&always(ROOT)));
    let call = "OpExec(roots, \"\")(torch.randn(64, 64), torch.empty(64, 64), 64)";
    assert!(is_found(&with_launches(ROOT, &[call])));
    let call = call.replace("randn", "rand");
    assert!(!is_found(&with_launches(ROOT, &[&call])));
}

#[test]
fn where_nothing_has_to_be_guessed_findings_are_errors() {
    let fixed = RACE.replace(", M: Var", "").replace("M // 8", "8");
    let race = |text: &str, settings: &Settings| {
        let analysis = check(&SourceText::new(text), Language::Easyasc, settings);
        let mut races = analysis
            .findings
            .into_iter()
            .filter(|finding| finding.name == "race");
        races.next().map(|finding| finding.severity)
    };
    let settings = Settings::default();
    assert_eq!(race(&fixed, &settings), Some(Severity::Error));
    assert_eq!(race(RACE, &settings), Some(Severity::Warning));
    let bound = Settings {
        bindings: vec![("M".to_owned(), 64.0)],
        ..Settings::default()
    };
    assert_eq!(race(RACE, &bound), Some(Severity::Error));
    let sources = outcomes(&replay_of(RACE, &bound));
    assert_eq!(sources, [(LaunchSource::Bind, LaunchOutcome::Finished)]);
}

#[test]
fn data_that_is_only_computed_with_does_not_stop_a_guess() {
    let text = r#"
from easyasc.a2 import *

@kernel(mode="vec")
def scaled(x: GMTensor, factors: GMTensor, y: GMTensor, M: Var):
    ub = Tensor(DT.float, [8, 64], Position.UB)
    small = Tensor(DT.float, [1, 8], Position.UB)
    factor = Var(0.0)
    small <<= factors[0:8]
    bar_all()
    factor.GetValueFrom(small)
    for t in range(GetVecIdx(), M // 8, GetVecNum()):
        ub <<= x[t * 8:t * 8 + 8, 0:64]
        bar_all()
        muls(ub, ub, factor)
        y[t * 8:t * 8 + 8, 0:64] <<= ub
    return y
"#;
    let findings = checked(text).findings;
    assert!(
        findings.iter().any(|finding| finding.name == "race"),
        "{findings:?}"
    );
}

/// The host keeps the fields of tiling data in relations that the kernel does not show. Where a field decides a branch,
/// its arm runs with several sizes, and one that suits it clears the kernel.
#[test]
fn sizes_that_the_host_never_gives_accuse_no_arm() {
    let path = common::root().join("tests/ascendc/traced/host_relation.cpp");
    let mut command = common::binary();
    command.args(["check", "--no-cache"]).arg(path);
    let output = command.output().expect("the binary runs");
    let shown = String::from_utf8_lossy(&output.stdout);
    assert!(shown.starts_with("1 kernel: open"), "{shown}");
}

/// A field of tiling data is unknown if host code may have changed it, or changes it in a loop.
#[test]
fn numbers_that_the_host_may_have_changed_are_not_known() {
    let launched = |host: &str| {
        let text = format!(
            r#"
#include "kernel_operator.h"
struct T {{ uint32_t rows; uint32_t cols; }};
void fill(T *t);
void refill(T &t);
void show(const T *t, int n);
void raise(int &n);
extern "C" __global__ __aicore__ void k(GM_ADDR x, GM_ADDR tiling)
{{
    GET_TILING_DATA_WITH_STRUCT(T, t, tiling);
    AscendC::GlobalTensor<float> rows;
    rows.SetGlobalBuffer((__gm__ float *)x, t.rows);
    AscendC::TPipe pipe;
    AscendC::TBuf<> buffer;
    pipe.InitBuffer(buffer, t.cols * 4);
    AscendC::DataCopy(buffer.Get<float>(), rows, t.rows);
}}
int main(int argc, char **argv)
{{
    T *t = (T *)AscendC::GmAlloc(sizeof(T));
    uint8_t *x = (uint8_t *)AscendC::GmAlloc(64);
    int n = 8;
    {host}
}}
"#
        );
        let settings = Settings::default();
        let (module, _) =
            trace_cpp(&SourceText::new(text), Language::Cpp, &settings).expect("a kernel");
        let rows = |launch: &a2lint::ir::Launch| {
            let rows = launch
                .scalars
                .iter()
                .find(|(name, _)| name == "tiling.rows");
            rows.map(|(_, value)| *value)
        };
        module.launches.iter().map(rows).collect::<Vec<_>>()
    };
    let launch = "ICPU_RUN_KF(k, 1, x, (uint8_t *)t);";
    let zeroed = "memset(t, 0, sizeof(T));";
    // Tiling data that is zero throughout was not written yet: a file that is read elsewhere may fill it.
    for unwritten in ["", zeroed] {
        assert_eq!(launched(&format!("{unwritten} {launch}")), []);
    }
    assert_eq!(
        launched(&format!("{zeroed} t->rows = n; {launch}")),
        [Some(8.0)]
    );
    for unknown in [
        "t->rows = argc;",
        "if (argc > 1) { t->rows = 5; }",
        "if (argc > 1) { t->rows = 5; } else { t->rows = 6; }",
        "for (int i = 0; i < argc; i++) { t->rows = 5; }",
        "for (int i = 0; i < argc; t->rows++) {}",
        "fill(t);",
        "refill(*t);",
        "bool done = elsewhere(t);",
        "if (!elsewhere(t)) { return 1; }",
        "elsewhere(t->rows);",
        "int got = 1 + (int)elsewhere(t);",
        "raise(n); t->rows = n;",
        "t[argc].rows = 5;",
        "memcpy(t, argv[1], sizeof(T));",
        "switch (argc) { case 1: t->rows = 5; }",
        "while (argc > t->rows++) {}",
        "T *other = t; other->rows = 5; fill(other);",
    ] {
        let found = launched(&format!("{zeroed} {unknown} {launch}"));
        assert!(found.iter().all(Option::is_none), "{unknown}: {found:?}");
    }
    for known in [
        "t->rows += n;",
        "auto grow = [&]() { t->rows = 8; }; grow();",
        "show(t, n); t->rows = n;",
        "t->rows = n; GmFree(x);",
        "t->rows = n; memcpy(x, t, sizeof(T));",
        "T other; T *p = t; p = &other; t->rows = 8; p->rows = 5;",
    ] {
        let found = launched(&format!("{zeroed} {known} {launch}"));
        assert_eq!(found, [Some(8.0)], "{known}");
    }
    // The loop variable shadows the outer one.
    let hidden = launched(&format!(
        "{zeroed} for (int n = 0; n < 4; n++) {{ t->rows = n; {launch} }}"
    ));
    assert_eq!(hidden, [1.0, 2.0, 3.0].map(Some));
    let seen_again = launched(&format!(
        "{zeroed} for (int n = 0; n < 4; n++) {{}} t->rows = n; {launch}"
    ));
    assert_eq!(seen_again, [Some(8.0)]);
}

/// The race of the first kernel is looked for in the launches of which its order is not proved, and in no other.
#[test]
fn a_race_is_not_looked_for_in_launches_that_proofs_cover() {
    let launch = "OpExec(copied, \"\")(torch.randn(512, 64), torch.empty(512, 64), 512)";
    let module = trace_with(
        &SourceText::new(with_launches(RACE, &[launch])),
        &Settings::default().trace,
    );
    let program = &module.programs[0];
    let request = Request {
        device: Settings::default().trace.device,
        bindings: &[],
        saturate: false,
        work: DEFAULT_WORK,
    };
    let races = |covers: &dyn Fn(Property, &BoundLaunch) -> bool| {
        let given = given(program, &module, &request, Shapes::Measured);
        let shown = Shown(covers);
        let replay = Replay::of_given(&|| false, program, &module, &request, given, shown);
        let replay = replay.expect("nobody cancels it");
        assert_eq!(replay.launches[0].outcome, LaunchOutcome::Finished);
        let seen = replay.observations.into_iter();
        let races = seen.filter(|it| matches!(it.event, Event::Hazard(_)));
        races.map(|it| it.execution).collect::<Vec<usize>>()
    };
    assert!(races(&|_, _| false).contains(&0));
    assert!(races(&|_, _| true).is_empty());
    // Order is proved for accesses inside of their tensors, so by itself it shows nothing.
    assert!(races(&|property, _| property == Property::Order).contains(&0));
    let is_given = |_, launch: &BoundLaunch| {
        let rows = launch.scalars(program);
        rows.iter()
            .any(|(name, value)| name == "M" && *value == 512.0)
    };
    assert!(!races(&is_given).contains(&0));
}

/// Of variants that proofs cover, those run that no variant with larger sizes stands for.
#[test]
fn of_variants_that_proofs_cover_the_largest_run() {
    let module = trace_with(&SourceText::new(ROWS), &Settings::default().trace);
    let program = &module.programs[0];
    let request = Request {
        device: Settings::default().trace.device,
        bindings: &[],
        saturate: false,
        work: DEFAULT_WORK,
    };
    let sizes = |covers: &dyn Fn(Property, &BoundLaunch) -> bool| {
        let given = given(program, &module, &request, Shapes::Measured);
        let shown = Shown(covers);
        let replay = Replay::of_given(&|| false, program, &module, &request, given, shown);
        let runs = replay.expect("nobody cancels it").launches.into_iter();
        let variants = runs.filter(|run| run.source == LaunchSource::Variant);
        let mut sizes: Vec<f64> = variants.map(|run| run.arguments[0].1).collect();
        sizes.sort_by(f64::total_cmp);
        sizes
    };
    let all = sizes(&|_, _| false);
    assert!(all.len() > 1, "{all:?}");
    assert_eq!(sizes(&|_, _| true), all[all.len() - 1..]);
    assert_eq!(sizes(&|property, _| property != Property::Bounds), all);
}
