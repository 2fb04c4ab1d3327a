//! `brcb`: eight scalars per repeat, each filling one block.

use super::VectorFault;
use super::lanes::{LaneSet, MASK_LANES};
use super::plan::Plan;
use super::shadow;
use crate::memory::Memory;
use a2lint_isa::{BLOCKS_PER_REPEAT, DST, SRC};

const SCALARS: usize = BLOCKS_PER_REPEAT as usize;

pub(super) fn execute(plan: &Plan, memory: &mut Memory) -> Result<(), VectorFault> {
    let (dst, src) = (plan.tensor(DST)?, plan.tensor(SRC)?);
    let block = dst.sweep.block_lanes();
    for repeat in 0..plan.repeats {
        // As bit patterns: values are moved, not converted.
        let mut scalars = [0_u32; SCALARS];
        src.load(memory, repeat..repeat + 1, &mut scalars);
        let exact = src.exactly(memory, repeat);
        let known = shadow::defined_lanes(memory, &src.sweep, repeat);
        let mut lanes = [0_u32; MASK_LANES];
        let mut defined = LaneSet::EMPTY;
        for (index, &scalar) in scalars.iter().enumerate() {
            lanes[index * block..][..block].fill(scalar);
            if known.contains(index) {
                (index * block..(index + 1) * block).for_each(|lane| defined.insert(lane));
            }
        }
        dst.store(memory, repeat..repeat + 1, &lanes[..plan.lanes], false);
        dst.set_exactly(memory, repeat, |lane| *exact.get(lane / block)?);
        shadow::assign(
            memory,
            &dst.sweep,
            repeat,
            &LaneSet::first(plan.lanes),
            &defined,
        );
    }
    Ok(())
}
