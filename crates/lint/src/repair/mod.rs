//! Fixes: rewrites that findings carry and proposals, tried on the text and judged by a check of it.
//!
//! A rule or a proposal says what an author may have meant (`proposals`); whether it is right is not for
//! it to know. The engine applies it, checks the result, and a judge compares (`judge`). A proposal is offered
//! if the finding is gone and nothing else got worse. A fix of either kind is safe if it cannot have changed
//! what the kernel is meant to compute, what was proved stays proved, and the property that the finding speaks
//! against is then proved. What a fix of synchronisation costs says the cost model (`price`).

mod confirm;
mod judge;
mod lifted;
mod price;
mod proposals;
mod scene;

use rustc_hash::FxHashSet;

use crate::check::Analysis;
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

/// Texts that are checked for the fixes of one file; what is left after them keeps its findings.
pub const MAX_TRIES: usize = 400;

/// Candidates of a kind that are tried for one finding: those that keep the author's meaning, and others.
const MAX_CANDIDATES: usize = 48;

/// Candidates that are tried after one that works, for one of which more is proved.
const TRIES_FOR_MORE: usize = 3;

/// Texts that are checked to say how many findings an unsafe fix would remove, where none is asked for.
const TRIES_FOR_UNSAFE: usize = 12;

/// Texts of a file after which fixes that undo each other are given up.
const MAX_ROUNDS: usize = 16;

/// Rules about who waits for whom: their fixes have a price, and are about order and progress.
const SYNCHRONISATION: &str = "SYN";

/// An edit that an author may have meant.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// What it does.
    pub title: String,
    /// Replacements.
    pub edits: Vec<Edit>,
    /// What it may do to what the kernel computes.
    pub effect: Effect,
}

/// What an edit may do to what a kernel computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// It may change it.
    Guess,
    /// It leaves it alone, and only says what comes after what.
    Order,
    /// It leaves it alone, as the rule says whose finding carries it.
    Carried,
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

    /// The best repair of a finding that is as safe as is asked for: the rewrite that the finding carries, or
    /// a proposal. What is found beside it is whether there is one if unsafe ones were asked for; candidates
    /// that may change what is computed are tried for that only where they are asked for.
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

    /// Whether a candidate that may change what is computed removes a finding.
    fn has_guess(&mut self, source: &SourceText, analysis: &Analysis, finding: &Finding) -> bool {
        let scene = Scene::of(source, analysis, finding, self.language);
        scene.is_some_and(|scene| {
            let mut guesses = candidates(&scene);
            guesses.retain(|candidate| candidate.effect == Effect::Guess);
            let mut guesses = guesses.into_iter().take(MAX_CANDIDATES);
            guesses.any(|guess| self.tries > 0 && self.tried(&scene, guess).is_some())
        })
    }

    /// The candidate of which most is proved, the likeliest of those. A few are tried after the first that
    /// works; none after one that leaves nothing to prove.
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

    /// A repair with what it costs.
    fn priced(&self, scene: &Scene, repair: Repair) -> Repair {
        let price = self.prices.and_then(|prices| {
            let (before, after) = (scene.analysis, &repair.analysis);
            prices.difference(scene.finding, before, after)
        });
        Repair { price, ..repair }
    }

    /// A candidate that turns out to be a repair, with what a check says of it.
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

    /// Checks a new text that is to remove some findings; the text itself where it is not better.
    fn judged(
        &mut self,
        before: Version,
        removed: &[Removal],
        text: String,
    ) -> Result<(Ruling, Tried), String> {
        let source = SourceText::new(text.as_str());
        let errors = |source: &SourceText| frontend::syntax_errors(source, self.language);
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

/// A text that was tried, with what a check found in it.
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

/// What may remove a finding: the rewrite that it carries, then proposals, the likeliest first. All of them
/// spell names of the DSL as the file does.
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

/// Fixes a file: rewrites that findings carry, all of them at once where that is as good, and repairs that a
/// check of the text confirms. `prices` says what each of them costs.
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

/// The text with all rewrites that findings carry and that can be made together. Safe ones have to be
/// confirmed together; unsafe ones are made because they are asked for.
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

/// The first finding that can be repaired, with the text then; where there is none, for how many
/// there would be an unsafe fix.
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
