//! Changes that reduce the time on the device by the cost model.

pub(crate) mod bank_conflict;
pub(crate) mod few_cores;
pub(crate) mod float_product;
pub(crate) mod gains;
pub(crate) mod gathered_rows;
pub(crate) mod misaligned_rows;
pub(crate) mod same_addresses;
pub(crate) mod scalar_loop;
pub(crate) mod single_slot;
pub(crate) mod small_moves;
pub(crate) mod unneeded_barrier;

use crate::Rule;

/// The rules of this group, in the order of their codes.
pub(crate) const RULES: &[&Rule] = &[
    &bank_conflict::RULE,
    &unneeded_barrier::RULE,
    &single_slot::RULE,
    &misaligned_rows::RULE,
    &small_moves::RULE,
    &few_cores::RULE,
    &same_addresses::RULE,
    &scalar_loop::RULE,
    &gathered_rows::RULE,
    &float_product::RULE,
];
