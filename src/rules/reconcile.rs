//! One finding for one mistake: what was found without running, joined with what the replay saw.

use crate::finding::{Confidence, Finding, Severity};
use crate::rules;

/// Joins the findings of one kernel.
///
/// A replayed finding whose data passed a statement that another rule blames is that rule's
/// witness: it raises a possible finding to a replayed one, and confirms a certain one.
///
/// What only launches that were guessed have shown is dropped unless it confirms a finding: nobody
/// knows whether the kernel is meant for such sizes.
pub fn reconcile(findings: &mut Vec<Finding>, is_guessed: bool) {
    let (seen, mut found): (Vec<Finding>, Vec<Finding>) = std::mem::take(findings)
        .into_iter()
        .partition(|finding| finding.witness.is_some());
    for replayed in seen {
        let explained = found
            .iter_mut()
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
            None if is_guessed => {}
            None => findings.push(replayed),
        }
    }
    findings.append(&mut found);
}

/// Whether a finding names the cause of a replayed one.
fn explains(finding: &Finding, replayed: &Finding) -> bool {
    let Some(witness) = &replayed.witness else {
        return false;
    };
    let is_pedantic = rules::find(finding.code).is_some_and(|rule| rule.pedantic);
    let on_trail = witness
        .trail
        .iter()
        .any(|span| span.start <= finding.span.start && finding.span.end <= span.end);
    let causes: &[&str] = match replayed.code {
        "COV003" | "COV011" => &["COV", "MSK011", "CAP008", "CAP009", "MOV009", "MOV010"],
        "DEV011" => &["DEV", "TYP", "COV", "CAP"],
        code if code.starts_with("SYN") => &["SYN", "MOV004"],
        "MOV001" | "MOV006" | "MOV008" => &["MOV"],
        "INI010" => &["INI003"],
        _ => &["COV", "MSK", "INI", "MOV", "CAP008", "CAP009", "TYP"],
    };
    let is_cause = causes.iter().any(|prefix| finding.code.starts_with(prefix));
    on_trail && is_cause && !is_pedantic
}

/// Gives a finding the witness of a replayed one, unless an earlier launch has shown it.
fn confirm(finding: &mut Finding, replayed: Finding) {
    if finding.confidence == Confidence::Possible {
        finding.confidence = Confidence::Replayed;
        finding.severity = finding.severity.max(replayed.severity);
    }
    finding.witness = finding.witness.take().or(replayed.witness);
}
