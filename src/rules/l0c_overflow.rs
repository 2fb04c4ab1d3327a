use super::{Facts, Sink};
use crate::declare_rule;

declare_rule! {
    /// ## What it does
    /// Adds up the L0C tensors of a kernel and reports a sum above 128 KB.
    ///
    /// ## Why is this bad?
    /// The accumulator memory of an A2 cube core holds 128 KB; tiles that fit the 256 KB of an A5
    /// core overflow it, and what lies past the end is lost.
    ///
    /// ## Example
    /// ```python
    /// acc = DBuff(DT.float, [128, 256], Position.L0C)
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// acc = DBuff(DT.float, [128, 128], Position.L0C)
    /// ```
    ///
    /// ## Source
    /// A2 device constraints, section 1: `TILE_M * TILE_N * 4 * 2 <= 128 KB`.
    "CAP001" "l0c-overflow" Error
}

fn check(_facts: &Facts, _sink: &mut Sink) {}
