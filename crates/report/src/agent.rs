//! The report for coding agents: one line per finding with what is wrong, why, and what to write. Where there is room
//! for less, each finding is told in fewer words before any is left out.

use std::cmp::Reverse;

use super::{
    FileReport, Fixes, Paint, Placed, Summary, examined, numbers, printable, severity_word,
    standing::{self, Standing},
};
use a2lint_ir::finding::Severity;
use a2lint_source::spelling::count;
use a2lint_source::text::Span;

/// Bytes that are kept free for the line that counts what is left out.
const REST: usize = 240;

/// The report in parts.
pub struct Parts {
    /// The findings, in the order of files and lines.
    pub findings: Vec<Entry>,
    /// What was not examined or is not proved, one per line.
    pub open: String,
    /// For which launches kernels are clean, and what proofs of kernels with findings hold for, one per line.
    pub rest: String,
    /// The counts of kernels and findings, without the end of the line.
    pub counts: String,
    /// The numbers of findings that can be repaired.
    pub fixes: Fixes,
}

/// A finding, at three lengths.
pub struct Entry {
    /// The path of its file.
    pub path: String,
    /// Its line, from 1.
    pub line: usize,
    /// Its column, from 1.
    pub column: usize,
    /// The rule.
    pub rule: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// The option that applies its fix, if it has one.
    pub option: Option<&'static str>,
    /// The lines: its message; with the help and the fix; with labels, witness and numbers too.
    lines: [String; 3],
}

/// Renders all findings, everything that was not examined, and a line with counts.
pub fn render(reports: &[FileReport]) -> String {
    let Parts {
        findings,
        open,
        rest,
        counts,
        fixes,
    } = parts(reports);
    let fixes = fixes.text().map(|text| format!(" ({text})"));
    let counts = format!("{counts}{}\n", fixes.unwrap_or_default());
    let lines = findings.iter().map(|entry| entry.lines[2].as_str());
    lines.collect::<String>() + &open + &rest + &counts
}

/// Renders findings in at most `room` bytes. Errors come before warnings: first every finding gets its message, then
/// help and fixes, then what shows it. What is left out is counted by rule.
pub fn fitted(findings: &[Entry], room: usize) -> String {
    let mut order: Vec<usize> = (0..findings.len()).collect();
    order.sort_by_key(|&at| Reverse(findings[at].severity));
    let mut lengths: Vec<Option<usize>> = vec![None; findings.len()];
    let mut used = 0;
    let briefest: usize = findings.iter().map(|entry| entry.lines[0].len()).sum();
    let limit = match briefest <= room {
        true => room,
        false => room.saturating_sub(REST),
    };
    for length in 0..3 {
        for &at in &order {
            let lines = &findings[at].lines;
            let now = lengths[at].map_or(0, |length| lines[length].len());
            let is_next = lengths[at].map_or(0, |length| length + 1) == length;
            if !is_next {
                continue;
            }
            // A shorter line of a warning does not overtake an error.
            if used - now + lines[length].len() > limit {
                break;
            }
            used += lines[length].len() - now;
            lengths[at] = Some(length);
        }
    }
    let told = findings.iter().zip(&lengths);
    let told = told.filter_map(|(entry, length)| Some(entry.lines[(*length)?].as_str()));
    told.collect::<String>() + &left_out(findings, &lengths)
}

/// Counts the findings without a length by rule, in a line of at most [`REST`] bytes.
fn left_out(findings: &[Entry], lengths: &[Option<usize>]) -> String {
    let left = findings.iter().zip(lengths);
    let left: Vec<&Entry> = left.filter(|it| it.1.is_none()).map(|it| it.0).collect();
    if left.is_empty() {
        return String::new();
    }
    let mut rules: Vec<(&str, usize)> = Vec::new();
    for entry in &left {
        match rules.iter_mut().find(|(rule, _)| *rule == entry.rule) {
            Some((_, number)) => *number += 1,
            None => rules.push((entry.rule, 1)),
        }
    }
    rules.sort_by_key(|(rule, number)| (Reverse(*number), *rule));
    let shown = rules.iter().take(2);
    let shown: Vec<String> = shown
        .map(|(rule, number)| format!("{number} {rule}"))
        .collect();
    let more = if rules.len() > 2 { ", …" } else { "" };
    let mut files: Vec<(&str, usize)> = Vec::new();
    for entry in &left {
        // Findings come in the order of files.
        match files.last_mut() {
            Some((file, number)) if *file == entry.path => *number += 1,
            _ => files.push((&entry.path, 1)),
        }
    }
    files.sort_by_key(|(_, number)| Reverse(*number));
    let mut line = format!(
        "… {}: {}{more}; ask with a larger max_bytes, or for one file",
        count(left.len(), "more finding"),
        shown.join(", ")
    );
    let mut lead = ": ";
    for (file, number) in files {
        let named = format!("{lead}{file} ({number})");
        // A longer line would be cut off, and with it the number of findings.
        if line.len() + named.len() + END.len() > REST {
            return line + if lead == ": " { "\n" } else { END };
        }
        line += &named;
        lead = ", ";
    }
    line + "\n"
}

/// The end of a line that does not name all files.
const END: &str = ", …\n";

