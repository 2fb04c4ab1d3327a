//! Launches that are made too large to simulate.

/// The approximate factor by which extents are enlarged.
pub const FACTOR: i64 = 64;
/// The modulus by which enlarged extents keep their remainder.
const KEPT: i64 = 256;

/// Enlarges an extent by whole tiles, so that the last tile keeps its size.
pub fn remaindered(extent: i64) -> i64 {
    match extent {
        0 | 1 => extent,
        _ => extent + (FACTOR - 1) * (extent + KEPT - 1) / KEPT * KEPT,
    }
}

/// Mistakes that disappear or are replaced by others in very large launches. Extents that have to fit on the chip no
/// longer do; missing columns exist; undefined data of a first tile is replaced by that of an older one. An overflow
/// at full size does not occur where tensors had to be made smaller, which the report says. A slot that is read a
/// whole ring too early (`bad_lookahead`) would show with twice the default work of a file.
pub const OTHERWISE: [(&str, &str); 12] = [
    ("bad_shifted_columns.py", "gm-out-of-bounds"),
    ("bad_last_block.py", "padding-in-reduction"),
    ("bad_narrow_rows.py", "padding-in-reduction"),
    ("bad_index_behind_workspace.py", "uninitialized-read"),
    ("bad_reduced_behind_workspace.py", "uninitialized-read"),
    ("bad_scalar_behind_workspace.py", "uninitialized-read"),
    ("bad_through_workspace.py", "uninitialized-read"),
    ("bad_through_workspace_to_cube.py", "uninitialized-read"),
    ("case_34_bad_tail_of_thirteen.py", "uninitialized-read"),
    ("bad_product.py", "output-hole"),
    ("bad_product.py", "scalar-overflow"),
    ("bad_lookahead.py", "slot-lifetime"),
];
