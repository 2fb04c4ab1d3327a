//! Mask instructions of other languages: the bits of the mask, and what they select.

use crate::lsp::snapshot::Snapshot;
use crate::report::zero_column;
use crate::text::Span;

/// The mask of the instruction at an offset.
pub fn at(snapshot: &Snapshot, offset: u32) -> Option<(Vec<String>, Span)> {
    let mma = snapshot.file.analysis.masks.mma.mma_at(offset)?;
    let mask = mma.mask()?;
    let shape = match mask.known.shape {
        Some(shape) => format!("M = {}, N = {}", shape.rows().count(), shape.columns()),
        None => "of a shape that is not a constant here".to_owned(),
    };
    let title = format!("**zero-column mask** `{}` — {shape}", mask.operand.text);
    let picture = format!(
        "```text\n{}\n```",
        zero_column::render(&mask.known).trim_end()
    );
    Some((vec![title, picture], mma.instruction.span))
}