/// Renders the report in parts.
pub fn parts(reports: &[FileReport]) -> Parts {
    let (mut found_lines, mut open_lines) = (Vec::new(), String::new());
    let mut other_lines = String::new();
    for report in reports {
        let path = printable(&report.path);
        found_lines.extend(report.placed().map(|placed| entry(&placed)));
        for gap in &report.analysis.not_analysed {
            let kernel = gap.kernel.as_deref().map(|kernel| format!("::{kernel}"));
            let kernel = kernel.unwrap_or_default();
            open_lines += &format!("{path}{kernel} not-analysed: {}\n", printable(&gap.reason));
        }
        for record in &report.analysis.records {
            let told = |at: Span, text: &str| {
                let line = report.source.line_column(at.start).line;
                let (name, text) = (printable(&record.name), printable(text));
                format!("{path}:{line} {name} {text}\n")
            };
            let findings = &report.analysis.findings;
            let verdicts = record.verdicts(findings);
            match standing::sentence(report, record, &verdicts) {
                Some(sentence) => {
                    let gap = record.gap();
                    let said = gap.filter(|gap| !sentence.text.contains(&gap.because));
                    let is_open = Standing::of(report, record, &verdicts) == Standing::Open;
                    let lines = if is_open {
                        &mut open_lines
                    } else {
                        &mut other_lines
                    };
                    if let Some(gap) = said {
                        let text = format!("{}: {}", gap.kind.clause(), gap.because);
                        *lines += &told(gap.at.unwrap_or(record.span), &text);
                    }
                    *lines += &told(record.span, &sentence.text);
                }
                None => {
                    for notice in examined::notices(record, findings) {
                        let at = notice.at.unwrap_or(record.span);
                        let lines = match notice.is_restriction {
                            true => &mut other_lines,
                            false => &mut open_lines,
                        };
                        *lines += &told(at, &notice.text());
                    }
                }
            }
        }
    }
    let summary = Summary::of(reports);
    let found = summary.found(Paint::Plain);
    let found = found.unwrap_or_else(|| "no findings".to_owned());
    let headline = summary.headline(Paint::Plain);
    Parts {
        findings: found_lines,
        open: open_lines,
        rest: other_lines,
        counts: format!("{headline}; {found}"),
        fixes: summary.fixes,
    }
}

fn entry(placed: &Placed) -> Entry {
    let (source, finding) = (placed.source, &*placed.finding);
    let path = printable(placed.path);
    let place = source.line_column(finding.span.start);
    let message = printable(&finding.message).into_owned();
    let mut parts = vec![finding.basis.clause().to_owned()];
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
    let mut advice = Vec::new();
    if let Some(help) = &finding.help {
        advice.push(format!("help: {}", printable(help)));
    }
    let fix = finding.fix.as_ref();
    let option = fix.map(|fix| if fix.safe { "--fix" } else { "--unsafe-fixes" });
    if let (Some(fix), Some(option)) = (fix, option) {
        advice.push(format!("{option}: {}", printable(&fix.title)));
    }
    let line = |parts: &[&[String]]| {
        format!(
            "{path}:{}:{} {} {}: {}\n",
            place.line,
            place.column,
            severity_word(finding.severity),
            finding.name,
            parts.concat().join(" | ")
        )
    };
    let message = [message];
    Entry {
        lines: [
            line(&[&message]),
            line(&[&message, &advice]),
            line(&[&message, &advice, &parts]),
        ],
        path: path.into_owned(),
        line: place.line,
        column: place.column,
        rule: finding.name,
        severity: finding.severity,
        option,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::complete;

    fn found(rule: &'static str, severity: Severity, line: usize) -> Entry {
        let brief = format!("k.py:{line}:1 {} {rule}: wrong\n", severity_word(severity));
        let longer = |more: &str| brief.replace('\n', more);
        Entry {
            path: "k.py".to_owned(),
            line,
            column: 1,
            rule,
            severity,
            option: None,
            lines: [
                brief.clone(),
                longer(" | help: h\n"),
                longer(&" | numbers".repeat(20)),
            ],
        }
    }

    #[test]
    fn with_less_room_findings_are_told_in_fewer_words_before_any_is_left_out() {
        let mut all = vec![found("race", Severity::Warning, 1)];
        all.extend((2..12).map(|line| found("dup-coverage", Severity::Error, line)));
        let whole = fitted(&all, 10_000);
        assert_eq!(whole.matches("| numbers").count(), 220, "{whole}");
        let brief = fitted(&all, 485);
        assert!(brief.len() <= 485 && brief.lines().count() == 11, "{brief}");
        // The help of errors comes before that of a warning.
        let of_warning = brief.lines().find(|it| it.contains("race"));
        assert!(
            brief.contains("help: h") && of_warning.is_some_and(|it| !it.contains("help")),
            "{brief}"
        );
        let cut = fitted(&all, 330);
        assert!(cut.len() <= 330 && !cut.contains("warning"), "{cut}");
        let rest = cut.lines().last().unwrap_or_default();
        assert!(rest.starts_with("… ") && rest.contains("1 race"), "{cut}");
    }

    #[test]
    fn lines() {
        insta::assert_snapshot!(render(&[complete()]));
    }
}
