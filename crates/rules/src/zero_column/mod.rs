//! Zero-column masks of PTX tensor-core instructions.

pub(crate) mod column_masks;
pub(crate) mod zcm_collector_order;
pub(crate) mod zcm_collector_spelling;
pub(crate) mod zcm_cta_group;
pub(crate) mod zcm_degenerate;
pub(crate) mod zcm_disabled_fields;
pub(crate) mod zcm_form;
pub(crate) mod zcm_lane_vector;
pub(crate) mod zcm_mixed_group;
pub(crate) mod zcm_modifier;
pub(crate) mod zcm_not_ws;
pub(crate) mod zcm_operand_order;
pub(crate) mod zcm_operand_type;
pub(crate) mod zcm_reserved_bits;
pub(crate) mod zcm_restart;
pub(crate) mod zcm_shape;
pub(crate) mod zcm_shift_descriptor;
pub(crate) mod zcm_shift_range;
pub(crate) mod zcm_start_count;
pub(crate) mod zcm_target;
pub(crate) mod zcm_unused_submask;

use crate::Rule;

/// The rules of this group, in the order of their codes.
pub(crate) const RULES: &[&Rule] = &[
    &zcm_cta_group::RULE,
    &zcm_mixed_group::RULE,
    &zcm_not_ws::RULE,
    &zcm_operand_order::RULE,
    &zcm_operand_type::RULE,
    &zcm_lane_vector::RULE,
    &zcm_modifier::RULE,
    &zcm_collector_spelling::RULE,
    &zcm_collector_order::RULE,
    &zcm_shape::RULE,
    &zcm_target::RULE,
    &zcm_reserved_bits::RULE,
    &zcm_shift_range::RULE,
    &zcm_shift_descriptor::RULE,
    &zcm_disabled_fields::RULE,
    &zcm_unused_submask::RULE,
    &zcm_start_count::RULE,
    &zcm_degenerate::RULE,
    &zcm_restart::RULE,
    &zcm_form::RULE,
];
