//! Repairs: edits that are tried on the text and offered only if a check of the new text is better.
//!
//! A proposal says what an author may have meant (`proposals`); whether it is right is not for the
//! proposal to know. The engine applies it, checks the result, and keeps it if the finding is gone
//! and nothing else got worse (`judge`). It is safe if the property that the finding speaks against
//! is then proved and the proposal cannot have changed what the kernel is meant to compute. What a
//! repair of synchronisation costs says the cost model (`price`).

mod judge;
mod price;
mod proposals;
mod scene;

use rustc_hash::FxHashSet;

use crate::check::Analysis;
use crate::finding::{Edit, Finding, Fix};
use crate::fix::{Applicability, Done, Fixed, apply, fix_all, is_sound};
use crate::frontend;
use crate::language::Language;
use crate::text::SourceText;

pub use price::{Price, Prices};
pub use proposals::proposes;
use scene::Scene;

/// Texts that are checked for the repairs of one file; what is left after them keeps its findings.
pub const MAX_TRIES: usize = 400;

/// Candidates that are tried for one finding.
const MAX_CANDIDATES: usize = 48;

/// Candidates that are tried after one that works, for one that is safe.
const TRIES_FOR_SAFE: usize = 2;

/// An edit that an author may have meant.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    /// What it does.
    pub title: String,
    /// Replacements.
    pub edits: Vec<Edit>,
    /// Whether it leaves alone what the kernel computes, and only says what comes after what.
    pub keeps_meaning: bool,
}

/// A repair that has been tried.
#[derive(Debug)]
pub struct Repair {
    /// The edit.
    pub fix: Fix,
    /// The text with it.
    pub text: SourceText,
    /// What a check of that text finds.
    pub analysis: Analysis,
    /// What it costs, if that was asked and is known.
    pub price: Option<Price>,
}

/// How texts are checked.
pub type Check<'a> = &'a dyn Fn(&SourceText) -> Analysis;

/// Looks for repairs within a number of tries.
pub struct Workshop<'a> {
    check: Check<'a>,
    language: Language,
    /// Checks that may still be made.
    tries: usize,
    /// Says what repairs cost.
    prices: Option<Prices<'a>>,
    /// Texts that have been refused.
    refused: FxHashSet<String>,
}

impl<'a> Workshop<'a> {
    /// One that may check so many texts.
    pub fn new(check: Check<'a>, language: Language, tries: usize) -> Self {
        Workshop {
            check,
            language,
            tries,
            prices: None,
            refused: FxHashSet::default(),
        }
    }

    /// One that says what repairs cost.
    pub fn with_prices(self, prices: Option<Prices<'a>>) -> Self {
        Workshop { prices, ..self }
    }

    /// Whether there are no tries left: more repairs may exist than were found.
    pub fn is_exhausted(&self) -> bool {
        self.tries == 0
    }

    /// The first repair of a finding that is as safe as is asked for. What is found beside it is a
    /// repair that would do if unsafe ones were asked for.
    pub fn repair(
        &mut self,
        source: &SourceText,
        analysis: &Analysis,
        finding: &Finding,
        wanted: Applicability,
    ) -> (Option<Repair>, bool) {
        let Some(scene) = Scene::of(source, analysis, finding) else {
            return (None, false);
        };
        let mut other: Option<Repair> = None;
        let mut after_first = TRIES_FOR_SAFE;
        for candidate in proposals::of(&scene).into_iter().take(MAX_CANDIDATES) {
            if other.is_some() {
                if after_first == 0 {
                    break;
                }
                after_first -= 1;
            }
            match self.tried(&scene, candidate) {
                Some(repair) if repair.fix.safe => {
                    return (Some(self.priced(&scene, repair)), false);
                }
                Some(repair) if other.is_none() => other = Some(repair),
                _ => {}
            }
            if self.tries == 0 {
                break;
            }
        }
        match wanted {
            Applicability::Unsafe => {
                let other = other.map(|repair| self.priced(&scene, repair));
                (other, false)
            }
            Applicability::Safe => (None, other.is_some()),
        }
    }

    /// A repair with what it costs.
    fn priced(&self, scene: &Scene, repair: Repair) -> Repair {
        let price = self.prices.and_then(|prices| {
            let (before, after) = (scene.analysis, &repair.analysis);
            prices.difference(scene.finding, before, after)
        });
        Repair { price, ..repair }
    }

