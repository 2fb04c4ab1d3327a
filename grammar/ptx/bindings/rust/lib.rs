//! The PTX grammar, for `tree_sitter::Parser::set_language`.

use tree_sitter_language::LanguageFn;

unsafe extern "C" {
    fn tree_sitter_ptx() -> *const ();
}

/// The grammar.
// SAFETY: the function is the one that the generator wrote into `src/parser.c`.
pub const LANGUAGE: LanguageFn = unsafe { LanguageFn::from_raw(tree_sitter_ptx) };

/// Highlight queries.
pub const HIGHLIGHTS_QUERY: &str = include_str!("../../queries/highlights.scm");

/// What kinds of nodes there are, as JSON.
pub const NODE_TYPES: &str = include_str!("../../src/node-types.json");
