//! Sizes of single parameters that a kernel's own tiles suggest.

use a2lint_ir::VariableId;

use super::expressions::Expressions;
use super::measure::MAX_EXTENT;

/// The value of a scalar that only counts: enough for a ring of two slots to wrap around once.
pub(super) const COUNT: i64 = 3;
/// Cores of a guess whose purpose is that each lane runs its loop several times.
pub(super) const NARROW: u32 = 1;

/// Returns the size of a parameter that gives `tiles` whole tiles.
pub(super) fn natural(expressions: &Expressions, id: VariableId, tiles: i64) -> i64 {
    let tile = expressions.tile(id).or_else(|| unit(expressions, id));
    of_tiles(expressions, id, tile, tiles)
}

/// Returns whether the kernel's own tiles suggest this size. A parameter without tile, row or loop accepts none.
pub(super) fn fits(expressions: &Expressions, id: VariableId, value: f64) -> bool {
    let value = value as i64;
    let tile = expressions.tile(id).or_else(|| unit(expressions, id));
    let is_whole = match (tile, expressions.local_extent(id)) {
        (Some(tile), _) => value % tile == 0,
        (None, Some(extent)) => value == extent,
        (None, None) => expressions.ends_loop(id),
    };
    value >= 1 && is_whole
}

/// Returns the size of a parameter with which each lane executes `rounds` iterations of the loop over
/// its tiles.
pub(super) fn turning(expressions: &Expressions, id: VariableId, rounds: i64) -> i64 {
    let workers = expressions
        .share(id)
        .map_or(1, |share| i64::from(share.workers(NARROW)));
    let tiles = rounds * workers;
    // A tile may itself be split between lanes; the larger of tile and unit gives each of them work.
    let tile = expressions.tile(id).max(unit(expressions, id));
    let size = of_tiles(expressions, id, tile, tiles);
    match expressions.bounds_loop(id) {
        true => size.max(tiles),
        false => size,
    }
}

fn unit(expressions: &Expressions, id: VariableId) -> Option<i64> {
    // A row length is divided by the elements of a block or fractal, which is no tile of the kernel: the
    // on-chip width is the better guess.
    let is_row = expressions.is_row_length(id) && !expressions.bounds_loop(id);
    if is_row && expressions.local_extent(id).is_some() {
        return None;
    }
    expressions.unit(id).filter(|&unit| unit > 1)
}

fn of_tiles(expressions: &Expressions, id: VariableId, tile: Option<i64>, tiles: i64) -> i64 {
    let size = tile.map(|tile| tile.saturating_mul(tiles));
    let size = size.or_else(|| expressions.local_extent(id));
    size.unwrap_or(COUNT).clamp(1, MAX_EXTENT)
}
