//! Python files, which refer to others by imports.

mod imports;
mod modules;
mod text;

pub use imports::IsLibrary;
pub(crate) use imports::{Import, candidates, member};
pub use modules::{Found, Modules, PythonModule};
pub use text::PythonText;
