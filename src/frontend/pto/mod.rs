//! PTO tiles, from C++ and from assembly, to [`tile::Unit`](crate::ir::tile::Unit).

mod assembly;
mod cpp;
mod names;
mod types;

pub use assembly::from_assembly;
pub use cpp::from_cpp;
