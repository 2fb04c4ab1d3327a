//! `transdata5hd`: transposes 16 × 16 tiles of 2-byte elements.
//!
//! Element j of destination row i is element i of source row j. Row strides count elements,
//! repeat strides blocks.

use super::VectorFault;
use super::lanes::{LaneSet, MASK_LANES};
use super::plan::Plan;
use super::shadow;
use crate::memory::Memory;
use a2lint_isa::{DST, SRC};

/// Rows and columns of a tile.
const SIDE: usize = 16;

pub(super) fn execute(plan: &Plan, memory: &mut Memory) -> Result<(), VectorFault> {
    let (dst, src) = (plan.tensor(DST)?, plan.tensor(SRC)?);
    if src.dtype.bits() != 16 {
        return Err(VectorFault::Types);
    }
    for repeat in 0..src.sweep.repeats {
        // As bit patterns: values are moved, not converted.
        let (mut tile, mut turned) = ([0_u32; MASK_LANES], [0_u32; MASK_LANES]);
        src.load(memory, repeat..repeat + 1, &mut tile);
        let exact = src.exactly(memory, repeat);
        let known = shadow::defined_lanes(memory, &src.sweep, repeat);
        let mut defined = LaneSet::EMPTY;
        for (lane, value) in turned.iter_mut().enumerate() {
            let from = turn(lane);
            *value = tile[from];
            if known.contains(from) {
                defined.insert(lane);
            }
        }
        dst.store(memory, repeat..repeat + 1, &turned, false);
        dst.set_exactly(memory, repeat, |lane| *exact.get(turn(lane))?);
        shadow::assign(memory, &dst.sweep, repeat, &LaneSet::FULL, &defined);
    }
    Ok(())
}

/// Returns the lane of the source tile that a lane of the result comes from.
fn turn(lane: usize) -> usize {
    lane % SIDE * SIDE + lane / SIDE
}
