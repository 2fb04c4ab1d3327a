//! How findings name tensors, instructions, lanes and neighbours.
//!
//! Source text is in backticks, followed by its extents in brackets; an instruction has parentheses. Sizes are in
//! bytes or elements and say which.

use crate::Facts;
use a2lint_analysis::{RangeSet, SlotKey, slot_key};
use a2lint_ir::{Buffer, BufferId, Instr, LocalView, Notation, Occupant, Program, ScalarId, View};
use a2lint_isa::{DType, Position};
use a2lint_machine::{LaneId, LaneKind};
use a2lint_source::text::Span;

/// Number of ranges that are spelled out; the rest is abbreviated.
const SPELLED_RANGES: usize = 3;
/// Longest source text of a view that is quoted, in bytes. For a longer one, the name of its memory is quoted.
const LONGEST_TEXT: usize = 40;

/// Returns the source text on one line.
pub(crate) fn snippet(facts: &Facts, span: Span) -> String {
    let words: Vec<&str> = facts.source.slice(span).split_whitespace().collect();
    words.join(" ")
}

/// Returns a view as written, or the name of its memory if that is too long.
pub(crate) fn view_text(facts: &Facts, view: &LocalView) -> String {
    short(facts, view.site, facts.program.buffer(view.buffer).label())
}

/// Same as `view_text`, for views of on-chip or global memory.
pub(crate) fn operand_text(facts: &Facts, view: &View) -> String {
    match view {
        View::Local(view) => view_text(facts, view),
        View::Global(view) => short(facts, view.site, &facts.program.global(view.global).name),
    }
}

fn short(facts: &Facts, span: Span, otherwise: &str) -> String {
    let text = snippet(facts, span);
    // If one call expands to several instructions, their operands do not appear in the source, and the span is that of
    // the whole statement.
    let is_statement = text.ends_with(';');
    match text.is_empty() || is_statement || text.len() > LONGEST_TEXT {
        true => otherwise.to_owned(),
        false => text,
    }
}

/// Formats an instruction for a sentence, as `dup()`.
pub(crate) fn call(facts: &Facts, instr: &Instr) -> String {
    format!("{}()", facts.program.call_name(instr))
}

/// Formats a view with its extents: its text in backticks, then `[rows,columns]`.
pub(crate) fn tensor(facts: &Facts, view: &LocalView) -> String {
    format!("`{}` {}", view_text(facts, view), shape(facts, view.span))
}

/// Formats an allocation with its extents.
pub(crate) fn allocation(facts: &Facts, buffer: &Buffer) -> String {
    format!("`{}` {}", buffer.label(), shape(facts, buffer.shape))
}

/// Formats extents: `[rows,columns]`.
pub(crate) fn shape(facts: &Facts, extents: [ScalarId; 2]) -> String {
    let [rows, columns] = extents.map(|extent| facts.names.text(extent));
    match facts.program.dialect.has_rows() {
        true => format!("[{rows},{columns}]"),
        false => format!("[{columns}]"),
    }
}

/// Returns where the memory of a view was declared.
pub(crate) fn declared(facts: &Facts, view: &View) -> Span {
    match view {
        View::Local(view) => allocated_at(facts, view),
        View::Global(view) => facts.program.global(view.global).span,
    }
}

/// Returns where the buffer of a view is allocated.
pub(crate) fn allocated_at(facts: &Facts, view: &LocalView) -> Span {
    facts.program.buffer(view.buffer).span
}

/// Returns the constant number of elements of a view.
pub(crate) fn elements(facts: &Facts, view: &LocalView) -> Option<i64> {
    let [rows, columns] = facts.program.constant_pair(view.span)?;
    rows.checked_mul(columns)
}

/// Returns the number of whole elements in a number of bytes.
pub(crate) fn elements_in(bytes: i64, dtype: DType) -> i64 {
    bytes * 8 / dtype.bits()
}

/// Formats byte ranges in elements: `0..64, 128..192`, half open.
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

/// Formats a number with its noun: `1 element`, `64 elements`.
pub(crate) fn counted(number: i64, noun: &str) -> String {
    match number {
        1 => format!("1 {noun}"),
        _ => format!("{number} {noun}s"),
    }
}

/// Returns what occupies the bytes outside of a view's own slot, in address order: `b`, `slot 1 of b`. Empty if
/// the layout is unknown.
pub(crate) fn neighbours(facts: &Facts, view: &LocalView, outside: &RangeSet) -> Vec<String> {
    occupants(facts, view, outside).unwrap_or_default()
}

/// Returns the buffer at an address of a memory, and its name. `None` if the layout is unknown.
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
    // After a rewind of the allocator, several buffers may share an address.
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

/// Joins names: `a`, `a and b`, `a, b and 3 more`.
pub(crate) fn list(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [one, two] => format!("{one} and {two}"),
        [one, two, rest @ ..] => format!("{one}, {two} and {} more", rest.len()),
    }
}

/// Returns whether each vec core runs a separate block, so that the two lanes of a core do not share a block.
pub(crate) fn has_lane_blocks(program: &Program) -> bool {
    program.counts_vec_cores() && program.toolchain.notation == Notation::Cpp
}

/// Returns the number of the block that a lane runs, if each lane runs one.
pub(crate) fn block(lane: LaneId) -> u32 {
    match lane.kind {
        LaneKind::Vec(lane_of_core) => 2 * lane.core + u32::from(lane_of_core),
        LaneKind::Cube => lane.core,
    }
}

/// Formats two lanes that meet, by what tells them apart: `core 1` and `core 0`, `vec1` and `vec0`, `block 3` and
/// `block 0`.
pub(crate) fn apart(facts: &Facts, here: LaneId, there: LaneId) -> [String; 2] {
    let is_one_core = here.core == there.core;
    [here, there].map(|lane| match is_one_core {
        _ if has_lane_blocks(facts.program) => format!("block {}", block(lane)),
        true => lane.kind.name().to_owned(),
        false => format!("core {}", lane.core),
    })
}

/// Formats a lane: `core 0, vec1`, with its block if each lane runs one: `block 1 (core 0, vec1)`.
pub(crate) fn lane_text(facts: &Facts, lane: LaneId) -> String {
    let text = format!("core {}, {}", lane.core, lane.kind.name());
    match has_lane_blocks(facts.program) {
        true => format!("block {} ({text})", block(lane)),
        false => text,
    }
}

/// Joins alternatives: `half, bfloat16 or float`.
pub(crate) fn alternatives(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [only] => (*only).to_owned(),
        [most @ .., last] => format!("{} or {last}", most.join(", ")),
    }
}

/// Returns the index along each axis for a flat, row-major index, which may lie beyond the first axis.
pub fn coordinates(mut index: i64, shape: &[i64]) -> Vec<i64> {
    let inner = shape.iter().skip(1).rev();
    let mut coordinates: Vec<i64> = inner
        .map(|&extent| {
            let own = index % extent.max(1);
            index /= extent.max(1);
            own
        })
        .collect();
    coordinates.push(index);
    coordinates.reverse();
    coordinates
}

/// Formats an element type as the sources of the kernel name it: `DT.uint16`, `u16`.
pub fn type_name(facts: &Facts, dtype: DType) -> String {
    let short = facts.program.dialect.short_type(dtype);
    short.map_or_else(|| format!("DT.{dtype}"), str::to_owned)
}
