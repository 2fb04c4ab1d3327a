//! The command line of a2lint, and its crates under one name.

// A position that is not checked panics inside of a character: `text::Slice` takes any.
#![cfg_attr(not(test), warn(clippy::string_slice))]

pub mod cli;

pub use a2lint_analysis as analysis;
pub use a2lint_costs as costs;
pub use a2lint_dap as dap;
pub use a2lint_frontend as frontend;
pub use a2lint_ir as ir;
pub use a2lint_ir::{finding, sync, verdict};
pub use a2lint_isa as isa;
pub use a2lint_isa::{device, masks};
pub use a2lint_launches as launches;
pub use a2lint_lint::{baseline, cache, check, config, repair};
pub use a2lint_lsp as lsp;
pub use a2lint_machine as machine;
pub use a2lint_machine::hazards;
pub use a2lint_mcp as mcp;
pub use a2lint_project as project;
pub use a2lint_prove as prove;
pub use a2lint_replay as replay;
pub use a2lint_report as report;
pub use a2lint_rules as rules;
pub use a2lint_rules::{fix, record, suppress};
pub use a2lint_run as run;
pub use a2lint_run::{debug, laws, target};
pub use a2lint_source::{disk, encoding, files, guard, language, messages, names, spelling, text};
pub use a2lint_syntax as syntax;
