//! Moves between memories, and views of global tensors.

pub(crate) mod atomic_double_count;
pub(crate) mod atomic_left_on;
pub(crate) mod bias_layout;
pub(crate) mod core_overlap;
pub(crate) mod gather_offset;
pub(crate) mod gm_out_of_bounds;
pub(crate) mod gm_slice_rank;
pub(crate) mod half_written_workspace;
pub(crate) mod l0c_row_offset;
pub(crate) mod l1_operand_slice;
pub(crate) mod reinterpret_view;
pub(crate) mod ring_contract;
pub(crate) mod scalar_line;
pub(crate) mod stale_diagonal_mask;
pub(crate) mod sub_block_column;
pub(crate) mod sub_block_split;
pub(crate) mod workspace_slot;
pub(crate) mod workspaces;

use crate::Rule;

/// The rules of this group, in the order of their codes.
pub(crate) const RULES: &[&Rule] = &[
    &gm_out_of_bounds::RULE,
    &gm_slice_rank::RULE,
    &sub_block_column::RULE,
    &workspace_slot::RULE,
    &half_written_workspace::RULE,
    &sub_block_split::RULE,
    &stale_diagonal_mask::RULE,
    &core_overlap::RULE,
    &l1_operand_slice::RULE,
    &l0c_row_offset::RULE,
    &bias_layout::RULE,
    &reinterpret_view::RULE,
    &atomic_double_count::RULE,
    &gather_offset::RULE,
    &ring_contract::RULE,
    &atomic_left_on::RULE,
    &scalar_line::RULE,
];
