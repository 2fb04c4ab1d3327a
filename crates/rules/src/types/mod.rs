//! Element types and value ranges.

pub(crate) mod accumulator_dtype;
pub(crate) mod bitwise_width;
pub(crate) mod cast_pair;
pub(crate) mod dup_dtype;
pub(crate) mod int_compare_mode;
pub(crate) mod int_scalar_truncation;
pub(crate) mod mask_dtype;
pub(crate) mod move_dtype;
pub(crate) mod narrow_cast;
pub(crate) mod op_dtype;
pub(crate) mod operands;
pub(crate) mod shift_count;
pub(crate) mod sqrt_int_var;

use crate::Rule;

/// The rules of this group, in the order of their codes.
pub(crate) const RULES: &[&Rule] = &[
    &move_dtype::RULE,
    &dup_dtype::RULE,
    &op_dtype::RULE,
    &cast_pair::RULE,
    &sqrt_int_var::RULE,
    &int_scalar_truncation::RULE,
    &int_compare_mode::RULE,
    &bitwise_width::RULE,
    &shift_count::RULE,
    &accumulator_dtype::RULE,
    &mask_dtype::RULE,
    &narrow_cast::RULE,
];
