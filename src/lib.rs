//! The command line of a2lint, and its crates under one name (`a2lint::ir`, `a2lint::machine`, …).
//!
//! Only this crate has command-line options. Each command is a module of [`cli`] that reads options, calls the
//! library, and passes the results to `a2lint_report`.
//!
//! # Where to start reading
//! [`cli::run`], then the module of a command: `cli::check` (`once`, `engine::check_found`, `publish::publish`),
//! `cli::run`, `cli::debug`, `cli::cost`. `cli::output` is the only way to standard output. `ARCHITECTURE.md` follows
//! one kernel from its bytes to this output.
//!
//! # Invariants
//! - Only `cli::rewrite` changes the user's sources, and nothing is written unless the user asks
//!   (`tests/it/limits.rs`).
//! - The exit status is 0, 1, 2 or 101, as README.md says (`tests/it/cli`).
//! - A panic affects only the results of its file, and fails the run (`a_panic_costs_its_file_and_fails_the_run`).
//! - Output fits the width of the terminal (`tests/it/width.rs`).

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
