//! Fixes of findings. They are computed and checked when an editor asks for them, and cached in the snapshot.

use std::sync::{Mutex, OnceLock, PoisonError};

use super::Snapshot;
use a2lint_ir::finding::{Finding, Fix};
use a2lint_lint::check::Analysis;
use a2lint_lint::repair::{self, Price, Prices, Workshop};
use a2lint_rules::fix::Applicability;
use a2lint_source::text::{SourceText, Span};

/// Maximum number of texts that are checked for one request.
const MAX_TRIES: usize = 32;

/// The fixes that have been computed so far.
#[derive(Debug, Default)]
pub struct Repairs {
    /// The result of a full check of the document, with which the results of fixed texts are compared.
    before: OnceLock<Analysis>,
    /// The text after all safe fixes of findings are applied, if a check confirms it.
    carried: OnceLock<Option<SourceText>>,
    known: Mutex<Vec<Known>>,
}

/// The fix of a finding; `offer` is `None` if there is none.
#[derive(Debug)]
struct Known {
    rule: &'static str,
    span: Span,
    offer: Option<Offer>,
}

/// A fix that the editor offers.
#[derive(Clone, Debug)]
pub struct Offer {
    /// The edit.
    pub fix: Fix,
    /// The estimated change of the time on the device, if it is known.
    pub price: Option<Price>,
}

impl Snapshot {
    /// Returns the fixes of findings: those that the rules propose, and repairs. Fixes that a check confirms are
    /// marked safe.
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

    /// Returns the cached answer for a finding; `Some(None)` if it is known to have no fix.
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

    /// Returns the fix of a finding without checking it, marked unsafe, with its price.
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
        // If the limit on tries was the reason, the next request may still find a fix.
        if offer.is_some() || !workshop.is_exhausted() {
            self.remember(finding, offer.clone());
        }
        offer
    }

    /// Returns the result of a full check of the document.
    fn checked(&self) -> &Analysis {
        let before = &self.repairs.before;
        before.get_or_init(|| self.check_text(&self.map.own))
    }

    /// Returns the text after all safe fixes of findings are applied, if a check confirms it.
    pub fn carried_text(&self) -> Option<&SourceText> {
        let check = |source: &SourceText| self.check_text(source);
        let (own, language) = (&self.map.own, self.language());
        let carried = || repair::carried(own, language, self.checked(), &check);
        self.repairs.carried.get_or_init(carried).as_ref()
    }

    /// Returns the text after all safe fixes and repairs are applied.
    pub fn fixed_text(&self) -> String {
        let check = |source: &SourceText| self.check_text(source);
        let (own, language) = (&self.map.own, self.language());
        let outcome = repair::fix_file(own, language, Applicability::Safe, &check, None);
        outcome.fixed.text
    }
}
