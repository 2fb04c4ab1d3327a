//! What the C++ front ends share: constants, names, and the way through a function.

mod dialect;
mod environment;
mod instances;
mod walk;

pub use dialect::{Call, ClassFacts, Dialect, Role, Site};
pub use environment::{Binding, Entity, Environment};
pub use walk::{root, walk_unit};
