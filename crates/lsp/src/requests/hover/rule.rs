//! Hovers on names of rules in `a2lint:` comments.

use crate::snapshot::Snapshot;
use a2lint_rules::{self as rules, Rule};
use a2lint_source::text::{Slice, Span};

/// The prefix of comments that control the linter.
const MARK: &str = "a2lint:";

/// Returns the documentation of the rule that a comment names at an offset.
pub fn in_comment(snapshot: &Snapshot, offset: u32) -> Option<(Vec<String>, Span)> {
    let comments = &snapshot.syntax.file.comments;
    let comment = comments
        .iter()
        .find(|it| it.span.touches(offset) && it.text.contains(MARK))?;
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '-';
    let at = (offset - comment.span.start) as usize;
    let (before, after) = (comment.text.get(..at)?, comment.text.get(at..)?);
    let start = at - before.chars().rev().take_while(|&c| is_part(c)).count();
    let end = at + after.chars().take_while(|&c| is_part(c)).count();
    let rule = rules::find(comment.text.part(start..end))?;
    let base = comment.span.start as usize;
    Some((vec![text(rule)], Span::new(base + start, base + end)))
}

/// Returns the documentation of a rule, headed by its name and code.
pub fn text(rule: &Rule) -> String {
    format!("# {} ({})\n\n{}", rule.name, rule.code, rule.markdown())
}
