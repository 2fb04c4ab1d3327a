//! Proofs for parameters that are multiples of the tiles they are cut into: a kernel without code for tails is right
//! for these alone.

use super::Precondition;
use a2lint_analysis::{Congruence, Given, sizes};
use a2lint_ir::{Program, Scalar, StmtKind, VariableId};

/// Returns that parameters are at least 1.
pub(super) fn at_least_one(parameters: &[VariableId]) -> Vec<Given> {
    let parameters = parameters.iter();
    parameters.map(|&id| Given::at_least_one(id)).collect()
}

/// Returns that sizes are at least 1, and multiples of the tiles they are cut into: those in `cut`, and the steps of
/// loops.
pub(super) fn given(program: &Program, mut cut: Vec<(VariableId, i64)>) -> Vec<Given> {
    cut.extend(walked(program));
    let mut given = at_least_one(&sizes(program));
    for given in &mut given {
        let tiles = cut.iter().filter(|(id, _)| *id == given.parameter);
        let classes = tiles.map(|(_, tile)| Congruence::new(*tile, 0));
        let class = classes.reduce(|all, class| all.meet(class).unwrap_or(all));
        given.class = class.unwrap_or(given.class);
    }
    given
}

/// Tries a proof for sizes that are multiples of the tiles they are cut into ([`given`]). Returns what the attempt
/// returns, with the preconditions that it needs; `None` if no size is cut, or the proof fails.
pub(super) fn attempt<T>(
    program: &Program,
    cut: Vec<(VariableId, i64)>,
    mut attempt: impl FnMut(&[Given]) -> Option<T>,
) -> Option<(T, Vec<Precondition>)> {
    let mut given = given(program, cut);
    let is_divided = |at: &usize| given[*at].class != Congruence::ANY;
    let divided: Vec<usize> = (0..given.len()).filter(is_divided).collect();
    let mut held = (!divided.is_empty()).then(|| attempt(&given)).flatten()?;
    // Each divisibility is dropped if the proof succeeds without it.
    for at in divided {
        let class = std::mem::replace(&mut given[at].class, Congruence::ANY);
        match attempt(&given) {
            Some(weaker) => held = weaker,
            None => given[at].class = class,
        }
    }
    let under = given.iter().map(|given| Precondition::of(program, given));
    Some((held, under.collect()))
}

/// Returns parameters that loops walk up to in steps, each with its step.
fn walked(program: &Program) -> Vec<(VariableId, i64)> {
    let mut found = Vec::new();
    program.walk(&mut |stmt| {
        if let StmtKind::Loop { stop, step, .. } = &stmt.kind
            && let Scalar::Variable(parameter) = program.scalars.get(*stop)
            && let Some(tile @ 2..) = program.scalars.as_int(*step)
        {
            found.push((parameter, tile));
        }
    });
    found
}
