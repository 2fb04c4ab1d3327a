//! PTO tiles, read from C++ and from assembly into [`tile::Unit`](a2lint_ir::tile::Unit).

mod assembly;
mod cpp;
mod names;
mod types;

pub use assembly::from_assembly;
pub use cpp::{from_cpp, syntax_errors as cpp_errors, without_scratch};

/// Words of which every C++ file with tiles that are checked contains at least one.
pub const FAMILY: &[&str] = &["TSEL", "TCMP", "TASSIGN"];