    /// A candidate that turns out to be a repair.
    fn tried(&mut self, scene: &Scene, candidate: Candidate) -> Option<Repair> {
        let Candidate {
            title,
            edits,
            keeps_meaning,
        } = candidate;
        let fix = Fix {
            title,
            safe: false,
            edits,
        };
        if !is_sound(scene.source, &fix) {
            return None;
        }
        let text = apply(scene.source.as_str(), &fix.edits);
        if text == scene.source.as_str() || self.refused.contains(&text) {
            return None;
        }
        let source = SourceText::new(text.as_str());
        let errors = |source: &SourceText| frontend::syntax_errors(source, self.language);
        if errors(&source) > errors(scene.source) {
            return None;
        }
        self.tries = self.tries.saturating_sub(1);
        let analysis = (self.check)(&source);
        if !judge::is_better(scene, &analysis) {
            self.refused.insert(text);
            return None;
        }
        let safe = keeps_meaning && judge::is_proved(scene, &analysis);
        Some(Repair {
            fix: Fix { safe, ..fix },
            text: source,
            analysis,
            price: None,
        })
    }
}

/// What fixing a file came to.
#[derive(Debug)]
pub struct Outcome {
    /// The text, and what was done to it.
    pub fixed: Fixed,
    /// Findings that are left for which an unsafe fix is known.
    pub unsafe_left: usize,
    /// Whether the tries did not suffice to look for every repair.
    pub is_exhausted: bool,
}

/// Fixes a file: the rewrites that rules are sure of, and repairs that a check of the text
/// confirms. `prices` says what each of them costs.
pub fn fix_file(
    source: &SourceText,
    language: Language,
    applicability: Applicability,
    check: Check,
    prices: Option<Prices>,
) -> Outcome {
    let mut workshop = Workshop::new(check, language, MAX_TRIES).with_prices(prices);
    let mut source = source.clone();
    let mut analysis = check(&source);
    let mut done = Vec::new();
    loop {
        let mut fixes = analysis.findings.iter().filter_map(|it| it.fix.as_ref());
        if fixes.any(|fix| applicability.admits(fix)) {
            let findings_of = |source: &SourceText| check(source).findings;
            let syntax_errors = |source: &SourceText| frontend::syntax_errors(source, language);
            let mut ready = fix_all(&source, applicability, findings_of, syntax_errors);
            if !ready.done.is_empty() {
                if let Some(prices) = prices {
                    price_ready(prices, &source, &analysis, &mut ready.done);
                }
                done.extend(ready.done);
                source = SourceText::new(ready.text);
                analysis = check(&source);
            }
        }
        let (repaired, unsafe_left) = next_repair(&mut workshop, &source, &analysis, applicability);
        let Some((made, repair)) = repaired else {
            let text = source.as_str().to_owned();
            return Outcome {
                fixed: Fixed { text, done },
                unsafe_left,
                is_exhausted: workshop.is_exhausted(),
            };
        };
        done.push(made);
        (source, analysis) = (repair.text, repair.analysis);
    }
}

/// Says of rewrites that findings carry what each of them costs by itself.
fn price_ready(prices: Prices, source: &SourceText, analysis: &Analysis, done: &mut [Done]) {
    for finding in &analysis.findings {
        let Some(fix) = &finding.fix else { continue };
        let made = Done::of(source, finding, fix);
        if let Some(done) = done.iter_mut().find(|it| **it == made) {
            let price = prices.of_fix(source, &analysis.module, finding, fix);
            done.cost = price.map(|price| price.describe());
        }
    }
}

/// The first finding that can be repaired, with the text then; where there is none, for how many
/// there would be an unsafe fix.
fn next_repair(
    workshop: &mut Workshop,
    source: &SourceText,
    analysis: &Analysis,
    applicability: Applicability,
) -> (Option<(Done, Repair)>, usize) {
    let mut unsafe_left = 0;
    for finding in &analysis.findings {
        if let Some(fix) = &finding.fix
            && !applicability.admits(fix)
        {
            unsafe_left += 1;
            continue;
        }
        match workshop.repair(source, analysis, finding, applicability) {
            (Some(repair), _) => {
                let mut done = Done::of(source, finding, &repair.fix);
                done.cost = repair.price.as_ref().map(Price::describe);
                return (Some((done, repair)), 0);
            }
            (None, is_known) => unsafe_left += usize::from(is_known),
        }
        if workshop.is_exhausted() {
            break;
        }
    }
    (None, unsafe_left)
}
