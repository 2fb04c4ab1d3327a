//! Hazards that change nothing: memory that the library borrows is filled again with what it holds.

use a2lint_ir::{BufferId, Instr, Program};
use a2lint_isa::{Class, DST, DType, ParamKind};
use a2lint_machine::hazards::{Hazard, HazardKind};

/// Returns whether a hazard is a fill of borrowed memory while a store still reads the same constant from it:
/// `InitOutput` in a loop.
pub(super) fn is_alike(program: &Program, hazard: &Hazard) -> bool {
    let local = |stmt, operand| {
        let instr = program.instruction(stmt)?;
        instr.local(operand).map(|view| view.buffer)
    };
    let (first, second) = (&hazard.first, &hazard.second);
    let read = local(first.stmt, first.operand);
    let written = local(second.stmt, second.operand);
    let (Some(read), Some(written)) = (read, written) else {
        return false;
    };
    let is_lent = |buffer: BufferId| program.buffer(buffer).handed.is_lent;
    let new = program.instruction(second.stmt);
    let new = new.and_then(|instr| constant(program, instr));
    hazard.kind == HazardKind::WriteAfterRead
        && is_lent(read)
        && is_lent(written)
        && new.is_some_and(|new| holds_alone(program, read, new))
}

/// Returns whether everything that is written to a buffer is this constant.
fn holds_alone(program: &Program, buffer: BufferId, wanted: (f64, DType)) -> bool {
    let instructions = program.instructions();
    let mut writers = instructions
        .iter()
        .filter(|(_, instr)| instr.writes(buffer));
    // A positive zero is the same bits in all types.
    writers.all(|(_, instr)| {
        constant(program, instr).is_some_and(|(value, dtype)| {
            let is_same = value.to_bits() == wanted.0.to_bits();
            is_same && (dtype == wanted.1 || value.to_bits() == 0)
        })
    })
}

/// Returns the constant with which an instruction fills its destination, and its type.
fn constant(program: &Program, instr: &Instr) -> Option<(f64, DType)> {
    let is_fill = instr.row().class == Class::Fill;
    let value = instr.scalar(ParamKind::Value).filter(|_| is_fill)?;
    let value = program.scalars.as_float(value)?;
    Some((value, instr.local(DST)?.dtype))
}
