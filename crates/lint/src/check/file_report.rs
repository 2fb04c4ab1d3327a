//! The report of a checked file, with findings attributed to the files that they are about.

use std::borrow::Cow;

use super::grouping::groups_of;
use super::{Group, Results};
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
    /// Other places of the same mistake, in the same text.
    pub others: Vec<Cow<'a, Finding>>,
}

/// Maximum number of other places that are named in a line.
const NAMED: usize = 6;

impl Placed<'_> {
    /// Names the lines of the other places: `the same at lines 17 and 21`; `None` if there are none.
    pub fn same_at(&self) -> Option<String> {
        let line = |finding: &Finding| self.source.line_column(finding.span.start).line;
        let mut lines: Vec<usize> = self.others.iter().map(|other| line(other)).collect();
        lines.dedup();
        let own = line(&self.finding);
        match lines.as_slice() {
            [] => None,
            [at] if *at == own => Some("another operand of this line as well".to_owned()),
            [at] => Some(format!("the same at line {at}")),
            _ => {
                let named: Vec<String> = lines.iter().take(NAMED).map(usize::to_string).collect();
                let more = match lines.len().saturating_sub(NAMED) {
                    0 => String::new(),
                    more => format!(" and {more} more"),
                };
                Some(format!("the same at lines {}{more}", named.join(", ")))
            }
        }
    }
}

impl FileReport {
    /// Returns the findings by cause: what is shown as one finding. Those that the report of another file shows are
    /// left out.
    pub fn groups(&self) -> Vec<Group> {
        let shared = &self.analysis.shared;
        groups_of(&self.analysis.findings, |at| !shared.is_elsewhere(at))
    }

    /// Iterates over the findings in order, each at its place with the other places of the same mistake.
    pub fn placed(&self) -> impl Iterator<Item = Placed<'_>> {
        let findings = &self.analysis.findings;
        self.groups().into_iter().map(move |group| {
            let others = group.others.iter();
            let others = others.map(|&at| self.place(&findings[at]).finding);
            let mut placed = self.place(&findings[group.first]);
            if let Some(reached) = self.analysis.shared.reached_from(group.first) {
                reached.add_to(placed.finding.to_mut());
            }
            Placed {
                others: others.collect(),
                ..placed
            }
        })
    }

    /// Returns a finding of this file at its place.
    pub fn place<'a>(&'a self, finding: &'a Finding) -> Placed<'a> {
        let Some(other) = &finding.elsewhere else {
            return Placed {
                path: &self.path,
                source: &self.source,
                finding: Cow::Borrowed(finding),
                others: Vec::new(),
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
            others: Vec::new(),
        }
    }
}
