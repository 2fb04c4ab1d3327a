//! The report as GitHub workflow commands, which are shown as annotations.

use super::{FileReport, Placed, examined, fix_mark, printable, severity_word};
use a2lint_ir::finding::Severity;

/// Renders a command for each finding and each part that was not examined.
pub fn render(reports: &[FileReport]) -> String {
    let mut out = String::new();
    for report in reports {
        for placed in report.placed() {
            out += &command(&placed);
        }
        for gap in &report.analysis.not_analysed {
            let path = property(&report.path);
            let what = gap
                .kernel
                .as_deref()
                .map(|kernel| format!("kernel {kernel} "));
            let text = format!("{}not analysed: {}", what.unwrap_or_default(), gap.reason);
            out += &format!("::notice file={path},title=a2lint::{}\n", message(&text));
        }
        for record in &report.analysis.records {
            for open in examined::notices(record, &report.analysis.findings) {
                let (path, at) = (property(&report.path), open.at.unwrap_or(record.span));
                let line = report.source.line_column(at.start).line;
                let text = format!("kernel {} {}", record.name, open.text());
                let text = message(&text);
                out += &format!("::notice file={path},line={line},title=a2lint::{text}\n");
            }
        }
    }
    out
}

fn command(placed: &Placed) -> String {
    let (source, finding) = (placed.source, &*placed.finding);
    let word = match finding.severity {
        Severity::Info => "notice",
        severity => severity_word(severity),
    };
    let start = source.line_column(finding.span.start);
    let end = source.line_column(finding.span.end);
    // GitHub ignores columns if a command covers several lines.
    let columns = match start.line == end.line {
        true => format!(",col={},endColumn={}", start.column, end.column),
        false => String::new(),
    };
    let title = property(&format!("a2lint ({})", finding.name));
    let mut text = finding.message.clone() + fix_mark(finding);
    for (lead, more) in [("", placed.same_at()), ("help: ", finding.help.clone())] {
        if let Some(more) = more {
            text += &format!("\n{lead}{more}");
        }
    }
    format!(
        "::{word} file={},line={},endLine={}{columns},title={title}::{}\n",
        property(placed.path),
        start.line,
        end.line,
        message(&text)
    )
}

fn message(text: &str) -> String {
    let escaped = text
        .replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A");
    printable(&escaped).into_owned()
}

fn property(text: &str) -> String {
    message(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::complete;

    #[test]
    fn annotations() {
        insta::assert_snapshot!(render(&[complete()]));
    }

    #[test]
    fn separators_are_escaped() {
        assert_eq!(property("a:b,c%d\ne"), "a%3Ab%2Cc%25d%0Ae");
    }
}
