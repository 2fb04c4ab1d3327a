//! Every fix that is offered for a case under `tests/rules/` removes its finding and brings no
//! error in its place.

use std::path::{Path, PathBuf};

use a2lint::check::{Settings, check};
use a2lint::finding::{Finding, Fix, Severity};
use a2lint::text::SourceText;

fn cases(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("the folder is part of the repository");
    let mut found = Vec::new();
    for entry in entries {
        let path = entry.expect("a readable entry").path();
        match path.is_dir() {
            true => found.extend(cases(&path)),
            false if path.extension().is_some_and(|extension| extension == "py") => {
                found.push(path)
            }
            false => {}
        }
    }
    found
}

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
    let settings = Settings {
        pedantic: true,
        ..Settings::default()
    };
    check(&SourceText::new(text), &settings).findings
}

fn errors(findings: &[Finding]) -> usize {
    let serious = |finding: &&Finding| finding.severity == Severity::Error;
    findings.iter().filter(serious).count()
}

#[test]
fn fixes_remove_their_findings() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let mut applied = 0;
    for path in cases(&root) {
        let text = std::fs::read_to_string(&path).expect("a readable case");
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
