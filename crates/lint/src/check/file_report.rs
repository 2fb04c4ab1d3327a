//! The report of a checked file, with findings attributed to the files that they are about.

use std::borrow::Cow;

use super::Results;
use a2lint_ir::finding::Finding;
use a2lint_source::text::SourceText;

/// A checked file with its results.
#[derive(Debug)]
pub struct FileReport {
    /// The path for people, with forward slashes.
    pub path: String,
    /// The text of the file.
    pub source: SourceText,
    /// The results of the check.
    pub analysis: Results,
}

/// A finding at the place that it is about, which may be in another file than the checked one.
pub struct Placed<'a> {
    /// The path, as shown to people, of the file that contains the finding.
    pub path: &'a str,
    /// The text of the file that contains the finding.
    pub source: &'a SourceText,
    /// The finding, with spans in that text.
    pub finding: Cow<'a, Finding>,
}

impl FileReport {
    /// Iterates over the findings in order, each at its place.
    pub fn placed(&self) -> impl Iterator<Item = Placed<'_>> {
        let findings = self.analysis.findings.iter();
        findings.map(|finding| self.place(finding))
    }

    /// Returns a finding of this file at its place.
    pub fn place<'a>(&'a self, finding: &'a Finding) -> Placed<'a> {
        let Some(other) = &finding.elsewhere else {
            return Placed {
                path: &self.path,
                source: &self.source,
                finding: Cow::Borrowed(finding),
            };
        };
        let call = self.source.line_column(finding.span.start);
        let way = format!("called at {}:{}", self.path, call.line);
        Placed {
            path: &other.shown,
            source: &other.source,
            finding: Cow::Owned(Finding {
                message: format!("{}, {way}", finding.message),
                span: other.span,
                labels: other.labels.clone(),
                ..finding.clone()
            }),
        }
    }
}
