//! Findings in files whose launches are removed, or made too large to simulate.

use std::path::{Path, PathBuf};

use rayon::prelude::*;

use a2lint_frontend::TraceOptions;
use a2lint_frontend::dsl::trace_with;
use a2lint_ir::finding::{Finding, Severity};
use a2lint_ir::{Module, Program, Scalar};
use a2lint_lint::check::{Results, Settings, check_traced};
use a2lint_source::text::SourceText;

use crate::larger::{FACTOR, OTHERWISE, remaindered};

/// Rules that need sizes, element types or data of a launch. Without a launch, invented ones may only confirm what
/// they report.
const OF_LAUNCHES: [&str; 6] = [
    "gm-out-of-bounds",
    "output-hole",
    "move-dtype",
    "nan-produced",
    "stale-tail",
    "padding-in-reduction",
];

/// Returns the cases with mistakes.
fn bad_cases() -> Vec<PathBuf> {
    let tests = crate::repository::root().join("tests");
    let folders = ["rules", "sanitizer_cases", "sync"].map(|folder| tests.join(folder));
    let files = folders
        .iter()
        .flat_map(|folder| crate::repository::files(folder, "py"));
    files.filter(|path| name_of(path).contains("bad")).collect()
}

fn name_of(path: &Path) -> String {
    path.file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}

/// Returns the findings of a file that need action: rules, and the lines that they refer to.
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

/// Returns the findings in which a replay takes part: rules and lines.
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

/// Rules on the two sides of a bridge, which report one side or the other.
const OF_BRIDGES: [&str; 2] = ["mutex-depth", "mutex-protocol"];

/// Whether a finding exists: its rule is reported and refers to its line.
fn is_found(found: &[(&'static str, Vec<usize>)], (rule, line): &(&'static str, usize)) -> bool {
    found
        .iter()
        .any(|(name, lines)| name == rule && (OF_BRIDGES.contains(rule) || lines.contains(line)))
}

/// A finding of a file: the file, the line and the rule.
type Place = (String, usize, &'static str);

/// Number of expected findings, and those that are missing.
#[derive(Default)]
struct Count {
    wanted: usize,
    missed: Vec<Place>,
}

impl Count {
    /// Counts the findings of a file that are missing in another result.
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

/// Invented launches show the findings if nothing launches the kernels.
pub fn found_without_launches() {
    let counts: Vec<[Count; 2]> = bad_cases()
        .par_iter()
        .map(|path| {
            let text = crate::repository::read(path);
            let wanted = replayed(&text, &crate::repository::checked(&text).findings);
            let bare = crate::repository::without_launches(&text);
            let found = match wanted.is_empty() {
                true => Vec::new(),
                false => reported(&bare, &crate::repository::checked(&bare).findings),
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

fn multiplied(extent: i64) -> i64 {
    match extent {
        0 | 1 => extent,
        _ => extent * FACTOR,
    }
}

/// Whether the kernel itself fixes the extent of an axis.
fn is_fixed(program: &Program, tensor: usize, axis: usize) -> bool {
    use a2lint_ir::ParamKind;
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

/// Enlarges every launch in each dimension. Returns whether there was a launch.
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

/// Counts the findings of a file that are missing if its launches are larger.
fn enlarged(path: &Path, larger: fn(i64) -> i64) -> Count {
    let text = crate::repository::read(path);
    let source = SourceText::new(text.as_str());
    let mut module = trace_with(&source, &TraceOptions::default());
    if !enlarge(&mut module, larger) {
        return Count::default();
    }
    let wanted = replayed(&text, &crate::repository::checked(&text).findings);
    if wanted.is_empty() {
        return Count::default();
    }
    let analysis = check_traced(&source, module, &Settings::default());
    let count = Count::of(path, &wanted, &reported(&text, &analysis.findings));
    // If a finding is missing, the report must not say that all is well.
    let results = Results::from(analysis);
    let is_silent = results.findings.is_empty() && results.is_complete();
    assert!(count.missed.is_empty() || !is_silent, "{}", path.display());
    count
}

/// `A2LINT_LAUNCHES=all` also enlarges launches that lose their remainders.
pub fn found_under_large_launches() {
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
