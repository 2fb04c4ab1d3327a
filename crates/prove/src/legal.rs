//! Instructions that attempts have shown to be legal. Later attempts under stronger conditions leave them out.

use rustc_hash::FxHashSet;

use a2lint_analysis::{Congruence, Given};
use a2lint_ir::StmtId;

/// Sets of instructions, each with the conditions under which all of them are legal.
#[derive(Clone, Debug, Default)]
pub(super) struct Legal(Vec<(Vec<Given>, FxHashSet<StmtId>)>);

impl Legal {
    /// Returns the instructions that are known to be legal under some conditions.
    pub fn under(&self, given: &[Given]) -> FxHashSet<StmtId> {
        let weaker = self.0.iter().filter(|(weaker, _)| implies(given, weaker));
        let legal = weaker.flat_map(|(_, legal)| legal);
        legal.copied().collect()
    }

    /// Adds instructions that are legal under some conditions.
    pub fn add(&mut self, given: &[Given], legal: FxHashSet<StmtId>) {
        if !legal.is_empty() {
            self.0.push((given.to_vec(), legal));
        }
    }
}

/// Returns whether every launch that satisfies some conditions satisfies others.
fn implies(given: &[Given], others: &[Given]) -> bool {
    let is_within = |known: &Given, other: &Given| {
        let (inner, outer) = (known.range, other.range);
        known.parameter == other.parameter
            && outer.min <= inner.min
            && inner.max <= outer.max
            && [Congruence::ANY, known.class].contains(&other.class)
    };
    let mut others = others.iter();
    others.all(|other| given.iter().any(|known| is_within(known, other)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use a2lint_analysis::Interval;
    use a2lint_ir::VariableId;

    fn given(parameter: u32, min: i64, max: i64) -> Given {
        Given {
            range: Interval { min, max },
            ..Given::at_least_one(VariableId(parameter))
        }
    }

    #[test]
    fn what_is_legal_under_some_conditions_is_so_under_stronger_ones_alone() {
        let mut legal = Legal::default();
        legal.add(&[], [StmtId(1)].into_iter().collect());
        legal.add(&[given(0, 1, 64)], [StmtId(2)].into_iter().collect());
        let count = |given: &[Given]| legal.under(given).len();
        assert_eq!(count(&[]), 1);
        assert_eq!(count(&[given(0, 1, i64::MAX)]), 1);
        assert_eq!(count(&[given(1, 1, 64)]), 1);
        assert_eq!(count(&[given(1, 1, 8), given(0, 2, 64)]), 2);
        let even = Given {
            class: Congruence::new(2, 0),
            ..given(0, 1, 64)
        };
        assert_eq!(count(&[even]), 2);
        legal.add(&[even], [StmtId(3)].into_iter().collect());
        assert_eq!(legal.under(&[even]).len(), 3);
        assert_eq!(legal.under(&[given(0, 1, 64)]).len(), 2);
    }
}
