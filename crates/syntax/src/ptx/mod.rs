//! PTX sources: a lexer, and a parser that recovers at the next line.

pub mod ast;
mod lexer;
mod operand;
mod parse;

pub use parse::{MAX_BYTES, errors, parse};
