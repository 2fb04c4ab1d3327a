//! The HTML page about a kernel: its verdicts, its source with findings and costs, its memory over time, its pipes,
//! and its tiles. One file that loads nothing else.

mod model;
mod races;
mod recorder;
mod sweep;
mod tiles;

use std::borrow::Cow;
use std::time::Instant;

use recorder::{Focus, Recorder};
pub use sweep::{Point, Sweep, Time};

use a2lint_ir::Program;
use a2lint_ir::finding::Finding;
use a2lint_isa::device::Device;
use a2lint_lint::check::Conclusion;
use a2lint_machine::hazards::Hazard;
use a2lint_machine::{BoundLaunch, Estimate, Outcome, simulate};
use a2lint_project::SourceMap;
use a2lint_rules::record::KernelRecord;
use a2lint_run::{Job, Supervisor};
use a2lint_source::text::{SourceText, is_unprintable};

const PAGE: &str = include_str!("viewer.html");
/// The colours of all pages.
pub(crate) const COLOURS: &str = include_str!("colours.css");
const STYLE: &str = concat!(include_str!("colours.css"), include_str!("viewer.css"));
const SCRIPT: &str = include_str!("viewer.js");

/// The file, findings, records and launch that a page describes.
struct Subject<'a> {
    /// The path of the file for people.
    path: &'a str,
    /// The text of the file, followed by those of the files that it was evaluated with.
    source: &'a SourceText,
    /// The findings in the file.
    findings: &'a [Finding],
    /// The records of its kernels.
    records: &'a [KernelRecord],
    /// The files that the source consists of.
    map: &'a SourceMap,
    /// The kernel.
    program: &'a Program,
    /// The launch that was run.
    bound: &'a BoundLaunch,
    /// The origin of the launch, as a clause.
    origin: &'a str,
    /// The device.
    device: Device,
    /// How the run ended.
    outcome: &'a Outcome,
    /// The estimated times.
    estimate: &'a Estimate,
    /// Pairs of accesses that are not ordered.
    hazards: &'a [Hazard],
    /// The recorded values and lives of tensors.
    recorder: &'a Recorder<'a>,
    /// The times of the kernel for several values of one size.
    sweep: Option<&'a Sweep>,
}

/// Runs a kernel and renders the page about it. `known` is the conclusion about its file without that run, `sweep`
/// the times for other sizes.
pub fn page(
    job: &Job,
    known: &Conclusion,
    sweep: Option<&Sweep>,
    supervisor: &mut dyn Supervisor,
) -> String {
    let (source, bound) = (&job.file.source, &job.bound.launch);
    let focus = Focus::of(&known.findings, job.program, bound);
    let deadline = job.deadline(Instant::now());
    let is_over = || supervisor.is_cancelled() || Instant::now() >= deadline;
    let cores = bound.cores;
    let mut recorder = Recorder::new(source, job.program, cores, focus, Box::new(is_over));
    let outcome = simulate(job.program, bound, &job.options(), &mut recorder);
    let hazards = recorder.take_hazards();
    render(&Subject {
        path: &job.file.path,
        source,
        findings: &known.findings,
        records: &known.records,
        map: job.map,
        program: job.program,
        bound,
        origin: &job.bound.origin,
        device: job.bound.device,
        outcome: &outcome,
        estimate: &recorder.clock.estimate(),
        hazards: &hazards,
        recorder: &recorder,
        sweep,
    })
}

fn render(subject: &Subject) -> String {
    // Otherwise `</script>` in the source would end the script element.
    let data = shown(&model::object(subject).to_string()).replace('<', "\\u003c");
    PAGE.replace("/*STYLE*/", STYLE)
        .replace("/*SCRIPT*/", SCRIPT)
        .replace("/*DATA*/", &data)
}

/// Replaces characters that a browser would interpret instead of showing them, each by as many characters as it has
/// UTF-16 units, so that columns of the source stay the same.
pub(crate) fn shown(data: &str) -> Cow<'_, str> {
    if !data.contains(is_unprintable) {
        return Cow::Borrowed(data);
    }
    let mut out = String::with_capacity(data.len());
    for c in data.chars() {
        match is_unprintable(c) {
            true => out.extend(std::iter::repeat_n('\u{fffd}', c.len_utf16())),
            false => out.push(c),
        }
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use base64::Engine;
    use base64::prelude::BASE64_STANDARD;
    use sha2::{Digest, Sha256};

    use super::*;

    /// Style and script are allowed by their hashes, so that text of a source cannot act as one.
    #[test]
    fn the_page_allows_its_own_style_and_script_alone() {
        let page = PAGE
            .replace("/*STYLE*/", STYLE)
            .replace("/*SCRIPT*/", SCRIPT);
        let hash = |element: &str| {
            let (start, end) = (format!("<{element}>"), format!("</{element}>"));
            let (_, rest) = page.split_once(&start).expect("an element");
            let (text, _) = rest.split_once(&end).expect("its end");
            BASE64_STANDARD.encode(Sha256::digest(text))
        };
        let (style, script) = (hash("style"), hash("script"));
        let policy = format!(
            "content=\"default-src 'none'; style-src 'sha256-{style}'; script-src 'sha256-{script}'; \
             base-uri 'none'; form-action 'none'\""
        );
        assert!(PAGE.contains(&policy), "viewer.html should have {policy}");
        assert!(!SCRIPT.contains("setAttribute(\"style\"") && !SCRIPT.contains("innerHTML"));
    }

    #[test]
    fn what_a_browser_would_obey_is_replaced() {
        let text = "a\u{202e}b\u{e0041}c\u{85}";
        assert_eq!(shown(text), "a\u{fffd}b\u{fffd}\u{fffd}c\u{fffd}");
    }

    #[test]
    fn the_page_needs_nothing_else() {
        for text in [PAGE, STYLE, SCRIPT] {
            let addresses = text.match_indices("://").map(|(at, _)| &text[..at]);
            let allowed = |before: &str| text[before.len()..].starts_with("://www.w3.org/2000/svg");
            assert!(addresses.into_iter().all(allowed), "{text}");
            assert!(!text.contains("import(") && !text.contains("@import"));
        }
        for mark in ["/*STYLE*/", "/*SCRIPT*/", "/*DATA*/"] {
            assert_eq!(PAGE.matches(mark).count(), 1, "{mark}");
        }
    }
}
