//! What the C++ front ends share: constants, names, and the way through a function.

mod environment;
mod walk;

pub use environment::{Binding, Entity, Environment};
pub use walk::{Call, ClassFacts, Dialect, Role, Site, root, walk_unit};
