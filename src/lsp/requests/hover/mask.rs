//! Mask instructions of other languages: the bits of the mask, and what they select.

use crate::ir::tile::StepKind;
use crate::lsp::snapshot::Snapshot;
use crate::report::{gather_mask, tile_select, zero_column};
use crate::text::Span;

/// What the instruction at an offset selects.
pub fn at(snapshot: &Snapshot, offset: u32) -> Option<(Vec<String>, Span)> {
    columns(snapshot, offset)
        .or_else(|| gathered(snapshot, offset))
        .or_else(|| selected(snapshot, offset))
}

fn shown(title: String, picture: &str, span: Span) -> (Vec<String>, Span) {
    let picture = format!("```text\n{}\n```", picture.trim_end());
    (vec![title, picture], span)
}

/// The elements that a `GatherMask` takes.
fn gathered(snapshot: &Snapshot, offset: u32) -> Option<(Vec<String>, Span)> {
    let unit = &snapshot.file.analysis.masks.gathers;
    let target = unit.targets.first();
    let mut calls = unit.functions.iter().flat_map(|function| function.calls());
    let (_, step, call) = calls.find(|(_, step, _)| step.span.touches(offset))?;
    let title = format!("**GatherMask** on {}", target.name());
    Some(shown(title, &gather_mask::outline(call, target), step.span))
}

/// The bits of the mask that a `TSEL` looks at.
fn selected(snapshot: &Snapshot, offset: u32) -> Option<(Vec<String>, Span)> {
    let unit = &snapshot.file.analysis.masks.tiles;
    let target = unit.targets.first();
    let mut steps = unit.functions.iter().flat_map(|function| &function.steps);
    let step =
        steps.find(|step| matches!(step.kind, StepKind::Select(_)) && step.span.touches(offset))?;
    let StepKind::Select(select) = &step.kind else {
        return None;
    };
    let mask = tile_select::Shown::of(select, target)?;
    let title = format!("**TSEL** by the bits of `{}`", select.mask.text);
    Some(shown(title, &tile_select::render(&mask), step.span))
}

/// The mask of a tensor-core instruction.
fn columns(snapshot: &Snapshot, offset: u32) -> Option<(Vec<String>, Span)> {
    let mma = snapshot.file.analysis.masks.mma.mma_at(offset)?;
    let mask = mma.mask()?;
    let shape = match mask.known.shape {
        Some(shape) => format!("M = {}, N = {}", shape.rows().count(), shape.columns()),
        None => "of a shape that is not a constant here".to_owned(),
    };
    let title = format!("**zero-column mask** `{}` — {shape}", mask.operand.text);
    Some(shown(
        title,
        &zero_column::render(&mask.known),
        mma.instruction.span,
    ))
}
