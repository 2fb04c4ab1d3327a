//! Repairs of findings, looked for when somebody asks for them, and remembered with the snapshot.

use std::sync::{Mutex, OnceLock, PoisonError};

use super::snapshot::Snapshot;
use crate::check::Analysis;
use crate::finding::{Finding, Fix};
use crate::fix::Applicability;
use crate::repair::{self, Workshop};
use crate::text::{SourceText, Span};

/// Texts that are checked to answer one request.
const MAX_TRIES: usize = 32;

/// What was found for the findings that were asked about.
#[derive(Debug, Default)]
pub struct Repairs {
    /// What a whole check of the document comes to: what is compared with.
    before: OnceLock<Analysis>,
    known: Mutex<Vec<Known>>,
}

/// The repair of a finding, if there is one.
#[derive(Debug)]
struct Known {
    rule: &'static str,
    span: Span,
    fix: Option<Fix>,
}

impl Snapshot {
    /// The rewrites of findings: those that they carry, and repairs that a check confirms.
    pub fn rewrites<'f>(
        &self,
        findings: &[&'f Finding],
        is_cancelled: &dyn Fn() -> bool,
    ) -> Vec<(&'f Finding, Fix)> {
        let check = |source: &SourceText| self.check_text(source);
        let mut workshop = Workshop::new(&check, self.language(), MAX_TRIES);
        let mut all = Vec::new();
        for &finding in findings {
            let fix = match &finding.fix {
                Some(fix) => Some(fix.clone()),
                None if is_cancelled() || !repair::proposes(finding.name) => None,
                None => self.repair(finding, &mut workshop),
            };
            all.extend(fix.map(|fix| (finding, fix)));
        }
        all
    }

    fn repair(&self, finding: &Finding, workshop: &mut Workshop) -> Option<Fix> {
        let is_same = |known: &&Known| known.rule == finding.name && known.span == finding.span;
        let known = self
            .repairs
            .known
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = known.iter().find(is_same) {
            return known.fix.clone();
        }
        drop(known);
        let source = &self.unit.own;
        let before = self.repairs.before.get_or_init(|| self.check_text(source));
        let mut findings = before.findings.iter();
        let own = findings.find(|it| it.name == finding.name && it.span == finding.span)?;
        let (repair, _) = workshop.repair(source, before, own, Applicability::Unsafe);
        let fix = repair.map(|repair| repair.fix);
        // What ran out of tries may still be found by the next request.
        if fix.is_some() || !workshop.is_exhausted() {
            let mut known = self
                .repairs
                .known
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            known.push(Known {
                rule: finding.name,
                span: finding.span,
                fix: fix.clone(),
            });
        }
        fix
    }

    /// The text after all that can be fixed safely.
    pub fn fixed_text(&self) -> String {
        let check = |source: &SourceText| self.check_text(source);
        let outcome =
            repair::fix_file(&self.unit.own, self.language(), Applicability::Safe, &check);
        outcome.fixed.text
    }
}
