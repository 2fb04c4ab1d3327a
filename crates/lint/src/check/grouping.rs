//! Findings that come from one mistake: on a line that several kernels share, in instances of one definition, and at
//! several places of a kernel.

use std::cmp::Reverse;
use std::path::{Path, PathBuf};

use rustc_hash::FxHashMap;

use a2lint_ir::finding::{Cause, Finding, Fix, Label, Severity};
use a2lint_rules::{self as rules, Check};
use a2lint_source::language::Language;
use a2lint_source::text::Span;

/// Findings of a file with one cause, by their index among its findings. The first is the one that is shown; the
/// others are further places of it. Baselines, comments and repairs work on each finding alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// The finding that is shown.
    pub first: usize,
    /// The other places, in order.
    pub others: Vec<usize>,
}

impl Group {
    /// Iterates over all findings of the group.
    pub fn members<'f>(&'f self, findings: &'f [Finding]) -> impl Iterator<Item = &'f Finding> {
        let all = std::iter::once(&self.first).chain(&self.others);
        all.filter_map(|&at| findings.get(at))
    }
}

/// What findings of one group have in common.
#[derive(PartialEq, Eq, Hash)]
struct Key<'f> {
    rule: &'static str,
    kernel: Option<&'f str>,
    severity: Severity,
    cause: Cause,
    path: Option<&'f Path>,
}

/// Groups findings by cause, in the order of the findings.
pub fn groups(findings: &[Finding]) -> Vec<Group> {
    groups_of(findings, |_| true)
}

/// Groups those findings whose index is `shown`, as [`groups`] does.
pub(super) fn groups_of(findings: &[Finding], shown: impl Fn(usize) -> bool) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    let mut known: FxHashMap<Key, usize> = FxHashMap::default();
    for (at, finding) in findings.iter().enumerate().filter(|(at, _)| shown(*at)) {
        let alone = Group {
            first: at,
            others: Vec::new(),
        };
        let Some(cause) = finding.cause.clone() else {
            groups.push(alone);
            continue;
        };
        let kernel = finding.kernel.as_deref();
        let (kernel, cause) = match cause {
            // Launches of all instances of an entry come from the same host code.
            Cause::Misfit { parameters, .. } => {
                let rank = 0;
                (kernel.map(entry_of), Cause::Misfit { parameters, rank })
            }
            cause => (kernel, cause),
        };
        // A call that a run reaches is an error where the same mistake elsewhere is a warning.
        let severity = match cause {
            Cause::Strides { .. } => Severity::Error,
            _ => finding.severity,
        };
        let key = Key {
            rule: finding.name,
            kernel,
            severity,
            cause,
            path: finding.elsewhere.as_ref().map(|place| place.path.as_path()),
        };
        match known.get(&key) {
            Some(&group) => groups[group].others.push(at),
            None => {
                known.insert(key, groups.len());
                groups.push(alone);
            }
        }
    }
    for group in &mut groups {
        show_best(group, findings);
    }
    groups
}

/// Shows the most severe finding of a group; of equal ones, that with the best fix; without fixes, the overrun that
/// comes first.
fn show_best(group: &mut Group, findings: &[Finding]) {
    let rank = |at: &usize| {
        let finding = findings.get(*at);
        let fix: Option<&Fix> = finding.and_then(|finding| finding.fix.as_ref());
        let turn = match finding.and_then(|finding| finding.cause.as_ref()) {
            Some(Cause::Misfit { rank, .. }) => *rank,
            _ => 0,
        };
        let severity = finding.map(|finding| Reverse(finding.severity));
        (
            severity,
            fix.is_none_or(|fix| !fix.safe),
            fix.is_none(),
            turn,
            *at,
        )
    };
    let best = group.others.iter().copied().min_by_key(rank);
    if let Some(best) = best.filter(|best| rank(best) < rank(&group.first)) {
        group.others.retain(|at| *at != best);
        group.others.push(std::mem::replace(&mut group.first, best));
        group.others.sort_unstable();
    }
}

