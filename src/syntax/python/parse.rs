//! Text to tree, within a budget.

use std::ops::ControlFlow;

use tree_sitter::{ParseOptions, Parser, Tree};

use super::ast::{ErrorReason, File, SyntaxError};
use super::lower::lower;
use crate::text::{SourceText, Span};

/// Progress reports (one per hundred parser steps) that any file may take.
const BASE_REPORTS: usize = 10_000;
/// Bytes that earn one more report; ordinary sources take one report per 300 bytes.
const BYTES_PER_REPORT: usize = 64;
/// Reports that no file may exceed.
const MAX_REPORTS: usize = 40_000;

/// Parses one file. Never fails: what cannot be read is listed in [`File::errors`].
pub fn parse(source: &SourceText) -> File {
    match parse_tree(source.as_str(), None) {
        Some(tree) => lower(&tree, source),
        None => refused(source),
    }
}

/// The tree of `text`; `old` is the edited tree of its former state, for incremental parsing.
///
/// `None` where the parser exceeds its step budget. The budget counts steps and not time, so the
/// answer does not depend on the machine.
pub fn parse_tree(text: &str, old: Option<&Tree>) -> Option<Tree> {
    let mut parser = Parser::new();
    parser
        .set_language(&tree_sitter_python::LANGUAGE.into())
        .ok()?;
    let mut reports = (BASE_REPORTS + text.len() / BYTES_PER_REPORT).min(MAX_REPORTS);
    let mut spend = |_: &_| match reports.checked_sub(1) {
        Some(left) => {
            reports = left;
            ControlFlow::Continue(())
        }
        None => ControlFlow::Break(()),
    };
    let options = ParseOptions::new().progress_callback(&mut spend);
    let bytes = text.as_bytes();
    let mut read = |at: usize, _| bytes.get(at..).unwrap_or_default();
    parser.parse_with_options(&mut read, old, Some(options))
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
