//! What is found in code of other files: named by its place there, shown where this file calls it.

use std::path::{Path, PathBuf};

use rustc_hash::FxHashMap;

use a2lint_frontend::dsl::Unit;
use a2lint_ir::finding::{Elsewhere, Finding, Label};
use a2lint_ir::{MaskOperations, Program};
use a2lint_replay::Shortfall;
use a2lint_rules as rules;
use a2lint_rules::record::KernelRecord;
use a2lint_rules::suppress::Suppressions;
use a2lint_source::language::Language;
use a2lint_source::text::{SourceText, Span};

/// Moves findings of a kernel to where its own file calls what they are in.
pub(super) fn bring_home(unit: &Unit, program: &Program, findings: &mut [Finding]) {
    for finding in findings {
        finding.message = unit.in_words(&finding.message);
        if let Some(witness) = &mut finding.witness {
            witness.detail = unit.in_words(&witness.detail);
            witness.trail.retain(|span| unit.is_own(*span));
        }
        let is_own = unit.is_own(finding.span);
        if let Some(mut place) = unit.elsewhere(finding.span).filter(|_| !is_own) {
            let beside = finding.labels.iter().filter_map(|label| {
                let other = unit.elsewhere(label.span);
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
            let call = calls.find(|label| unit.is_own(label.span));
            finding.span = call.map_or(program.name_span, |label| label.span);
            finding.elsewhere = Some(place);
            finding
                .labels
                .retain(|label| label.message != rules::CALLED);
        }
        finding.labels.retain(|label| unit.is_own(label.span));
        for label in &mut finding.labels {
            label.message = unit.in_words(&label.message);
        }
        let mut edits = finding.fix.iter().flat_map(|fix| &fix.edits);
        if edits.any(|edit| !unit.is_own(edit.span)) {
            finding.fix = None;
        }
    }
}

/// The same with what is not known of a kernel: it is told at the kernel's name.
pub(super) fn bring_home_record(unit: &Unit, record: &mut KernelRecord) {
    let home = record.span;
    let bring = |what: &mut String, span: &mut Span| {
        if let Some(place) = unit.place(*span).filter(|_| !unit.is_own(*span)) {
            *span = home;
            *what = format!("{place}: {what}");
        }
    };
    let unknown = record.unknown.iter_mut();
    unknown.for_each(|code| bring(&mut code.what, &mut code.span));
    let open = record.proofs.open_mut();
    open.for_each(|(because, at)| bring(because, at));
    let shortfall = record.shortfall.as_mut().map(Shortfall::span_mut);
    if let Some(span) = shortfall.filter(|span| !unit.is_own(**span)) {
        *span = home;
    }
}

/// Moves findings about what another file declares to where the file itself has to do with it.
pub(super) fn bring_masks_home(
    source: &SourceText,
    masks: &MaskOperations,
    here: Option<&Path>,
    findings: &mut [Finding],
) {
    let is_own = |span: Span| span.end as usize <= source.as_str().len();
    let place = |span: Span| {
        let mut files = masks.around.iter();
        files.find_map(|file| Some((file, file.own(span)?)))
    };
    for finding in findings {
        if !is_own(finding.span)
            && let Some((file, span)) = place(finding.span)
        {
            let shown = here.and_then(|here| file.path.strip_prefix(here).ok());
            finding.elsewhere = Some(Elsewhere {
                path: file.path.clone(),
                shown: shown.unwrap_or(&file.path).display().to_string(),
                source: file.text.clone(),
                span,
                labels: Vec::new(),
            });
            let mut labels = finding.labels.iter().map(|label| label.span);
            let home = labels.find(|span| is_own(*span));
            let kernel = finding.kernel.as_deref();
            let home = home.or_else(|| kernel.and_then(|kernel| masks.name_span(kernel)));
            finding.span = home.unwrap_or_default();
        }
        finding.labels.retain(|label| is_own(label.span));
        let mut edits = finding.fix.iter().flat_map(|fix| &fix.edits);
        if edits.any(|edit| !is_own(edit.span)) {
            finding.fix = None;
        }
    }
}

/// Comments of other files, which silence what is found there.
#[derive(Default)]
pub(super) struct Silence(FxHashMap<PathBuf, Suppressions>);

impl Silence {
    /// Whether a comment of the file that a finding is about silences it.
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
