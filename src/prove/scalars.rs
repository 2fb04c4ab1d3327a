//! No division by zero, and no integer leaves its type.

use super::{Precondition, Proof, span};
use crate::analysis::{Stray, StrayKind, sizes, stray};
use crate::ir::Program;

/// Largest values of parameters that are tried, the largest first.
const LIMITS: [u32; 6] = [31, 28, 24, 20, 16, 12];

/// Proves it, for parameters as large as possible.
pub(super) fn prove(program: &Program) -> Proof {
    let found = match stray(program, None) {
        None => return Proof::holds(),
        Some(found) => found,
    };
    for limit in LIMITS.map(|bits| (1_i64 << bits) - 1) {
        if stray(program, Some(limit)).is_none() {
            let under = sizes(program).into_iter();
            let under = under.map(|id| Precondition::new(program, id, Some(limit)));
            return Proof::Holds {
                under: under.collect(),
                assuming: Vec::new(),
            };
        }
    }
    let Stray { stmt, kind } = found;
    let because = match kind {
        StrayKind::DivisionByZero => "a divisor may be 0",
        StrayKind::Overflow => "an integer may leave its type",
    };
    Proof::open_at(because, span(program, stmt))
}
