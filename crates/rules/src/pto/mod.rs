//! PTO tiles: placement, synchronisation, compares, selects and their masks.

pub(crate) mod event_same_pipe;
pub(crate) mod flag_wait_first;
pub(crate) mod ptoas_arity;
pub(crate) mod ptoas_mask_type;
pub(crate) mod ptoas_placeholder;
pub(crate) mod ptoas_undefined_value;
pub(crate) mod tassign_alignment;
pub(crate) mod tassign_out_of_bounds;
pub(crate) mod tassign_overlap;
pub(crate) mod tcmp_int_mode;
pub(crate) mod tcmp_row_bytes;
pub(crate) mod tile_alignment;
pub(crate) mod tile_unassigned;
pub(crate) mod tile_valid_range;
pub(crate) mod tiles;
pub(crate) mod tsel_element_size;
pub(crate) mod tsel_element_type;
pub(crate) mod tsel_layout;
pub(crate) mod tsel_mask_divergence;
pub(crate) mod tsel_mask_dtype;
pub(crate) mod tsel_mask_rows;
pub(crate) mod tsel_mask_too_narrow;
pub(crate) mod tsel_missing_tmp;
pub(crate) mod tsel_producer_layout;
pub(crate) mod tsel_sync_missing;
pub(crate) mod tsel_type_mismatch;
pub(crate) mod tsel_valid_region;

use crate::Rule;

/// The rules of this group, in the order of their codes.
pub(crate) const RULES: &[&Rule] = &[
    &tsel_element_size::RULE,
    &tsel_element_type::RULE,
    &tsel_missing_tmp::RULE,
    &tsel_type_mismatch::RULE,
    &tsel_layout::RULE,
    &tsel_mask_too_narrow::RULE,
    &tsel_mask_divergence::RULE,
    &tsel_mask_dtype::RULE,
    &tsel_valid_region::RULE,
    &tsel_producer_layout::RULE,
    &tcmp_int_mode::RULE,
    &tcmp_row_bytes::RULE,
    &tassign_overlap::RULE,
    &tassign_out_of_bounds::RULE,
    &tassign_alignment::RULE,
    &tile_unassigned::RULE,
    &tile_alignment::RULE,
    &tile_valid_range::RULE,
    &tsel_sync_missing::RULE,
    &event_same_pipe::RULE,
    &ptoas_arity::RULE,
    &ptoas_mask_type::RULE,
    &ptoas_placeholder::RULE,
    &tsel_mask_rows::RULE,
    &flag_wait_first::RULE,
    &ptoas_undefined_value::RULE,
];
