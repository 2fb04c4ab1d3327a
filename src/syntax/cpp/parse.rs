//! Text to tree, within a budget.

use std::ops::ControlFlow;

use tree_sitter::{ParseOptions, ParseState, Parser, Tree};

use super::ast::Unit;
use super::blank::blank;
use super::lower::lower;
use crate::text::SourceText;

/// Texts above this size are refused: they are no kernel sources.
pub const MAX_BYTES: usize = 1 << 20;
/// What one parse may spend, in hundreds of parser steps.
const BUDGET: u32 = 60_000;
/// Price of a hundred steps while the parser recovers from an error.
const RECOVERY_PRICE: u32 = 25;

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
    let mut budget = BUDGET;
    let mut spend = |state: &ParseState| {
        let price = if state.has_error() { RECOVERY_PRICE } else { 1 };
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
