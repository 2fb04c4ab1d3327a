//! Elements that an instruction misses or accesses by mistake.

pub(crate) mod brcb_strides;
pub(crate) mod count_modes;
pub(crate) mod dup_coverage;
pub(crate) mod narrow_destination;
pub(crate) mod no_effect;
pub(crate) mod operand_alignment;
pub(crate) mod operand_overrun;
pub(crate) mod padded_rows;
pub(crate) mod partial_overlap;
pub(crate) mod reduce_overrun;
pub(crate) mod reduce_row_width;
pub(crate) mod scalars_unbroadcast;
pub(crate) mod slice_stride;
pub(crate) mod tail_skipped;
pub(crate) mod tail_uncovered;
pub(crate) mod ub_to_ub_scalar;
pub(crate) mod wide_narrow;

use crate::Rule;

/// The rules of this group, in the order of their codes.
pub(crate) const RULES: &[&Rule] = &[
    &dup_coverage::RULE,
    &ub_to_ub_scalar::RULE,
    &operand_overrun::RULE,
    &tail_uncovered::RULE,
    &slice_stride::RULE,
    &narrow_destination::RULE,
    &wide_narrow::RULE,
    &scalars_unbroadcast::RULE,
    &brcb_strides::RULE,
    &reduce_row_width::RULE,
    &reduce_overrun::RULE,
    &count_modes::RULE,
    &operand_alignment::RULE,
    &partial_overlap::RULE,
    &no_effect::RULE,
    &padded_rows::RULE,
    &tail_skipped::RULE,
];
