//! Instructions, paths and ranges that a device does not have.

pub(crate) mod a5_only_api;
pub(crate) mod cube_detour;
pub(crate) mod deprecated_set_cmpmask;
pub(crate) mod facade_mix;
pub(crate) mod illegal_move;
pub(crate) mod illegal_moves;
pub(crate) mod l0c_to_l1_float;
pub(crate) mod l0c_to_ub;
pub(crate) mod mmad_range;
pub(crate) mod repeat_range;
pub(crate) mod scalar_overflow;
pub(crate) mod sub_block_in_cube;
pub(crate) mod transposed_move;
pub(crate) mod ub_to_l1;
pub(crate) mod undefined_arithmetic;
pub(crate) mod vec_mode_collective;
pub(crate) mod wrong_side;

use crate::Rule;

/// The rules of this group, in the order of their codes.
pub(crate) const RULES: &[&Rule] = &[
    &a5_only_api::RULE,
    &l0c_to_ub::RULE,
    &ub_to_l1::RULE,
    &l0c_to_l1_float::RULE,
    &cube_detour::RULE,
    &illegal_move::RULE,
    &transposed_move::RULE,
    &facade_mix::RULE,
    &deprecated_set_cmpmask::RULE,
    &vec_mode_collective::RULE,
    &repeat_range::RULE,
    &mmad_range::RULE,
    &sub_block_in_cube::RULE,
    &scalar_overflow::RULE,
    &wrong_side::RULE,
    &undefined_arithmetic::RULE,
];
