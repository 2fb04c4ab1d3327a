//! Python sources: parsing with tree-sitter, lowering to typed syntax.

pub mod ast;
mod comments;
mod flat;
mod indent;
mod literal;
mod lower;
mod mend;
mod parse;
mod pieces;
pub mod queries;
mod reading;
mod scan;
pub mod scopes;
mod shift;

pub use lower::MAX_DEPTH;
pub use lower::mangled;
pub use parse::MAX_BYTES;
pub use reading::{Syntax, parse};
