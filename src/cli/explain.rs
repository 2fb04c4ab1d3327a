//! `a2lint explain`: the documentation of rules.

use super::args::ExplainArgs;
use super::output::Streams;
use super::{Failure, Status, markdown, rules};
use a2lint_lint::check::matches;
use a2lint_lint::repair;
use a2lint_report::Page;
use a2lint_rules::{FixKind, RULES, Rule};

/// Prints the documentation of rules in the given order, each once.
pub fn run(args: &ExplainArgs, streams: &Streams) -> Result<Status, Failure> {
    let mut chosen: Vec<&Rule> = Vec::new();
    for pattern in &args.rules {
        for rule in RULES.iter().filter(|rule| matches(rule, pattern.as_str())) {
            if !chosen.iter().any(|seen| seen.code == rule.code) {
                chosen.push(rule);
            }
        }
    }
    let texts: Vec<String> = chosen
        .iter()
        .map(|rule| explanation(rule, streams.page))
        .collect();
    streams.show(texts.join("\n\n"))?;
    Ok(Status::Clean)
}

fn explanation(rule: &Rule, page: Page) -> String {
    let fix = match rule.fix {
        FixKind::None if repair::proposes(rule.name) => "\nRepair: searched for by --diff",
        FixKind::None => "",
        FixKind::Safe => "\nRepair: a fix",
        FixKind::Unsafe => "\nRepair: an unsafe fix",
    };
    let level = page.paint.severity(rule.severity, rules::level(rule));
    let group = rule.group().title;
    format!(
        "{} ({}): {level}\n{}\nA finding is {}\nThe fact behind it is {}{fix}\n\n{}",
        page.paint.bold(rule.name),
        rule.code,
        page.paint.dim(group),
        rule.basis.clause(),
        rule.evidence.clause(),
        markdown::render(&rule.markdown(), page),
    )
}
