//! No division by zero, and no integer leaves its type.

use super::{Precondition, Proof, Subject, span};
use crate::analysis::{Interval, Stray, StrayKind, stray};
use crate::isa::DType;

/// Largest values of parameters that are tried, the largest first.
const LIMITS: [u32; 6] = [31, 28, 24, 20, 16, 12];

/// Proves it, for parameters as large as possible.
pub(super) fn prove(subject: &Subject) -> Proof {
    let program = subject.program;
    let mut found = match stray(program, None) {
        None => return Proof::holds(),
        Some(found) => found,
    };
    for limit in LIMITS.map(|bits| (1_i64 << bits) - 1) {
        let strays = stray(program, Some(limit));
        found = strays.unwrap_or(found);
        if strays.is_none() {
            let sizes = subject.sizes().into_iter();
            let under = sizes.map(|id| Precondition::new(program, id, Some(limit)));
            return Proof::Holds {
                under: under.collect(),
                assuming: vec![format!("no extent of a tensor is above {limit}")],
            };
        }
    }
    let Stray { stmt, kind } = found;
    let because = match kind {
        StrayKind::DivisionByZero => "a divisor may be 0".to_owned(),
        StrayKind::Overflow(range, dtype) => overflow(range, dtype),
    };
    Proof::open_at(because, span(program, stmt))
}

/// How far an integer may go.
fn overflow(range: Interval, dtype: DType) -> String {
    let end = match (range.min, range.max) {
        (_, i64::MAX) => "as large as you like".to_owned(),
        (i64::MIN, _) => "as small as you like".to_owned(),
        (min, max) => format!("{min} to {max}"),
    };
    format!("an integer of type {dtype} may be {end}")
}
