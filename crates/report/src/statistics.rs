//! Findings counted by rule.

use std::collections::BTreeMap;

use super::summary::Fixes;
use super::{FileReport, Paint, severity_word};
use a2lint_ir::finding::Severity;

/// Renders one line per rule, the most frequent first.
pub fn render(reports: &[FileReport], paint: Paint) -> String {
    let mut counts: BTreeMap<(&str, &str), (usize, Fixes, Severity)> = BTreeMap::new();
    let shown = reports.iter().flat_map(|report| {
        let groups = report.groups().into_iter();
        groups.map(move |group| (group, &report.analysis.findings))
    });
    for (group, findings) in shown {
        let finding = &findings[group.first];
        let entry = counts.entry((finding.code, finding.name));
        let (number, fixes, severity) = entry.or_insert((0, Fixes::default(), finding.severity));
        *number += 1;
        fixes.add(&group, findings);
        *severity = finding.severity.max(*severity);
    }
    let mut rows: Vec<_> = counts.into_iter().collect();
    rows.sort_by_key(|(name, (number, _, _))| (std::cmp::Reverse(*number), *name));
    let width = rows
        .iter()
        .map(|((_, name), _)| name.len())
        .max()
        .unwrap_or(0);
    let digits = rows
        .first()
        .map_or(0, |(_, (number, _, _))| number.to_string().len());
    let mut out = String::new();
    for ((code, name), (number, fixes, severity)) in rows {
        let word = paint.severity(severity, severity_word(severity));
        let fixable = fixes.text().map(|text| format!(", {text}"));
        let fixable = fixable.unwrap_or_default();
        let code = paint.dim(code);
        out += &format!("{number:>digits$}  {code}  {name:<width$}  {word}{fixable}\n");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{complete, finding, report};
    use a2lint_source::text::Span;

    #[test]
    fn the_most_frequent_first() {
        let more = vec![finding(Span::new(0, 1)), finding(Span::new(1, 2))];
        let text = render(&[complete(), report("b.py", "abc", more)], Paint::Plain);
        assert_eq!(
            text,
            "3  COV001  dup-coverage  error, 1 can be repaired with --unsafe-fixes; --diff searches for repairs of 2 \
             more\n"
        );
    }
}
