//! Checks that every rule has a bad and a good case in Ascriptor, written in it or translated.

use std::collections::BTreeMap;
use std::path::Path;

use super::translate::translated;
use crate::common::{files, read, root};
use a2lint::check::{Settings, check};
use a2lint::language::Language;
use a2lint::rules::{Check, RULES, Rule};
use a2lint::text::SourceText;

/// Rules that never report anything in Ascriptor, with the reason.
const SILENT: &[(&str, &str)] = &[
    (
        "atomic-left-on",
        "a store names its mode; AscendC sets one for the core",
    ),
    ("auto-sync-scope", "its regions are one, wherever they are"),
    (
        "bitwise-width",
        "its compiler refuses the types: `op-dtype`",
    ),
    ("counter-mode", "its masks have one mode"),
    ("deprecated-set-cmpmask", "it has no such instruction"),
    ("facade-mix", "its facades export the same objects"),
    ("l0c-to-l1-float", "its compiler takes the move"),
    ("gather-mask-arguments", "it has no such instruction"),
    (
        "loop-exit-at-trace",
        "`break` and `continue` are the device's",
    ),
    ("mask-inherited", "its kernels begin with all lanes on"),
    (
        "narrow-destination",
        "`narrow-cast` says it, with what silicon does",
    ),
    ("select-overlap", "a call gives its work area"),
    ("static-if", "a test that Python decides is folded"),
    (
        "tail-skipped",
        "its instructions have no counts: they take what their operands hold",
    ),
    ("truthy-var", "conditions are the device's"),
    (
        "unfinished-work",
        "its compiler waits at the end of a kernel",
    ),
    ("unit-flag", "its compiler sets the flags of units"),
    (
        "unneeded-barrier",
        "its compiler puts barriers wherever they are needed",
    ),
    ("var-alias", "`Var(v)` is a cell of its own"),
];

/// The origin of a rule's cases.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Case {
    Own,
    Translated,
    Missing,
}

/// Whether a text expects a finding of a rule.
fn is_expected(text: &str, rule: &Rule) -> bool {
    let mut lines = text.lines().filter_map(|line| line.split_once("#~"));
    lines.any(|(_, expected)| {
        let mut words = expected.split([' ', ':']);
        words.any(|word| word == rule.name)
    })
}

/// Returns the files in a rule's folder whose names begin with `kind`.
fn cases(folder: &str, rule: &Rule, kind: &str) -> Vec<String> {
    let folder = root().join(folder).join(rule.name);
    let all = match folder.exists() {
        true => files(&folder, "py"),
        false => Vec::new(),
    };
    let name = |path: &Path| {
        path.file_name()
            .map(|name| name.to_string_lossy().into_owned())
    };
    let own = all
        .into_iter()
        .filter(|path| name(path).is_some_and(|it| it.starts_with(kind)));
    own.map(|path| read(&path)).collect()
}

/// Whether a rule reports something in a text. The replay is only made if there is no finding without it.
fn has_finding(text: &str, rule: &Rule) -> bool {
    let says = |replay: bool| {
        let settings = Settings {
            pedantic: true,
            replay,
            prove: replay,
            ..Settings::default()
        };
        let analysis = check(&SourceText::new(text), Language::Easyasc, &settings);
        let mut findings = analysis.findings.iter();
        findings.any(|finding| finding.name == rule.name)
    };
    says(false) || says(true)
}

fn bad(rule: &Rule, own: &[String]) -> Case {
    if own.iter().any(|text| is_expected(text, rule)) {
        return Case::Own;
    }
    let others = cases("tests/rules", rule, "bad");
    let mut others = others.iter().filter_map(|text| translated(text).ok());
    match others.any(|text| has_finding(&text, rule)) {
        true => Case::Translated,
        false => Case::Missing,
    }
}

fn good(rule: &Rule) -> Case {
    if !cases("tests/dialects/ascriptor/rules", rule, "good").is_empty() {
        return Case::Own;
    }
    let others = cases("tests/rules", rule, "good");
    let mut others = others.iter().filter_map(|text| translated(text).ok());
    match others.any(|text| !has_finding(&text, rule)) {
        true => Case::Translated,
        false => Case::Missing,
    }
}

#[test]
fn every_rule_that_applies_has_a_bad_and_a_good_case() {
    let own = files(&root().join("tests/dialects/ascriptor"), "py");
    let own: Vec<String> = own.iter().map(|path| read(path)).collect();
    let applies = |rule: &&&Rule| {
        let is_ours = matches!(rule.check, Check::Kernel(_) | Check::File(_));
        is_ours && !SILENT.iter().any(|(name, _)| *name == rule.name)
    };
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let mut missing = Vec::new();
    for rule in RULES.iter().filter(applies) {
        let found = (bad(rule, &own), good(rule));
        *counts
            .entry(format!("bad {:?}, good {:?}", found.0, found.1))
            .or_default() += 1;
        if found.0 == Case::Missing || found.1 == Case::Missing {
            missing.push(format!(
                "{}: bad {:?}, good {:?}",
                rule.name, found.0, found.1
            ));
        }
    }
    println!("{counts:#?}; {} rules say nothing in it", SILENT.len());
    assert!(
        missing.is_empty(),
        "{} lack a case:\n{}",
        missing.len(),
        missing.join("\n")
    );
}

/// The rules of `SILENT` report nothing.
#[test]
fn silent_rules_say_nothing() {
    let own = files(&root().join("tests/dialects/ascriptor"), "py");
    for text in own.iter().map(|path| read(path)) {
        for (name, _) in SILENT {
            let rule = RULES.iter().find(|rule| rule.name == *name);
            let rule = rule.unwrap_or_else(|| panic!("no rule `{name}`"));
            assert!(!is_expected(&text, rule), "`{name}` is expected somewhere");
        }
    }
}
