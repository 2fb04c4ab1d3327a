//! Findings in other files: they keep their place there, and are shown at the call in the checked file.

use std::path::PathBuf;

use rustc_hash::FxHashMap;

use a2lint_ir::finding::{Elsewhere, Finding, Label};
use a2lint_ir::{MaskOperations, Program};
use a2lint_project::{Place, SourceMap};
use a2lint_replay::Shortfall;
use a2lint_rules as rules;
use a2lint_rules::record::KernelRecord;
use a2lint_rules::suppress::Suppressions;
use a2lint_source::language::Language;
use a2lint_source::text::Span;

/// Moves findings outside of the checked file to the call in it that leads there, and keeps their place in the other
/// file.
pub(super) fn move_to_call(map: &SourceMap, program: &Program, findings: &mut [Finding]) {
    for finding in findings {
        finding.message = map.in_words(&finding.message);
        finding.help = finding.help.take().map(|help| map.in_words(&help));
        if let Some(witness) = &mut finding.witness {
            witness.detail = map.in_words(&witness.detail);
            witness.trail.retain(|span| map.is_own(*span));
        }
        let is_own = map.is_own(finding.span);
        let place = map.elsewhere(finding.span).filter(|_| !is_own);
        if let Some(mut place) = place.map(elsewhere) {
            // Labels in a third file have no place in either report.
            let beside = finding.labels.iter().filter_map(|label| {
                let other = map.elsewhere(label.span);
                let other = other.filter(|other| other.path == place.path)?;
                let message = label.message.clone();
                Some(Label {
                    span: other.span,
                    message,
                })
            });
            place.labels = beside
                .filter(|label| label.message != rules::CALLED)
                .collect();
            let mut calls = finding
                .labels
                .iter()
                .filter(|label| label.message == rules::CALLED);
            let call = calls.find(|label| map.is_own(label.span));
            finding.span = call.map_or(program.name_span, |label| label.span);
            finding.elsewhere = Some(place);
            finding
                .labels
                .retain(|label| label.message != rules::CALLED);
        }
        finding.labels.retain(|label| map.is_own(label.span));
        for label in &mut finding.labels {
            label.message = map.in_words(&label.message);
        }
        // A fix can only be applied to the checked file.
        let mut edits = finding.fix.iter().flat_map(|fix| &fix.edits);
        if edits.any(|edit| !map.is_own(edit.span)) {
            finding.fix = None;
        }
    }
}

/// Moves unknown code in other files to the name of the kernel, and names the places of open proofs in other files in
/// their reasons.
pub(super) fn move_record_to_kernel(map: &SourceMap, record: &mut KernelRecord) {
    let home = record.span;
    let bring = |what: &mut String, span: &mut Span| {
        if let Some(place) = map.place(*span).filter(|_| !map.is_own(*span)) {
            *span = home;
            *what = format!("{place}: {what}");
        }
    };
    let unknown = record.unknown.iter_mut();
    unknown.for_each(|code| bring(&mut code.what, &mut code.span));
    for (because, at) in record.proofs.open_mut() {
        let place = at
            .filter(|at| !map.is_own(*at))
            .and_then(|at| map.place(at));
        if let Some(place) = place {
            *at = None;
            because.push_str(&format!(" ({place})"));
        }
    }
    let shortfall = record.shortfall.as_mut().map(Shortfall::span_mut);
    if let Some(span) = shortfall.filter(|span| !map.is_own(**span)) {
        *span = home;
    }
}

/// Converts a place to the form in findings.
fn elsewhere(place: Place) -> Elsewhere {
    Elsewhere {
        path: place.path.to_owned(),
        shown: place.shown,
        source: place.text.clone(),
        span: place.span,
        labels: Vec::new(),
    }
}

/// Moves findings about declarations in other files to a label in the checked file, or else to the kernel's name.
pub(super) fn bring_masks_home(map: &SourceMap, masks: &MaskOperations, findings: &mut [Finding]) {
    for finding in findings {
        let is_own = map.is_own(finding.span);
        if let Some(place) = map.elsewhere(finding.span).filter(|_| !is_own) {
            finding.elsewhere = Some(elsewhere(place));
            let mut labels = finding.labels.iter().map(|label| label.span);
            let home = labels.find(|span| map.is_own(*span));
            let kernel = finding.kernel.as_deref();
            let home = home.or_else(|| kernel.and_then(|kernel| masks.name_span(kernel)));
            finding.span = home.unwrap_or_default();
        }
        finding.labels.retain(|label| map.is_own(label.span));
        let mut edits = finding.fix.iter().flat_map(|fix| &fix.edits);
        if edits.any(|edit| !map.is_own(edit.span)) {
            finding.fix = None;
        }
    }
}

/// The suppression comments of other files, which silence findings in them.
#[derive(Default)]
pub(super) struct Silence(FxHashMap<PathBuf, Suppressions>);

impl Silence {
    /// Returns whether a comment in the file that a finding is about silences it.
    pub fn silences(&mut self, finding: &Finding) -> bool {
        let Some(place) = &finding.elsewhere else {
            return false;
        };
        let language = Language::of_path(&place.path).unwrap_or_default();
        let read = || Suppressions::of(&place.source, language);
        let comments = self.0.entry(place.path.clone()).or_insert_with(read);
        comments.silences_at(finding, place.span)
    }
}
