use crate::declare_rule;
use crate::{Sink, TileFacts};
use a2lint_ir::tile::{Tile, Valid};
use a2lint_source::text::Span;

declare_rule! {
    /// ## What it does
    /// Reports valid extents that are larger than the tile, in the type or given to its constructor.
    ///
    /// ## Why is this bad?
    /// Instructions walk the valid region and address rows and columns that the tile does not have: the next
    /// tile in memory. The template asserts static extents, the constructor only in debug builds.
    ///
    /// ## Example
    /// ```cpp
    /// Tile<TileType::Vec, uint8_t, 16, 32, BLayout::RowMajor, -1, -1> mask(17, 2);
    /// ```
    ///
    /// ## Use instead
    /// ```cpp
    /// Tile<TileType::Vec, uint8_t, 16, 32, BLayout::RowMajor, -1, -1> mask(16, 2);
    /// ```
    ///
    /// ## Source
    /// Tile, assertions.
    "PTO018" "tile-valid-range" Error, basis = Constants, scope = Tiles
}

fn check(facts: &TileFacts, sink: &mut Sink) {
    let mut reported = Vec::new();
    // Instructions use only the address of a scratch tile.
    let tiles = facts.function.tiles.iter();
    for tile in tiles.filter(|tile| !tile.name.to_ascii_lowercase().starts_with("tmp")) {
        for (axis, name) in ["rows", "columns"].into_iter().enumerate() {
            let Some(extent) = tile.ty.shape[axis] else {
                continue;
            };
            let Some((valid, span)) = valid(tile, axis) else {
                continue;
            };
            // In an empty region, no row or column is accessed.
            if is_empty(tile, 1 - axis) {
                continue;
            }
            if valid <= extent && valid >= 0 || reported.contains(&(span, axis)) {
                continue;
            }
            reported.push((span, axis));
            let message = format!(
                "`{}` has {extent} {name}, but {valid} of them are to be valid",
                tile.name
            );
            sink.report(span, message)
                .label(tile.span, "declared here")
                .help(format!(
                    "keep the valid {name} between 0 and {extent}, or make the tile larger"
                ));
        }
    }
}

/// Returns the valid number of rows or columns of a tile, and where it is written.
fn valid(tile: &Tile, axis: usize) -> Option<(i64, Span)> {
    match (tile.ty.valid[axis], tile.constructed[axis]) {
        (Valid::Static(valid), _) => Some((valid, tile.ty.span)),
        (_, constructed) => constructed,
    }
}

fn is_empty(tile: &Tile, axis: usize) -> bool {
    valid(tile, axis).is_some_and(|(valid, _)| valid == 0)
}
