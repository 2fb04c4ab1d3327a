//! Hovers on mask instructions and tiles of C++ and PTX sources: the bits of a mask and what they select.

use crate::markdown;
use crate::snapshot::Snapshot;
use a2lint_ir::tile::{Address, Operand, StepKind};
use a2lint_report::{tile_select, zero_column};
use a2lint_source::text::Span;

/// Maximum number of template instances in a hover.
const SHOWN_INSTANCES: usize = 4;

/// Describes the mask instruction or tile at an offset.
pub fn at(snapshot: &Snapshot, offset: u32) -> Option<(Vec<String>, Span)> {
    columns(snapshot, offset)
        .or_else(|| placed(snapshot, offset))
        .or_else(|| selected(snapshot, offset))
}

fn shown(title: String, picture: &str, span: Span) -> (Vec<String>, Span) {
    let picture = markdown::fence("text", picture.trim_end());
    (vec![title, picture], span)
}

/// Describes one place in all instances of a template. Instances with equal pictures are shown once, and each shown
/// instance with its name if there are several.
fn of_instances(found: Vec<(&str, String, String)>, span: Span) -> Option<(Vec<String>, Span)> {
    let mut kept: Vec<(&str, String, String)> = Vec::new();
    for (name, title, picture) in found {
        if kept.iter().all(|(_, _, known)| *known != picture) {
            kept.push((name, title, picture));
        }
    }
    let more = kept.len().saturating_sub(SHOWN_INSTANCES);
    let several = kept.len() > 1;
    let mut text = Vec::new();
    for (name, title, picture) in kept.into_iter().take(SHOWN_INSTANCES) {
        let title = match several {
            true => format!("{title} in {}", markdown::code(name)),
            false => title,
        };
        text.extend(shown(title, &picture, span).0);
    }
    if more > 0 {
        text.push(format!("… and {more} more instances"));
    }
    (!text.is_empty()).then_some((text, span))
}

/// Describes the position of the tile at an offset in on-chip memory.
fn placed(snapshot: &Snapshot, offset: u32) -> Option<(Vec<String>, Span)> {
    let unit = &snapshot.masks.tiles;
    let mut span = Span::default();
    let mut found = Vec::new();
    for function in &unit.functions {
        let operands = function.steps.iter().flat_map(|step| step.operands());
        for operand in operands.filter(|operand| operand.span.touches(offset)) {
            if let Some(text) = place_text(operand) {
                span = operand.span;
                let title = format!("tile {}", markdown::code(&operand.text));
                found.push((function.name.as_str(), title, text));
            }
        }
    }
    of_instances(found, span)
}

/// Formats a tile as `float 16 x 64, valid 16 x 60`, with the range of bytes that it occupies.
fn place_text(operand: &Operand) -> Option<String> {
    let ty = operand.ty?;
    let number = |number: Option<i64>| number.map_or("?".to_owned(), |number| number.to_string());
    let element = ty
        .element
        .map_or("?".to_owned(), |element| element.to_string());
    let [rows, columns] = ty.shape.map(number);
    let [valid_rows, valid_columns] = operand.valid.map(number);
    let mut text = format!("{element} {rows} x {columns}, valid {valid_rows} x {valid_columns}\n");
    let bytes = ty.bytes();
    match (operand.address, bytes) {
        (Address::At(start, _), Some(bytes)) => {
            let end = start.checked_add(bytes)?;
            text += &format!("bytes {start:#x} to {end:#x} (exclusive), {bytes} in all");
        }
        (Address::At(start, _), None) => text += &format!("from byte {start:#x}"),
        (Address::Unassigned, _) => text += "not placed yet",
        (Address::Unknown, Some(bytes)) => text += &format!("{bytes} bytes, place not known here"),
        (Address::Unknown, None) => {}
    }
    Some(text)
}

/// Describes the bits of the mask that the `TSEL` call at an offset reads.
fn selected(snapshot: &Snapshot, offset: u32) -> Option<(Vec<String>, Span)> {
    let unit = &snapshot.masks.tiles;
    let target = unit.targets.first();
    let mut span = Span::default();
    let mut found = Vec::new();
    for function in &unit.functions {
        for step in function
            .steps
            .iter()
            .filter(|step| step.span.touches(offset))
        {
            let StepKind::Select(select) = &step.kind else {
                continue;
            };
            if let Some(mask) = tile_select::Shown::of(select, target) {
                span = step.span;
                let title = match select.mask.text.as_str() {
                    "" => "**TSEL**".to_owned(),
                    text => format!("**TSEL** by the bits of {}", markdown::code(text)),
                };
                found.push((function.name.as_str(), title, tile_select::render(&mask)));
            }
        }
    }
    of_instances(found, span)
}

/// Describes the zero-column mask of the `tcgen05.mma` instruction at an offset.
fn columns(snapshot: &Snapshot, offset: u32) -> Option<(Vec<String>, Span)> {
    let mma = snapshot.masks.mma.mma_at(offset)?;
    let mask = mma.mask()?;
    let shape = match mask.known.shape {
        Some(shape) => format!("M = {}, N = {}", shape.rows().count(), shape.columns()),
        None => "of a shape that is not a constant here".to_owned(),
    };
    let name = match mask.operand.text.as_str() {
        "" => String::new(),
        text => format!(" {}", markdown::code(text)),
    };
    let title = format!("**zero-column mask**{name} — {shape}");
    Some(shown(
        title,
        &zero_column::render(&mask.known),
        mma.instruction.span,
    ))
}
