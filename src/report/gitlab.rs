//! The code quality report of GitLab.

use serde::Serialize;

use super::FileReport;
use crate::baseline::fingerprints;
use crate::finding::Severity;

#[derive(Serialize)]
struct Issue<'a> {
    description: &'a str,
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

/// A JSON array with an issue per finding.
pub fn render(reports: &[FileReport]) -> String {
    let mut issues = Vec::new();
    for report in reports {
        let (source, findings) = (&report.source, &report.analysis.findings);
        for (finding, print) in findings.iter().zip(fingerprints(source, findings)) {
            issues.push(Issue {
                description: &finding.message,
                check_name: finding.name,
                fingerprint: format!("{print}:{}", report.path),
                severity: match finding.severity {
                    Severity::Info => "info",
                    Severity::Warning => "minor",
                    Severity::Error => "major",
                },
                location: Location {
                    path: &report.path,
                    lines: Lines {
                        begin: source.line_column(finding.span.start).line,
                        end: source.line_column(finding.span.end).line,
                    },
                },
            });
        }
    }
    let text = serde_json::to_string_pretty(&issues).expect("every key is a string");
    text + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::fixtures::complete;

    #[test]
    fn issues() {
        insta::assert_snapshot!(render(&[complete()]));
    }
}
