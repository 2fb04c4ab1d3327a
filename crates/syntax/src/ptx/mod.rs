//! PTX sources: parsing with tree-sitter, lowering to typed syntax.

pub mod ast;
mod lower;
mod mend;
mod parse;

pub use parse::{MAX_BYTES, errors, parse, parse_tree};
