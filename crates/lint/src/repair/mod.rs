//! Fixes: carried by findings or proposed here, applied to the text and judged by a check of the result.
//!
//! A rule or a proposal states what the author may have meant (`proposals`); it does not have to know whether that is
//! right. The engine applies the edit and checks the text, and a judge compares both checks (`judge`). A proposal is
//! offered if the finding is gone and nothing else is worse. A fix of either kind is safe if it cannot change what
//! the kernel is meant to compute, everything proved stays proved, and the property that the finding concerns is then
//! proved. The cost model measures what a fix of synchronisation costs (`price`).

mod confirm;
mod judge;
mod lifted;
mod price;
mod proposals;
mod scene;

use rustc_hash::FxHashSet;

use crate::check::{Analysis, groups};
use a2lint_frontend as frontend;
use a2lint_ir::finding::{Edit, Finding, Fix};
use a2lint_rules::fix::{Applicability, Done, Fixed, apply, is_sound};
use a2lint_source::language::Language;
use a2lint_source::text::SourceText;

pub use confirm::{MAX_CLAIMS, carried, confirm};
use judge::{Removal, Ruling, Version};
pub use price::{Price, Prices};
pub use proposals::proposes;
use scene::Scene;

/// Number of texts that are checked for the fixes of one file. Findings that are not reached stay unfixed.
pub const MAX_TRIES: usize = 400;

/// Number of candidates tried per finding, separately for those that keep the author's meaning and for others.
const MAX_CANDIDATES: usize = 48;

/// Number of candidates tried after the first that works, in search of one with more proofs.
const TRIES_FOR_MORE: usize = 3;

/// Number of texts that are checked to count the findings that only an unsafe fix would remove.
const TRIES_FOR_UNSAFE: usize = 12;

/// Number of texts of a file after which fixing stops, since fixes may undo each other.
const MAX_ROUNDS: usize = 16;

/// The code prefix of rules about synchronisation, whose fixes have a price and concern order and progress.
const SYNCHRONISATION: &str = "SYN";

/// An edit that the author may have meant.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The description of the edit for the user.
    pub title: String,
    /// The replacements.
    pub edits: Vec<Edit>,
    /// The effect on the result of the kernel.
    pub effect: Effect,
}

/// The effect of an edit on the result of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// The result may change.
    Guess,
    /// The result stays the same; only synchronisation changes.
    Order,
    /// The result stays the same according to the rule of the finding.
    Carried,
}

/// A candidate that was applied and checked, and is a repair.
#[derive(Debug)]
pub struct Repair {
    /// The fix.
    pub fix: Fix,
    /// The text after the fix.
    pub text: SourceText,
    /// The result of checking that text.
    pub analysis: Analysis,
    /// The price of the fix, if it was requested and is known.
    pub price: Option<Price>,
}

/// The function that checks a text.
pub type Check<'a> = &'a dyn Fn(&SourceText) -> Analysis;

/// Searches for repairs within a limit of checks.
pub struct Workshop<'a> {
    check: Check<'a>,
    language: Language,
    /// Number of checks left.
    tries: usize,
    /// Estimates what repairs cost on the device; `None` if no prices were requested.
    prices: Option<Prices<'a>>,
    /// Texts that were judged not to be better.
    refused: FxHashSet<String>,
}

impl<'a> Workshop<'a> {
    /// Creates a workshop that may check `tries` texts.
    pub fn new(check: Check<'a>, language: Language, tries: usize) -> Self {
        Workshop {
            check,
            language,
            tries,
            prices: None,
            refused: FxHashSet::default(),
        }
    }

    /// Sets the estimator of what repairs cost on the device; with `None`, repairs have no price.
    pub fn with_prices(self, prices: Option<Prices<'a>>) -> Self {
        Workshop { prices, ..self }
    }

    /// Returns whether no checks are left, so that repairs may have been missed.
    pub fn is_exhausted(&self) -> bool {
        self.tries == 0
    }

    /// Returns the best repair of a finding with the wanted applicability: its carried fix or a proposal. The flag is
    /// whether only an unsafe repair is known. Candidates that may change the result are only tried if unsafe repairs
    /// are wanted.
    pub fn repair(
        &mut self,
        source: &SourceText,
        analysis: &Analysis,
        finding: &Finding,
        wanted: Applicability,
    ) -> (Option<Repair>, bool) {
        let Some(scene) = Scene::of(source, analysis, finding, self.language) else {
            return (None, false);
        };
        let (guesses, keeping) = candidates(&scene)
            .into_iter()
            .partition(|candidate| candidate.effect == Effect::Guess);
        let mut best = self.best(&scene, keeping);
        if best.is_none() && wanted == Applicability::Unsafe {
            best = self.best(&scene, guesses);
        }
        let is_known = best.is_some();
        match best.filter(|best| wanted.admits(&best.fix)) {
            Some(best) => (Some(self.priced(&scene, best)), false),
            None => (None, is_known),
        }
    }

