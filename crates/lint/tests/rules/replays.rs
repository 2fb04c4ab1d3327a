//! Findings that are certain without a replay.

use std::path::Path;

use a2lint_ir::finding::{Basis, Finding};
use a2lint_lint::check::{Settings, check};
use a2lint_source::language::Language;
use a2lint_source::text::SourceText;

type Identity = (&'static str, a2lint_source::text::Span, String);

fn certain(findings: &[Finding]) -> Vec<Identity> {
    let certain = findings
        .iter()
        .filter(|finding| finding.basis.is_proof() && finding.basis != Basis::Replayed);
    // A suppression comment for a finding that needs a replay cannot be called unused without one.
    certain
        .filter(|finding| finding.code != "TRC011")
        .map(|finding| (finding.code, finding.span, finding.message.clone()))
        .collect()
}

/// The certain findings in a file do not depend on replays, and findings without a replay have no witness.
pub fn certain_without(path: &Path) {
    let text = crate::repository::read(path);
    let with = crate::repository::checked(&text);
    let settings = Settings {
        replay: false,
        prove: false,
        ..Settings::default()
    };
    let without = check(&SourceText::new(text), Language::Easyasc, &settings);
    assert_eq!(certain(&with.findings), certain(&without.findings));
    let is_bare = |finding: &Finding| finding.witness.is_none() && finding.numbers.is_none();
    assert!(without.findings.iter().all(is_bare));
    // A replay may refute possible findings, but must not weaken those that it confirms.
    for finding in &without.findings {
        let mut same = with.findings.iter().filter(|other| {
            (other.code, other.span, &other.message)
                == (finding.code, finding.span, &finding.message)
        });
        let is_kept = same.all(|other| other.severity >= finding.severity);
        assert!(is_kept, "{finding:?}");
    }
}
