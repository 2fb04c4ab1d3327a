//! What a check says of both versions: what is proved, and what is found.

use std::path::Path;

use super::Version;
use a2lint_ir::finding::{Finding, Severity};
use a2lint_ir::verdict::{Property, Status, Verdict};
use a2lint_lint::check::{FileReport, check};
use a2lint_source::language::Language;

/// A checked version.
pub struct Checked {
    /// Its file with the results of the check.
    pub report: FileReport,
    /// What is known of each property of its kernel; empty if the check has no record of it.
    pub standings: Vec<(Property, Standing)>,
    /// The positions of the findings about its kernel, or about the file.
    pub findings: Vec<usize>,
}

/// What is known of a property, the least first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standing {
    /// The rank.
    pub rank: Rank,
    /// What it holds under, or why it is open.
    pub detail: String,
}

a2lint_isa::named! {
    /// How much is known of a property.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Rank {
        /// A finding shows that it does not hold.
        Refuted = "refuted",
        /// Neither proved nor tested.
        Open = "open",
        /// It held in every known launch.
        Tested = "tested",
        /// Proved, under preconditions that exclude launches that a user would ask for.
        ProvedIf = "proved if",
        /// Proved for every launch that a user would ask for.
        Proved = "proved",
    }
    /// Returns the word for reports.
    fn word
}

impl Rank {
    /// Returns whether the property is proved, possibly under preconditions.
    pub fn is_proved(self) -> bool {
        self >= Rank::ProvedIf
    }
}

impl Checked {
    /// Checks the file of a version.
    pub fn of(version: Version) -> Checked {
        let target = version.target;
        let language = match Language::of_path(Path::new(&target.report.path)) {
            Some(Language::Cpp) => Language::Cpp,
            _ => Language::Easyasc,
        };
        let analysis = check(&target.map.own, language, &target.settings);
        // Kernels may share a name: instances of a template.
        let mut programs = target.module.programs.iter();
        let at = programs.position(|known| std::ptr::eq(known, version.program));
        let source = analysis.map.source.clone();
        let results = a2lint_lint::check::Results::from(analysis);
        let record = at.and_then(|at| results.records.get(at));
        let record = record.filter(|record| record.name == version.program.name);
        let standings = record.map_or_else(Vec::new, |record| {
            let verdicts = record.verdicts(&results.findings);
            let standing = |verdict: &Verdict| {
                let restrictions = record.restrictions(std::slice::from_ref(verdict));
                (verdict.property, Standing::of(verdict, &restrictions))
            };
            verdicts.iter().map(standing).collect()
        });
        let name = &version.program.name;
        let findings = results.findings.iter().enumerate();
        let findings = findings.filter(|(_, it)| it.kernel.is_none() || it.is_in(name));
        Checked {
            findings: findings.map(|(at, _)| at).collect(),
            standings,
            report: FileReport {
                path: target.report.path.clone(),
                source,
                analysis: results,
            },
        }
    }

    /// Returns a finding.
    pub fn finding(&self, at: usize) -> &Finding {
        &self.report.analysis.findings[at]
    }

    /// Returns the positions of findings that another check has not: of equal ones, as many as it has fewer.
    pub fn beyond(&self, other: &Checked) -> Vec<usize> {
        let key = |finding: &Finding| (finding.name, finding.severity, finding.message.clone());
        let mut known: Vec<_> = other
            .findings
            .iter()
            .map(|&at| key(other.finding(at)))
            .collect();
        let is_new = |at: &usize| {
            let own = key(self.finding(*at));
            match known.iter().position(|it| *it == own) {
                Some(found) => {
                    known.swap_remove(found);
                    false
                }
                None => true,
            }
        };
        self.findings.iter().copied().filter(is_new).collect()
    }

    /// Returns what is known of a property.
    pub fn standing(&self, property: Property) -> Option<&Standing> {
        let found = self.standings.iter().find(|(known, _)| *known == property);
        found.map(|(_, standing)| standing)
    }

    /// Counts findings of a severity among some.
    pub fn count(&self, findings: &[usize], severity: Severity) -> usize {
        let findings = findings.iter().map(|&at| self.finding(at));
        findings.filter(|it| it.severity == severity).count()
    }
}

impl Standing {
    fn of(verdict: &Verdict, restrictions: &[String]) -> Standing {
        let (rank, detail) = match &verdict.status {
            Status::Proved { .. } if restrictions.is_empty() => (Rank::Proved, String::new()),
            Status::Proved { .. } => (Rank::ProvedIf, restrictions.join(", ")),
            Status::Tested => (Rank::Tested, String::new()),
            Status::Undecided { because, .. } => (Rank::Open, because.clone()),
            Status::Refuted { .. } => (Rank::Refuted, String::new()),
        };
        Standing { rank, detail }
    }
}
