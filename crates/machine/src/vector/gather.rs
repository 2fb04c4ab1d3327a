//! Indexed access by byte offsets: `gather`, `gather_block`, `scatter`. `start_idx` of a gather
//! counts bytes as well.
//!
//! An undefined offset is reported and not used: the destination lane of a gather keeps its bytes and becomes
//! undefined, a scatter leaves memory as it is.

use super::lanes::{LaneSet, MASK_LANES};
use super::plan::Plan;
use super::shadow;
use super::{VectorEvent, VectorFault};
use crate::memory::Memory;
use a2lint_isa::{BLOCK_BYTES, BLOCKS_PER_REPEAT, DST, Opcode, SRC, integer, param};
use std::ops::Range;

const BLOCK: usize = BLOCK_BYTES as usize;
const BLOCKS: usize = BLOCKS_PER_REPEAT as usize;
/// Index of the offsets among the tensor operands.
pub const OFFSETS: usize = param!(class Gather.offset);

/// Resolves offsets from the start of one operand, and collects what has to be reported.
struct Chase<'a, 'b> {
    plan: &'a Plan<'b>,
    operand: usize,
    /// Byte address that offsets count from.
    base: i64,
    /// Bytes of one access.
    size: usize,
    undefined_offset: Option<usize>,
    followed: bool,
    found_defined: bool,
}

pub(super) fn execute(
    plan: &Plan,
    memory: &mut Memory,
    events: &mut dyn FnMut(VectorEvent),
) -> Result<(), VectorFault> {
    let operand = match plan.call.opcode {
        Opcode::Scatter => DST,
        _ => SRC,
    };
    let start = plan
        .call
        .integers
        .get(integer!(Gather | MaskedGather | Scatter.start_idx))
        .copied()
        .unwrap_or(0);
    let mut chase = Chase {
        plan,
        operand,
        base: plan.operand(operand)?.address.saturating_add(start),
        size: moved(plan)?,
        undefined_offset: None,
        followed: false,
        found_defined: false,
    };
    for repeat in 0..plan.repeats {
        match plan.call.opcode {
            Opcode::Scatter => chase.scatter(memory, repeat)?,
            Opcode::GatherBlock => chase.gather_blocks(memory, repeat)?,
            _ => chase.gather(memory, repeat)?,
        }
    }
    chase.report(events);
    Ok(())
}

/// A byte offset that points into the middle of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OddOffset {
    /// The first such element of the offsets.
    pub element: usize,
    /// The value of the offset.
    pub offset: u32,
    /// Bytes that are moved for each offset; offsets have to be multiples of it.
    pub size: usize,
}

impl Plan<'_> {
    /// Returns the first defined offset of an indexed access that is no multiple of the bytes it moves.
    pub fn odd_offset(&self, memory: &Memory) -> Option<OddOffset> {
        let size = moved(self).ok()?;
        let offsets = self.tensor(OFFSETS).ok()?;
        let count = offsets.sweep.lanes;
        let mut values = [0_u32; MASK_LANES];
        (0..self.repeats).find_map(|repeat| {
            offsets.load(memory, repeat..repeat + 1, &mut values[..count]);
            let known = shadow::defined_lanes(memory, &offsets.sweep, repeat);
            let known = known.and(*offsets.sweep.live(repeat));
            let is_odd = |lane: &usize| !values[*lane].is_multiple_of(size as u32);
            let lane = known.iter().filter(|&lane| lane < count).find(is_odd)?;
            Some(OddOffset {
                element: repeat * count + lane,
                offset: values[lane],
                size,
            })
        })
    }
}

/// Returns the bytes that an indexed access moves for each offset.
fn moved(plan: &Plan) -> Result<usize, VectorFault> {
    Ok(match plan.call.opcode {
        Opcode::Scatter => plan.operand(DST)?.dtype.bits() as usize / 8,
        Opcode::GatherBlock => BLOCK,
        _ => plan.operand(SRC)?.dtype.bits() as usize / 8,
    })
}

