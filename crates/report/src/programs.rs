//! What a check hands to programs: servers and the Python package.

use std::path::PathBuf;

use super::{FileReport, Page, Run, agent, full, json, proofs};
use a2lint_ir::finding::Severity;

/// What is to be checked.
#[derive(Clone, Debug)]
pub enum Request {
    /// A file or a folder.
    Path(PathBuf),
    /// A text, as if it stood at this path.
    Text(PathBuf, String),
}

/// A file that has fixes.
#[derive(Clone, Debug)]
pub struct FixedFile {
    /// Where it is.
    pub path: PathBuf,
    /// Its text as it is.
    pub before: String,
    /// Its text with the fixes.
    pub after: String,
    /// How many they are.
    pub fixes: usize,
}

/// The reports of a check, for a program that shows them itself.
pub struct CheckedFiles {
    /// The files.
    pub reports: Vec<FileReport>,
    /// What could not be read.
    pub complaints: Vec<String>,
    /// The files that have fixes, where those were asked for.
    pub fixed: Vec<FixedFile>,
    /// The run that they come from.
    pub run: Run,
}

/// What a program may print.
fn shown(text: String) -> String {
    Page::PLAIN.clean(&text).into_owned()
}

impl CheckedFiles {
    /// The JSON object of `check --output-format json`.
    pub fn json(&self) -> String {
        json::render(&self.reports, &self.run)
    }

    /// The report for people.
    pub fn text(&self) -> String {
        shown(full::render(&self.reports, &self.run, Page::PLAIN))
    }

    /// The report for coding agents.
    pub fn agent(&self) -> String {
        shown(agent::render(&self.reports))
    }

    /// The same in parts: findings, what was not looked at, counts.
    pub fn agent_parts(&self) -> (String, String, String) {
        agent::parts(&self.reports).into()
    }

    /// What is proved.
    pub fn proofs(&self) -> String {
        let table = proofs::table(&self.reports, Page::PLAIN);
        let details = proofs::details(&self.reports);
        let summary = proofs::summary(&self.reports, &self.run);
        shown([table, details, summary].join("\n"))
    }

    /// Findings of at least this severity.
    pub fn count(&self, least: Severity) -> usize {
        let findings = self
            .reports
            .iter()
            .flat_map(|report| &report.analysis.findings);
        findings.filter(|finding| finding.severity >= least).count()
    }
}
