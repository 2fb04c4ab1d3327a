//! `select`: packed control bits choose between two sources.
//!
//! An undefined control bit makes its lane undefined, without any other effect.

use super::VectorFault;
use super::address::Sweep;
use super::engine::Tensor;
use super::lanes::{LaneSet, MASK_LANES};
use super::number::scalar_bits;
use super::plan::Plan;
use super::shadow;
use crate::memory::{Exactly, Memory};
use a2lint_isa::{DST, SelectMode, param};

/// The bits of one repeat, and which lanes are defined.
struct Lanes {
    values: [u32; MASK_LANES],
    known: LaneSet,
    /// Their exact values; one for all lanes, or none if they are not tracked.
    exact: Vec<Option<Exactly>>,
}

/// The operand for lanes whose bit is 0.
const FALLBACK: usize = param!(Select.src2);

pub(super) fn execute(plan: &Plan, memory: &mut Memory) -> Result<(), VectorFault> {
    let (dst, control, first) = (
        plan.tensor(DST)?,
        plan.regular(param!(Select.selmask))?,
        plan.tensor(param!(Select.src1))?,
    );
    let varying = match plan.call.select {
        SelectMode::TensorTensor if plan.optional(FALLBACK).is_some() => {
            Some(plan.tensor(FALLBACK)?)
        }
        _ => None,
    };
    // Read before the first repeat, since the destination may overwrite it.
    let mut fallback = fallback_scalar(plan, memory)?;
    let mut chosen = Lanes {
        values: [0; MASK_LANES],
        known: LaneSet::EMPTY,
        exact: Vec::new(),
    };
    let all = LaneSet::first(plan.lanes);
    for repeat in 0..plan.repeats {
        let (ones, decided) = control_bits(memory, &control, repeat);
        chosen.load(memory, &first, repeat);
        if let Some(second) = &varying {
            fallback.load(memory, second, repeat);
        }
        chosen.replace(&all.without(ones), &fallback);
        dst.store(
            memory,
            repeat..repeat + 1,
            &chosen.values[..plan.lanes],
            false,
        );
        dst.set_exactly(memory, repeat, |lane| match ones.contains(lane) {
            true => chosen.exactly(lane),
            false => fallback.exactly(lane),
        });
        let known = chosen.known.and(decided);
        shadow::assign(memory, &dst.sweep, repeat, dst.sweep.live(repeat), &known);
    }
    Ok(())
}

impl Lanes {
    fn load(&mut self, memory: &Memory, source: &Tensor, repeat: usize) {
        let lanes = &mut self.values[..source.sweep.lanes];
        source.load(memory, repeat..repeat + 1, lanes);
        self.known = shadow::defined_lanes(memory, &source.sweep, repeat);
        self.exact = source.exactly(memory, repeat);
    }

    fn exactly(&self, lane: usize) -> Option<Exactly> {
        *self.exact.get(lane).or(self.exact.first())?
    }

    /// Replaces some lanes by those of `other`.
    fn replace(&mut self, lanes: &LaneSet, other: &Lanes) {
        for span in lanes.spans(0..MASK_LANES) {
            self.values[span.clone()].copy_from_slice(&other.values[span]);
        }
        self.known = self.known.without(*lanes);
        self.known.merge(other.known.and(*lanes));
    }
}

/// Returns the value that lanes with mask bit 0 receive if it is the same for all of them: the scalar operand, or
/// element 0 of the second source at the start of the instruction.
fn fallback_scalar(plan: &Plan, memory: &Memory) -> Result<Lanes, VectorFault> {
    let mut lane = [scalar_bits(plan.operand(DST)?.dtype, plan.call.scalar)];
    let mut known = LaneSet::FULL;
    let mut exact = Vec::new();
    let is_element =
        plan.call.select == SelectMode::TensorScalar && plan.optional(FALLBACK).is_some();
    if is_element && plan.repeats > 0 {
        let source = plan.tensor(FALLBACK)?;
        source.load(memory, 0..1, &mut lane);
        exact = source.exactly(memory, 0);
        if !shadow::all_defined(memory, &source.sweep, 0..1) {
            known = LaneSet::EMPTY;
        }
    }
    Ok(Lanes {
        values: [lane[0]; MASK_LANES],
        known,
        exact,
    })
}

/// Returns the control bits of one repeat: those that are 1, and those that are defined.
fn control_bits(memory: &Memory, control: &Sweep, repeat: usize) -> (LaneSet, LaneSet) {
    let (mut chosen, mut decided) = (LaneSet::EMPTY, LaneSet::EMPTY);
    for byte in control.live(repeat).iter() {
        let address = control.address(repeat, byte) as usize;
        chosen.add_window(byte * 8, memory.get::<u8>(address).into());
        decided.add_window(byte * 8, memory.defined_bits(address).into());
    }
    (chosen, decided)
}
