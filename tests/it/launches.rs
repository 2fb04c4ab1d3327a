//! What is found when launches are taken away, or made larger than anybody wants to wait for.

use std::path::{Path, PathBuf};

use a2lint::check::{Analysis, Settings, check, check_traced};
use a2lint::finding::{Finding, Severity};
use a2lint::frontend::easyasc::{TraceOptions, trace_with};
use a2lint::ir::{Module, Program, Scalar};
use a2lint::language::Language;
use a2lint::replay::{LaunchOutcome, LaunchSource, Replay};
use a2lint::text::SourceText;

/// Rules that speak of extents, which nobody has given where there is no launch (decision 42).
const OF_EXTENTS: [&str; 2] = ["gm-out-of-bounds", "output-hole"];
/// What every extent of an enlarged launch is multiplied with, about.
const FACTOR: i64 = 64;
/// What the enlarged extents keep their remainder of.
const KEPT: i64 = 256;

fn checked(text: &str) -> Analysis {
    check(
        &SourceText::new(text),
        Language::Easyasc,
        &Settings::default(),
    )
}

/// The cases that are there to be found.
fn bad_cases() -> Vec<PathBuf> {
    let tests = crate::common::root().join("tests");
    let folders = ["rules", "sanitizer_cases", "sync"].map(|folder| tests.join(folder));
    let files = folders
        .iter()
        .flat_map(|folder| crate::common::files(folder, "py"));
    files.filter(|path| name_of(path).contains("bad")).collect()
}

fn name_of(path: &Path) -> String {
    path.file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}

/// A kernel file without its launches, every statement of a kernel where it was.
fn without_launches(text: &str) -> String {
    let kernels = text.split("if __name__").next().unwrap_or_default();
    let blanked = kernels
        .lines()
        .map(|line| match line.contains("a2lint: launch(") {
            true => "\n".to_owned(),
            false => format!("{line}\n"),
        });
    blanked.collect()
}

/// What makes two findings one: the rule and the line.
fn identity(text: &str, finding: &Finding) -> (&'static str, usize) {
    let line = SourceText::new(text).line_column(finding.span.start).line;
    (finding.name, line)
}

/// What a replay has a part in, as far as somebody has to act on it.
fn replayed(text: &str, findings: &[Finding]) -> Vec<(&'static str, usize)> {
    let shown = findings
        .iter()
        .filter(|finding| finding.witness.is_some() && finding.severity >= Severity::Warning);
    let mut shown: Vec<_> = shown.map(|finding| identity(text, finding)).collect();
    shown.dedup();
    shown
}

fn reported(text: &str, findings: &[Finding]) -> Vec<(&'static str, usize)> {
    let shown = findings
        .iter()
        .filter(|finding| finding.severity >= Severity::Warning);
    shown.map(|finding| identity(text, finding)).collect()
}

/// How many of what was to be found was found.
#[derive(Default)]
struct Count {
    found: usize,
    wanted: usize,
    missed: Vec<String>,
}

