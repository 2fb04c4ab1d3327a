//! Python: tree-sitter in, typed syntax out.

pub mod ast;
mod comments;
mod flat;
mod literal;
mod lower;
mod mend;
mod parse;
pub mod queries;
pub mod scopes;

pub use lower::{MAX_DEPTH, lower};
pub use parse::{MAX_BYTES, parse, parse_tree};
