//! Preconditions of proofs: scalar parameters that are at least 1.

use crate::ir::{Program, VariableId, VariableKind};

/// Most parameters that preconditions speak of.
const MOST: usize = 12;

/// What a proof comes to under the fewest parameters that have to be at least 1, and those; where it fails
/// even if all are, what it comes to without any. `attempt` says whether it succeeds.
pub fn weakest<T>(
    program: &Program,
    mut attempt: impl FnMut(&[VariableId]) -> (bool, T),
) -> (T, Vec<VariableId>) {
    let (is_proved, plain) = attempt(&[]);
    let mut under = sizes(program);
    if is_proved || under.is_empty() || under.len() > MOST {
        return (plain, Vec::new());
    }
    let (is_proved, mut best) = attempt(&under);
    if !is_proved {
        return (plain, Vec::new());
    }
    for parameter in sizes(program) {
        let fewer: Vec<VariableId> = under
            .iter()
            .copied()
            .filter(|&id| id != parameter)
            .collect();
        let (is_proved, result) = attempt(&fewer);
        if is_proved {
            (best, under) = (result, fewer);
        }
    }
    (best, under)
}

/// The integer parameters.
pub fn sizes(program: &Program) -> Vec<VariableId> {
    let all = (0..program.variables.len() as u32).map(VariableId);
    let is_size = |&id: &VariableId| {
        let variable = program.variable(id);
        variable.kind == VariableKind::Param && !variable.dtype.is_some_and(|it| it.is_float())
    };
    all.filter(is_size).collect()
}
