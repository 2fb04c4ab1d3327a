//! Text to tree, within a budget.

use std::ops::ControlFlow;

use tree_sitter::{ParseOptions, ParseState, Parser, Tree};

use super::ast::Unit;
use super::blank::blank;
use super::lower::lower;
use a2lint_source::text::SourceText;

/// Texts above this size are refused: they are no kernel sources.
pub const MAX_BYTES: usize = 1 << 20;
/// What one parse may spend, of any text and for each byte of it. Of 1,700 public files none took more
/// than 0.1 for a byte.
const BUDGET: usize = 8_000;
const BYTES_FOR_ONE: usize = 8;
/// Price of a hundred steps of the parser, and of as many while it recovers from an error.
const PRICE: usize = 4;
const RECOVERY_PRICE: usize = 25;

/// Parses one file; `None` where it is too large or too broken to be worth its price.
pub fn parse(source: &SourceText) -> Option<Unit<'_>> {
    let text = source.as_str();
    Some(lower(&parse_tree(text)?, text, 0))
}

/// The tree of `text` with device attributes blanked. The budget counts steps and not time, so that
/// the answer does not depend on the machine.
pub fn parse_tree(text: &str) -> Option<Tree> {
    if text.len() > MAX_BYTES {
        return None;
    }
    let mut parser = Parser::new();
    parser
        .set_language(&tree_sitter_cpp::LANGUAGE.into())
        .ok()?;
    let mut budget = BUDGET + text.len() / BYTES_FOR_ONE;
    let mut spend = |state: &ParseState| {
        let price = match state.has_error() {
            true => RECOVERY_PRICE,
            false => PRICE,
        };
        match budget.checked_sub(price) {
            Some(left) => {
                budget = left;
                ControlFlow::Continue(())
            }
            None => ControlFlow::Break(()),
        }
    };
    let options = ParseOptions::new().progress_callback(&mut spend);
    let blanked = blank(text);
    let bytes = blanked.as_bytes();
    let mut read = |at: usize, _| bytes.get(at..).unwrap_or_default();
    parser.parse_with_options(&mut read, None, Some(options))
}
