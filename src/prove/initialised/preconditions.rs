//! What has to be given of the sizes of a kernel for its memory to be defined where it matters.

use super::Open;
use crate::analysis::{Congruence, Given};
use crate::ir::VariableId;
use crate::prove::operands::at_least_one;

/// Multiples that sizes may have to be, the largest first: a block holds 8 floats, 16 halves or 32 bytes.
const MULTIPLES: [i64; 4] = [64, 32, 16, 8];

/// The first of these that suffices: what is given, sizes that are positive, sizes that are multiples of a
/// block; no more of them than it takes.
pub(super) fn weakest_given(
    sizes: &[VariableId],
    mut under: Vec<Given>,
    attempt: impl Fn(&[Given]) -> Result<(), Open>,
) -> Result<Vec<Given>, Open> {
    if attempt(&under).is_ok() {
        return Ok(under);
    }
    let needed: Vec<VariableId> = under.iter().map(|given| given.parameter).collect();
    let all = at_least_one(sizes);
    all.into_iter().for_each(|given| add(&mut under, given));
    let outcome = attempt(&under).or_else(|open| match multiples(sizes, &under, &attempt) {
        Some(more) => {
            under = more;
            Ok(())
        }
        None => Err(open),
    });
    outcome?;
    for &id in sizes.iter().filter(|id| !needed.contains(id)) {
        let fewer = under.iter().copied().filter(|given| given.parameter != id);
        let fewer: Vec<Given> = fewer.collect();
        if attempt(&fewer).is_ok() {
            under = fewer;
        }
    }
    Ok(under)
}

/// What is given where some sizes have to be multiples of a block, as few and as small as possible.
fn multiples(
    sizes: &[VariableId],
    under: &[Given],
    attempt: &impl Fn(&[Given]) -> Result<(), Open>,
) -> Option<Vec<Given>> {
    let with = |multiples: &[(VariableId, i64)]| {
        let mut given = under.to_vec();
        for given in &mut given {
            let multiple = multiples.iter().find(|it| it.0 == given.parameter);
            given.class = Congruence::new(multiple.map_or(1, |it| it.1), 0);
        }
        given
    };
    let mut multiples: Vec<(VariableId, i64)> =
        sizes.iter().map(|&id| (id, MULTIPLES[0])).collect();
    if multiples.is_empty() || attempt(&with(&multiples)).is_err() {
        return None;
    }
    for at in (0..multiples.len()).rev() {
        let mut fewer = multiples.clone();
        fewer.remove(at);
        if attempt(&with(&fewer)).is_ok() {
            multiples = fewer;
        }
    }
    for at in 0..multiples.len() {
        for &smaller in &MULTIPLES[1..] {
            let before = std::mem::replace(&mut multiples[at].1, smaller);
            if attempt(&with(&multiples)).is_err() {
                multiples[at].1 = before;
                break;
            }
        }
    }
    Some(with(&multiples))
}

/// Adds what is given of a parameter to what is given already.
pub(super) fn add(all: &mut Vec<Given>, more: Given) {
    match all
        .iter_mut()
        .find(|known| known.parameter == more.parameter)
    {
        Some(known) => {
            known.range = known.range.meet(more.range).unwrap_or(known.range);
            known.class = known.class.meet(more.class).unwrap_or(known.class);
        }
        None => all.push(more),
    }
}
