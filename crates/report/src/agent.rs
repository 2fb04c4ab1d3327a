//! The report for coding agents: one line per finding with what is wrong, why, and what to write.

use super::{
    FileReport, Paint, Placed, Summary, examined, numbers, printable, severity_word, standing,
};
use a2lint_source::text::Span;

/// Renders all findings, everything that was not examined, and a line with counts.
pub fn render(reports: &[FileReport]) -> String {
    let [findings, open, counts] = parts(reports);
    findings + &open + &counts
}

/// Renders the same in three parts: findings, what was not examined, and the line with counts.
pub fn parts(reports: &[FileReport]) -> [String; 3] {
    let (mut out, mut open_lines) = (String::new(), String::new());
    for report in reports {
        let path = printable(&report.path);
        for placed in report.placed() {
            out += &line(&placed);
        }
        for gap in &report.analysis.not_analysed {
            let kernel = gap.kernel.as_deref().map(|kernel| format!("::{kernel}"));
            let kernel = kernel.unwrap_or_default();
            open_lines += &format!("{path}{kernel} not-analysed: {}\n", printable(&gap.reason));
        }
        for record in &report.analysis.records {
            let mut say = |at: Span, text: &str| {
                let line = report.source.line_column(at.start).line;
                let (name, text) = (printable(&record.name), printable(text));
                open_lines += &format!("{path}:{line} {name} {text}\n");
            };
            let findings = &report.analysis.findings;
            let verdicts = record.verdicts(findings);
            match standing::sentence(report, record, &verdicts) {
                Some(sentence) => {
                    let gap = record.gap();
                    let said = gap.filter(|gap| !sentence.contains(&gap.because));
                    if let Some(gap) = said {
                        let text = format!("{}: {}", gap.kind.clause(), gap.because);
                        say(gap.at.unwrap_or(record.span), &text);
                    }
                    say(record.span, &format!("is {sentence}"));
                }
                None => {
                    for notice in examined::notices(record, findings) {
                        say(notice.at.unwrap_or(record.span), &notice.text());
                    }
                }
            }
        }
    }
    let summary = Summary::of(reports);
    let found = summary.found(Paint::Plain);
    let found = found.unwrap_or_else(|| "no findings".to_owned());
    let fixes = summary.fixes.text().map(|text| format!(" ({text})"));
    let headline = summary.headline(Paint::Plain);
    let counts = format!("{headline}; {found}{}\n", fixes.unwrap_or_default());
    [out, open_lines, counts]
}

fn line(placed: &Placed) -> String {
    let (source, finding) = (placed.source, &*placed.finding);
    let path = printable(placed.path);
    let place = source.line_column(finding.span.start);
    let mut parts = vec![printable(&finding.message).into_owned()];
    parts.push(finding.basis.clause().to_owned());
    for label in &finding.labels {
        let line = source.line_column(label.span.start).line;
        parts.push(format!("line {line}: {}", printable(&label.message)));
    }
    parts.extend(placed.same_at());
    if let Some(witness) = &finding.witness {
        parts.push(format!("witness: {}", witness.detail));
    }
    if let Some(shown) = &finding.numbers {
        parts.push(format!("numbers: {}", numbers::short(shown)));
    }
    if let Some(help) = &finding.help {
        parts.push(format!("help: {}", printable(help)));
    }
    if let Some(fix) = &finding.fix {
        let option = if fix.safe { "--fix" } else { "--unsafe-fixes" };
        parts.push(format!("{option}: {}", printable(&fix.title)));
    }
    format!(
        "{path}:{}:{} {} {}: {}\n",
        place.line,
        place.column,
        severity_word(finding.severity),
        finding.name,
        parts.join(" | ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::complete;

    #[test]
    fn lines() {
        insta::assert_snapshot!(render(&[complete()]));
    }
}
