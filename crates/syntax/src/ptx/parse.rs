//! Text to tree, within a budget.

use std::ops::ControlFlow;

use tree_sitter::{ParseOptions, ParseState, Parser, Tree};

use super::ast::Module;
use super::{lower, mend};

/// Texts above this size are refused; compilers emit modules of some megabytes.
pub const MAX_BYTES: usize = 16 << 20;
/// What a parse may spend before its size counts.
const BASE_BUDGET: u64 = 40_000;
/// Bytes that allow for one more unit. A clean module spends a unit on about 200 of them.
const BYTES_PER_UNIT: u64 = 50;
/// Price of a hundred parser steps while the parser recovers from an error, where each takes much
/// longer; otherwise it is 1.
const RECOVERY_PRICE: u64 = 25;

/// Parses one module or fragment. Never fails: what cannot be read is
/// [damaged](Module::damaged), and a text that is given up is
/// [refused](Module::refused).
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

/// Number of places that the grammar cannot read; `None` where the text is given up.
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

/// The tree of `text`; `None` where the text is larger than [`MAX_BYTES`] or spends the parser's
/// step budget. The budget counts steps and not time, so that the answer does not depend on the
/// machine.
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
