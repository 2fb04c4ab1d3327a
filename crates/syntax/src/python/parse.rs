//! Text to tree, within a budget.

use std::ops::ControlFlow;

use tree_sitter::{ParseOptions, ParseState, Parser, Tree};

use super::comments::without_long_comments;

/// Texts above this size are refused: they are no kernel sources, and error recovery is not linear.
pub const MAX_BYTES: usize = 512 << 10;

/// What one parse may spend, beside [`BYTES_A_UNIT`]: small texts can be much worse than the average.
const LEAST_BUDGET: usize = 4_000;
/// Bytes that pay for one unit. A text of [`MAX_BYTES`] may spend 40,000 besides the least; a clean one
/// spends about 4,000 and one that is broken at its start about all of it.
const BYTES_A_UNIT: usize = MAX_BYTES / 40_000;
/// Price of a hundred parser steps.
const STEPS_PRICE: usize = 1;
/// Their price while the parser recovers from an error, where a step takes 25 times as long.
const RECOVERY_PRICE: usize = 25;

/// Bytes that the parser gets at once.
const CHUNK: usize = 4 << 10;
/// Chunks that it may ask for, again and again or one after the other, beside [`BYTES_A_CHUNK`]: the
/// scanner looks ahead without counting its steps.
const LEAST_CHUNKS: usize = 1_000;
/// Bytes that pay for one chunk. A text of [`MAX_BYTES`] gets 8,000 besides the least and takes 130.
const BYTES_A_CHUNK: usize = MAX_BYTES / 8_000;

/// Reads texts, one after the other.
pub(super) struct Reader(Parser);

impl Reader {
    pub fn new() -> Reader {
        let mut parser = Parser::new();
        parser
            .set_language(&tree_sitter_python::LANGUAGE.into())
            .expect("the grammar is of a version that the library reads");
        Reader(parser)
    }

    /// The tree of `text`; `None` where the text is larger than [`MAX_BYTES`] or spends one of the
    /// budgets. They count steps and not time, so that the answer does not depend on the machine.
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
            chunks = chunks.saturating_sub(1);
            let end = if chunks > 0 { bytes.len() } else { 0 };
            bytes.get(at..end.min(at + CHUNK)).unwrap_or_default()
        };
        let tree = self.0.parse_with_options(&mut chunk, None, Some(options));
        if tree.is_none() {
            // What was given up would be gone on with.
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
