//! PTO assembly and the MLIR around it: a small error-tolerant parser.
//!
//! The tree-sitter grammar of MLIR accepts only names with dots: the bare form (`.arg`, `tsel`) and `#` comments,
//! which the manual uses throughout, are errors to it. Its trees are flat, so `ins` and `outs` would have to be
//! separated here anyway. All operations have the same form (results, a name, operands in groups, attributes, types),
//! which this parser reads. Anything else in a module is read as an operation of another dialect.

mod ast;
mod lexer;
mod parse;

pub use ast::{Group, Module, Op, Operand, OperandKind, TypeText};
pub use lexer::{Token, TokenKind, tokens};
pub use parse::parse;

#[cfg(test)]
mod tests;
