//! PTO tiles, from C++ and from assembly, to [`tile::Unit`](a2lint_ir::tile::Unit).

mod assembly;
mod cpp;
mod names;
mod types;

pub use assembly::from_assembly;
pub use cpp::{from_cpp, without_scratch};

/// Words of which a C++ file with tiles that we check has at least one.
pub const FAMILY: &[&str] = &["TSEL", "TCMP", "TASSIGN"];
