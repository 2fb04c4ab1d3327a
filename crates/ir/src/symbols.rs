//! Symbols of extents: parameters that calls leave out because shapes tell them.

use super::{BinaryOp, GlobalId, Program, Scalar, ScalarId, VariableId};

/// Numbers by the names of parameters.
type Numbers = Vec<(String, f64)>;

/// Adds the values that shapes give to symbols without one.
pub fn solve(program: &Program, numbers: &mut Numbers, shapes: &[(GlobalId, Vec<i64>)]) {
    // A product gives its last symbol once the others are known.
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

/// The symbol without a value that makes an extent what it is.
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
            let is_whole = value.checked_rem(factor)? == 0;
            is_whole.then(|| solved(program, numbers, open, value / factor))?
        }
        _ => None,
    }
}

/// The value of an extent.
fn known(program: &Program, numbers: &Numbers, extent: ScalarId) -> Option<i64> {
    let value = |id: VariableId| {
        let name = &program.variable(id).name;
        let (_, value) = numbers.iter().find(|(known, _)| known == name)?;
        (value.fract() == 0.0).then_some(*value as i64)
    };
    program.scalars.evaluated(extent, &value)
}
