//! Every rewrite that a rule offers removes the finding it belongs to and breaks nothing.

use std::path::{Path, PathBuf};

use a2lint::check::{Settings, check};
use a2lint::finding::{Edit, Finding};
use a2lint::text::SourceText;

fn cases() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/rules");
    let mut found = Vec::new();
    for folder in std::fs::read_dir(root).unwrap() {
        let files = std::fs::read_dir(folder.unwrap().path()).unwrap();
        found.extend(files.map(|file| file.unwrap().path()));
    }
    found.sort();
    found
}

fn findings(text: &str) -> Vec<Finding> {
    check(&SourceText::new(text), &Settings::default()).findings
}

fn apply(text: &str, edits: &[Edit]) -> String {
    let mut edits = edits.to_vec();
    edits.sort_by_key(|edit| std::cmp::Reverse(edit.span));
    let mut result = text.to_owned();
    for edit in edits {
        result.replace_range(edit.span.range(), &edit.text);
    }
    result
}

#[test]
fn a_fix_removes_its_finding_and_adds_none() {
    let mut fixes = 0;
    for path in cases() {
        let text = std::fs::read_to_string(&path).unwrap();
        let before = findings(&text);
        for finding in &before {
            let Some(fix) = &finding.fix else { continue };
            fixes += 1;
            let fixed = apply(&text, &fix.edits);
            let after = findings(&fixed);
            let (file, title) = (path.display(), &fix.title);
            assert!(after.len() < before.len(), "{file}: {title}\n{after:#?}");
        }
    }
    assert!(fixes > 5, "only {fixes} fixes");
}
