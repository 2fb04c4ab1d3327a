//! Searches for preconditions on sizes under which memory is defined where it matters.
//!
//! Each attempt walks the whole kernel, so there are as few as possible: first without preconditions, then with
//! all of them, which shows whether any of them helps. Whether a size may be 0 is tried only if a launch needs
//! it.

use super::Open;
use crate::operands::at_least_one;
use a2lint_analysis::{Congruence, Given};
use a2lint_ir::VariableId;

/// Divisors that sizes may have to have: a block holds 8 floats, 16 halves or 32 bytes.
const MULTIPLES: [i64; 4] = [8, 16, 32, LARGEST];
const LARGEST: i64 = 64;

/// Returns the weakest sufficient precondition of: `given` alone, `given` with positive sizes, `given` with sizes that
/// are multiples of a block. Conditions on sizes that the attempt does not need are dropped. If none is sufficient,
/// `Err` gives the reason of a failed attempt.
pub(super) fn weakest_given(
    sizes: &[VariableId],
    needless: &[VariableId],
    given: Vec<Given>,
    attempt: impl Fn(&[Given]) -> Result<(), Open>,
) -> Result<Vec<Given>, Open> {
    let search = Search {
        sizes,
        needless,
        given: &given,
        attempt: &attempt,
    };
    let Err(first) = attempt(&given) else {
        return Ok(given);
    };
    // What fails with all preconditions fails with fewer, which is the most frequent outcome.
    let multiples = search.possible_multiples();
    attempt(&search.with_multiples(&multiples))?;
    search
        .positive(first)
        .or_else(|open| search.multiples(multiples).ok_or(open))
}

struct Search<'a, A> {
    sizes: &'a [VariableId],
    /// Sizes for which an attempt without the lower bound is worth its time.
    needless: &'a [VariableId],
    /// Ranges that hold in any case.
    given: &'a [Given],
    attempt: &'a A,
}

impl<A: Fn(&[Given]) -> Result<(), Open>> Search<'_, A> {
    /// Tries positive sizes and drops the conditions that are not needed; `first` is what stays open without any.
    fn positive(&self, first: Open) -> Result<Vec<Given>, Open> {
        let open = self.open_sizes();
        if open.is_empty() {
            return Err(first);
        }
        let all = self.with_positive(&open);
        (self.attempt)(&all)?;
        Ok(self.without_needless(all, &open))
    }

    /// Tries sizes that are multiples of a block: a single size, otherwise all sizes, of which unneeded ones are
    /// dropped.
    fn multiples(&self, all: Vec<(VariableId, i64)>) -> Option<Vec<Given>> {
        if all.is_empty() {
            return None;
        }
        let holds = |multiples: &[(VariableId, i64)]| {
            let under = self.with_multiples(multiples);
            under.iter().all(Given::is_possible) && (self.attempt)(&under).is_ok()
        };
        let mut singles = all.iter().rev().map(|&single| vec![single]);
        let single = singles.find(|single| all.len() > 1 && holds(single));
        let is_several = single.is_none();
        let mut multiples = single.unwrap_or(all);
        for at in (0..multiples.len()).rev().filter(|_| is_several) {
            let mut fewer = multiples.clone();
            fewer.remove(at);
            if !fewer.is_empty() && holds(&fewer) {
                multiples = fewer;
            }
        }
        for at in 0..multiples.len() {
            // A divisor that is sufficient makes each of its multiples sufficient, so a binary search is right.
            let smallest = MULTIPLES.partition_point(|&multiple| {
                multiples[at].1 = multiple;
                multiple != LARGEST && !holds(&multiples)
            });
            multiples[at].1 = MULTIPLES[smallest];
        }
        let is_free = |id: &VariableId| multiples.iter().all(|multiple| multiple.0 != *id);
        let open: Vec<VariableId> = self.open_sizes().into_iter().filter(is_free).collect();
        Some(self.without_needless(self.with_multiples(&multiples), &open))
    }

    /// Returns every size that may be a multiple of the largest divisor, with that divisor.
    fn possible_multiples(&self) -> Vec<(VariableId, i64)> {
        let singles = self.sizes.iter().map(|&id| (id, LARGEST));
        let is_possible = |single: &(VariableId, i64)| {
            let under = self.with_multiples(&[*single]);
            under.iter().all(Given::is_possible)
        };
        singles.filter(is_possible).collect()
    }

    /// Returns the sizes without any precondition yet.
    fn open_sizes(&self) -> Vec<VariableId> {
        let is_open = |id: &VariableId| self.given.iter().all(|given| given.parameter != *id);
        self.sizes.iter().copied().filter(is_open).collect()
    }

    fn with_positive(&self, sizes: &[VariableId]) -> Vec<Given> {
        let mut under = self.given.to_vec();
        // A size that is given to be 0 or less stays so: the attempt shows whether that is sufficient.
        for given in at_least_one(sizes) {
            let _ = add(&mut under, given);
        }
        under
    }

    /// Requires all sizes to be positive, and some to be multiples.
    fn with_multiples(&self, multiples: &[(VariableId, i64)]) -> Vec<Given> {
        let mut under = self.with_positive(self.sizes);
        for given in &mut under {
            if let Some(multiple) = multiples.iter().find(|it| it.0 == given.parameter) {
                given.class = Congruence::new(multiple.1, 0);
            }
        }
        under
    }

    /// Drops the preconditions of sizes that are not needed.
    fn without_needless(&self, mut under: Vec<Given>, sizes: &[VariableId]) -> Vec<Given> {
        for &id in sizes.iter().filter(|id| self.needless.contains(id)) {
            let fewer = under.iter().copied().filter(|given| given.parameter != id);
            let fewer: Vec<Given> = fewer.collect();
            if (self.attempt)(&fewer).is_ok() {
                under = fewer;
            }
        }
        under
    }
}

/// Adds a condition on a parameter to those already given; `None` if no value satisfies both, and then nothing is
/// added.
#[must_use]
pub(super) fn add(all: &mut Vec<Given>, more: Given) -> Option<()> {
    let known = all
        .iter_mut()
        .find(|known| known.parameter == more.parameter);
    match known {
        Some(known) => {
            let both = Given {
                parameter: known.parameter,
                range: known.range.meet(more.range)?,
                class: known.class.meet(more.class)?,
            };
            *known = Some(both).filter(Given::is_possible)?;
        }
        None => all.push(more),
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use a2lint_analysis::Interval;

    #[test]
    fn conditions_that_no_value_satisfies_are_not_joined() {
        let given = |range: [i64; 2], multiple: i64| Given {
            parameter: VariableId(0),
            range: Interval {
                min: range[0],
                max: range[1],
            },
            class: Congruence::new(multiple, 0),
        };
        let mut all = Vec::new();
        assert_eq!(add(&mut all, given([1, 64], 1)), Some(()));
        assert_eq!(add(&mut all, given([16, 128], 8)), Some(()));
        assert_eq!((all[0].range.min, all[0].range.max), (16, 64));
        assert_eq!(all[0].class.modulus, 8);
        // Neither the ranges meet, nor is a multiple of 128 among the numbers up to 64.
        assert_eq!(add(&mut all, given([65, 128], 1)), None);
        assert_eq!(add(&mut all, given([1, 64], 128)), None);
        assert_eq!((all.len(), all[0].range.max), (1, 64));
    }
}
