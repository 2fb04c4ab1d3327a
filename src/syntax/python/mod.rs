//! Python: tree-sitter in, typed syntax out.

pub mod ast;

/// stub
pub fn parse(_: &crate::text::SourceText) -> ast::File {
    ast::File::default()
}
