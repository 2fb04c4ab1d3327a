//! From text to typed syntax.

pub mod ast;
