//! The concise report: one line per finding, `path:line:column: error[name] message`, cut to the width of the
//! terminal.

use super::{FileReport, Links, Page, Paint, Placed, Run, fix_mark, printable, severity_word};

/// Renders all findings, one line each.
pub fn render(reports: &[FileReport], run: &Run, page: Page) -> String {
    let mut out = String::new();
    for report in reports {
        for placed in report.placed() {
            out.push_str(&page.cut(line(&placed, &run.links, page.paint)));
        }
    }
    out
}

/// Renders the line of a finding.
pub(super) fn line(placed: &Placed, links: &Links, paint: Paint) -> String {
    let finding = &*placed.finding;
    let place = placed.source.line_column(finding.span.start);
    let name = links.name(finding.name);
    let word = format!("{}[{name}]", severity_word(finding.severity));
    let same = placed.same_at().map(|text| format!(" ({text})"));
    format!(
        "{}:{}:{}: {} {}{}{}\n",
        printable(placed.path),
        place.line,
        place.column,
        paint.severity(finding.severity, &word),
        printable(&finding.message),
        same.unwrap_or_default(),
        fix_mark(finding),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{finding, report};
    use a2lint_source::text::Span;

    #[test]
    fn one_line_each() {
        let mut second = finding(Span::new(5, 6));
        second.message = "two\nlines".to_owned();
        let findings = vec![finding(Span::new(0, 3)), second];
        let text = render(
            &[report("a b.py", "汉\nxy\n", findings)],
            &Run::default(),
            Page::PLAIN,
        );
        assert_eq!(
            text,
            "a b.py:1:1: error[dup-coverage] dup fills 64 of 128 lanes\n\
             a b.py:2:2: error[dup-coverage] two lines\n"
        );
    }
}
