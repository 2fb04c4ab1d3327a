//! The code quality report for GitLab.

use std::borrow::Cow;

use serde::Serialize;

use super::json::json_text;
use super::{FileReport, examined, fix_mark};
use a2lint_ir::finding::Severity;
use a2lint_lint::baseline::fingerprints;

#[derive(Serialize)]
struct Issue<'a> {
    description: Cow<'a, str>,
    check_name: &'a str,
    fingerprint: String,
    severity: &'static str,
    location: Location<'a>,
}

#[derive(Serialize)]
struct Location<'a> {
    path: &'a str,
    lines: Lines,
}

#[derive(Serialize)]
struct Lines {
    begin: usize,
    end: usize,
}

/// Renders a JSON array with an issue for each finding and each part that was not examined.
pub fn render(reports: &[FileReport]) -> String {
    let mut issues = Vec::new();
    for report in reports {
        let (source, findings) = (&report.source, &report.analysis.findings);
        let prints = fingerprints(source, findings);
        for (placed, group) in report.placed().zip(report.groups()) {
            let (finding, print) = (&placed.finding, &prints[group.first]);
            let same = placed.same_at().map(|text| format!(" ({text})"));
            let same = same.unwrap_or_default();
            issues.push(Issue {
                description: Cow::from(format!("{}{same}{}", finding.message, fix_mark(finding))),
                check_name: finding.name,
                fingerprint: format!("{print}:{}", report.path),
                severity: match finding.severity {
                    Severity::Info => "info",
                    Severity::Warning => "minor",
                    Severity::Error => "major",
                },
                location: Location {
                    path: placed.path,
                    lines: Lines {
                        begin: placed.source.line_column(finding.span.start).line,
                        end: placed.source.line_column(finding.span.end).line,
                    },
                },
            });
        }
        for gap in &report.analysis.not_analysed {
            let what = gap.kernel.as_deref().map_or("the file", |kernel| kernel);
            let text = format!("{what} was not analysed: {}", gap.reason);
            issues.push(unseen(report, "not-analysed", text, 1));
        }
        for record in &report.analysis.records {
            for open in examined::notices(record, &report.analysis.findings) {
                let line = source
                    .line_column(open.at.unwrap_or(record.span).start)
                    .line;
                let text = format!("kernel {} {}", record.name, open.text());
                issues.push(unseen(report, "not-looked-at", text, line));
            }
        }
    }
    json_text(&issues)
}

/// Creates the issue for a part that was not examined.
fn unseen<'a>(report: &'a FileReport, name: &'a str, text: String, line: usize) -> Issue<'a> {
    Issue {
        fingerprint: format!("{name}:{}:{text}", report.path),
        description: Cow::from(text),
        check_name: name,
        severity: "info",
        location: Location {
            path: &report.path,
            lines: Lines {
                begin: line,
                end: line,
            },
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::complete;

    #[test]
    fn issues() {
        insta::assert_snapshot!(render(&[complete()]));
    }
}
