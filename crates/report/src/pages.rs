//! The documentation of the rules as Markdown: an index, and a page per rule.

use super::severity_word;
use a2lint_lint::repair;
use a2lint_rules::{FixKind, Group, RULES, Rule};

/// Returns the files of `docs/rules` by name.
pub fn pages() -> Vec<(String, String)> {
    let page = |rule: &&Rule| (format!("{}.md", rule.name), page(rule));
    let mut pages: Vec<_> = RULES.iter().map(page).collect();
    pages.push(("README.md".to_owned(), index()));
    pages
}

/// Renders the page of a rule.
fn page(rule: &Rule) -> String {
    let fix = match rule.fix {
        FixKind::None if repair::proposes(rule.name) => " · repairs are tried",
        FixKind::None => "",
        FixKind::Safe => " · has a fix",
        FixKind::Unsafe => " · has an unsafe fix",
    };
    format!(
        "# {}\n\n`{}` · {} · {} · {} · [{}](README.md){fix}\n\n{}\n",
        rule.name,
        rule.code,
        level(rule),
        rule.basis.clause(),
        rule.evidence.clause(),
        rule.group().title,
        rule.markdown()
    )
}

fn index() -> String {
    let mut out = String::from(
        "# Rules\n\nA rule goes by its name in comments, in the configuration and on the command \
         line; codes and their prefixes go too. Pedantic rules run when they are asked for \
         (`--pedantic`, `--extend-select`). A fix that is tried is offered where a check of the \
         changed text confirms it ([repairs](../repairs.md)).\n\n",
    );
    out += &tables(|rule| format!("[{}]({}.md)", rule.name, rule.name));
    out
}

/// Renders the catalogue as a table per group; `name` renders the name of a rule.
pub fn tables(name: impl Fn(&Rule) -> String) -> String {
    let mut out = String::new();
    for group in Group::ALL {
        let rules: Vec<&&Rule> = RULES.iter().filter(|rule| rule.group() == group).collect();
        if rules.is_empty() {
            continue;
        }
        out += &format!("## {} – {}\n\n", group.prefix, group.title);
        out += "| code | name | severity | fix | what it does |\n|---|---|---|---|---|\n";
        for rule in rules {
            let fix = match rule.fix {
                FixKind::None if repair::proposes(rule.name) => "tried",
                FixKind::None => "",
                FixKind::Safe => "safe",
                FixKind::Unsafe => "unsafe",
            };
            let summary: Vec<&str> = rule.summary().split_whitespace().collect();
            let summary = summary.join(" ").replace('|', "\\|");
            let (code, name, level) = (rule.code, name(rule), level(rule));
            out += &format!("| {code} | {name} | {level} | {fix} | {summary} |\n");
        }
        out.push('\n');
    }
    out.trim_end().to_owned() + "\n"
}

/// Returns the severity of a rule, or that it is off by default.
fn level(rule: &Rule) -> &'static str {
    match rule.pedantic {
        true => "pedantic",
        false => severity_word(rule.severity),
    }
}
