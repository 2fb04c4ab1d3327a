//! `gather_mask`: the elements that a pattern keeps, side by side.
//!
//! A repeat is read before its kept elements are written. After an undefined bit of the pattern it is unknown which
//! elements follow, so they are undefined.

use super::VectorFault;
use super::address::Sweep;
use super::lanes::{LaneSet, MASK_LANES};
use super::plan::Plan;
use super::shadow;
use crate::memory::Memory;
use crate::{VectorLength, VectorOperand};
use a2lint_isa::masks::gather::FixedPattern;
use a2lint_isa::{BLOCK_BYTES, DST, SRC, integer, param};

/// The bits that choose, among the tensor operands.
const PATTERN: usize = param!(GatherMask.pattern);

pub(super) fn execute(plan: &Plan, memory: &mut Memory) -> Result<(), VectorFault> {
    let (dst, src) = (plan.operand(DST)?, plan.tensor(SRC)?);
    let size = src.dtype.bytes_of(1);
    let fixed = plan.pattern()?.map(lanes_of);
    let bits = match fixed {
        Some(_) => None,
        None => Some(plan.regular(PATTERN)?),
    };
    let (mut address, mut is_certain) = (dst.address, true);
    let mut lanes = [0_u32; MASK_LANES];
    for repeat in 0..plan.repeats {
        src.load(memory, repeat..repeat + 1, &mut lanes[..plan.lanes]);
        let known = shadow::defined_lanes(memory, &src.sweep, repeat);
        let exact = src.exactly(memory, repeat);
        let (chosen, decided) = match (&fixed, &bits) {
            (Some(fixed), _) => (*fixed, LaneSet::FULL),
            (None, Some(bits)) => pattern_bits(memory, bits, repeat),
            (None, None) => (LaneSet::EMPTY, LaneSet::FULL),
        };
        for lane in src.sweep.live(repeat).iter() {
            is_certain &= decided.contains(lane);
            if !chosen.contains(lane) {
                continue;
            }
            let range = address..address + size;
            if range.start < 0 || range.end > memory.capacity() as i64 {
                return Err(VectorFault::OutOfBounds {
                    operand: DST,
                    range,
                    capacity: memory.capacity(),
                });
            }
            let bytes = range.start as usize..range.end as usize;
            let element = lanes[lane].to_le_bytes();
            memory
                .bytes_mut(bytes.clone())
                .copy_from_slice(&element[..size as usize]);
            if let Some(&exact) = exact.get(lane) {
                memory.set_exactly(bytes.start, src.dtype, exact);
            }
            memory.set_defined(bytes, is_certain && known.contains(lane));
            address += size;
        }
    }
    Ok(())
}

impl Plan<'_> {
    /// Returns the number of the pattern; `None` if the pattern is in a tensor.
    pub(super) fn pattern(&self) -> Result<Option<FixedPattern>, VectorFault> {
        let number = self.integer(integer!(GatherMask.pattern_number), 0..8)?;
        Ok(FixedPattern::new(number))
    }

    /// Returns the sweep over the kept elements; `None` if their number depends on the bits in a tensor.
    pub(super) fn compacted(&self, operand: &VectorOperand) -> Result<Option<Sweep>, VectorFault> {
        let Some(pattern) = self.pattern()? else {
            return Ok(None);
        };
        let chosen = lanes_of(pattern);
        let kept = |live: &LaneSet| live.and(chosen).iter().count();
        let whole = self.repeats.saturating_sub(1) * kept(&self.live);
        let elements = match self.repeats {
            0 => 0,
            _ => whole + kept(&self.last),
        };
        let rest = elements - elements.saturating_sub(1) / self.lanes * self.lanes;
        let bits = operand.dtype.bits() as usize;
        Ok(Some(Sweep {
            last: LaneSet::first(rest),
            ..Sweep::dense(
                operand.address,
                bits,
                self.lanes,
                elements.div_ceil(self.lanes),
            )
        }))
    }

    /// Returns the sweep over the bits of a pattern in a tensor; `None` if the pattern has a number.
    pub(super) fn pattern_sweep(
        &self,
        operand: &VectorOperand,
    ) -> Result<Option<Sweep>, VectorFault> {
        if self.pattern()?.is_some() {
            return Ok(None);
        }
        let dense = self.bit_sweep(operand);
        Ok(Some(match self.call.length {
            VectorLength::Count(_) => dense,
            _ => Sweep {
                repeat: operand.repeat_stride * BLOCK_BYTES,
                ..dense
            },
        }))
    }
}

/// Returns the lanes that a pattern keeps.
fn lanes_of(pattern: FixedPattern) -> LaneSet {
    let mut lanes = LaneSet::EMPTY;
    let kept = (0..MASK_LANES).filter(|&lane| pattern.keeps(lane as u64));
    kept.for_each(|lane| lanes.insert(lane));
    lanes
}

/// Returns the bits of a pattern in one repeat: those that are 1, and those that are defined.
fn pattern_bits(memory: &Memory, bits: &Sweep, repeat: usize) -> (LaneSet, LaneSet) {
    let (mut chosen, mut decided) = (LaneSet::EMPTY, LaneSet::EMPTY);
    for byte in bits.live(repeat).iter() {
        let address = bits.address(repeat, byte) as usize;
        chosen.add_window(byte * 8, memory.get::<u8>(address).into());
        decided.add_window(byte * 8, memory.defined_bits(address).into());
    }
    (chosen, decided)
}
