//! One finding for one mistake: what was found without running, joined with what the replay saw.

use crate::find;
use a2lint_ir::finding::{Basis, Finding, Severity};
use a2lint_replay::Replay;

/// The rule about numbers that wrap: whatever else a replay shows where one is used follows from it.
const WRAPS: &str = "DEV014";

/// Joins the findings of one kernel.
///
/// A replayed finding whose data passed a statement that another rule blames is that rule's
/// witness: it raises a possible finding to a replayed one, and confirms a certain one. Of two
/// replayed findings, one about a number that has wrapped explains the other.
///
/// What only the tails of guessed launches have shown is dropped unless it confirms a finding: nobody
/// knows whether the kernel is meant for such sizes.
pub fn reconcile(findings: &mut Vec<Finding>, replay: &Replay) {
    let (mut seen, mut found): (Vec<Finding>, Vec<Finding>) = std::mem::take(findings)
        .into_iter()
        .partition(|finding| finding.witness.is_some());
    seen.sort_by_key(|finding| finding.code != WRAPS);
    for replayed in seen {
        // Every call of a helper shows what its line does wrong; one finding says it.
        let is_known = findings.iter().any(|known| is_same(known, &replayed));
        let wraps = findings.iter_mut().filter(|finding| finding.code == WRAPS);
        let explained = found
            .iter_mut()
            .chain(wraps)
            .filter(|finding| explains(finding, &replayed))
            // The rule that saw it first, then what stands closest to where it shows.
            .min_by_key(|finding| {
                (
                    finding.code != replayed.code,
                    finding.severity != Severity::Error,
                    finding.span.start.abs_diff(replayed.span.start),
                )
            });
        match explained {
            Some(finding) => confirm(finding, replayed),
            None if only_confirms(&replayed, replay) => {}
            None if is_known => {}
            None => findings.push(replayed),
        }
    }
    findings.append(&mut found);
}

fn only_confirms(finding: &Finding, replay: &Replay) -> bool {
    let witness = finding.witness.as_ref();
    witness.is_some_and(|witness| replay.executions[witness.execution].only_confirms)
}

/// Whether two findings say the same of one place.
fn is_same(a: &Finding, b: &Finding) -> bool {
    (a.code, a.span, &a.message) == (b.code, b.span, &b.message)
}

/// Whether a finding names the cause of a replayed one.
fn explains(finding: &Finding, replayed: &Finding) -> bool {
    let Some(witness) = &replayed.witness else {
        return false;
    };
    let is_pedantic = find(finding.code).is_some_and(|rule| rule.pedantic);
    let on_trail = witness
        .trail
        .iter()
        .any(|span| span.start <= finding.span.start && finding.span.end <= span.end);
    let causes = find(replayed.code).map_or(&[][..], |rule| rule.causes);
    let is_cause = causes.iter().any(|cause| finding.code.starts_with(cause));
    // Advice about a ring is no reason for what goes wrong in another tensor, or within an iteration.
    let is_of_ring = finding.ring.is_none() || finding.ring == witness.ring;
    on_trail && is_cause && is_of_ring && !is_pedantic
}

/// Gives a finding the witness of a replayed one, unless an earlier launch has shown it, and its severity where that
/// is higher: what was seen to go wrong is not less wrong because its cause is known.
fn confirm(finding: &mut Finding, replayed: Finding) {
    finding.severity = finding.severity.max(replayed.severity);
    if !finding.basis.is_proof() {
        finding.basis = Basis::Replayed;
    }
    finding.witness = finding.witness.take().or(replayed.witness);
}
