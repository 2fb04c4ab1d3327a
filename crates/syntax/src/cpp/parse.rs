//! Parsing C++ text into a tree, within a budget of parser steps.

use std::ops::ControlFlow;

use tree_sitter::{ParseOptions, ParseState, Parser, Tree};

use super::ast::Unit;
use super::blank::blank;
use super::lower::lower;
use a2lint_source::text::SourceText;

/// Size limit of a text in bytes. Larger files are no kernel sources.
pub const MAX_BYTES: usize = 1 << 20;
/// Budget of one parse: a base, and one unit for each [`BYTES_FOR_ONE`] bytes. Of 1,700 public files, none spent more
/// than 0.1 units per byte.
const BUDGET: usize = 8_000;
const BYTES_FOR_ONE: usize = 8;
/// Cost of a hundred parser steps, and of a hundred steps during error recovery, which take longer.
const PRICE: usize = 4;
const RECOVERY_PRICE: usize = 25;

/// Parses one file; `None` if it is too large or if its syntax errors exhaust the budget.
pub fn parse(source: &SourceText) -> Option<Unit<'_>> {
    let text = source.as_str();
    Some(lower(&parse_tree(text)?, text, 0))
}

/// Parses `text` with device attributes blanked; `None` if the budget is exhausted. The budget counts steps, not
/// time, so that the result does not depend on the machine.
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
