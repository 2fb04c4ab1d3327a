//! Text to tree, within a budget.

use std::ops::ControlFlow;

use tree_sitter::{ParseOptions, ParseState, Parser, Tree};

use super::ast::{ErrorReason, File, SyntaxError};
use super::comments::without_long_comments;
use super::lower::lower;
use crate::text::{SourceText, Span};

/// Texts above this size are refused: they are no kernel sources, and error recovery is not linear.
pub const MAX_BYTES: usize = 512 << 10;
/// What one parse may spend. A clean file of [`MAX_BYTES`] spends about 4000 and one that is
/// broken at its start about all of it.
const BUDGET: u32 = 40_000;
/// Price of a hundred parser steps.
const STEPS_PRICE: u32 = 1;
/// Their price while the parser recovers from an error, where a step takes 25 times as long.
const RECOVERY_PRICE: u32 = 25;

/// Bytes that the parser gets at once.
const CHUNK: usize = 4 << 10;
/// Chunks that it may ask for, again and again or one after the other: the scanner looks ahead
/// without counting its steps. A clean file of [`MAX_BYTES`] takes 130.
const CHUNKS: u32 = 8_000;

/// Parses one file. Never fails: what cannot be read is listed in [`File::errors`].
pub fn parse(source: &SourceText) -> File {
    match parse_tree(source.as_str(), None) {
        Some(tree) => lower(&tree, source),
        None => refused(source),
    }
}

/// The tree of `text`; `old` is the edited tree of its former state, for incremental parsing.
///
/// `None` where the text is larger than [`MAX_BYTES`] or spends one of the parser's budgets. They
/// count steps and not time, so that the answer does not depend on the machine.
pub fn parse_tree(text: &str, old: Option<&Tree>) -> Option<Tree> {
    if text.len() > MAX_BYTES {
        return None;
    }
    let mut parser = Parser::new();
    parser
        .set_language(&tree_sitter_python::LANGUAGE.into())
        .ok()?;
    let mut budget = BUDGET;
    let mut spend = |state: &ParseState| match budget.checked_sub(price(state)) {
        Some(left) => {
            budget = left;
            ControlFlow::Continue(())
        }
        None => ControlFlow::Break(()),
    };
    let options = ParseOptions::new().progress_callback(&mut spend);
    let text = without_long_comments(text);
    let bytes = text.as_bytes();
    let mut chunks = CHUNKS;
    let mut read = |at: usize, _| {
        chunks = chunks.saturating_sub(1);
        let end = if chunks > 0 { bytes.len() } else { 0 };
        bytes.get(at..end.min(at + CHUNK)).unwrap_or_default()
    };
    let tree = parser.parse_with_options(&mut read, old, Some(options));
    tree.filter(|_| chunks > 0)
}

fn price(state: &ParseState) -> u32 {
    match state.has_error() {
        true => RECOVERY_PRICE,
        false => STEPS_PRICE,
    }
}

/// The file that stands for a text that was given up.
fn refused(source: &SourceText) -> File {
    let error = SyntaxError {
        span: Span::new(0, source.as_str().len()),
        reason: ErrorReason::TooCostly,
    };
    File {
        errors: vec![error],
        ..File::default()
    }
}
