//! `GatherMask` calls of AscendC.

pub(crate) mod gather_alignment;
pub(crate) mod gather_arguments_swapped;
pub(crate) mod gather_count_ignored;
pub(crate) mod gather_count_type;
pub(crate) mod gather_counter_mask;
pub(crate) mod gather_deprecated;
pub(crate) mod gather_destination_bounds;
pub(crate) mod gather_dtype_product;
pub(crate) mod gather_field_width;
pub(crate) mod gather_mask_mode;
pub(crate) mod gather_missing_barrier;
pub(crate) mod gather_narrowing;
pub(crate) mod gather_normal_mask;
pub(crate) mod gather_partial_overlap;
pub(crate) mod gather_pattern_bounds;
pub(crate) mod gather_pattern_dtype;
pub(crate) mod gather_pattern_product;
pub(crate) mod gather_pattern_range;
pub(crate) mod gather_pattern_stride;
pub(crate) mod gather_portability;
pub(crate) mod gather_position;
pub(crate) mod gather_repeat_overlap;
pub(crate) mod gather_repeat_zero;
pub(crate) mod gather_reserved_parameter;
pub(crate) mod gather_source_bounds;
pub(crate) mod gather_type_mismatch;
pub(crate) mod gathers;

use crate::Rule;

/// The rules of this group, in the order of their codes.
pub(crate) const RULES: &[&Rule] = &[
    &gather_pattern_range::RULE,
    &gather_pattern_product::RULE,
    &gather_dtype_product::RULE,
    &gather_pattern_dtype::RULE,
    &gather_type_mismatch::RULE,
    &gather_alignment::RULE,
    &gather_normal_mask::RULE,
    &gather_counter_mask::RULE,
    &gather_repeat_zero::RULE,
    &gather_repeat_overlap::RULE,
    &gather_source_bounds::RULE,
    &gather_destination_bounds::RULE,
    &gather_pattern_bounds::RULE,
    &gather_pattern_stride::RULE,
    &gather_narrowing::RULE,
    &gather_count_type::RULE,
    &gather_count_ignored::RULE,
    &gather_missing_barrier::RULE,
    &gather_mask_mode::RULE,
    &gather_partial_overlap::RULE,
    &gather_position::RULE,
    &gather_portability::RULE,
    &gather_deprecated::RULE,
    &gather_arguments_swapped::RULE,
    &gather_reserved_parameter::RULE,
    &gather_field_width::RULE,
];
