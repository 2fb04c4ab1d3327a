//! Whether a text is better than the one before: a finding is gone, and nothing is lost for it.

use rustc_hash::FxHashMap;

use super::scene::Scene;
use crate::check::Analysis;
use crate::finding::Finding;
use crate::rules;
use crate::verdict::{Property, Status, Verdict};

/// What findings are counted by: places move with every edit.
type Key<'a> = (&'static str, Option<&'a str>);

/// Whether the finding is gone, no other came, everything is still looked at, and every property
/// has at least the verdict that it had.
pub(super) fn is_better(scene: &Scene, after: &Analysis) -> bool {
    let before = scene.analysis;
    let (old, new) = (counts(before), counts(after));
    let of = |counts: &FxHashMap<Key, usize>, key: &Key| counts.get(key).copied().unwrap_or(0);
    let target = key(scene.finding);
    let is_gone = of(&new, &target) < of(&old, &target);
    is_gone
        && new.iter().all(|(key, &count)| count <= of(&old, key))
        && looks_at_as_much(before, after)
        && keeps_verdicts(before, after)
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

/// Whether nothing got out of sight: kernels, what their launches run, code that is understood.
fn looks_at_as_much(before: &Analysis, after: &Analysis) -> bool {
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

/// How much a verdict says for a property.
fn rank(verdict: &Verdict) -> u8 {
    match &verdict.status {
        Status::Refuted { .. } => 0,
        Status::Undecided { .. } => 1,
        Status::Tested => 2,
        Status::Proved { under, .. } if !under.is_empty() => 3,
        Status::Proved { .. } => 4,
    }
}

/// Whether the property that the finding speaks against is now proved. What speaks against none is
/// only superfluous: then it is order that has to be known.
pub(super) fn is_proved(scene: &Scene, after: &Analysis) -> bool {
    let property = rules::find(scene.finding.name).and_then(|rule| rule.property);
    let property = property.unwrap_or(Property::Order);
    let kernels = after.records.iter().zip(after.verdicts());
    let mut own = kernels.filter(|(record, _)| scene.finding.is_in(&record.name));
    let is_proved = |verdicts: [Verdict; 8]| {
        let mut verdicts = verdicts.iter();
        verdicts.any(|it| it.property == property && rank(it) >= 3)
    };
    own.any(|(_, verdicts)| is_proved(verdicts))
}
