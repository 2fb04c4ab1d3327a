//! What is certain without a replay.

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
    // A comment that silences what only a replay shows cannot be called idle without one.
    certain
        .filter(|finding| finding.code != "TRC011")
        .map(|finding| (finding.code, finding.span, finding.message.clone()))
        .collect()
}

/// What is certain of a file does not depend on replays, and without them nothing shows a run.
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
    // What is only possible may be refuted, but what is confirmed is not played down.
    for finding in &without.findings {
        let mut same = with.findings.iter().filter(|other| {
            (other.code, other.span, &other.message)
                == (finding.code, finding.span, &finding.message)
        });
        let is_kept = same.all(|other| other.severity >= finding.severity);
        assert!(is_kept, "{finding:?}");
    }
}
