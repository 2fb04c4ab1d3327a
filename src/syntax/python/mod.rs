//! Python: tree-sitter in, typed syntax out.

pub mod ast;
