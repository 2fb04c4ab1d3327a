//! Variants of launches whose sizes leave an incomplete last tile.
//!
//! A kernel that takes the smaller of a tile and what is left of a parameter means to handle any
//! value of it, so the parameter is set to one tile, a little less, a little more than two, and, where
//! cores share the tiles out, to more of them than there are cores.
//! "A little" is the greatest common divisor of the values that the file's launches give the parameter. All other
//! arguments stay as in the first launch.
//!
//! A kernel that moves the remainder of a parameter by a tile, or that divides a parameter which no launch gives as a
//! multiple of the divisor, handles other sizes as well. They are tried where the extents of tensors follow from the
//! parameter ([`near`]).

use super::expressions::{Expressions, Share};
use super::neighbours::Given;
use a2lint_ir::arithmetic::whole;
use a2lint_ir::{Launch, ParamKind, Program, VariableId};
use a2lint_isa::device::Device;

/// A parameter that is cut into tiles.
#[derive(Clone, Debug, PartialEq)]
struct Tail {
    name: String,
    tile: i64,
    /// Every value that the file gives is a multiple of this.
    granule: i64,
    /// The sizes near the given ones are multiples of this, if the extents of tensors follow from the parameter.
    whole: i64,
    /// The value of the first launch.
    given: Option<i64>,
    /// How its tiles are distributed over cores or lanes.
    share: Option<Share>,
}

/// Selects the tile of a parameter, if the kernel is written for an incomplete last one.
type TileOf = fn(&Expressions, VariableId, &[i64]) -> Option<i64>;

impl Tail {
    /// Returns a size with one tile for each worker and a little more, so that one worker has a second tile.
    fn turns(&self, cores: u32) -> Option<i64> {
        let workers = i64::from(self.share?.workers(cores));
        self.tile.checked_mul(workers)?.checked_add(self.granule)
    }

    /// Returns the next multiple of the tile, unless the given value is one.
    fn next_multiple(&self) -> Option<i64> {
        let given = self.given.filter(|given| given % self.tile != 0)?;
        given.checked_add(self.tile - given % self.tile)
    }
}

/// Maximum number of tail parameters that are varied.
const MAX_TAILS: usize = 3;
/// Maximum number of branches for which a variant takes the other side.
const MAX_PATHS: usize = 2;
/// The granule of a row length of which only one value is known: 64 elements are whole 32-byte blocks and whole
/// fractals in every element type.
const ROW_GRANULE: i64 = 64;

/// Returns variants of the first launch in which the last tile of some parameter is incomplete, each as the new values
/// of the parameters that change.
pub(super) fn of(
    program: &Program,
    launches: &[&Launch],
    fixed: &[(String, f64)],
    device: Device,
) -> Vec<Vec<(String, f64)>> {
    let Some(&base) = launches.first() else {
        return Vec::new();
    };
    let cores = base.block_dim.or(program.block_dim);
    let cores = cores.unwrap_or(device.cube_cores);
    let expressions = Expressions::of(program);
    let tails = tails(program, &expressions, launches, fixed, |it, id, _| {
        it.tile(id)
    });
    let sizes: [fn(&Tail) -> Option<i64>; 3] = [
        |tail| Some(tail.tile),
        |tail| tail.tile.checked_sub(tail.granule),
        |tail| tail.tile.checked_mul(2)?.checked_add(tail.granule),
    ];
    let mut variants = Vec::new();
    for size in sizes {
        variants.push(changes(&tails, size));
    }
    if tails.len() > 1 {
        let less = |tail: &Tail| changes(std::slice::from_ref(tail), sizes[1]);
        variants.extend(tails.iter().map(less));
    }
    for (number, tail) in tails.iter().enumerate() {
        let Some(turns) = tail.turns(cores) else {
            continue;
        };
        let mut sizes = changes(&tails, sizes[0]);
        sizes[number].1 = turns as f64;
        variants.push(sizes);
    }
    variants.extend(paths(program, &expressions, base, fixed));
    variants.retain(|changes| !changes.is_empty());
    variants
}