/// Merges equal findings on a line that several kernels share (of a helper or a factory) into the first one, which
/// names the other kernels. In C++, where an entry is compiled for each tiling key and element type, findings of its
/// instances are equal even if the types and sizes in their messages differ.
pub(super) fn once_for_each_line(findings: &mut Vec<Finding>, language: Language) {
    let mut kept: Vec<Finding> = Vec::with_capacity(findings.len());
    let mut seen: FxHashMap<(&'static str, PathBuf, Span), Vec<usize>> = FxHashMap::default();
    for finding in findings.drain(..) {
        if !is_shared(&finding) {
            kept.push(finding);
            continue;
        }
        let (path, span) = match &finding.elsewhere {
            Some(place) => (place.path.clone(), place.span),
            None => (PathBuf::new(), finding.span),
        };
        let said = seen.entry((finding.code, path, span)).or_default();
        let is_same = |known: &Finding| match language {
            Language::Easyasc => known.kernel == finding.kernel,
            _ => is_of_entry(known, &finding) && !is_of_proofs(&finding),
        };
        let mut same = said
            .iter()
            .filter(|&&at| is_same(&kept[at]) || kept[at].message == finding.message);
        match same.next() {
            Some(&at) => {
                let first = &mut kept[at];
                let new = finding.kernel.filter(|kernel| !first.is_in(kernel));
                first.also_in.extend(new);
            }
            None => {
                said.push(kept.len());
                kept.push(finding);
            }
        }
    }
    *findings = kept;
}

/// Returns whether two findings are in the same kernel or in instances of the same definition.
fn is_of_entry(a: &Finding, b: &Finding) -> bool {
    let entry = |finding: &Finding| finding.kernel.as_deref().map(entry_of).map(str::to_owned);
    entry(a) == entry(b)
}

/// Returns whether a finding compares proofs with a contract: instances need other sizes, and each is told.
fn is_of_proofs(finding: &Finding) -> bool {
    rules::find(finding.name).is_some_and(|rule| matches!(rule.check, Check::Record(_)))
}

/// Returns the name of the definition that a kernel is an instance of.
fn entry_of(kernel: &str) -> &str {
    kernel.split(['<', '[']).next().unwrap_or(kernel)
}

/// Merges findings that several instances of a template, or several calls of a wrapper, have at one place into the
/// most severe one, which names the other kernels.
pub(super) fn once_for_instances(findings: &mut Vec<Finding>) {
    let mut kept: Vec<Finding> = Vec::with_capacity(findings.len());
    let mut first: FxHashMap<(&'static str, Span), usize> = FxHashMap::default();
    for finding in findings.drain(..) {
        let at = *first
            .entry((finding.name, finding.span))
            .or_insert(kept.len());
        match kept.get_mut(at) {
            Some(known) if known.kernel != finding.kernel => {
                let mut other = finding;
                if other.severity > known.severity {
                    std::mem::swap(known, &mut other);
                    known.also_in = std::mem::take(&mut other.also_in);
                }
                let new = other.kernel.filter(|kernel| !known.is_in(kernel));
                known.also_in.extend(new);
            }
            Some(known) if known.message == finding.message => {}
            _ => kept.push(finding),
        }
    }
    *findings = kept;
}

/// Returns whether other kernels may share the line of a finding.
fn is_shared(finding: &Finding) -> bool {
    let calls = |label: &Label| label.message == rules::CALLED;
    // Kernels of one factory have `[` in their names, and share its lines.
    let is_built = |kernel: &String| kernel.contains(['[', '<']);
    finding.elsewhere.is_some()
        || finding.kernel.as_ref().is_some_and(is_built)
        || finding.labels.iter().any(calls)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::{Settings, check};
    use a2lint_source::text::SourceText;

    /// Two mistakes, no synchronisation and no cut of the last tile, at three places each.
    const KERNEL: &str = "from easyasc.a2 import *

# a2lint: launch(M=100, x=half[100, 64], r=half[100, 64], y=half[100, 64])
@kernel(mode=\"vec\")
def residual(x: GMTensor, r: GMTensor, y: GMTensor, M: Var):
    ub_x = Tensor(DT.half, [64, 64], Position.UB)
    ub_r = Tensor(DT.half, [64, 64], Position.UB)
    ub_y = Tensor(DT.half, [64, 64], Position.UB)
    for tile in range(GetVecIdx(), CeilDiv(M, 64), GetVecNum()):
        row = Var(tile * 64)
        ub_x <<= x[row:row + 64, 0:64]
        ub_r <<= r[row:row + 64, 0:64]
        ub_y <<= ub_x + ub_r
        exp(ub_y, ub_y)
        y[row:row + 64, 0:64] <<= ub_y
    return y
";

    #[test]
    fn one_mistake_is_one_group() {
        let source = SourceText::new(KERNEL);
        let findings = check(&source, Language::Easyasc, &Settings::default()).findings;
        let groups = groups(&findings);
        let shown: Vec<(&str, usize)> = groups
            .iter()
            .map(|group| (findings[group.first].name, group.others.len()))
            .collect();
        assert_eq!(
            shown,
            [("gm-out-of-bounds", 2), ("race", 2)],
            "{findings:#?}"
        );
        let members: usize = groups.iter().map(|it| it.members(&findings).count()).sum();
        assert_eq!(members, findings.len());
    }

    #[test]
    fn causes_of_two_kernels_are_two() {
        let (head, kernel) = KERNEL.split_once("\n\n").expect("a kernel");
        let twice = format!(
            "{head}\n\n{kernel}\n\n{}",
            kernel.replace("residual", "other")
        );
        let source = SourceText::new(twice);
        let findings = check(&source, Language::Easyasc, &Settings::default()).findings;
        assert_eq!(groups(&findings).len(), 4, "{findings:#?}");
    }
}
