//! Parsing PTX text into a tree, within a budget of parser steps.

use std::ops::ControlFlow;

use tree_sitter::{ParseOptions, ParseState, Parser, Tree};

use super::ast::Module;
use super::{lower, mend};

/// Size limit of a text in bytes. Compilers emit modules of several megabytes.
pub const MAX_BYTES: usize = 16 << 20;
/// Budget of one parse, independent of the size of the text.
const BASE_BUDGET: u64 = 40_000;
/// Number of bytes for which the budget grows by one. A well-formed module spends one unit on about 200 bytes.
const BYTES_PER_UNIT: u64 = 50;
/// Cost of a hundred parser steps during error recovery, where steps take much longer; otherwise they cost 1.
const RECOVERY_PRICE: u64 = 25;

/// Parses a module or fragment. Never fails: parts that cannot be read are [damaged](Module::damaged), and a text
/// that exceeds the bounds is [refused](Module::refused).
pub fn parse(text: &str) -> Module<'_> {
    let refused = Module {
        refused: true,
        ..Module::default()
    };
    let Some(tree) = parse_tree(text) else {
        return refused;
    };
    if !tree.root_node().has_error() {
        return lower::lower(&tree, text, &[]);
    }
    match mend::mend(&tree, text) {
        Some(mended) => lower::lower(&mended.tree, text, &mended.blanked),
        None => lower::lower(&tree, text, &[]),
    }
}

/// Returns the number of error nodes and missing tokens; `None` if the text exceeds the bounds of the parser.
pub fn errors(text: &str) -> Option<usize> {
    let tree = parse_tree(text)?;
    let mut cursor = tree.walk();
    let mut errors = 0;
    loop {
        let node = cursor.node();
        errors += usize::from(node.is_error() || node.is_missing());
        if node.has_error() && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return Some(errors);
            }
        }
    }
}

/// Parses `text`; `None` if it is larger than [`MAX_BYTES`] or exhausts the budget. The budget counts steps, not
/// time, so that the result does not depend on the machine.
pub fn parse_tree(text: &str) -> Option<Tree> {
    if text.len() > MAX_BYTES {
        return None;
    }
    let mut parser = Parser::new();
    parser
        .set_language(&tree_sitter_ptx::LANGUAGE.into())
        .ok()?;
    let mut budget = BASE_BUDGET + text.len() as u64 / BYTES_PER_UNIT;
    let mut spend = |state: &ParseState| {
        let price = match state.has_error() {
            true => RECOVERY_PRICE,
            false => 1,
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
    let bytes = text.as_bytes();
    let mut read = |at: usize, _| bytes.get(at..).unwrap_or_default();
    parser.parse_with_options(&mut read, None, Some(options))
}
