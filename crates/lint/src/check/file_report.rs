//! A checked file, and where its findings belong.

use std::borrow::Cow;

use super::Results;
use a2lint_ir::finding::Finding;
use a2lint_source::text::SourceText;

/// One checked file.
#[derive(Debug)]
pub struct FileReport {
    /// The path as the user knows it, with forward slashes.
    pub path: String,
    /// Its text.
    pub source: SourceText,
    /// What came of it.
    pub analysis: Results,
}

/// A finding at the place that it is about, which may be in another file than the one that was checked.
pub struct Placed<'a> {
    /// The path of the file, as the user knows it.
    pub path: &'a str,
    /// Its text.
    pub source: &'a SourceText,
    /// The finding, with places in that text.
    pub finding: Cow<'a, Finding>,
}

impl FileReport {
    /// The findings in their order, each where it belongs.
    pub fn placed(&self) -> impl Iterator<Item = Placed<'_>> {
        let findings = self.analysis.findings.iter();
        findings.map(|finding| self.place(finding))
    }

    /// A finding of this file where it belongs.
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