/// Returns sizes near those of the given launches that satisfy what all of these have in common, so that the host may
/// well choose them: one tile and two with as little missing or beyond as that allows, the least size, and the next
/// multiple of the tile.
pub(super) fn near(
    program: &Program,
    launches: &[&Launch],
    fixed: &[(String, f64)],
) -> Vec<Vec<(String, f64)>> {
    let expressions = Expressions::of(program);
    let tails = tails(program, &expressions, launches, fixed, |it, id, values| {
        let is_ragged = |unit: &i64| *unit > 1 && values.iter().all(|value| value % unit != 0);
        let tile = it.tile(id).or_else(|| it.remainder(id));
        tile.or_else(|| it.unit(id).filter(is_ragged))
    });
    let sizes: [fn(&Tail) -> Option<i64>; 5] = [
        |tail| Some(tail.tile).filter(|tile| tile % tail.whole == 0),
        |tail| tail.tile.checked_sub(tail.whole),
        |tail| tail.tile.checked_mul(2)?.checked_add(tail.whole),
        |tail| Some(tail.whole),
        Tail::next_multiple,
    ];
    // One parameter at a time: the host may compute sizes from each other.
    let all = tails.iter().flat_map(|tail| {
        let own = sizes
            .iter()
            .map(move |size| changes(std::slice::from_ref(tail), size));
        own.filter(|changes| !changes.is_empty())
    });
    all.collect()
}

/// Returns variants in which a branch that compares a parameter with a constant is decided otherwise.
fn paths(
    program: &Program,
    expressions: &Expressions,
    base: &Launch,
    fixed: &[(String, f64)],
) -> Vec<Vec<(String, f64)>> {
    let is_free = |name: &str| fixed.iter().all(|(known, _)| known != name);
    let paths = integers(program).filter(|(name, _)| is_free(name));
    let paths = paths.filter_map(|(name, id)| {
        let granule = granule(vec![value(base, name)?], expressions.is_row_length(id))?;
        let value = expressions.other_side(id, value(base, name)?, granule)?;
        Some(vec![(name.to_owned(), value as f64)])
    });
    paths.take(MAX_PATHS).collect()
}

/// Returns the scalar parameters.
fn integers(program: &Program) -> impl Iterator<Item = (&str, VariableId)> {
    program.params.iter().filter_map(|param| match param.kind {
        ParamKind::Variable(id) => Some((param.name.as_str(), id)),
        _ => None,
    })
}

/// Returns the new values that are positive.
fn changes(tails: &[Tail], size: impl Fn(&Tail) -> Option<i64>) -> Vec<(String, f64)> {
    let sized = tails
        .iter()
        .filter_map(|tail| Some((tail.name.clone(), size(tail)?)));
    let sensible = sized.filter(|&(_, value)| value > 0);
    sensible.map(|(name, value)| (name, value as f64)).collect()
}

/// Returns the parameters that a kernel cuts into tiles with an incomplete last one, without those that are fixed.
fn tails(
    program: &Program,
    expressions: &Expressions,
    launches: &[&Launch],
    fixed: &[(String, f64)],
    tile_of: TileOf,
) -> Vec<Tail> {
    let given = Given::new(program, launches);
    let is_free = |name: &str| fixed.iter().all(|(known, _)| known != name);
    let tail = |(name, id): (&str, VariableId)| {
        let values = launches.iter().filter_map(|launch| value(launch, name));
        let values: Vec<i64> = values.collect();
        Some(Tail {
            name: name.to_owned(),
            tile: tile_of(expressions, id, &values)?,
            given: values.first().copied(),
            whole: given.granule(name),
            granule: granule(values, expressions.is_row_length(id))?,
            share: expressions.share(id),
        })
    };
    let free = integers(program).filter(|(name, _)| is_free(name));
    free.filter_map(tail).take(MAX_TAILS).collect()
}

fn value(launch: &Launch, name: &str) -> Option<i64> {
    let (_, value) = launch.scalars.iter().find(|(key, _)| key == name)?;
    whole(*value)
}

/// Returns the greatest common divisor of the values of a parameter; `None` where there are none.
fn granule(mut values: Vec<i64>, is_row_length: bool) -> Option<i64> {
    values.sort();
    values.dedup();
    let common = values.iter().copied().reduce(common_divisor)?;
    match values.len() {
        1 if is_row_length => Some(common_divisor(common, ROW_GRANULE)),
        1 => Some(1),
        _ => Some(common),
    }
}

pub(super) fn common_divisor(a: i64, b: i64) -> i64 {
    match b {
        // The smallest number has no positive one beside it.
        0 => a.checked_abs().unwrap_or(1),
        _ => common_divisor(b, a.wrapping_rem(b)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_the_file_suggest_what_sizes_are_multiples_of() {
        assert_eq!(granule(vec![], false), None);
        assert_eq!(granule(vec![128, 128], false), Some(1));
        assert_eq!(granule(vec![128], true), Some(64));
        assert_eq!(granule(vec![40], true), Some(8));
        assert_eq!(granule(vec![296, 128], true), Some(8));
        assert_eq!(granule(vec![300, 65], false), Some(5));
    }
}
