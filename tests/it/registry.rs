//! The rule catalogue is complete: files, registry, documentation and cases agree.

use std::collections::BTreeSet;
use std::path::Path;

use crate::common::{files, read, root, sources};
use a2lint::ir::finding::Severity;
use a2lint::rules::{Evidence, FixKind, Group, RULES};

const HEADINGS: [&str; 5] = [
    "## What it does",
    "## Why is this bad?",
    "## Example",
    "## Use instead",
    "## Source",
];

fn stem(path: &Path) -> String {
    path.file_stem().unwrap().to_string_lossy().into_owned()
}

#[test]
fn every_rule_file_is_registered() {
    let declared: BTreeSet<String> = files(&root().join("crates/rules/src"), "rs")
        .iter()
        .filter(|path| {
            let text = read(path);
            text.contains("\ndeclare_rule! {")
        })
        .map(|path| stem(path).replace('_', "-"))
        .collect();
    let registered: BTreeSet<String> = RULES.iter().map(|rule| rule.name.to_owned()).collect();
    assert_eq!(declared, registered);
}

/// The two rules on suppression comments share a code, as in the catalogue.
#[test]
fn codes_are_unique_and_in_catalogue_order() {
    let place = |code: &str| {
        let group = Group::ALL
            .iter()
            .position(|group| code.starts_with(group.prefix));
        (
            group.expect("a known prefix"),
            code[3..].parse::<u32>().unwrap(),
        )
    };
    let places: Vec<_> = RULES.iter().map(|rule| place(rule.code)).collect();
    let alone = places
        .iter()
        .zip(RULES)
        .filter(|(_, rule)| rule.name != "unknown-rule");
    let alone: Vec<_> = alone.map(|(place, _)| place).collect();
    assert!(alone.is_sorted_by(|a, b| a < b), "{places:?}");
    assert!(places.is_sorted(), "{places:?}");
    assert!(RULES.iter().all(|rule| rule.code.len() == 6));
}

/// An error needs evidence that was measured on a board, stated by a manual, or read in headers; an inference is a
/// warning at most.
#[test]
fn errors_are_not_inferred() {
    for rule in RULES {
        let is_error = rule.severity == Severity::Error;
        assert!(
            !is_error || rule.evidence != Evidence::Inferred,
            "{}",
            rule.name
        );
    }
}

/// The page of a rule whose evidence is a measurement describes it.
#[test]
fn measurements_have_a_source() {
    let of_group = |prefix: &str| Group::of(prefix).evidence == Evidence::Measured;
    for rule in RULES {
        let source = rule.docs.split("## Source").last().unwrap_or("");
        if rule.evidence == Evidence::Measured && !of_group(rule.code) {
            assert!(
                source.contains("Measured") || source.contains("measured"),
                "{}",
                rule.name
            );
        }
    }
}

/// What was measured on a board is an error, or the page says why it is less.
#[test]
fn measurements_are_errors_or_say_why_not() {
    let of_group = |prefix: &str| Group::of(prefix).evidence == Evidence::Measured;
    let measured = RULES
        .iter()
        .filter(|rule| rule.evidence == Evidence::Measured);
    for rule in measured.filter(|rule| !of_group(rule.code)) {
        let source = rule.docs.split("## Source").last().unwrap_or("");
        assert!(
            rule.severity == Severity::Error || source.contains("warning"),
            "{}",
            rule.name
        );
    }
}

#[test]
fn causes_are_rules_or_groups() {
    let mut names: BTreeSet<&str> = RULES.iter().map(|rule| rule.code).collect();
    names.extend(Group::ALL.iter().map(|group| group.prefix));
    let of_rules = RULES.iter().flat_map(|rule| rule.causes);
    let of_groups = Group::ALL.iter().flat_map(|group| group.causes);
    for cause in of_rules.chain(of_groups) {
        assert!(names.contains(cause), "{cause}");
    }
}

#[test]
fn names_are_unique_and_kebab_case() {
    let names: BTreeSet<&str> = RULES.iter().map(|rule| rule.name).collect();
    assert_eq!(names.len(), RULES.len());
    for name in names {
        let mut words = name.split('-');
        let plain = |word: &str| {
            !word.is_empty()
                && word
                    .chars()
                    .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit())
        };
        assert!(words.all(plain), "{name}");
    }
}

#[test]
fn documentation_has_its_sections_in_order() {
    for rule in RULES {
        let at: Vec<Option<usize>> = HEADINGS.iter().map(|h| rule.docs.find(h)).collect();
        assert!(
            at.iter().all(Option::is_some) && at.is_sorted(),
            "{}: {at:?}",
            rule.name
        );
        let explains_fix = rule.docs.contains("## Fix safety");
        assert_eq!(explains_fix, rule.fix != FixKind::None, "{}", rule.name);
        assert!(rule.summary().ends_with('.'), "{}", rule.name);
    }
}

/// Returns the cases of a rule. A rule of one dialect has none in the folder of the other.
fn cases_of(name: &str) -> Vec<std::path::PathBuf> {
    let folders = ["tests/rules", "tests/dialects/ascriptor/rules"];
    let folders = folders.iter().map(|folder| root().join(folder).join(name));
    let first = folders.into_iter().find(|folder| folder.is_dir());
    first.map(|folder| sources(&folder)).unwrap_or_default()
}

#[test]
fn every_rule_has_cases_on_both_sides() {
    for rule in RULES {
        let cases = cases_of(rule.name);
        for side in ["bad_", "good_"] {
            let count = cases
                .iter()
                .filter(|path| stem(path).starts_with(side))
                .count();
            assert!(count >= 2, "{}: {count} cases {side}*", rule.name);
        }
    }
}

#[test]
fn bad_cases_expect_their_rule_and_good_cases_expect_nothing() {
    for rule in RULES {
        for path in cases_of(rule.name) {
            let text = read(&path);
            let marks = ["ERROR", "WARNING", "INFO"].map(|word| format!("{word} {}", rule.name));
            let expects = marks.iter().any(|mark| text.contains(mark.as_str()));
            let bad = stem(&path).starts_with("bad_");
            assert_eq!(expects, bad, "{}", path.display());
            let silent = !["~ ERROR", "~ WARNING"]
                .iter()
                .any(|mark| text.contains(mark));
            assert!(bad || silent, "{}", path.display());
        }
    }
}