impl Chase<'_, '_> {
    fn gather(&mut self, memory: &mut Memory, repeat: usize) -> Result<(), VectorFault> {
        let dst = self.plan.tensor(DST)?;
        let mut values = [0_u32; MASK_LANES];
        let values = &mut values[..self.plan.lanes];
        // Lanes whose offset is undefined keep their bytes.
        dst.load(memory, repeat..repeat + 1, values);
        let mut defined = LaneSet::EMPTY;
        let mut exact = dst.exactly(memory, repeat);
        let dtype = self.plan.operand(SRC)?.dtype;
        for (lane, range) in self.targets(memory, repeat)? {
            if let Some(exact) = exact.get_mut(lane) {
                *exact = memory.exactly(range.start, dtype);
            }
            if memory.all_defined(range.clone()) {
                defined.insert(lane);
            }
            let mut raw = [0; 4];
            raw[..self.size].copy_from_slice(memory.bytes(range));
            values[lane] = u32::from_le_bytes(raw);
        }
        dst.store(memory, repeat..repeat + 1, values, false);
        dst.set_exactly(memory, repeat, |lane| *exact.get(lane)?);
        shadow::assign(memory, &dst.sweep, repeat, dst.sweep.live(repeat), &defined);
        Ok(())
    }

    fn gather_blocks(&mut self, memory: &mut Memory, repeat: usize) -> Result<(), VectorFault> {
        let dst = self.plan.regular(DST)?;
        let mut blocks = memory.of_kind(BLOCKS * BLOCK);
        let at = |block: usize| dst.address(repeat, block * dst.block_lanes()) as usize;
        // Blocks whose offset is undefined keep their bytes.
        for block in 0..BLOCKS {
            let kept = at(block)..at(block) + BLOCK;
            let start = block * BLOCK;
            blocks
                .bytes_mut(start..start + BLOCK)
                .copy_from_slice(memory.bytes(kept.clone()));
            blocks.copy_exact_from(start, memory, kept);
        }
        for (block, range) in self.targets(memory, repeat)? {
            blocks.copy_from(block * BLOCK, memory, range);
        }
        for block in 0..BLOCKS {
            memory.copy_from(at(block), &blocks, block * BLOCK..(block + 1) * BLOCK);
        }
        Ok(())
    }

    fn scatter(&mut self, memory: &mut Memory, repeat: usize) -> Result<(), VectorFault> {
        let src = self.plan.tensor(SRC)?;
        let mut values = [0_u32; MASK_LANES];
        src.load(memory, repeat..repeat + 1, &mut values[..self.plan.lanes]);
        let known = shadow::defined_lanes(memory, &src.sweep, repeat);
        let exact = src.exactly(memory, repeat);
        for (lane, range) in self.targets(memory, repeat)? {
            let bytes = values[lane].to_le_bytes();
            memory
                .bytes_mut(range.clone())
                .copy_from_slice(&bytes[..self.size]);
            if let Some(&exact) = exact.get(lane) {
                memory.set_exactly(range.start, src.dtype, exact);
            }
            memory.set_defined(range, known.contains(lane));
        }
        Ok(())
    }

    /// Returns the bytes at the defined offsets of one repeat, each with its position in the repeat.
    fn targets(
        &mut self,
        memory: &Memory,
        repeat: usize,
    ) -> Result<Vec<(usize, Range<usize>)>, VectorFault> {
        let offsets = self.plan.tensor(OFFSETS)?;
        let count = offsets.sweep.lanes;
        let mut values = [0_u32; MASK_LANES];
        offsets.load(memory, repeat..repeat + 1, &mut values[..count]);
        let live = *offsets.sweep.live(repeat);
        let known = shadow::defined_lanes(memory, &offsets.sweep, repeat).and(live);
        if let Some(lane) = live.without(known).iter().next() {
            self.undefined_offset.get_or_insert(repeat * count + lane);
        }
        known
            .iter()
            .map(|lane| Ok((lane, self.target(memory, values[lane])?)))
            .collect()
    }

    fn target(&mut self, memory: &Memory, offset: u32) -> Result<Range<usize>, VectorFault> {
        let start = self.base.saturating_add(offset.into());
        let range = start..start.saturating_add(self.size as i64);
        if range.start < 0 || range.end > memory.capacity() as i64 {
            return Err(VectorFault::OutOfBounds {
                operand: self.operand,
                range,
                capacity: memory.capacity(),
            });
        }
        let range = range.start as usize..range.end as usize;
        self.followed = true;
        self.found_defined |= memory.any_defined(range.clone());
        Ok(range)
    }

    fn report(&self, events: &mut dyn FnMut(VectorEvent)) {
        if let Some(element) = self.undefined_offset {
            events(VectorEvent::UndefinedOffset {
                operand: OFFSETS,
                element,
            });
        }
        let reads = self.operand == SRC;
        if reads && self.followed && !self.found_defined {
            events(VectorEvent::Undefined {
                operand: self.operand,
            });
        }
    }
}
