//! Parsing Python text into a tree, within budgets of parser steps and chunks.

use std::ops::ControlFlow;

use tree_sitter::{ParseOptions, ParseState, Parser, Tree};

use super::comments::without_long_comments;

/// Size limit of a text in bytes. Larger files are no kernel sources, and error recovery is not linear.
pub const MAX_BYTES: usize = 512 << 10;

/// Base of the budget of one parse, to which [`BYTES_A_UNIT`] adds: small texts can cost far more than the average
/// per byte.
const LEAST_BUDGET: usize = 4_000;
/// Number of bytes for which the budget grows by one. A text of [`MAX_BYTES`] gets 40,000 units in addition to the
/// base; a well-formed one spends about 4,000, and one that is broken at its start spends almost all.
const BYTES_A_UNIT: usize = MAX_BYTES / 40_000;
/// Cost of a hundred parser steps.
const STEPS_PRICE: usize = 1;
/// Cost of a hundred steps during error recovery, which take 25 times as long.
const RECOVERY_PRICE: usize = 25;

/// Number of bytes that the parser gets at once.
const CHUNK: usize = 4 << 10;
/// Base of the number of chunks that the parser may request, to which [`BYTES_A_CHUNK`] adds. The scanner looks ahead
/// without counting steps, so requests have a limit of their own.
const LEAST_CHUNKS: usize = 1_000;
/// Number of bytes for which the limit of chunks grows by one. A text of [`MAX_BYTES`] gets 8,000 chunks in addition
/// to the base and needs 130.
const BYTES_A_CHUNK: usize = MAX_BYTES / 8_000;

/// A parser that is used for one text after the other.
pub(super) struct Reader(Parser);

impl Reader {
    pub fn new() -> Reader {
        let mut parser = Parser::new();
        parser
            .set_language(&tree_sitter_python::LANGUAGE.into())
            .expect("the grammar is of a version that the library reads");
        Reader(parser)
    }

    /// Parses `text`; `None` if it is larger than [`MAX_BYTES`] or exhausts a budget. Budgets count steps and chunks,
    /// not time, so that the result does not depend on the machine.
    pub fn read(&mut self, text: &str) -> Option<Tree> {
        if text.len() > MAX_BYTES {
            return None;
        }
        let mut budget = LEAST_BUDGET + text.len() / BYTES_A_UNIT;
        let mut spend = |state: &ParseState| match budget.checked_sub(price(state)) {
            Some(left) => {
                budget = left;
                ControlFlow::Continue(())
            }
            None => ControlFlow::Break(()),
        };
        let options = ParseOptions::new().progress_callback(&mut spend);
        let mut chunks = LEAST_CHUNKS + text.len() / BYTES_A_CHUNK;
        let text = without_long_comments(text);
        let bytes = text.as_bytes();
        let mut chunk = |at: usize, _| {
            // An empty chunk ends the text for the parser, which stops soon; its tree is dropped below.
            chunks = chunks.saturating_sub(1);
            let end = if chunks > 0 { bytes.len() } else { 0 };
            bytes.get(at..end.min(at + CHUNK)).unwrap_or_default()
        };
        let tree = self.0.parse_with_options(&mut chunk, None, Some(options));
        if tree.is_none() {
            // Otherwise the next call would resume the abandoned parse.
            self.0.reset();
        }
        tree.filter(|_| chunks > 0)
    }
}

fn price(state: &ParseState) -> usize {
    match state.has_error() {
        true => RECOVERY_PRICE,
        false => STEPS_PRICE,
    }
}
