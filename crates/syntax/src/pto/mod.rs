//! PTO assembly and the MLIR around it: a small, tolerant reader of our own.
//!
//! The MLIR grammar for tree-sitter reads the dotted levels only: the bare form (`.arg`, `tsel`)
//! and `#` comments, which the manual uses throughout, are errors to it, and its trees are flat, so
//! that `ins` and `outs` would have to be parted by hand anyway. All of it is one line shape: results,
//! a name, operands in groups, attributes, types. That is what is read here; whatever else a module
//! holds passes as an operation of another dialect.

mod ast;
mod lexer;
mod parse;

pub use ast::{Group, Module, Op, Operand, OperandKind, TypeText};
pub use lexer::{Token, TokenKind, tokens};
pub use parse::parse;

#[cfg(test)]
mod tests;
