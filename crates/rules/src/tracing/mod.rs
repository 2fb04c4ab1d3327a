//! Problems of tracing, launching and reading a file.

pub(crate) mod contract_too_wide;
pub(crate) mod contract_violated;
pub(crate) mod kernel_name;
pub(crate) mod launch_unreadable;
pub(crate) mod launch_unusable;
pub(crate) mod loop_exit_at_trace;
pub(crate) mod lost_update;
pub(crate) mod nested_kernel;
pub(crate) mod signature;
pub(crate) mod static_if;
pub(crate) mod syntax_error;
pub(crate) mod trace_error;
pub(crate) mod truthy_var;
pub(crate) mod unknown_name;
pub(crate) mod unknown_rule;
pub(crate) mod unused_buffer;
pub(crate) mod unused_suppression;
pub(crate) mod unused_tensor;
pub(crate) mod var_alias;

use crate::Rule;

/// The rules of this group, in the order of their codes.
pub(crate) const RULES: &[&Rule] = &[
    &trace_error::RULE,
    &static_if::RULE,
    &loop_exit_at_trace::RULE,
    &lost_update::RULE,
    &var_alias::RULE,
    &truthy_var::RULE,
    &kernel_name::RULE,
    &nested_kernel::RULE,
    &signature::RULE,
    &unused_buffer::RULE,
    &unused_suppression::RULE,
    &unknown_rule::RULE,
    &syntax_error::RULE,
    &unknown_name::RULE,
    &launch_unusable::RULE,
    &launch_unreadable::RULE,
    &contract_violated::RULE,
    &contract_too_wide::RULE,
    &unused_tensor::RULE,
];
