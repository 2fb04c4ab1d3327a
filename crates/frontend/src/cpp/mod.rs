//! What the C++ front ends share: constants, names, and the way through a function.

mod arguments;
mod arithmetic;
mod calls;
mod classes;
mod collect;
mod deduce;
mod dialect;
mod environment;
mod evaluate;
mod functions;
mod instance;
mod instances;
mod members;
mod preprocessor;
mod products;
mod statements;
mod traits;
mod walk;

pub use dialect::{Call, ClassFacts, Dialect, Role, Site};
pub use environment::{Binding, Entity, Environment};
pub use members::{declared, mentions};
pub use walk::{Sources, folders, root, walk};
