//! The rule catalogue. A rule is one file: documentation, metadata, check.
//!
//! Rules are pure functions over [`Facts`]; they know nothing of files, options or formats.

mod origin;
mod rule;
mod wording;

pub use rule::{Facts, FixKind, Group, Report, Rule, Sink};

/// Declares the rule modules and the registry in one list, in code order.
macro_rules! registry {
    ($($module:ident),* $(,)?) => {
        $(mod $module;)*

        /// Every rule, in code order.
        pub static RULES: &[&Rule] = &[$(&$module::RULE),*];
    };
}

registry! {
    l0c_overflow,
    dup_coverage,
    ub_to_ub_scalar,
    operand_overrun,
    operand_alignment,
    select_mask_expanded,
    select_mask_short,
    select_scalar_source,
    mask_arguments_swapped,
    uninitialized_read,
    zero_by_multiply,
    infinite_sentinel,
    setvalue_fill,
}

/// The rule with this name or code.
pub fn find(name: &str) -> Option<&'static Rule> {
    RULES
        .iter()
        .copied()
        .find(|rule| rule.name == name || rule.code.eq_ignore_ascii_case(name))
}
