//! Every fix that is offered for a case under `tests/rules/` removes its finding and brings no
//! error in its place.

mod common;

use a2lint::finding::{Finding, Fix, Severity};
use a2lint::text::SourceText;

fn apply(text: &str, fix: &Fix) -> String {
    let mut edits = fix.edits.clone();
    edits.sort_by_key(|edit| std::cmp::Reverse(edit.span));
    let mut fixed = text.to_owned();
    for edit in edits {
        fixed.replace_range(edit.span.range(), &edit.text);
    }
    fixed
}

fn findings(text: &str) -> Vec<Finding> {
    common::analysis(&SourceText::new(text), true).findings
}

fn errors(findings: &[Finding]) -> usize {
    let serious = |finding: &&Finding| finding.severity == Severity::Error;
    findings.iter().filter(serious).count()
}

#[test]
fn fixes_remove_their_findings() {
    let mut applied = 0;
    for path in common::files(&common::root().join("tests"), "py") {
        let text = common::read(&path);
        let before = findings(&text);
        for finding in &before {
            let Some(fix) = &finding.fix else { continue };
            let fixed = apply(&text, fix);
            let after = findings(&fixed);
            let of_rule = |all: &[Finding]| all.iter().filter(|f| f.code == finding.code).count();
            let place = format!("{} {}:\n{fixed}\n{after:#?}", path.display(), finding.code);
            assert!(of_rule(&after) < of_rule(&before), "{place}");
            assert!(errors(&after) <= errors(&before), "{place}");
            applied += 1;
        }
    }
    assert!(applied > 0);
}