    /// Returns whether some candidate that may change the result removes a finding.
    fn has_guess(&mut self, source: &SourceText, analysis: &Analysis, finding: &Finding) -> bool {
        let scene = Scene::of(source, analysis, finding, self.language);
        scene.is_some_and(|scene| {
            let mut guesses = candidates(&scene);
            guesses.retain(|candidate| candidate.effect == Effect::Guess);
            let mut guesses = guesses.into_iter().take(MAX_CANDIDATES);
            guesses.any(|guess| self.tries > 0 && self.tried(&scene, guess).is_some())
        })
    }

    /// Returns the repair with the best ruling; of equal ones, the most likely candidate. Only a few candidates are
    /// tried after the first that works, and none after one that leaves nothing to prove.
    fn best(&mut self, scene: &Scene, candidates: Vec<Candidate>) -> Option<Repair> {
        let mut best: Option<(Ruling, Repair)> = None;
        let mut more = TRIES_FOR_MORE;
        for candidate in candidates.into_iter().take(MAX_CANDIDATES) {
            if self.tries == 0 || best.is_some() && more == 0 {
                break;
            }
            more -= usize::from(best.is_some());
            let Some((ruling, repair)) = self.tried(scene, candidate) else {
                continue;
            };
            if best.as_ref().is_none_or(|(known, _)| ruling > *known) {
                let is_last = repair.fix.safe && ruling.is_whole;
                best = Some((ruling, repair));
                if is_last {
                    break;
                }
            }
        }
        best.map(|(_, repair)| repair)
    }

    /// Adds to a repair its price: the estimated change of the time of the kernel on the device.
    fn priced(&self, scene: &Scene, repair: Repair) -> Repair {
        let price = self.prices.and_then(|prices| {
            let (before, after) = (scene.analysis, &repair.analysis);
            prices.difference(scene.finding, before, after)
        });
        Repair { price, ..repair }
    }

    /// Applies and checks a candidate; `None` if it is no repair.
    fn tried(&mut self, scene: &Scene, candidate: Candidate) -> Option<(Ruling, Repair)> {
        let Candidate {
            title,
            edits,
            effect,
        } = candidate;
        let fix = Fix {
            title,
            safe: false,
            edits,
        };
        let text = apply(scene.source.as_str(), &fix.edits);
        if text == scene.source.as_str() || self.refused.contains(&text) {
            return None;
        }
        let before = Version {
            source: scene.source,
            analysis: scene.analysis,
        };
        let removal = match effect {
            Effect::Guess | Effect::Carried => Removal::carried(scene.finding),
            Effect::Order => Removal {
                finding: scene.finding,
                reorders: true,
            },
        };
        let (mut ruling, tried) = match self.judged(before, &[removal], text) {
            Ok(judged) => judged,
            Err(text) => {
                self.refused.insert(text);
                return None;
            }
        };
        ruling.is_confirmed &= effect != Effect::Guess;
        let repair = Repair {
            fix: Fix {
                safe: ruling.is_confirmed,
                ..fix
            },
            text: tried.source,
            analysis: tried.analysis,
            price: None,
        };
        Some((ruling, repair))
    }

    /// Checks a new text that is meant to remove findings. Returns the text as the error if it is not better than
    /// before.
    fn judged(
        &mut self,
        before: Version,
        removed: &[Removal],
        text: String,
    ) -> Result<(Ruling, Tried), String> {
        let source = SourceText::new(text.as_str());
        let errors = |source: &SourceText| frontend::syntax_errors(source, self.language);
        // Parsing is cheap, so texts with new syntax errors use up no check.
        if errors(&source) > errors(before.source) {
            return Err(text);
        }
        self.tries = self.tries.saturating_sub(1);
        let analysis = (self.check)(&source);
        let tried = Tried { source, analysis };
        match judge::rule_on(before, removed, tried.version(), self.language) {
            Some(ruling) => Ok((ruling, tried)),
            None => Err(text),
        }
    }
}

/// A text that was tried, with the result of its check.
struct Tried {
    source: SourceText,
    analysis: Analysis,
}

impl Tried {
    fn version(&self) -> Version<'_> {
        Version {
            source: &self.source,
            analysis: &self.analysis,
        }
    }
}

