//! Fixes of findings, looked for and judged when an editor asks for them, and remembered with the snapshot.

use std::sync::{Mutex, OnceLock, PoisonError};

use super::Snapshot;
use a2lint_ir::finding::{Finding, Fix};
use a2lint_lint::check::Analysis;
use a2lint_lint::repair::{self, Price, Prices, Workshop};
use a2lint_rules::fix::Applicability;
use a2lint_source::text::{SourceText, Span};

/// Texts that are checked to answer one request.
const MAX_TRIES: usize = 32;

/// What was found for the findings that were asked about.
#[derive(Debug, Default)]
pub struct Repairs {
    /// What a whole check of the document comes to: what is compared with.
    before: OnceLock<Analysis>,
    /// The text after all safe rewrites that findings carry, if a check confirms them.
    carried: OnceLock<Option<SourceText>>,
    known: Mutex<Vec<Known>>,
}

/// What is offered for a finding, if there is something.
#[derive(Debug)]
struct Known {
    rule: &'static str,
    span: Span,
    offer: Option<Offer>,
}

/// A rewrite of the text.
#[derive(Clone, Debug)]
pub struct Offer {
    /// The edit.
    pub fix: Fix,
    /// What it costs on the device, where that is known.
    pub price: Option<Price>,
}

impl Snapshot {
    /// The rewrites of findings: those that they carry, and repairs. Those that a check confirms are safe.
    pub fn rewrites<'f>(
        &self,
        findings: &[&'f Finding],
        is_cancelled: &dyn Fn() -> bool,
    ) -> Vec<(&'f Finding, Offer)> {
        let check = |source: &SourceText| self.check_text(source);
        let settings = self.settings_of_text();
        let prices = Prices::of(&settings);
        let workshop = Workshop::new(&check, self.language(), MAX_TRIES);
        let mut workshop = workshop.with_prices(Some(prices));
        let mut all = Vec::new();
        for &finding in findings {
            let claims_safe = finding.fix.as_ref().is_some_and(|fix| fix.safe);
            let is_open = claims_safe || finding.fix.is_none() && repair::proposes(finding.name);
            let offer = match (&finding.fix, self.known_offer(finding)) {
                (_, Some(known)) => known,
                (Some(fix), None) if !is_open => Some(self.carried(finding, fix, prices)),
                _ if is_cancelled() || !is_open => None,
                _ => self.repair(finding, &mut workshop),
            };
            all.extend(offer.map(|offer| (finding, offer)));
        }
        all
    }

    /// What was offered for a finding before.
    fn known_offer(&self, finding: &Finding) -> Option<Option<Offer>> {
        let known = &self.repairs.known;
        let known = known.lock().unwrap_or_else(PoisonError::into_inner);
        let is_same = |known: &&Known| known.rule == finding.name && known.span == finding.span;
        known.iter().find(is_same).map(|known| known.offer.clone())
    }

    fn remember(&self, finding: &Finding, offer: Option<Offer>) {
        let known = &self.repairs.known;
        let mut known = known.lock().unwrap_or_else(PoisonError::into_inner);
        known.push(Known {
            rule: finding.name,
            span: finding.span,
            offer,
        });
    }

    /// The rewrite that a finding carries and that no check confirms, with its price.
    fn carried(&self, finding: &Finding, fix: &Fix, prices: Prices) -> Offer {
        let price = prices.of_fix(&self.map.own, self.module(), finding, fix);
        let fix = Fix {
            safe: false,
            ..fix.clone()
        };
        let offer = Offer { fix, price };
        self.remember(finding, Some(offer.clone()));
        offer
    }

    fn repair(&self, finding: &Finding, workshop: &mut Workshop) -> Option<Offer> {
        let (source, before) = (&self.map.own, self.checked());
        let mut findings = before.findings.iter();
        let own = findings.find(|it| it.name == finding.name && it.span == finding.span)?;
        let (repair, _) = workshop.repair(source, before, own, Applicability::Unsafe);
        let offer = repair.map(|repair| Offer {
            fix: repair.fix,
            price: repair.price,
        });
        let offer = offer.or_else(|| {
            let fix = own.fix.clone()?;
            let fix = Fix { safe: false, ..fix };
            Some(Offer { fix, price: None })
        });
        // What ran out of tries may still be found by the next request.
        if offer.is_some() || !workshop.is_exhausted() {
            self.remember(finding, offer.clone());
        }
        offer
    }

    /// What a whole check of the document finds.
    fn checked(&self) -> &Analysis {
        let before = &self.repairs.before;
        before.get_or_init(|| self.check_text(&self.map.own))
    }

    /// The text after all safe rewrites that findings carry, if a check confirms them.
    pub fn carried_text(&self) -> Option<&SourceText> {
        let check = |source: &SourceText| self.check_text(source);
        let (own, language) = (&self.map.own, self.language());
        let carried = || repair::carried(own, language, self.checked(), &check);
        self.repairs.carried.get_or_init(carried).as_ref()
    }

    /// The text after all that can be fixed safely.
    pub fn fixed_text(&self) -> String {
        let check = |source: &SourceText| self.check_text(source);
        let (own, language) = (&self.map.own, self.language());
        let outcome = repair::fix_file(own, language, Applicability::Safe, &check, None);
        outcome.fixed.text
    }
}
