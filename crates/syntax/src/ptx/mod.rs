//! PTX: tree-sitter in, typed syntax out.

pub mod ast;
mod lower;
mod mend;
mod parse;

pub use parse::{MAX_BYTES, errors, parse, parse_tree};
