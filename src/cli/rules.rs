//! `a2lint rules`: the catalogue of rules.

use serde::Serialize;

use super::args::{RulesArgs, RulesFormat};
use super::output::Streams;
use super::{Failure, Status};
use a2lint_ir::finding::Severity;
use a2lint_ir::verdict::Property;
use a2lint_lint::repair;
use a2lint_report::pages::tables;
use a2lint_report::{Paint, severity_word};
use a2lint_rules::{FixKind, Group, RULES, Rule};

/// Prints the catalogue.
pub fn run(args: &RulesArgs, streams: &Streams) -> Result<Status, Failure> {
    match args.output_format {
        RulesFormat::Full => streams.show(full(streams.page.paint))?,
        RulesFormat::Json => streams.write(&json())?,
        RulesFormat::Markdown => streams.write(&markdown())?,
    }
    Ok(Status::Clean)
}

/// Returns the groups that have rules, with these rules.
fn groups() -> impl Iterator<Item = (&'static Group, Vec<&'static Rule>)> {
    Group::ALL.iter().filter_map(|group| {
        let rules = RULES.iter().copied().filter(|rule| rule.group() == group);
        let rules: Vec<_> = rules.collect();
        (!rules.is_empty()).then_some((group, rules))
    })
}

fn full(paint: Paint) -> String {
    let names = RULES.iter().map(|rule| rule.name.len());
    let width = names.max().unwrap_or(0);
    let mut out = String::new();
    for (group, rules) in groups() {
        let title = format!("{} – {}", group.prefix, group.title);
        out.push_str(&format!("{}\n", paint.bold(&title)));
        for rule in rules {
            let level = paint.severity(rule.severity, level(rule));
            let code = paint.dim(rule.code);
            let (name, fix) = (rule.name, fix_mark(rule));
            out.push_str(&format!("  {code}  {name:<width$}  {level}{fix}\n"));
        }
        out.push('\n');
    }
    out + "fix: --fix applies it; unsafe fix: read it first (--unsafe-fixes); repairs: --fix looks for one; pedantic: \
           runs with --pedantic\n`a2lint explain RULE` shows what a rule is about.\n"
}

/// Returns the severity, or `pedantic` if the rule is off by default.
pub fn level(rule: &Rule) -> &'static str {
    match rule.pedantic {
        true => "pedantic",
        false => severity_word(rule.severity),
    }
}

fn fix_mark(rule: &Rule) -> &'static str {
    match rule.fix {
        FixKind::None if repair::proposes(rule.name) => ", repairs",
        FixKind::None => "",
        FixKind::Safe => ", fix",
        FixKind::Unsafe => ", unsafe fix",
    }
}

#[derive(Serialize)]
struct Catalogue {
    version: u32,
    rules: Vec<Entry>,
}

#[derive(Serialize)]
struct Entry {
    code: &'static str,
    name: &'static str,
    group: &'static str,
    severity: &'static str,
    basis: &'static str,
    evidence: &'static str,
    property: Option<&'static str>,
    pedantic: bool,
    fix: &'static str,
    summary: String,
    docs: String,
}

impl Entry {
    fn new(rule: &Rule) -> Entry {
        Entry {
            code: rule.code,
            name: rule.name,
            group: rule.group().title,
            severity: match rule.severity {
                Severity::Info => "info",
                severity => severity_word(severity),
            },
            basis: rule.basis.name(),
            evidence: rule.evidence.name(),
            property: rule.property.map(Property::name),
            pedantic: rule.pedantic,
            fix: match rule.fix {
                FixKind::None => "none",
                FixKind::Safe => "safe",
                FixKind::Unsafe => "unsafe",
            },
            summary: one_line(rule.summary()),
            docs: rule.markdown(),
        }
    }
}

fn json() -> String {
    let catalogue = Catalogue {
        version: 1,
        rules: RULES.iter().map(|rule| Entry::new(rule)).collect(),
    };
    let text = serde_json::to_string_pretty(&catalogue).expect("every key is a string");
    text + "\n"
}

fn markdown() -> String {
    tables(|rule| rule.name.to_owned())
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_stands_in_every_format() {
        for text in [full(Paint::Plain), json(), markdown()] {
            for rule in RULES {
                assert!(
                    text.contains(rule.name) && text.contains(rule.code),
                    "{text}"
                );
            }
        }
    }

    #[test]
    fn docs_start_at_the_margin() {
        for rule in RULES {
            assert!(
                rule.markdown().starts_with("## What it does\n"),
                "{}",
                rule.name
            );
            assert!(!rule.markdown().contains("\n ##"), "{}", rule.name);
        }
    }
}
