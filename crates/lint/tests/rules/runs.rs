//! What the simulation of a launch shows, the check of its file reports with the same or a higher severity.

use std::path::Path;
use std::sync::OnceLock;

use a2lint_frontend::dsl::trace;
use a2lint_ir::finding::Finding;
use a2lint_isa::device::Device;
use a2lint_lint::check::findings_of_run;
use a2lint_machine::hazards::Readings;
use a2lint_machine::{Bindings, BoundLaunch, End, Options, simulate};
use a2lint_project::SourceMap;
use a2lint_rules as rules;
use a2lint_source::text::SourceText;

/// Limit on the work of compared runs; checks run larger launches at smaller sizes.
const MOST_WORK: u64 = 300_000;

/// The rule that a check reports for launches that a contract excludes, instead of what they show.
const EXCLUDED: &str = "contract-violated";
/// A check reports this rule only if several kinds of invented data show it.
const OF_DATA: &str = "nan-produced";

/// Every finding of a run with a witness, for each launch of a file, is reported by the check.
pub fn are_told(path: &Path) -> Result<(), String> {
    let text = crate::repository::read(path);
    let analysis = crate::repository::checked(&text);
    let source = SourceText::new(text);
    let (map, module) = (SourceMap::alone(&source), trace(&source));
    for launch in &module.launches {
        let is_excluded =
            |finding: &Finding| finding.name == EXCLUDED && finding.is_in(&launch.kernel);
        if analysis.findings.iter().any(is_excluded) {
            continue;
        }
        let mut programs = module.programs.iter();
        let Some(program) = programs.find(|program| program.name == launch.kernel) else {
            continue;
        };
        let all = &module.launches;
        let none = Bindings::default();
        let bound = BoundLaunch::bind(
            program,
            Some(launch),
            all,
            &none,
            Device::default(),
            1 << 28,
        );
        let Ok(bound) = bound else { continue };
        let options = Options {
            max_work: MOST_WORK,
            ..Options::default()
        };
        let mut readings = Readings::new(program, bound.cores);
        let outcome = simulate(program, &bound, &options, &mut readings);
        if !matches!(outcome.end, End::Finished) {
            continue;
        }
        let hazards = readings.finish();
        let once = OnceLock::new();
        let shown = findings_of_run(
            &map, &module, program, &bound, &options, &outcome, hazards, &once,
        );
        let mut shown = shown
            .iter()
            .filter(|finding| finding.witness.is_some() && finding.name != OF_DATA);
        if let Some(missed) = shown.find(|seen| !is_told(&analysis.findings, seen, &program.name)) {
            return Err(format!(
                "a run of {:?} shows {} ({:?}) at {:?}, which the check does not say: {}",
                launch.scalars, missed.name, missed.severity, missed.span, missed.message
            ));
        }
    }
    Ok(())
}

/// Whether a check reports the finding of a run, or its cause.
fn is_told(told: &[Finding], seen: &Finding, kernel: &str) -> bool {
    let causes = rules::find(seen.code).map_or(&[][..], |rule| rule.causes);
    let trail = seen.witness.iter().flat_map(|witness| &witness.trail);
    let places: Vec<_> = trail.copied().chain([seen.span]).collect();
    told.iter().any(|finding| {
        let is_cause = causes.iter().any(|cause| finding.code.starts_with(cause));
        let is_near = places
            .iter()
            .any(|span| span.start <= finding.span.start && finding.span.end <= span.end);
        finding.severity >= seen.severity
            && finding.is_in(kernel)
            && (finding.code == seen.code || is_cause && is_near)
    })
}
