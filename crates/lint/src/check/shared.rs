//! Findings in a header that several files of one run include: the report of one of them shows the finding, and names
//! the others.

use std::cmp::Reverse;
use std::path::PathBuf;

use rustc_hash::FxHashMap;

use super::FileReport;
use a2lint_ir::finding::Finding;
use a2lint_source::text::Span;

/// Maximum number of other calls that a message names.
const NAMED: usize = 3;

/// What the findings of a report have in common with those of other reports.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shared {
    /// The findings that another report shows, by index.
    elsewhere: FxHashMap<usize, Shown>,
    /// From where else the findings are reached that this report shows, by index.
    reached: FxHashMap<usize, Reached>,
}

/// The report that shows a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shown {
    /// The number of the report.
    pub report: usize,
    /// The index of the finding among its findings.
    pub finding: usize,
}

/// The other files and kernels that have a finding.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reached {
    calls: Vec<String>,
    kernels: Vec<String>,
}

impl Shared {
    /// Returns whether another report shows a finding.
    pub fn is_elsewhere(&self, finding: usize) -> bool {
        self.elsewhere.contains_key(&finding)
    }

    /// Returns the report that shows a finding, if it is another one.
    pub fn shown_by(&self, finding: usize) -> Option<Shown> {
        self.elsewhere.get(&finding).copied()
    }

    /// Returns from where else a finding is reached.
    pub fn reached_from(&self, finding: usize) -> Option<&Reached> {
        self.reached.get(&finding)
    }
}

impl Reached {
    /// Adds the calls to the message of a finding, and its kernels.
    pub fn add_to(&self, finding: &mut Finding) {
        let named = self.calls.iter().take(NAMED);
        named.for_each(|call| finding.message += &format!(", {call}"));
        let more = self.calls.len().saturating_sub(NAMED);
        if more > 0 {
            finding.message += &format!(" and {more} more");
        }
        let new = self.kernels.iter().filter(|name| !finding.is_in(name));
        let new: Vec<String> = new.cloned().collect();
        finding.also_in.extend(new);
    }
}

/// The same finding of several files.
type Key = (&'static str, PathBuf, Span);

/// Lets one report show each finding in a header: the first with the highest severity.
pub fn share_headers(reports: &mut [FileReport]) {
    let mut found: FxHashMap<Key, Vec<Shown>> = FxHashMap::default();
    for (number, report) in reports.iter_mut().enumerate() {
        report.analysis.shared = Shared::default();
        for (finding, it) in report.analysis.findings.iter().enumerate() {
            if let Some(place) = &it.elsewhere {
                let key = (it.code, place.path.clone(), place.span);
                let report = number;
                found
                    .entry(key)
                    .or_default()
                    .push(Shown { report, finding });
            }
        }
    }
    for places in found.into_values() {
        let severity = |at: &Shown| reports[at.report].analysis.findings[at.finding].severity;
        let rank = |at: &&Shown| (Reverse(severity(at)), at.report, at.finding);
        let Some(&chief) = places.iter().min_by_key(rank) else {
            continue;
        };
        let mut reached = Reached::default();
        for &other in places.iter().filter(|it| it.report != chief.report) {
            let report = &mut reports[other.report];
            let finding = &report.analysis.findings[other.finding];
            let line = report.source.line_column(finding.span.start).line;
            let call = format!("{}:{line}", report.path);
            if !reached.calls.contains(&call) {
                reached.calls.push(call);
            }
            reached.kernels.extend(finding.kernel.iter().cloned());
            reached.kernels.extend(finding.also_in.iter().cloned());
            let shared = &mut report.analysis.shared;
            shared.elsewhere.insert(other.finding, chief);
        }
        if !reached.calls.is_empty() {
            let shared = &mut reports[chief.report].analysis.shared;
            shared.reached.insert(chief.finding, reached);
        }
    }
}
