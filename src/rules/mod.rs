//! The rule catalogue. A rule is one file: documentation, metadata, check.
//!
//! Rules are pure functions over [`Facts`]; they know nothing of files, options or formats.

mod rule;

pub use rule::{Check, Facts, FixKind, Group, Report, Rule, Sink};

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
}

/// The rule with this name or code.
pub fn find(name: &str) -> Option<&'static Rule> {
    RULES
        .iter()
        .copied()
        .find(|rule| rule.name == name || rule.code.eq_ignore_ascii_case(name))
}
