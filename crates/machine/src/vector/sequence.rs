//! Arithmetic sequences. Each element is computed from the first one and rounded once; integers wrap around.

use super::VectorFault;
use super::lanes::MASK_LANES;
use super::number::{scalar, scalar_bits};
use super::plan::Plan;
use super::shadow;
use crate::memory::Memory;
use a2lint_isa::DST;

pub(super) fn execute(plan: &Plan, memory: &mut Memory) -> Result<(), VectorFault> {
    let dst = plan.tensor(DST)?;
    let [first, step] = [plan.call.scalar, plan.call.step];
    let [first, step]: [f64; 2] = [first, step].map(|value| scalar(dst.dtype, value));
    let element = |at: usize| match dst.dtype.is_float() {
        true => scalar_bits(dst.dtype, first + at as f64 * step),
        false => (first as i64).wrapping_add(at as i64 * step as i64) as u32,
    };
    for repeat in 0..plan.repeats {
        let lanes: [u32; MASK_LANES] =
            std::array::from_fn(|lane| element(repeat * plan.lanes + lane));
        dst.store(memory, repeat..repeat + 1, &lanes[..plan.lanes], false);
        shadow::define(memory, &dst.sweep, repeat..repeat + 1);
    }
    Ok(())
}
