//! Inserts suppression comments, for `--add-ignore` and for "ignore for this line" in editors.

use std::collections::BTreeMap;

use super::{Directive, Keyword, Layout, Suppressions};
use crate::tracing::syntax_error;
use a2lint_ir::finding::{Edit, Finding};
use a2lint_source::language::Language;
use a2lint_source::text::{SourceText, Span};

/// Returns whether an editor offers to ignore a finding for its line: text that does not parse has to be mended.
pub fn can_be_ignored(finding: &Finding) -> bool {
    finding.name != syntax_error::RULE.name
}

/// Returns edits that silence findings, each at the end of its statement. The list of an `ignore` that is there
/// already grows; elsewhere a comment with the reason is added.
pub fn ignore_edits(
    source: &SourceText,
    language: Language,
    findings: &[Finding],
    reason: &str,
) -> Vec<Edit> {
    let layout = Layout::of(source.as_str(), language);
    let existing = Suppressions::of(source, language);
    let mut wanted: BTreeMap<Place, Vec<&str>> = BTreeMap::new();
    for finding in findings {
        let names = wanted
            .entry(place(source, &layout, &existing, finding))
            .or_default();
        if !names.contains(&finding.name) {
            names.push(finding.name);
        }
    }
    let edit = |(place, names): (Place, Vec<&str>)| {
        let names = names.join(", ");
        match place {
            Place::List(end) => Edit {
                span: Span { start: end, end },
                text: format!(", {names}"),
            },
            Place::LineEnd(span) => Edit {
                span,
                text: comment(language, &names, reason),
            },
        }
    };
    wanted.into_iter().map(edit).collect()
}

/// A place where names are inserted.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    /// The end of a list of names.
    List(u32),
    /// The trailing white space of a line.
    LineEnd(Span),
}

fn place(
    source: &SourceText,
    layout: &Layout,
    existing: &Suppressions,
    finding: &Finding,
) -> Place {
    let covers = |directive: &&Directive| {
        directive.keyword == Keyword::Ignore
            && directive
                .entries
                .iter()
                .any(|entry| entry.scope.touches(finding.span.start))
    };
    if let Some(directive) = existing.directives.iter().find(covers) {
        return Place::List(directive.list.end);
    }
    let line = source.line_index(last_offset(layout, finding.span));
    Place::LineEnd(end_of(source, source.line_span(line).unwrap_or_default()))
}

/// Returns the end of the statement of a finding.
fn last_offset(layout: &Layout, span: Span) -> u32 {
    let at = layout
        .statements
        .partition_point(|statement| statement.end <= span.start);
    match layout.statements.get(at) {
        Some(statement) if statement.start <= span.start => statement.end,
        _ => span.start,
    }
}

/// Returns the trailing white space of a line.
fn end_of(source: &SourceText, line: Span) -> Span {
    let start = line.start + source.slice(line).trim_end().len() as u32;
    Span { start, ..line }
}

fn comment(language: Language, names: &str, reason: &str) -> String {
    let reason: Vec<&str> = reason.split_whitespace().collect();
    let text = format!(
        "  {} a2lint: ignore[{}] {}",
        language.line_comment(),
        names,
        reason.join(" ")
    );
    text.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fix::apply;

    #[test]
    fn comments_follow_their_statements_and_lists_grow() {
        let rule = crate::find("dup-coverage").expect("a rule");
        let finding = |text: &str, needle: &str| {
            let mut findings = Vec::new();
            let at = text.find(needle).expect("the needle");
            crate::Sink::new(rule, &mut findings).report(Span::new(at, at + 1), "");
            findings.remove(0)
        };
        let text = "a(\n    1,\n)\r\nb(2)  # note\nc(3)  # a2lint: ignore[ub-overflow] why\n";
        let findings: Vec<_> = ["a(", "1,", "b(", "c("].map(|n| finding(text, n)).into();
        let source = SourceText::new(text);
        let edits = ignore_edits(&source, Language::Easyasc, &findings, "old\ncode");
        let fixed = apply(text, &edits);
        assert_eq!(
            fixed,
            "a(\n    1,\n)  # a2lint: ignore[dup-coverage] old code\r\n\
             b(2)  # note  # a2lint: ignore[dup-coverage] old code\n\
             c(3)  # a2lint: ignore[ub-overflow, dup-coverage] why\n"
        );
        let mut again = Suppressions::of(&SourceText::new(fixed.as_str()), Language::Easyasc);
        for needle in ["a(", "b(", "c("] {
            assert!(again.silences(&finding(&fixed, needle)));
        }
    }
}
