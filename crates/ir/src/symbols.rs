//! Solves symbols of extents: parameters that calls leave out because the shapes of tensors determine them.

use super::arithmetic::whole;
use super::{BinaryOp, GlobalId, Program, Scalar, ScalarId, VariableId};

/// Numbers by the names of parameters.
type Numbers = Vec<(String, f64)>;

/// Adds the values of symbols that the shapes of tensors determine.
pub fn solve(program: &Program, numbers: &mut Numbers, shapes: &[(GlobalId, Vec<i64>)]) {
    // A product determines a symbol only once all its other factors are known, so each round may make another
    // extent solvable.
    for _ in 0..program.implicit.len() {
        let before = numbers.len();
        for (id, shape) in shapes {
            for (&extent, &value) in program.global(*id).shape.iter().zip(shape) {
                if let Some((variable, value)) = solved(program, numbers, extent, value) {
                    let name = program.variable(variable).name.clone();
                    numbers.push((name.to_string(), value as f64));
                }
            }
        }
        if numbers.len() == before {
            return;
        }
    }
}

/// Returns the symbol without a value in an extent, with the value that makes the extent equal to `value`.
fn solved(
    program: &Program,
    numbers: &Numbers,
    extent: ScalarId,
    value: i64,
) -> Option<(VariableId, i64)> {
    match program.scalars.get(extent) {
        Scalar::Variable(id) => {
            let is_open = known(program, numbers, extent).is_none();
            (is_open && program.implicit.contains(&id)).then_some((id, value))
        }
        Scalar::Binary(BinaryOp::Mul, a, b) => {
            let (factor, open) = match (known(program, numbers, a), known(program, numbers, b)) {
                (Some(factor), None) => (factor, b),
                (None, Some(factor)) => (factor, a),
                _ => return None,
            };
            // `checked_rem` also rejects a factor of 0.
            let is_whole = value.checked_rem(factor)? == 0;
            is_whole.then(|| solved(program, numbers, open, value / factor))?
        }
        _ => None,
    }
}

/// Returns the value of an extent; `None` where a symbol has none.
fn known(program: &Program, numbers: &Numbers, extent: ScalarId) -> Option<i64> {
    let value = |id: VariableId| {
        let name = &program.variable(id).name;
        let (_, value) = numbers.iter().find(|(known, _)| known == name)?;
        whole(*value)
    };
    program.scalars.evaluated(extent, &value)
}
