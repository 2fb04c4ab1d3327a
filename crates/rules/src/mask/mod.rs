//! Masks of vector instructions.

pub(crate) mod compare_nan;
pub(crate) mod compare_tail;
pub(crate) mod counter_mode;
pub(crate) mod gather_mask_arguments;
pub(crate) mod lane_notes;
pub(crate) mod mask_arguments_swapped;
pub(crate) mod mask_clobbered;
pub(crate) mod mask_ignored;
pub(crate) mod mask_inherited;
pub(crate) mod mask_leak;
pub(crate) mod mask_rows;
pub(crate) mod masked_reduction_stale;
pub(crate) mod masks;
pub(crate) mod select_mask_expanded;
pub(crate) mod select_mask_short;
pub(crate) mod select_reserve;
pub(crate) mod select_scalar_source;

use crate::Rule;

/// The rules of this group, in the order of their codes.
pub(crate) const RULES: &[&Rule] = &[
    &select_mask_expanded::RULE,
    &select_mask_short::RULE,
    &select_scalar_source::RULE,
    &mask_ignored::RULE,
    &mask_arguments_swapped::RULE,
    &mask_leak::RULE,
    &masked_reduction_stale::RULE,
    &mask_clobbered::RULE,
    &compare_nan::RULE,
    &compare_tail::RULE,
    &mask_rows::RULE,
    &select_reserve::RULE,
    &gather_mask_arguments::RULE,
    &mask_inherited::RULE,
    &counter_mode::RULE,
];
