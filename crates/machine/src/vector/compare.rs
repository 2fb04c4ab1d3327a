//! Comparisons to packed bits: bit k % 8 of byte k / 8, counted over the whole instruction.
//!
//! A result bit is undefined when one of its source lanes is; bytes that mix both kinds keep their
//! definedness per bit.

use super::VectorFault;
use super::engine::Tensor;
use super::lanes::{LaneSet, MASK_LANES};
use super::number::{Number, scalar};
use super::plan::Plan;
use super::shadow;
use crate::memory::Memory;
use a2lint_isa::{CompareMode, DST, SRC, param};
use std::cmp::Ordering;

pub(super) fn execute(plan: &Plan, memory: &mut Memory) -> Result<(), VectorFault> {
    match plan.operand(SRC)?.dtype.is_float() {
        true => packed::<f32>(plan, memory),
        false => packed::<i32>(plan, memory),
    }
}

fn packed<T: Number + PartialOrd>(plan: &Plan, memory: &mut Memory) -> Result<(), VectorFault> {
    let (dst, first) = (plan.regular(DST)?, plan.tensor(SRC)?);
    let second = match plan.optional(param!(Compare.src2)) {
        Some(_) => Some(plan.tensor(param!(Compare.src2))?),
        None => None,
    };
    let mut a = [T::default(); MASK_LANES];
    // Keeps the scalar in all lanes if there is no second tensor.
    let mut b = [scalar::<T>(first.dtype, plan.call.scalar); MASK_LANES];
    for repeat in 0..plan.repeats {
        let known = load(memory, &first, repeat, &mut a[..plan.lanes]);
        let known = second.iter().fold(known, |known, second| {
            known.and(load(memory, second, repeat, &mut b[..plan.lanes]))
        });
        let bits = test(plan.call.compare, &a[..plan.lanes], &b);
        store_bits(
            memory,
            dst.address(repeat, 0) as usize,
            plan.lanes,
            &bits,
            &known,
        );
    }
    Ok(())
}

/// Loads one repeat; returns which of its lanes are defined.
fn load<T: Number>(memory: &Memory, tensor: &Tensor, repeat: usize, lanes: &mut [T]) -> LaneSet {
    tensor.load(memory, repeat..repeat + 1, lanes);
    match shadow::all_defined(memory, &tensor.sweep, repeat..repeat + 1) {
        true => LaneSet::FULL,
        false => shadow::defined_lanes(memory, &tensor.sweep, repeat),
    }
}

/// Compares lanes. NaN compares false in every mode, `NE` included, as on the hardware.
pub(super) fn test<T: PartialOrd>(mode: CompareMode, a: &[T], b: &[T]) -> LaneSet {
    match mode {
        CompareMode::Lt => lanes_where(a, b, |a, b| a < b),
        CompareMode::Gt => lanes_where(a, b, |a, b| a > b),
        CompareMode::Ge => lanes_where(a, b, |a, b| a >= b),
        CompareMode::Le => lanes_where(a, b, |a, b| a <= b),
        CompareMode::Eq => lanes_where(a, b, |a, b| a == b),
        // The operator `!=` would be true for NaN.
        CompareMode::Ne => lanes_where(a, b, |a, b| a.partial_cmp(b).is_some_and(Ordering::is_ne)),
    }
}

fn lanes_where<T>(a: &[T], b: &[T], holds: impl Fn(&T, &T) -> bool) -> LaneSet {
    let mut set = LaneSet::EMPTY;
    for (lane, (a, b)) in a.iter().zip(b).enumerate() {
        set.add_window(lane, holds(a, b).into());
    }
    set
}

fn store_bits(memory: &mut Memory, start: usize, lanes: usize, bits: &LaneSet, known: &LaneSet) {
    for byte in 0..lanes / 8 {
        memory.put(start + byte, bits.window(byte * 8, 8) as u8);
    }
    if *known == LaneSet::FULL {
        memory.set_defined(start..start + lanes / 8, true);
        return;
    }
    for byte in 0..lanes / 8 {
        memory.set_defined_bits(start + byte, known.window(byte * 8, 8) as u8);
    }
}