impl Count {
    fn add(
        &mut self,
        path: &Path,
        wanted: &[(&'static str, usize)],
        found: &[(&'static str, usize)],
    ) {
        for one in wanted {
            self.wanted += 1;
            match found.contains(one) {
                true => self.found += 1,
                false => {
                    let folder = path.parent().map(name_of).unwrap_or_default();
                    let (rule, line) = one;
                    self.missed
                        .push(format!("{folder}/{}:{line} {rule}", name_of(path)));
                }
            }
        }
    }

    fn print(&self, what: &str) {
        println!("{what}: {} of {}", self.found, self.wanted);
        for missed in &self.missed {
            println!("  missed {missed}");
        }
    }

    fn share(&self) -> f64 {
        self.found as f64 / self.wanted as f64
    }
}

#[test]
fn what_replays_find_is_found_without_launches() {
    let mut count = Count::default();
    let mut of_extents = Count::default();
    for path in bad_cases() {
        let text = crate::common::read(&path);
        let wanted = replayed(&text, &checked(&text).findings);
        if wanted.is_empty() {
            continue;
        }
        let bare = without_launches(&text);
        let found = reported(&bare, &checked(&bare).findings);
        let is_excepted = |(rule, _): &(&'static str, usize)| OF_EXTENTS.contains(rule);
        let (excepted, wanted): (Vec<_>, Vec<_>) = wanted.into_iter().partition(is_excepted);
        count.add(&path, &wanted, &found);
        of_extents.add(&path, &excepted, &found);
    }
    count.print("without launches");
    of_extents.print("without launches, about extents");
    assert!(count.wanted >= 150, "{}", count.wanted);
    assert!(count.share() >= 0.9, "{}", count.share());
}

/// An extent made larger: by as many tiles as keep what is left of the last one.
fn remaindered(extent: i64) -> i64 {
    match extent {
        0 | 1 => extent,
        _ => extent + (FACTOR - 1) * (extent + KEPT - 1) / KEPT * KEPT,
    }
}

fn multiplied(extent: i64) -> i64 {
    match extent {
        0 | 1 => extent,
        _ => extent * FACTOR,
    }
}

/// Axes whose extents the kernel itself fixes.
fn is_fixed(program: &Program, tensor: usize, axis: usize) -> bool {
    use a2lint::ir::ParamKind;
    let globals = program.params.iter().filter_map(|param| match param.kind {
        ParamKind::Global(id) => Some(id),
        _ => None,
    });
    let declared = globals.map(|id| &program.global(id).shape).nth(tensor);
    let extent = declared.and_then(|shape| shape.get(axis));
    extent.is_some_and(|&extent| {
        !matches!(program.scalars.get(extent), Scalar::Extent(..)) && program.size(extent).is_some()
    })
}

/// Makes every launch larger in each dimension; whether there was one.
fn enlarge(module: &mut Module, larger: fn(i64) -> i64) -> bool {
    let programs = &module.programs;
    for launch in &mut module.launches {
        let program = programs
            .iter()
            .find(|program| program.name == launch.kernel);
        for (_, value) in &mut launch.scalars {
            if value.fract() == 0.0 && *value > 1.0 {
                *value = larger(*value as i64) as f64;
            }
        }
        for (at, tensor) in launch.tensors.iter_mut().enumerate() {
            for (axis, extent) in tensor.shape.iter_mut().flatten().enumerate() {
                if program.is_none_or(|program| !is_fixed(program, at, axis)) {
                    *extent = larger(*extent);
                }
            }
        }
    }
    !module.launches.is_empty()
}

fn enlarged(what: &str, larger: fn(i64) -> i64) -> Count {
    let mut count = Count::default();
    let mut slowest = (0.0, String::new());
    for path in bad_cases() {
        let text = crate::common::read(&path);
        let source = SourceText::new(text.as_str());
        let settings = Settings::default();
        let mut module = trace_with(&source, &TraceOptions::default());
        if !enlarge(&mut module, larger) {
            continue;
        }
        let wanted = replayed(&text, &checked(&text).findings);
        if wanted.is_empty() {
            continue;
        }
        let begin = std::time::Instant::now();
        let analysis = check_traced(&source, module, &settings);
        let seconds = begin.elapsed().as_secs_f64();
        if seconds > slowest.0 {
            slowest = (seconds, name_of(&path));
        }
        count.add(&path, &wanted, &reported(&text, &analysis.findings));
    }
    count.print(what);
    println!("slowest: {slowest:?}");
    count
}

#[test]
fn what_replays_find_is_found_under_large_launches() {
    let count = enlarged("64 times larger, remainders kept", remaindered);
    enlarged("64 times larger", multiplied);
    assert!(count.wanted >= 90, "{}", count.wanted);
    assert!(count.share() >= 0.95, "{}", count.share());
}

/// What replays show of the first kernel of a text.
fn replay_of(text: &str, settings: &Settings) -> Replay {
    let module = trace_with(&SourceText::new(text), &settings.trace);
    let program = module.programs.first().expect("a kernel");
    let replay = settings.replay_unless(&|| false, program, &module);
    replay.expect("nobody cancels it")
}

/// Stores what it has not waited for.
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
    assert!(reason.starts_with("img2col is not simulated"), "{reason}");
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
    assert_eq!(cores(&plain), Settings::default().device.cube_cores);
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

/// A root of its input.
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
    // Whatever the input is, less twice its size is below zero.
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
