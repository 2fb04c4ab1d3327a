//! Data that nothing has written, and values that are not finite.

pub(crate) mod discarded_product;
mod filled_rows;
pub(crate) mod infinite_sentinel;
mod last_writer;
pub(crate) mod nan_produced;
pub(crate) mod output_hole;
pub(crate) mod padding_in_reduction;
pub(crate) mod setvalue_fill;
pub(crate) mod setvalue_mask_loop;
pub(crate) mod stale_tail;
pub(crate) mod sum_after_cast;
pub(crate) mod uninitialized_read;
pub(crate) mod unseeded_accumulation;
pub(crate) mod zero_by_multiply;

use crate::Rule;

/// The rules of this group, in the order of their codes.
pub(crate) const RULES: &[&Rule] = &[
    &uninitialized_read::RULE,
    &zero_by_multiply::RULE,
    &infinite_sentinel::RULE,
    &output_hole::RULE,
    &unseeded_accumulation::RULE,
    &padding_in_reduction::RULE,
    &setvalue_fill::RULE,
    &setvalue_mask_loop::RULE,
    &sum_after_cast::RULE,
    &nan_produced::RULE,
    &stale_tail::RULE,
    &discarded_product::RULE,
];
