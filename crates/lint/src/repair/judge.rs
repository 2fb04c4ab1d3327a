//! The judge of fixes: decides whether a new text is better than the old one, and whether the fix is safe. The same
//! criteria apply to carried fixes and to proposals.

use rustc_hash::FxHashMap;

use crate::check::Analysis;
use a2lint_ir::finding::Finding;
use a2lint_ir::verdict::{Property, Status, Verdict, Verdicts};
use a2lint_prove::Proof;
use a2lint_rules as rules;
use a2lint_rules::suppress::Layout;
use a2lint_source::language::Language;
use a2lint_source::text::{SourceText, Span};

/// The key by which findings are counted: rule and kernel, since spans move with every edit.
type Key<'a> = (&'static str, Option<&'a str>);

/// A text with the result of its check.
#[derive(Clone, Copy)]
pub(super) struct Version<'a> {
    pub source: &'a SourceText,
    /// The result of its check.
    pub analysis: &'a Analysis,
}

/// A finding that a fix is meant to remove.
#[derive(Clone, Copy)]
pub(super) struct Removal<'a> {
    pub finding: &'a Finding,
    /// Whether the fix changes the order of accesses.
    pub reorders: bool,
}

impl<'a> Removal<'a> {
    /// Returns the removal of a finding by a carried fix. Only fixes of rules about synchronisation change the order of
    /// accesses.
    pub fn carried(finding: &'a Finding) -> Self {
        let rule = rules::find(finding.name);
        let reorders = rule.is_none_or(|rule| rule.group().prefix == super::SYNCHRONISATION);
        Removal { finding, reorders }
    }
}

/// The judgement on a fix that improves the text. The greater of two is that of the better fix.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Ruling {
    /// Whether the check confirms the fix as safe, provided it keeps the author's meaning: everything proved stays
    /// proved, the property that the finding concerns is proved, and no comment is lost.
    pub is_confirmed: bool,
    /// The sum of the ranks of all verdicts.
    known: usize,
    /// Whether all properties are proved in the kernels of the findings.
    pub is_whole: bool,
}

/// Judges a step from one version to the next that is meant to remove findings. `None` if the new version is not
/// better: a finding stays or is added, less is analysed, or a verdict is weaker.
pub(super) fn rule_on(
    before: Version,
    removed: &[Removal],
    after: Version,
    language: Language,
) -> Option<Ruling> {
    let is_better = removes(before.analysis, removed, after.analysis)
        && examines_as_much(before.analysis, after.analysis)
        && keeps_verdicts(before.analysis, after.analysis);
    is_better.then(|| {
        let ranks = after.analysis.verdicts();
        let ranks = ranks.flatten().map(|verdict| usize::from(rank(&verdict)));
        let proves = |wanted: &dyn Fn(&Removal) -> Vec<Property>| {
            let mut all = removed.iter();
            all.all(|removal| is_proved(removal.finding, &wanted(removal), after.analysis))
        };
        Ruling {
            is_confirmed: proves(&demanded)
                && keeps_proofs(before.analysis, after.analysis)
                && keeps_remarks(before.source, removed, after.source, language),
            known: ranks.sum(),
            is_whole: proves(&|_| Property::ALL.to_vec()),
        }
    })
}

/// Returns whether the findings are gone and no others were added.
fn removes(before: &Analysis, removed: &[Removal], after: &Analysis) -> bool {
    let (mut old, new) = (counts(before), counts(after));
    for removal in removed {
        let count = old.entry(key(removal.finding)).or_default();
        *count = count.saturating_sub(1);
    }
    let of = |key: &Key| old.get(key).copied().unwrap_or(0);
    new.iter().all(|(key, &count)| count <= of(key))
}

fn key(finding: &Finding) -> Key<'_> {
    (finding.name, finding.kernel.as_deref())
}

fn counts(analysis: &Analysis) -> FxHashMap<Key<'_>, usize> {
    let mut counts = FxHashMap::default();
    for finding in &analysis.findings {
        *counts.entry(key(finding)).or_default() += 1;
    }
    counts
}

/// Returns whether at least as much is analysed as before: kernels, the launches of their runs, and code that is
/// understood.
fn examines_as_much(before: &Analysis, after: &Analysis) -> bool {
    let unknown = |of: &Analysis| -> usize { of.records.iter().map(|it| it.unknown.len()).sum() };
    let gaps = |of: &Analysis| of.records.iter().filter(|it| it.gap().is_some()).count();
    let hidden = |of: &Analysis| -> usize { of.records.iter().map(|it| it.hidden.len()).sum() };
    let stores = |of: &Analysis| -> Vec<usize> {
        let programs = of.module.programs.iter();
        programs.map(|program| program.outputs.len()).collect()
    };
    after.kernels() == before.kernels()
        && after.not_analysed().len() <= before.not_analysed().len()
        && unknown(after) <= unknown(before)
        && gaps(after) <= gaps(before)
        && hidden(after) <= hidden(before)
        && stores(after) >= stores(before)
}

