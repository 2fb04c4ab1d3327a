//! How findings name tensors, lanes and neighbours.

use super::Facts;
use crate::analysis::{RangeSet, SlotKey, slot_key};
use crate::ir::{Buffer, LocalView};
use crate::isa::DType;
use crate::text::Span;

/// Ranges that are spelled out before "and more" stands for the rest.
const SPELLED_RANGES: usize = 3;
/// Longest source text that stands for a view.
const LONGEST_TEXT: usize = 40;

/// A view as its author wrote it; the buffer's name where that is long.
pub(super) fn view_text<'a>(facts: &Facts<'a>, view: &LocalView) -> &'a str {
    let text = facts.source.slice(view.site);
    match text.is_empty() || text.len() > LONGEST_TEXT || text.contains('\n') {
        true => facts.program.buffer(view.buffer).label(),
        false => text,
    }
}

/// `name [rows,columns]` of a view.
pub(super) fn tensor(facts: &Facts, view: &LocalView) -> String {
    let [rows, columns] = view.span.map(|extent| facts.names.text(extent));
    format!("{} [{rows},{columns}]", view_text(facts, view))
}

/// `name [rows,columns]` of an allocation.
pub(super) fn allocation(facts: &Facts, buffer: &Buffer) -> String {
    let [rows, columns] = buffer.shape.map(|extent| facts.names.text(extent));
    format!("{} [{rows},{columns}]", buffer.label())
}

/// The allocation of a view's buffer: its place.
pub(super) fn allocated_at(facts: &Facts, view: &LocalView) -> Span {
    facts.program.buffer(view.buffer).span
}

/// Constant number of elements of a view.
pub(super) fn elements(facts: &Facts, view: &LocalView) -> Option<i64> {
    let [rows, columns] = facts.program.constant_pair(view.span)?;
    rows.checked_mul(columns)
}

/// Whole elements in a number of bytes.
pub(super) fn elements_in(bytes: i64, dtype: DType) -> i64 {
    bytes * 8 / dtype.bits()
}

/// `0..64, 128..192` in elements, half open.
pub(super) fn lanes(bytes: &RangeSet, dtype: DType) -> String {
    let mut pieces: Vec<String> = bytes
        .iter()
        .take(SPELLED_RANGES)
        .map(|(start, end)| format!("{}..{}", elements_in(start, dtype), elements_in(end, dtype)))
        .collect();
    if bytes.iter().nth(SPELLED_RANGES).is_some() {
        pieces.push("…".to_owned());
    }
    pieces.join(", ")
}

/// `1 element`, `64 elements`.
pub(super) fn counted(number: i64, noun: &str) -> String {
    match number {
        1 => format!("1 {noun}"),
        _ => format!("{number} {noun}s"),
    }
}

/// What lies under bytes outside of a view's own slot: `b`, `slot 1 of b`, in address order.
/// `None` where the layout is not known.
pub(super) fn neighbours(
    facts: &Facts,
    view: &LocalView,
    outside: &RangeSet,
) -> Option<Vec<String>> {
    let placement = facts.memory.get(view.buffer);
    let SlotKey::Constant(slot) = slot_key(facts.program, view) else {
        return None;
    };
    let base = placement.slot_address(slot)?;
    let mut names: Vec<String> = Vec::new();
    for (start, end) in outside.iter() {
        let mut address = base + start;
        while address < base + end {
            let Some(hit) = facts.memory.neighbour_at(placement.position, address) else {
                break;
            };
            let name = occupant(facts.program.buffer(hit.buffer), hit.slot);
            if !names.contains(&name) {
                names.push(name);
            }
            address += facts.memory.get(hit.buffer).slot_bytes? - hit.offset;
        }
    }
    Some(names)
}

fn occupant(buffer: &Buffer, slot: u32) -> String {
    match buffer.slots {
        1 => buffer.label().to_owned(),
        _ => format!("slot {slot} of {}", buffer.label()),
    }
}

/// `a`, `a and b`, `a, b and 3 more`.
pub(super) fn list(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [one, two] => format!("{one} and {two}"),
        [one, two, rest @ ..] => format!("{one}, {two} and {} more", rest.len()),
    }
}