/// Returns the candidates for a finding: its carried fix, then proposals, most likely first. DSL names of proposals
/// are adapted to the file's imports.
fn candidates(scene: &Scene) -> Vec<Candidate> {
    let carried = scene.finding.fix.iter().map(|fix| Candidate {
        title: fix.title.clone(),
        edits: fix.edits.clone(),
        effect: match fix.safe {
            true => Effect::Carried,
            false => Effect::Guess,
        },
    });
    let proposed = proposals::of(scene).into_iter();
    let spelled = proposed.filter_map(|candidate| {
        let edits = scene.spelled(candidate.edits)?;
        Some(Candidate { edits, ..candidate })
    });
    let sound = |candidate: &Candidate| is_sound(scene.source, &candidate.edits);
    carried.chain(spelled).filter(sound).collect()
}

/// The outcome of fixing a file.
#[derive(Debug)]
pub struct Outcome {
    /// The new text, and the list of fixes.
    pub fixed: Fixed,
    /// Number of remaining findings with a known unsafe fix.
    pub unsafe_left: usize,
    /// Number of all remaining findings; those with one cause count once.
    pub left: usize,
    /// Whether the limit of checks ended the search for repairs.
    pub is_exhausted: bool,
}

/// Fixes a file: applies carried fixes, all at once where a check confirms that, and repairs. `prices` computes the
/// cost of each repair.
pub fn fix_file(
    source: &SourceText,
    language: Language,
    applicability: Applicability,
    check: Check,
    prices: Option<Prices>,
) -> Outcome {
    let mut workshop = Workshop::new(check, language, MAX_TRIES).with_prices(prices);
    let mut now = Tried {
        source: source.clone(),
        analysis: check(source),
    };
    let mut done = Vec::new();
    let mut seen = FxHashSet::default();
    loop {
        let is_new = seen.insert(now.source.as_str().to_owned()) && seen.len() <= MAX_ROUNDS;
        if let Some((made, next)) = is_new
            .then(|| all_carried(&mut workshop, &now, applicability))
            .flatten()
        {
            done.extend(made);
            now = next;
            continue;
        }
        let (repaired, unsafe_left) = next_repair(&mut workshop, &now, applicability);
        let Some((made, repair)) = repaired else {
            let text = now.source.as_str().to_owned();
            return Outcome {
                fixed: Fixed { text, done },
                unsafe_left,
                left: groups(&now.analysis.findings).len(),
                is_exhausted: workshop.is_exhausted(),
            };
        };
        done.push(made);
        now = Tried {
            source: repair.text,
            analysis: repair.analysis,
        };
    }
}

/// Applies all compatible carried fixes. Safe ones must be confirmed together; unsafe ones are applied because the
/// user asked for them.
fn all_carried(
    workshop: &mut Workshop,
    now: &Tried,
    applicability: Applicability,
) -> Option<(Vec<Done>, Tried)> {
    let carry = |finding: &&Finding| {
        let fix = finding.fix.as_ref();
        finding.elsewhere.is_none() && fix.is_some_and(|fix| applicability.admits(fix))
    };
    let findings: Vec<&Finding> = now.analysis.findings.iter().filter(carry).collect();
    let together = workshop.together(now.version(), &findings)?;
    if together.ruling.is_none_or(|ruling| !ruling.is_confirmed)
        && applicability == Applicability::Safe
    {
        return None;
    }
    let is_confirmed = together.ruling.is_some_and(|ruling| ruling.is_confirmed);
    let made = together.removed.iter().filter_map(|finding| {
        let fix = finding.fix.as_ref()?;
        let mut done = Done::of(&now.source, finding, fix);
        done.safe = fix.safe && is_confirmed;
        let price = workshop
            .prices
            .and_then(|prices| prices.of_fix(&now.source, &now.analysis.module, finding, fix));
        done.cost = price.map(|price| price.describe());
        Some(done)
    });
    Some((made.collect(), together.tried))
}

/// Returns the first finding that can be repaired, with its repair, or else the number of findings with an unsafe
/// fix.
fn next_repair(
    workshop: &mut Workshop,
    now: &Tried,
    applicability: Applicability,
) -> (Option<(Done, Repair)>, usize) {
    let (source, analysis) = (&now.source, &now.analysis);
    let mut others = Vec::new();
    let mut unsafe_left = 0;
    for finding in &analysis.findings {
        let (repair, is_known) = workshop.repair(source, analysis, finding, applicability);
        if let Some(repair) = repair {
            let mut done = Done::of(source, finding, &repair.fix);
            done.cost = repair.price.as_ref().map(Price::describe);
            return (Some((done, repair)), 0);
        }
        match is_known || finding.fix.is_some() {
            true => unsafe_left += 1,
            false => others.push(finding),
        }
        if workshop.is_exhausted() {
            break;
        }
    }
    let mut guesses = Workshop::new(workshop.check, workshop.language, TRIES_FOR_UNSAFE);
    let guessed = others
        .into_iter()
        .filter(|finding| guesses.has_guess(source, analysis, finding));
    (None, unsafe_left + guessed.count())
}
