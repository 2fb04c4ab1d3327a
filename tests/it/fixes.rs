//! Every fix for a source under `tests`, in any language, removes its finding, causes no error, and leaves a text
//! that parses.

use a2lint::check::{Settings, check};
use a2lint::finding::{Finding, Fix, Severity};
use a2lint::frontend::syntax_errors;
use a2lint::language::Language;
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

fn findings(text: &str, language: Language) -> Vec<Finding> {
    crate::common::analysis_of(&SourceText::new(text), language, true).findings
}

/// Whether a check without a replay offers a fix. Replays take long and add no fixes.
fn offers_fixes(text: &str, language: Language) -> bool {
    let settings = Settings {
        pedantic: true,
        replay: false,
        prove: false,
        ..Settings::default()
    };
    let analysis = check(&SourceText::new(text), language, &settings);
    let mut findings = analysis.findings.iter();
    findings.any(|finding| finding.fix.is_some())
}

fn errors(findings: &[Finding]) -> usize {
    let serious = |finding: &&Finding| finding.severity == Severity::Error;
    findings.iter().filter(serious).count()
}

#[test]
fn fixes_remove_their_findings() {
    let mut fixed_languages = Vec::new();
    for path in crate::common::sources(&crate::common::root().join("tests")) {
        let (text, language) = (crate::common::read(&path), crate::common::language(&path));
        if !offers_fixes(&text, language) {
            continue;
        }
        let before = findings(&text, language);
        for finding in &before {
            let Some(fix) = &finding.fix else { continue };
            let fixed = apply(&text, fix);
            let after = findings(&fixed, language);
            let of_rule = |all: &[Finding]| all.iter().filter(|f| f.code == finding.code).count();
            let place = format!("{} {}:\n{fixed}\n{after:#?}", path.display(), finding.code);
            assert!(of_rule(&after) < of_rule(&before), "{place}");
            assert!(errors(&after) <= errors(&before), "{place}");
            let broken = |text: &str| syntax_errors(&SourceText::new(text), language);
            assert!(broken(&fixed) <= broken(&text), "{place}");
            if !fixed_languages.contains(&language) {
                fixed_languages.push(language);
            }
        }
    }
    let wanted = [Language::Easyasc, Language::Cpp, Language::Ptx];
    assert!(
        wanted
            .iter()
            .all(|language| fixed_languages.contains(language))
    );
}
