//! The JUnit report: a suite per file, a failing case per finding.

use super::{FileReport, Placed, Run, examined, fix_mark, printable, severity_word};
use a2lint_rules::record::KernelRecord;

/// Renders the report as one XML document.
pub fn render(reports: &[FileReport], run: &Run) -> String {
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let failures: usize = reports.iter().map(|report| report.groups().len()).sum();
    let tests: usize = reports.iter().map(cases).sum();
    out += &format!(
        "<testsuites name=\"a2lint\" tests=\"{tests}\" failures=\"{failures}\" errors=\"0\" \
         time=\"{:.3}\">\n",
        run.seconds
    );
    for report in reports {
        out += &suite(report);
    }
    out + "</testsuites>\n"
}

/// Returns the number of cases of a file: its findings and gaps, or a single one that passes.
fn cases(report: &FileReport) -> usize {
    let gaps = report.analysis.not_analysed.len() + open(report).len();
    (report.groups().len() + gaps).max(1)
}

/// Returns the names of kernels that were not examined completely, with the reason.
fn open(report: &FileReport) -> Vec<(&str, String)> {
    let records = report.analysis.records.iter();
    let of_record = |record: &'_ KernelRecord| {
        let notices = examined::notices(record, &report.analysis.findings);
        let texts: Vec<String> = notices.iter().map(examined::Open::text).collect();
        texts
    };
    records
        .flat_map(|record| {
            let texts = of_record(record).into_iter();
            texts.map(|text| (record.name.as_str(), text))
        })
        .collect()
}

fn suite(report: &FileReport) -> String {
    let path = escaped(&report.path);
    let open = open(report);
    let (findings, gaps) = (&report.analysis.findings, &report.analysis.not_analysed);
    let mut out = format!(
        "  <testsuite name=\"{path}\" tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"{}\">\n",
        cases(report),
        report.groups().len(),
        gaps.len() + open.len()
    );
    for placed in report.placed() {
        out += &failure(&placed);
    }
    for gap in gaps {
        let name = escaped(gap.kernel.as_deref().unwrap_or("file"));
        let reason = escaped(&gap.reason);
        out += &format!(
            "    <testcase name=\"{name}\" classname=\"{path}\">\n      \
             <skipped message=\"not analysed: {reason}\"/>\n    </testcase>\n"
        );
    }
    for (kernel, text) in &open {
        let (kernel, text) = (escaped(kernel), escaped(text));
        out += &format!(
            "    <testcase name=\"{kernel}\" classname=\"{path}\">\n      \
             <skipped message=\"{text}\"/>\n    </testcase>\n"
        );
    }
    if findings.is_empty() && gaps.is_empty() && open.is_empty() {
        out += &format!("    <testcase name=\"a2lint\" classname=\"{path}\"/>\n");
    }
    out + "  </testsuite>\n"
}

fn failure(placed: &Placed) -> String {
    let (path, source) = (escaped(placed.path), placed.source);
    let finding = &*placed.finding;
    let place = source.line_column(finding.span.start);
    let (line, column) = (place.line, place.column);
    let (name, message) = (finding.name, escaped(&finding.message));
    let word = severity_word(finding.severity);
    let mut text = format!("{path}:{line}:{column}: {message}");
    for label in &finding.labels {
        let line = source.line_column(label.span.start).line;
        text += &format!("\n{path}:{line}: {}", escaped(&label.message));
    }
    for other in &placed.others {
        let line = source.line_column(other.span.start).line;
        text += &format!("\n{path}:{line}: {}", escaped(&other.message));
    }
    if let Some(fix) = &finding.fix {
        text += &format!("\nfix: {}{}", escaped(&fix.title), fix_mark(finding));
    }
    if let Some(help) = &finding.help {
        let lines: Vec<String> = help.lines().map(escaped).collect();
        text += &format!("\nhelp: {}", lines.join("\n"));
    }
    format!(
        "    <testcase name=\"{name}:{line}:{column}\" classname=\"{path}\">\n      \
         <failure type=\"{word}\" message=\"{message}\">{text}</failure>\n    </testcase>\n"
    )
}

/// Escapes text for XML, including attribute values.
fn escaped(text: &str) -> String {
    let text = printable(text);
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            '\'' => out += "&apos;",
            // Not allowed in XML, even as character references.
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{complete, report};

    #[test]
    fn suites() {
        let clean = report("a&b.py", "", vec![]);
        insta::assert_snapshot!(render(&[complete(), clean], &Run::default()));
    }
}
