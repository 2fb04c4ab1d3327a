//! Whether undefined lanes contribute to a result.
//!
//! Arithmetic passes an undefined lane on, and so does a workspace. That is harmless as long as the lane is
//! never stored to an output, reduced or used as an address: one scalar in a tensor of 64 lanes may go
//! through the vector unit.

use super::{Analysis, RangeSet, Touch, slot_key};
use a2lint_ir::{GlobalKind, Instr, Program};
use a2lint_isa::{Class, DST, param};

/// Maximum length of the chain of instructions through which a lane is followed.
// A lane that goes further is taken to be harmless: only one that certainly arrives is reported.
const LONGEST_CHAIN: usize = 8;

/// Returns whether undefined bytes that a touch reads certainly reach an output, a reduction, a sort or
/// offsets.
pub fn escapes(program: &Program, analysis: &Analysis, touch: usize, bytes: &RangeSet) -> bool {
    follow(
        program,
        analysis,
        &analysis.touches[touch],
        bytes,
        LONGEST_CHAIN,
    )
}

/// Returns whether bytes that an instruction writes certainly reach an output, a reduction, a sort or offsets
/// before they are overwritten.
pub fn result_escapes(
    program: &Program,
    analysis: &Analysis,
    result: &Touch,
    bytes: &RangeSet,
) -> bool {
    reaches(program, analysis, result, bytes, LONGEST_CHAIN)
}

fn follow(
    program: &Program,
    analysis: &Analysis,
    touch: &Touch,
    bytes: &RangeSet,
    steps: usize,
) -> bool {
    match touch.instr.row().class {
        Class::Move => {
            let dst = touch.instr.view(DST).and_then(|dst| dst.global());
            dst.is_some() && !stores_to_workspace(program, touch.instr)
        }
        // Undefined keys decide where all records go.
        Class::Sort => true,
        _ if touch.instr.row().is_reduction() => true,
        Class::Unary | Class::Binary | Class::ScalarOp if steps > 0 => {
            carried(program, analysis, touch, bytes, steps)
        }
        Class::Select if steps > 0 && is_choice(touch) => {
            carried(program, analysis, touch, bytes, steps)
        }
        _ => false,
    }
}

/// Returns whether an instruction stores to a workspace. Undefined data there is judged where it is loaded
/// and used.
pub(super) fn stores_to_workspace(program: &Program, instr: &Instr) -> bool {
    let dst = instr.view(DST).and_then(|dst| dst.global());
    dst.is_some_and(|dst| program.global(dst.global).kind == GlobalKind::Workspace)
}

/// Follows bytes through an elementwise instruction.
fn carried(
    program: &Program,
    analysis: &Analysis,
    touch: &Touch,
    bytes: &RangeSet,
    steps: usize,
) -> bool {
    let Some(result) = analysis
        .touches
        .iter()
        .find(|other| other.stmt.id == touch.stmt.id && other.operand == DST)
    else {
        return false;
    };
    // Where the lanes go is unknown, so nothing certain follows.
    let Some(shift) = lane_shift(touch, result) else {
        return false;
    };
    let mut moved = RangeSet::default();
    for (start, end) in bytes.iter() {
        moved.insert(start + shift, end + shift);
    }
    reaches(program, analysis, result, &moved, steps - 1)
}

/// Returns whether an operand is one that a `select` takes lanes from.
fn is_choice(touch: &Touch) -> bool {
    touch.operand > param!(Select.selmask) && !touch.instr.reads_one_element(touch.operand)
}

fn reaches(
    program: &Program,
    analysis: &Analysis,
    result: &Touch,
    bytes: &RangeSet,
    steps: usize,
) -> bool {
    let slot = slot_key(program, result.view);
    // Any later write to the buffer may replace the bytes, so that they are not certain to arrive.
    let rewritten = analysis
        .writers(result.view.buffer)
        .any(|writer| writer.stmt.id > result.stmt.id);
    !rewritten
        && analysis.readers(result.view.buffer).any(|reader| {
            let reached = reader.bytes().map(|read| read.intersection(bytes));
            reader.stmt.id > result.stmt.id
                && slot_key(program, reader.view) == slot
                && reached.is_some_and(|reached| {
                    !reached.is_empty() && follow(program, analysis, reader, &reached, steps)
                })
        })
}

/// Returns the distance in bytes from a lane of the source to the same lane of the result, if both are walked
/// without gaps.
fn lane_shift(source: &Touch, result: &Touch) -> Option<i64> {
    let one_run = |touch: &Touch| {
        let bytes = touch.bytes()?;
        let (start, end) = bytes.hull()?;
        (bytes.len() == end - start).then_some((start, end))
    };
    let (from, to) = (one_run(source)?, one_run(result)?);
    (from.1 - from.0 == to.1 - to.0).then_some(to.0 - from.0)
}
