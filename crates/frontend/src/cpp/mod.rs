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
mod includes;
mod instance;
mod instances;
mod members;
mod preprocessor;
mod products;
mod statements;
mod text;
mod traits;
mod walk;

pub use dialect::{Call, ClassFacts, Dialect, Role, Site};
pub use environment::{Binding, Entity, Environment};
pub use includes::{Around, folders};
pub use members::{declared, mentions};
pub use text::{CppText, Starts, includes};
pub use walk::{Sources, root, walk};
