//! How near the operands of an instruction come to where floats end: arguments of `exp`, divisors, and sums that one of
//! their operands does not change.
//!
//! Lanes that take part and are defined count. What an earlier tile has left behind a shorter one counts as well.

use super::VectorFault;
use super::number::CHUNK;
use super::plan::Plan;
use super::shadow;
use crate::memory::Memory;
use crate::numerics::{Extremes, Numerics};
use a2lint_isa::{DST, Opcode, SRC, param};

/// Notes the operands of a lane, of which an instruction with one source has the first.
type Note = fn(&mut Extremes, [f64; 2]);

/// Looks at the operands of an instruction on floats before it is executed.
pub(super) fn look(
    plan: &Plan,
    memory: &Memory,
    numerics: &mut Numerics,
) -> Result<(), VectorFault> {
    if !numerics.attributes_errors() {
        return Ok(());
    }
    let second = param!(class Binary.src2);
    let (sources, note): (&[usize], Note) = match plan.call.opcode {
        Opcode::Exp => (&[SRC], |seen, [a, _]| seen.note_exponent(a)),
        Opcode::Rec => (&[SRC], |seen, [a, _]| seen.note_divisor(a)),
        Opcode::Div => (&[SRC, second], |seen, [_, b]| seen.note_divisor(b)),
        Opcode::Add => (&[SRC, second], |seen, [a, b]| seen.note_sum(a, b)),
        _ => return Ok(()),
    };
    let dst = plan.tensor(DST)?;
    if !dst.dtype.is_float() {
        return Ok(());
    }
    let tensors = sources.iter().map(|&index| plan.tensor(index));
    let tensors = tensors.collect::<Result<Vec<_>, _>>()?;
    let mut seen = Extremes::new(dst.dtype);
    let mut lanes = [
        vec![0.0_f64; CHUNK.max(plan.lanes)],
        vec![0.0; CHUNK.max(plan.lanes)],
    ];
    for repeat in 0..plan.repeats {
        let mut counted = *dst.sweep.live(repeat);
        for (tensor, lanes) in tensors.iter().zip(&mut lanes) {
            tensor.load(memory, repeat..repeat + 1, &mut lanes[..plan.lanes]);
            counted = counted.and(shadow::defined_lanes(memory, &tensor.sweep, repeat));
        }
        for lane in counted.iter().take_while(|&lane| lane < plan.lanes) {
            note(&mut seen, [lanes[0][lane], lanes[1][lane]]);
        }
    }
    numerics.note(&seen);
    Ok(())
}
