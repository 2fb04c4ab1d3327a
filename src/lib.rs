//! Static checker, embedded simulator and language server for Ascend A2 kernel sources.
//!
//! Data flows one way: text → syntax → frontend → [`ir::Program`] → analysis and machine → rules →
//! findings → reports. `ARCHITECTURE.md` names the invariants.

pub mod device;
pub mod finding;
pub mod ir;
pub mod isa;
pub mod syntax;
pub mod text;
