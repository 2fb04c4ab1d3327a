//! What calls of a language leave to inference.

use a2lint_isa::RepeatRounding;

/// How a language completes calls of instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conventions {
    /// How a repeat count that a call leaves out is rounded.
    pub repeat_rounding: RepeatRounding,
    /// Whether a padded load infers all of its extents as soon as one of them is left out.
    pub infers_whole_loads: bool,
    /// Whether extents that a product leaves out are rounded up to whole fractals.
    pub rounds_products: bool,
    /// Whether a number may stand in the place of an operand of which one element counts.
    pub takes_numbers_as_operands: bool,
}
