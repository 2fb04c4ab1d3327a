//! Launches made larger than anybody wants to wait for.

/// What every extent of an enlarged launch is multiplied with, about.
pub const FACTOR: i64 = 64;
/// What the enlarged extents keep their remainder of.
const KEPT: i64 = 256;

/// An extent made larger: by as many tiles as keep what is left of the last one.
pub fn remaindered(extent: i64) -> i64 {
    match extent {
        0 | 1 => extent,
        _ => extent + (FACTOR - 1) * (extent + KEPT - 1) / KEPT * KEPT,
    }
}

/// What is no mistake any more where a launch is so large, or gives way to another one: extents that
/// have to fit on the chip no longer do, columns that were missing are there, and what was undefined
/// in a first tile holds an older one. A product that overflows at full size does not where tensors
/// had to be made smaller, which the report says. A slot that is read a whole ring too early
/// (`bad_lookahead`) would show, with twice the work that a file is given by default.
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
