//! What is found when launches are taken away, or made larger than anybody wants to wait for.

use std::path::{Path, PathBuf};

use rayon::prelude::*;

use a2lint::check::{Analysis, Results, Settings, check, check_traced};
use a2lint::finding::{Finding, Severity};
use a2lint::frontend::dsl::{TraceOptions, trace_with};
use a2lint::ir::{Module, Program, Scalar};
use a2lint::language::Language;
use a2lint::record::GapKind;
use a2lint::replay::{LaunchOutcome, LaunchSource, Replay};
use a2lint::text::SourceText;

/// Rules that speak of what nobody has given where there is no launch: extents (decision 42), element
/// types (52), data (51) and tails, which a guess only confirms with (45).
const OF_LAUNCHES: [&str; 6] = [
    "gm-out-of-bounds",
    "output-hole",
    "move-dtype",
    "nan-produced",
    "stale-tail",
    "padding-in-reduction",
];
/// What every extent of an enlarged launch is multiplied with, about.
const FACTOR: i64 = 64;
/// What the enlarged extents keep their remainder of.
const KEPT: i64 = 256;

fn checked(text: &str) -> Analysis {
    let settings = Settings {
        prove: false,
        ..Settings::default()
    };
    check(&SourceText::new(text), Language::Easyasc, &settings)
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

/// What is found in a file, as far as somebody has to act on it: rules, and the lines that they name.
fn reported(text: &str, findings: &[Finding]) -> Vec<(&'static str, Vec<usize>)> {
    let source = SourceText::new(text);
    let lines = |finding: &Finding| {
        let labels = finding.labels.iter().map(|label| label.span);
        let trail = finding.witness.iter().flat_map(|witness| &witness.trail);
        let spans = [finding.span].into_iter().chain(labels);
        let spans = spans.chain(trail.copied());
        spans
            .map(|span| source.line_column(span.start).line)
            .collect()
    };
    let shown = findings
        .iter()
        .filter(|finding| finding.severity >= Severity::Warning);
    shown
        .map(|finding| (finding.name, lines(finding)))
        .collect()
}

/// What a replay has a part in, of what is found: rules and lines.
fn replayed(text: &str, findings: &[Finding]) -> Vec<(&'static str, usize)> {
    let shown = findings.iter().filter(|finding| finding.witness.is_some());
    let shown: Vec<Finding> = shown.cloned().collect();
    let mut places: Vec<_> = reported(text, &shown)
        .into_iter()
        .map(|(rule, lines)| (rule, lines[0]))
        .collect();
    places.dedup();
    places
}

/// Rules about the two sides of a bridge, which name one or the other.
const OF_BRIDGES: [&str; 2] = ["mutex-depth", "mutex-protocol"];

/// Whether a finding is there: its rule speaks, and names its line.
fn is_found(found: &[(&'static str, Vec<usize>)], (rule, line): &(&'static str, usize)) -> bool {
    found
        .iter()
        .any(|(name, lines)| name == rule && (OF_BRIDGES.contains(rule) || lines.contains(line)))
}

/// A finding of a file: the file, the line and the rule.
type Place = (String, usize, &'static str);

/// How much of what was to be found was found.
#[derive(Default)]
struct Count {
    wanted: usize,
    missed: Vec<Place>,
}

impl Count {
    /// What of a file's findings is missing elsewhere.
    fn of(
        path: &Path,
        wanted: &[(&'static str, usize)],
        found: &[(&'static str, Vec<usize>)],
    ) -> Count {
        let folder = path.parent().map(name_of).unwrap_or_default();
        let file = format!("{folder}/{}", name_of(path));
        let missed = wanted.iter().filter(|one| !is_found(found, one));
        Count {
            wanted: wanted.len(),
            missed: missed
                .map(|&(rule, line)| (file.clone(), line, rule))
                .collect(),
        }
    }

    fn sum(parts: impl IntoIterator<Item = Count>) -> Count {
        let mut sum = Count::default();
        for part in parts {
            sum.wanted += part.wanted;
            sum.missed.extend(part.missed);
        }
        sum
    }

    fn print(&self, what: &str) {
        let found = self.wanted - self.missed.len();
        println!("{what}: {found} of {}", self.wanted);
        for (file, line, rule) in &self.missed {
            println!("  missed {file}:{line} {rule}");
        }
    }

    fn share(&self) -> f64 {
        1.0 - self.missed.len() as f64 / self.wanted as f64
    }
}

#[test]
fn what_replays_find_is_found_without_launches() {
    let counts: Vec<[Count; 2]> = bad_cases()
        .par_iter()
        .map(|path| {
            let text = crate::common::read(path);
            let wanted = replayed(&text, &crate::common::checked(&text).findings);
            let bare = crate::common::without_launches(&text);
            let found = match wanted.is_empty() {
                true => Vec::new(),
                false => reported(&bare, &crate::common::checked(&bare).findings),
            };
            let is_excepted = |(rule, _): &(&'static str, usize)| OF_LAUNCHES.contains(rule);
            let (excepted, wanted): (Vec<_>, Vec<_>) = wanted.into_iter().partition(is_excepted);
            [wanted, excepted].map(|wanted| Count::of(path, &wanted, &found))
        })
        .collect();
    let (counts, of_launches): (Vec<_>, Vec<_>) = counts.into_iter().map(|[a, b]| (a, b)).unzip();
    let count = Count::sum(counts);
    count.print("without launches");
    Count::sum(of_launches).print("without launches, about what launches give");
    assert!(count.wanted >= 150, "{}", count.wanted);
    assert!(count.share() >= 0.9, "{}", count.share());
}

/// An extent made larger: by as many tiles as keep what is left of the last one.
pub fn remaindered(extent: i64) -> i64 {
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

/// What of a file is found under its launches, and no longer where they are larger.
fn enlarged(path: &Path, larger: fn(i64) -> i64) -> Count {
    let text = crate::common::read(path);
    let source = SourceText::new(text.as_str());
    let mut module = trace_with(&source, &TraceOptions::default());
    if !enlarge(&mut module, larger) {
        return Count::default();
    }
    let wanted = replayed(&text, &crate::common::checked(&text).findings);
    if wanted.is_empty() {
        return Count::default();
    }
    let analysis = check_traced(&source, module, &Settings::default());
    let count = Count::of(path, &wanted, &reported(&text, &analysis.findings));
    // Whatever is not found, nobody is told that all is well.
    let results = Results::from(analysis);
    let is_silent = results.findings.is_empty() && results.is_complete();
    assert!(count.missed.is_empty() || !is_silent, "{}", path.display());
    count
}

/// What is no mistake any more where a launch is so large, or gives way to another one: extents that
/// have to fit on the chip no longer do, columns that were missing are there, and what was undefined
/// in a first tile holds an older one. A product that overflows at full size does not where tensors
/// had to be made smaller, which the report says. A slot that is read a whole ring too early
/// (`bad_lookahead`) would show, with twice the work that a file is given by default.
pub const OTHERWISE: [(&str, &str); 12] = [
    ("bad_shifted_columns.py", "gm-out-of-bounds"),
    ("bad_last_block.py", "padding-in-reduction"),
    ("bad_narrow_rows.py", "padding-in-reduction"),
    ("bad_index_behind_workspace.py", "uninitialized-read"),
    ("bad_reduced_behind_workspace.py", "uninitialized-read"),
    ("bad_scalar_behind_workspace.py", "uninitialized-read"),
    ("bad_through_workspace.py", "uninitialized-read"),
    ("bad_through_workspace_to_cube.py", "uninitialized-read"),
    ("case_34_bad_tail_of_thirteen.py", "uninitialized-read"),
    ("bad_product.py", "output-hole"),
    ("bad_product.py", "scalar-overflow"),
    ("bad_lookahead.py", "slot-lifetime"),
];

/// `A2LINT_LAUNCHES=all` makes launches larger that lose their remainders, too.
#[test]
fn what_replays_find_is_found_under_large_launches() {
    let count_all = |larger: fn(i64) -> i64| {
        let cases = bad_cases();
        let counts: Vec<Count> = cases
            .par_iter()
            .map(|path| enlarged(path, larger))
            .collect();
        Count::sum(counts)
    };
    let mut kept = count_all(remaindered);
    let is_expected = |(file, _, rule): &Place| {
        let (_, name) = file.split_once('/').unwrap_or_default();
        OTHERWISE.contains(&(name, *rule))
    };
    kept.print("64 times larger, remainders kept");
    kept.missed.retain(|place| !is_expected(place));
    if std::env::var("A2LINT_LAUNCHES").is_ok_and(|value| value == "all") {
        count_all(multiplied).print("64 times larger");
    }
    assert!(kept.wanted >= 90, "{}", kept.wanted);
    assert_eq!(kept.missed, []);
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
    // What was left out is said, and nothing that depends on it passes for tested.
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
