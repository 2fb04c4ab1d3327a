//! How findings name tensors, instructions, lanes and neighbours.
//!
//! What the author wrote stands in backticks, an extent behind it in brackets, an instruction with
//! parentheses; sizes are in bytes or elements and say which.

use crate::Facts;
use a2lint_analysis::{RangeSet, SlotKey, slot_key};
use a2lint_ir::{Buffer, BufferId, Instr, LocalView, Occupant, ScalarId, View};
use a2lint_isa::{DType, Position};
use a2lint_source::text::Span;

/// Ranges that are spelled out before "and more" stands for the rest.
const SPELLED_RANGES: usize = 3;
/// Longest source text that stands for a view.
const LONGEST_TEXT: usize = 40;

/// The author's text on one line.
pub(crate) fn snippet(facts: &Facts, span: Span) -> String {
    let words: Vec<&str> = facts.source.slice(span).split_whitespace().collect();
    words.join(" ")
}

/// A view as its author wrote it; the name of its memory where that is long.
pub(crate) fn view_text(facts: &Facts, view: &LocalView) -> String {
    short(facts, view.site, facts.program.buffer(view.buffer).label())
}

/// As `view_text`, for views of either kind of memory.
pub(crate) fn operand_text(facts: &Facts, view: &View) -> String {
    match view {
        View::Local(view) => view_text(facts, view),
        View::Global(view) => short(facts, view.site, &facts.program.global(view.global).name),
    }
}

fn short(facts: &Facts, span: Span, otherwise: &str) -> String {
    let text = snippet(facts, span);
    match text.is_empty() || text.len() > LONGEST_TEXT {
        true => otherwise.to_owned(),
        false => text,
    }
}

/// `dup()`, the instruction in a sentence.
pub(crate) fn call(facts: &Facts, instr: &Instr) -> String {
    format!("{}()", facts.program.name_of(instr.opcode))
}

/// A view with its extents: its text in backticks, then `[rows,columns]`.
pub(crate) fn tensor(facts: &Facts, view: &LocalView) -> String {
    format!("`{}` {}", view_text(facts, view), shape(facts, view.span))
}

/// An allocation with its extents.
pub(crate) fn allocation(facts: &Facts, buffer: &Buffer) -> String {
    format!("`{}` {}", buffer.label(), shape(facts, buffer.shape))
}

fn shape(facts: &Facts, extents: [ScalarId; 2]) -> String {
    let [rows, columns] = extents.map(|extent| facts.names.text(extent));
    format!("[{rows},{columns}]")
}

/// Where the memory behind a view was declared.
pub(crate) fn declared(facts: &Facts, view: &View) -> Span {
    match view {
        View::Local(view) => allocated_at(facts, view),
        View::Global(view) => facts.program.global(view.global).span,
    }
}

/// The allocation of a view's buffer: its place.
pub(crate) fn allocated_at(facts: &Facts, view: &LocalView) -> Span {
    facts.program.buffer(view.buffer).span
}

/// Constant number of elements of a view.
pub(crate) fn elements(facts: &Facts, view: &LocalView) -> Option<i64> {
    let [rows, columns] = facts.program.constant_pair(view.span)?;
    rows.checked_mul(columns)
}

/// Whole elements in a number of bytes.
pub(crate) fn elements_in(bytes: i64, dtype: DType) -> i64 {
    bytes * 8 / dtype.bits()
}

/// `0..64, 128..192` in elements, half open.
pub(crate) fn lanes(bytes: &RangeSet, dtype: DType) -> String {
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
pub(crate) fn counted(number: i64, noun: &str) -> String {
    match number {
        1 => format!("1 {noun}"),
        _ => format!("{number} {noun}s"),
    }
}

/// What lies under bytes outside of a view's own slot: `b`, `slot 1 of b`, in address order.
/// Nothing where the layout is not known.
pub(crate) fn neighbours(facts: &Facts, view: &LocalView, outside: &RangeSet) -> Vec<String> {
    occupants(facts, view, outside).unwrap_or_default()
}

/// The buffer that lies at an address of a memory, and what it is called. Nothing where the layout is
/// not known.
pub(crate) fn occupant_at(
    facts: &Facts,
    position: Position,
    address: i64,
) -> Option<(BufferId, String)> {
    let hit = hit_at(facts, position, address)?;
    let name = occupant(facts.program.buffer(hit.buffer), hit.slot);
    Some((hit.buffer, name))
}

fn hit_at(facts: &Facts, position: Position, address: i64) -> Option<Occupant> {
    // Behind a rewind, several buffers lie at one address.
    let is_certain = !facts.program.rewinds_memory;
    let hit = facts.memory.neighbour_at(position, address);
    hit.filter(|_| is_certain)
}

fn occupants(facts: &Facts, view: &LocalView, outside: &RangeSet) -> Option<Vec<String>> {
    let placement = facts.memory.get(view.buffer);
    let SlotKey::Constant(slot) = slot_key(facts.program, view) else {
        return None;
    };
    let base = placement.slot_address(slot)?;
    let mut names: Vec<String> = Vec::new();
    for (start, end) in outside.iter() {
        let mut address = base + start;
        while address < base + end {
            let Some(hit) = hit_at(facts, placement.position, address) else {
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
        1 => format!("`{}`", buffer.label()),
        _ => format!("slot {slot} of `{}`", buffer.label()),
    }
}

/// `a`, `a and b`, `a, b and 3 more`.
pub(crate) fn list(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [one, two] => format!("{one} and {two}"),
        [one, two, rest @ ..] => format!("{one}, {two} and {} more", rest.len()),
    }
}

/// `half, bfloat16 or float`.
pub(crate) fn alternatives(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [only] => (*only).to_owned(),
        [most @ .., last] => format!("{} or {last}", most.join(", ")),
    }
}
