//! On-chip memories: capacities and shapes of buffers.

pub(crate) mod bias_overflow;
pub(crate) mod capacity;
pub(crate) mod l0ab_overflow;
pub(crate) mod l0c_backing_short;
pub(crate) mod l0c_overflow;
pub(crate) mod l1_backing_short;
pub(crate) mod l1_overflow;
pub(crate) mod local_rank;
pub(crate) mod local_tail_shape;
pub(crate) mod narrow_row;
pub(crate) mod select_overlap;
pub(crate) mod ub_overflow;

use crate::Rule;

/// The rules of this group, in the order of their codes.
pub(crate) const RULES: &[&Rule] = &[
    &l0c_overflow::RULE,
    &ub_overflow::RULE,
    &l1_overflow::RULE,
    &l0ab_overflow::RULE,
    &bias_overflow::RULE,
    &local_rank::RULE,
    &narrow_row::RULE,
    &l1_backing_short::RULE,
    &l0c_backing_short::RULE,
    &local_tail_shape::RULE,
    &select_overlap::RULE,
];
