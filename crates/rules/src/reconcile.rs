//! Merges static findings with the findings of a replay, so that one mistake is one finding.

use crate::find;
use a2lint_ir::finding::{Basis, Finding, Severity};
use a2lint_replay::Replay;

/// The rule about integer overflow. It explains everything that a replay shows where the overflowed number is
/// used.
const WRAPS: &str = "DEV014";

/// The rule about products that are lost, which leaves no trace that a replay can show.
const DISCARDS: &str = "INI012";

/// The rule about instructions that a run leaves out.
const EXCLUDED: &str = "DEV011";

/// Merges the findings of one kernel.
///
/// A static finding that lies on the trail of a replayed finding and whose rule is among its causes takes over
/// its witness: a possible finding becomes a replayed one, a certain one is confirmed. Of two replayed findings,
/// an integer overflow explains the other.
///
/// Findings that only the tails of guessed launches show are dropped unless they confirm another finding: the
/// kernel may not be meant for such sizes.
pub fn reconcile(findings: &mut Vec<Finding>, replay: &Replay) {
    let (mut seen, mut found): (Vec<Finding>, Vec<Finding>) = std::mem::take(findings)
        .into_iter()
        .partition(|finding| finding.witness.is_some());
    // Overflows come first: the loop below looks for them in `findings`.
    seen.sort_by_key(|finding| finding.code != WRAPS);
    for replayed in seen {
        // Every call of a helper replays the same line; one finding is enough.
        let is_known = findings.iter().any(|known| is_same(known, &replayed));
        let wraps = findings.iter_mut().filter(|finding| finding.code == WRAPS);
        let explained = found
            .iter_mut()
            .chain(wraps)
            .filter(|finding| explains(finding, &replayed))
            // Prefers the same rule, then errors, then the place that is closest to where the observation shows.
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

/// Returns whether two findings report the same at the same place.
fn is_same(a: &Finding, b: &Finding) -> bool {
    (a.code, a.span, &a.message) == (b.code, b.span, &b.message)
}

/// Returns whether a finding names the cause of a replayed one.
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
    // A discarded product leaves no undefined data, so it explains no finding of a replay.
    let is_lost = finding.code == DISCARDS;
    // Advice about a ring does not explain faults in another tensor or within one iteration.
    let is_of_ring = finding.ring.is_none() || finding.ring == witness.ring;
    on_trail && is_cause && is_of_ring && !is_pedantic && !is_lost
}

/// Moves the witness of a replayed finding to the finding that explains it, unless an earlier launch has given
/// one. The higher severity is kept: an observed fault is not less severe because its cause is known.
fn confirm(finding: &mut Finding, replayed: Finding) {
    // That a run leaves out what a manual excludes says no more than that the manual excludes it, and a remark explains
    // why what the run shows is harmless.
    let is_known = finding.basis.is_proof()
        && (replayed.code == EXCLUDED || finding.severity == Severity::Info);
    if !is_known {
        finding.severity = finding.severity.max(replayed.severity);
    }
    if !finding.basis.is_proof() {
        finding.basis = Basis::Replayed;
    }
    finding.witness = finding.witness.take().or(replayed.witness);
}
