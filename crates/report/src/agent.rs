//! The report for coding agents: one line per finding with what is wrong, why, and what to write.

use super::examined::Conditions;
use super::{FileReport, Placed, Summary, examined, numbers, printable, severity_word};
use a2lint_source::spelling::count;
use a2lint_source::text::Span;

/// Renders all findings, everything that was not examined, and a line with counts.
pub fn render(reports: &[FileReport]) -> String {
    let [findings, open, counts] = parts(reports);
    findings + &open + &counts
}

/// Renders the same in three parts: findings, what was not examined, and the line with counts.
pub fn parts(reports: &[FileReport]) -> [String; 3] {
    let (mut out, mut open_lines) = (String::new(), String::new());
    let (mut findings, mut gaps, mut undecided) = (0, 0, 0);
    let (mut tested, mut conditional) = (0, 0);
    for report in reports {
        let path = printable(&report.path);
        for placed in report.placed() {
            out += &line(&placed);
            findings += 1;
        }
        for gap in &report.analysis.not_analysed {
            let kernel = gap.kernel.as_deref().map(|kernel| format!("::{kernel}"));
            let kernel = kernel.unwrap_or_default();
            open_lines += &format!("{path}{kernel} not-analysed: {}\n", printable(&gap.reason));
            gaps += 1;
        }
        for record in &report.analysis.records {
            let mut say = |at: Span, text: &str| {
                let line = report.source.line_column(at.start).line;
                let (name, text) = (printable(&record.name), printable(text));
                open_lines += &format!("{path}:{line} {name} {text}\n");
            };
            let findings = &report.analysis.findings;
            undecided += usize::from(examined::open(record, findings).is_some());
            for notice in examined::notices(record, findings) {
                say(notice.at.unwrap_or(record.span), &notice.text());
            }
            let verdicts = record.verdicts(&report.analysis.findings);
            let open = examined::tested(record, &verdicts);
            for open in &open {
                say(open.at.unwrap_or(record.span), &open.text());
            }
            tested += usize::from(!open.is_empty());
            if let Some(conditions) = Conditions::of(record, &verdicts) {
                let clause = Conditions::clause(conditions.is_whole);
                say(record.span, &format!("{clause}: {}", conditions.text()));
                conditional += usize::from(conditions.is_whole);
            }
        }
    }
    let files = count(reports.len(), "file");
    let findings = count(findings, "finding");
    let undecided = count(undecided, "kernel");
    let others = [
        (tested, "not wholly proved"),
        (conditional, Conditions::clause(true)),
    ];
    let others = others.into_iter().filter(|(number, _)| *number > 0);
    let others: String = others
        .map(|(number, what)| format!(", {number} {what}"))
        .collect();
    let clean = Summary::of(reports).clean();
    let clean = clean.map_or(String::new(), |clean| format!("{clean} "));
    let counts = format!(
        "{clean}{findings} in {files}, {gaps} not analysed, {undecided} not wholly looked at{others}\n"
    );
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
