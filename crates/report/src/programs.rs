//! The results of a check for programs: servers and the Python package.

use std::path::PathBuf;

use super::{FileReport, Page, Paint, Run, Summary, agent, full, json, proofs};
use a2lint_ir::finding::Severity;

/// The input of a check.
#[derive(Clone, Debug)]
pub enum Request {
    /// A file or a folder.
    Path(PathBuf),
    /// A text that is checked as if it were the file at this path.
    Text(PathBuf, String),
}

/// A file to which fixes were applied.
#[derive(Clone, Debug)]
pub struct FixedFile {
    /// The path.
    pub path: PathBuf,
    /// The text before.
    pub before: String,
    /// The text after.
    pub after: String,
    /// The number of fixes.
    pub fixes: usize,
}

/// The results of a check, for a program that shows them itself.
pub struct CheckedFiles {
    /// The reports of all files.
    pub reports: Vec<FileReport>,
    /// Errors about files that could not be read.
    pub complaints: Vec<String>,
    /// The files with fixes, if fixes were requested.
    pub fixed: Vec<FixedFile>,
    /// The data of the run.
    pub run: Run,
}

/// Cleans text for printing.
fn shown(text: String) -> String {
    Page::PLAIN.clean(&text).into_owned()
}

impl CheckedFiles {
    /// Renders the JSON object of `check --output-format json`.
    pub fn json(&self) -> String {
        json::render(&self.reports, &self.run)
    }

    /// Renders the full report as the command line prints it: findings, then counts and what was not examined.
    pub fn text(&self) -> String {
        let summary = Summary::of(&self.reports).text(&self.reports, &self.run, Paint::Plain);
        shown(full::render(&self.reports, &self.run, Page::PLAIN) + &summary)
    }

    /// Renders the report for coding agents.
    pub fn agent(&self) -> String {
        shown(agent::render(&self.reports))
    }

    /// Renders the report for coding agents in parts.
    pub fn agent_parts(&self) -> agent::Parts {
        agent::parts(&self.reports)
    }

    /// Renders the table and the details of the proofs.
    pub fn proofs(&self) -> String {
        let table = proofs::table(&self.reports, Page::PLAIN);
        let details = proofs::details(&self.reports);
        let summary = proofs::summary(&self.reports, &self.run, Page::PLAIN);
        shown([table, details, summary].join("\n"))
    }

    /// Counts findings of at least this severity.
    pub fn count(&self, least: Severity) -> usize {
        let findings = self
            .reports
            .iter()
            .flat_map(|report| &report.analysis.findings);
        findings.filter(|finding| finding.severity >= least).count()
    }
}
