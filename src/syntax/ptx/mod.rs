//! PTX: tree-sitter in, typed syntax out.

pub mod ast;
mod lower;
mod mend;
mod parse;

pub use parse::{MAX_BYTES, parse, parse_tree};
