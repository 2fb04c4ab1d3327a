//! What is found in code of other files: named by its place there, shown where this file calls it.

use crate::finding::Finding;
use crate::frontend::easyasc::Unit;
use crate::ir::Program;
use crate::record::KernelRecord;
use crate::rules;

/// Moves findings of a kernel to where its own file calls what they are in.
pub(super) fn bring_home(unit: &Unit, program: &Program, findings: &mut [Finding]) {
    for finding in findings {
        finding.message = unit.in_words(&finding.message);
        if let Some(witness) = &mut finding.witness {
            witness.detail = unit.in_words(&witness.detail);
            witness.trail.retain(|span| unit.is_own(*span));
        }
        if let Some(place) = unit
            .place(finding.span)
            .filter(|_| !unit.is_own(finding.span))
        {
            let mut calls = finding
                .labels
                .iter()
                .filter(|label| label.message == rules::CALLED);
            let call = calls.find(|label| unit.is_own(label.span));
            finding.span = call.map_or(program.name_span, |label| label.span);
            finding.message = format!("{place}: {}", finding.message);
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

/// The same with code that could not be evaluated.
pub(super) fn bring_home_unknown(unit: &Unit, record: &mut KernelRecord) {
    for code in &mut record.unknown {
        if let Some(place) = unit.place(code.span).filter(|_| !unit.is_own(code.span)) {
            code.span = record.span;
            code.what = format!("{place}: {}", code.what);
        }
    }
}
