//! The judge of fixes: whether a text is better than the one before, and whether a check of it confirms
//! that the fix is safe. The same rules hold for rewrites that findings carry and for proposals.

use rustc_hash::FxHashMap;

use crate::check::Analysis;
use a2lint_ir::finding::Finding;
use a2lint_ir::verdict::{Property, Status, Verdict, Verdicts};
use a2lint_prove::Proof;
use a2lint_rules as rules;
use a2lint_rules::suppress::Layout;
use a2lint_source::language::Language;
use a2lint_source::text::{SourceText, Span};

/// What findings are counted by: places move with every edit.
type Key<'a> = (&'static str, Option<&'a str>);

/// A text with what a check found in it.
#[derive(Clone, Copy)]
pub(super) struct Version<'a> {
    /// The text.
    pub source: &'a SourceText,
    /// What a check found.
    pub analysis: &'a Analysis,
}

/// A finding that a fix is to remove.
#[derive(Clone, Copy)]
pub(super) struct Removal<'a> {
    /// The finding.
    pub finding: &'a Finding,
    /// Whether the fix changes what comes after what.
    pub reorders: bool,
}

impl<'a> Removal<'a> {
    /// The removal of a finding by the rewrite that it carries.
    pub fn carried(finding: &'a Finding) -> Self {
        let rule = rules::find(finding.name);
        let reorders = rule.is_none_or(|rule| rule.group().prefix == super::SYNCHRONISATION);
        Removal { finding, reorders }
    }
}

/// What a check says of a fix that makes a text better. The greater of two is the better fix.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Ruling {
    /// Whether the check confirms that it is safe, if the fix keeps the author's meaning: what was proved
    /// stays proved, the property that the finding speaks against is proved, and no comment is lost.
    pub is_confirmed: bool,
    /// How much is known of the properties of all kernels, as the sum of the ranks of their verdicts.
    known: usize,
    /// Whether every property of every kernel that the findings are in is proved.
    pub is_whole: bool,
}

/// Rules on the step from one version to the next, which is to remove some findings. `None` where the new
/// version is not better: a finding stays or comes, something gets out of sight, or a verdict is weaker.
pub(super) fn rule_on(
    before: Version,
    removed: &[Removal],
    after: Version,
    language: Language,
) -> Option<Ruling> {
    let is_better = removes(before.analysis, removed, after.analysis)
        && looks_at_as_much(before.analysis, after.analysis)
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

/// Whether the findings are gone, and no other came.
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
        Status::Proved { under, .. } if !under.is_empty() => LEAST_PROVED,
        Status::Proved { .. } => LEAST_PROVED + 1,
    }
}

/// The rank of what is proved under preconditions.
const LEAST_PROVED: u8 = 3;

/// Whether every property that was proved is proved under preconditions that are no stronger.
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

/// Whether a proof holds in every launch in which another one does.
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

/// What has to be proved once a finding is gone: the property that it speaks against. Of what comes after what,
/// order alone says nothing if lanes wait for ever, and progress nothing if they do not wait at all.
fn demanded(removal: &Removal) -> Vec<Property> {
    let own = rules::property_of(removal.finding);
    let both = [Property::Order, Property::Progress];
    let is_one = own.is_some_and(|property| both.contains(&property));
    let order = both.into_iter().filter(|_| removal.reorders || is_one);
    order.chain(own).collect()
}

/// Whether properties are proved in every kernel that a finding is in.
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

/// Whether every comment and every string of several lines is still there, except comments that findings are
/// about.
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
