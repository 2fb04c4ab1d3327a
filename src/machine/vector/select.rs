//! `select`: packed control bits choose between two sources.
//!
//! An undefined control bit makes its lane undefined and nothing more (`spec/machine.md`).

use super::VectorFault;
use super::address::Sweep;
use super::lanes::{LaneSet, MASK_LANES};
use super::number::scalar_bits;
use super::plan::Plan;
use super::shadow;
use crate::isa::SelectMode;
use crate::machine::memory::Memory;

/// Bits of one repeat and which of them are defined.
struct Lanes {
    values: [u32; MASK_LANES],
    known: LaneSet,
}

pub(super) fn execute(plan: &Plan, memory: &mut Memory) -> Result<(), VectorFault> {
    let (dst, control) = (plan.tensor(0)?, plan.regular(1)?);
    let fallback = fallback_scalar(plan, memory)?;
    for repeat in 0..plan.repeats {
        let (chosen, decided) = control_bits(memory, &control, repeat);
        let mut first = lanes(plan, memory, 2, repeat)?;
        let varying;
        let second = match &fallback {
            Some(scalar) => scalar,
            None => {
                varying = lanes(plan, memory, 3, repeat)?;
                &varying
            }
        };
        for (lane, value) in first.values.iter_mut().enumerate() {
            if !chosen.contains(lane) {
                *value = second.values[lane];
            }
        }
        let mut known = first.known.and(chosen);
        known.merge(second.known.without(chosen));
        let values = &first.values[..plan.lanes];
        dst.store(memory, repeat..repeat + 1, values, false);
        let all = LaneSet::first(plan.lanes);
        shadow::assign(memory, &dst.sweep, repeat, &all, &known.and(decided));
    }
    Ok(())
}

/// What stands in every lane where the bit is 0, if that is one value: a scalar, or element 0 of
/// the second source as it is when the instruction starts.
fn fallback_scalar(plan: &Plan, memory: &Memory) -> Result<Option<Lanes>, VectorFault> {
    if plan.optional(3).is_none() {
        let bits = scalar_bits(plan.operand(0)?.dtype, plan.call.scalar);
        return Ok(Some(Lanes {
            values: [bits; MASK_LANES],
            known: LaneSet::FULL,
        }));
    }
    if plan.call.select == SelectMode::TensorTensor {
        return Ok(None);
    }
    let source = plan.tensor(3)?;
    let mut value = [0_u32];
    source.load(memory, 0..1, &mut value);
    let known = match shadow::all_defined(memory, &source.sweep, 0..1) {
        true => LaneSet::FULL,
        false => LaneSet::EMPTY,
    };
    Ok(Some(Lanes {
        values: [value[0]; MASK_LANES],
        known,
    }))
}

fn lanes(
    plan: &Plan,
    memory: &Memory,
    operand: usize,
    repeat: usize,
) -> Result<Lanes, VectorFault> {
    let source = plan.tensor(operand)?;
    let mut values = [0; MASK_LANES];
    source.load(memory, repeat..repeat + 1, &mut values[..plan.lanes]);
    let known = shadow::defined_lanes(memory, &source.sweep, repeat);
    Ok(Lanes { values, known })
}

/// The control bits of one repeat: which are 1, and which are defined.
fn control_bits(memory: &Memory, control: &Sweep, repeat: usize) -> (LaneSet, LaneSet) {
    let (mut chosen, mut decided) = (LaneSet::EMPTY, LaneSet::EMPTY);
    for byte in 0..control.lanes {
        let address = control.address(repeat, byte) as usize;
        chosen.add_window(byte * 8, memory.get::<u8>(address).into());
        decided.add_window(byte * 8, memory.defined_bits(address).into());
    }
    (chosen, decided)
}