fn keeps_verdicts(before: &Analysis, after: &Analysis) -> bool {
    before.verdicts().zip(after.verdicts()).all(|(old, new)| {
        let mut pairs = old.iter().zip(&new);
        pairs.all(|(old, new)| rank(new) >= rank(old))
    })
}

/// Ranks a verdict by how much it says for its property.
fn rank(verdict: &Verdict) -> u8 {
    match &verdict.status {
        Status::Refuted { .. } => 0,
        Status::Undecided { .. } => 1,
        Status::Tested => 2,
        Status::Proved { under, .. } if !under.is_empty() => LEAST_PROVED,
        Status::Proved { .. } => LEAST_PROVED + 1,
    }
}

/// The lowest rank of a proved property, that of a proof under preconditions.
const LEAST_PROVED: u8 = 3;

/// Returns whether every proved property is still proved, under preconditions that are no stronger.
fn keeps_proofs(before: &Analysis, after: &Analysis) -> bool {
    let old = before.records.iter().zip(before.verdicts());
    let new = after.records.iter().zip(after.verdicts());
    old.zip(new).all(|((old, was), (new, is))| {
        Property::ALL.iter().all(|&property| {
            let at = property as usize;
            rank(&was[at]) < LEAST_PROVED
                || rank(&is[at]) >= LEAST_PROVED
                    && asks_no_more(old.proofs.get(property), new.proofs.get(property))
        })
    })
}

/// Returns whether the new proof holds for every launch for which the old one does.
fn asks_no_more(old: &Proof, new: &Proof) -> bool {
    match (old, new) {
        (
            Proof::Holds { under, assuming },
            Proof::Holds {
                under: new_under,
                assuming: new_assuming,
            },
        ) => {
            new_assuming.iter().all(|it| assuming.contains(it))
                && new_under
                    .iter()
                    .all(|it| under.iter().any(|old| old.implies(it)))
        }
        _ => false,
    }
}

/// Returns the properties that have to be proved after the removal of a finding: the one that it concerns. For
/// synchronisation, both order and progress: a kernel that waits for ever has no race, and one that never waits has
/// no deadlock.
fn demanded(removal: &Removal) -> Vec<Property> {
    let own = rules::property_of(removal.finding);
    let both = [Property::Order, Property::Progress];
    let is_one = own.is_some_and(|property| both.contains(&property));
    let order = both.into_iter().filter(|_| removal.reorders || is_one);
    order.chain(own).collect()
}

/// Returns whether properties are proved in every kernel of a finding.
fn is_proved(finding: &Finding, properties: &[Property], after: &Analysis) -> bool {
    if properties.is_empty() || finding.kernel.is_none() {
        return true;
    }
    let kernels = after.records.iter().zip(after.verdicts());
    let own: Vec<_> = kernels
        .filter(|(record, _)| finding.is_in(&record.name))
        .collect();
    let proves = |verdicts: &Verdicts| {
        let mut properties = properties.iter();
        properties.all(|&property| rank(&verdicts[property as usize]) >= LEAST_PROVED)
    };
    !own.is_empty() && own.iter().all(|(_, verdicts)| proves(verdicts))
}

/// Returns whether all comments and multi-line strings are kept, except for comments that the findings are about.
fn keeps_remarks(
    before: &SourceText,
    removed: &[Removal],
    after: &SourceText,
    language: Language,
) -> bool {
    let remarks = |source: &SourceText| {
        let layout = Layout::of(source.as_str(), language);
        let (comments, quoted) = (layout.comments, layout.quoted.into_iter());
        let long = quoted.filter(|span| source.slice(*span).contains('\n'));
        comments.into_iter().chain(long).collect::<Vec<Span>>()
    };
    let mut left: FxHashMap<&str, usize> = FxHashMap::default();
    for remark in remarks(after) {
        *left.entry(after.slice(remark)).or_default() += 1;
    }
    remarks(before).into_iter().all(|comment| {
        let mut findings = removed.iter().map(|removal| removal.finding);
        if findings.any(|finding| comment.touches(finding.span.start)) {
            return true;
        }
        match left.get_mut(before.slice(comment)) {
            Some(count) if *count > 0 => {
                *count -= 1;
                true
            }
            _ => false,
        }
    })
}
