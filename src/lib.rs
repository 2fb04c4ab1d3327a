//! Static checker, embedded simulator and language server for Ascend A2 kernel sources.
//!
//! Data flows one way: text → syntax → frontend → [`ir::Program`] → analysis and machine → rules →
//! findings → reports. `ARCHITECTURE.md` names the invariants.

// A position that is not checked panics inside of a character: `text::Slice` takes any.
#![cfg_attr(not(test), warn(clippy::string_slice))]

pub mod analysis;
pub mod baseline;
pub mod cache;
pub mod check;
pub mod cli;
pub mod config;
pub mod costs;
pub mod dap;
pub mod debug;
pub mod device;
mod disk;
pub mod encoding;
pub mod files;
pub mod finding;
pub mod fix;
pub mod frontend;
mod guard;
pub mod hazards;
pub mod ir;
pub mod isa;
pub mod language;
pub mod laws;
pub mod lsp;
pub mod machine;
pub mod masks;
pub mod mcp;
mod messages;
pub mod names;
mod project;
pub mod prove;
pub mod record;
pub mod repair;
pub mod replay;
pub mod report;
pub mod rules;
pub mod run;
pub mod spelling;
pub mod suppress;
pub mod sync;
pub mod syntax;
pub mod target;
pub mod text;
pub mod verdict;
