//! Instructions with their operands resolved to walks, and checked.

use super::address::{Sweep, merge};
use super::lanes::{LaneSet, VectorMask};
use super::{VectorEvent, VectorFault, VectorOptions};
use crate::memory::Memory;
use crate::{VectorCall, VectorLength, VectorOperand};
use a2lint_isa::device::Limits;
use a2lint_isa::{
    BLOCK_BYTES, Class, DST, DType, Instruction, Operand, ParamKind, REPEAT_BYTES, SRC, SelectMode,
    TypeRule, Walk, cast_pair, integer, param,
};
use smallvec::SmallVec;
use std::ops::Range;

/// The parameters of a merge that give the number of records in each queue.
const QUEUE_SIZES: [usize; 4] = [
    integer!(MergeQueues.size1),
    integer!(MergeQueues.size2),
    integer!(MergeQueues.size3),
    integer!(MergeQueues.size4),
];

/// One instruction, ready to run: legal types, fields in range, operands resolved to addresses.
#[derive(Clone, Debug)]
pub struct Plan<'a> {
    pub(super) call: &'a VectorCall,
    pub(super) row: &'static Instruction,
    pub(super) options: VectorOptions,
    /// Lanes of one repeat: those of the widest operand that is walked by lanes.
    pub(super) lanes: usize,
    /// Number of repeats, including a partial last one.
    pub(super) repeats: usize,
    /// Lanes that take part in every repeat but the last, and in the last.
    pub(super) live: LaneSet,
    pub(super) last: LaneSet,
    /// The addresses that each operand visits; `None` if it is absent or its addresses depend on values.
    sweeps: SmallVec<[Option<Sweep>; 4]>,
}

impl<'a> Plan<'a> {
    /// Resolves a call. Without a mask, all slots of the mask count as set.
    ///
    /// # Errors
    /// Types that the instruction does not take, and numbers that its fields cannot hold. Addresses are not
    /// checked: see [`Plan::check_bounds`].
    pub fn new(
        call: &'a VectorCall,
        mask: Option<&VectorMask>,
        options: VectorOptions,
    ) -> Result<Self, VectorFault> {
        let row = call.opcode.row();
        check_types(call, row)?;
        check_strides(call, row, options.limits)?;
        let lanes = lanes_per_repeat(call, row);
        let (repeats, live, last) = schedule(call, row, lanes, mask, options.limits)?;
        let mut plan = Plan {
            call,
            row,
            options,
            lanes,
            repeats,
            live,
            last,
            sweeps: SmallVec::new(),
        };
        let mut described = row.operands();
        for (index, operand) in call.operands.iter().enumerate() {
            let described = described.next();
            let sweep = match operand {
                Some(operand) => plan.resolve(index, operand, described)?,
                None => None,
            };
            plan.sweeps.push(sweep);
        }
        Ok(plan)
    }

    /// Returns the bytes that an operand touches, in ascending order and merged, or `None` if they depend on
    /// values (gather sources, scatter destinations) or the operand is absent.
    pub fn footprint(&self, operand: usize) -> Option<Vec<Range<i64>>> {
        let sweep = self.sweep(operand)?;
        Some(merge(sweep.live_ranges()))
    }

    /// Returns start and end (exclusive) of the bytes that the lanes of an operand can touch, live or not.
    /// `None` as for [`Plan::footprint`].
    pub fn reach(&self, operand: usize) -> Option<Range<i64>> {
        Some(self.sweep(operand)?.bounds())
    }

    /// Returns the operand at `index`, which must be present.
    pub(super) fn operand(&self, index: usize) -> Result<&'a VectorOperand, VectorFault> {
        self.optional(index)
            .ok_or(VectorFault::MissingOperand { operand: index })
    }

    /// Returns the operand at `index`, if it is present.
    pub(super) fn optional(&self, index: usize) -> Option<&'a VectorOperand> {
        self.call.operands.get(index)?.as_ref()
    }

    /// Returns the integer parameter at `index`, which must lie in `range`.
    pub(super) fn integer(&self, index: usize, range: Range<i64>) -> Result<i64, VectorFault> {
        let value = self.call.integers.get(index).copied().unwrap_or(-1);
        match range.contains(&value) {
            true => Ok(value),
            false => Err(VectorFault::Parameter { index, value }),
        }
    }

    /// Returns the walk of an operand, or `None` if it is absent or its addresses depend on values.
    pub(super) fn sweep(&self, index: usize) -> Option<&Sweep> {
        self.sweeps.get(index)?.as_ref()
    }

    /// Returns the walk of an operand, according to the parameter that describes it.
    fn resolve(
        &self,
        index: usize,
        operand: &VectorOperand,
        described: Option<(usize, &'static Operand)>,
    ) -> Result<Option<Sweep>, VectorFault> {
        let Some((param, described)) = described else {
            return Ok(None);
        };
        let bits = operand.dtype.bits() as usize;
        let dense = |lanes, repeats| Sweep::dense(operand.address, bits, lanes, repeats);
        Ok(Some(match described.walk {
            Walk::Lanes if self.is_fallback_scalar(index) => dense(1, self.repeats.min(1)),
            Walk::Lanes => self.lane_sweep(param, operand),
            Walk::BroadcastResult => Sweep {
                // The hardware takes a stride of 0 for 1 here.
                block: operand.block_stride.max(1) * BLOCK_BYTES,
                ..self.lane_sweep(param, operand)
            },
            Walk::RepeatResult => self.result_sweep(operand, 1),
            Walk::IndexedResult => self.result_sweep(operand, 2),
            Walk::Total => self.total_sweep(operand, 1),
            Walk::IndexedTotal => self.total_sweep(operand, 2),
            Walk::BlockResults => self.result_sweep(operand, 8),
            Walk::PairResults => self.result_sweep(operand, self.lanes / 2),
            Walk::PackedBits => self.bit_sweep(operand),
            Walk::First => dense(1, 1),
            Walk::BroadcastSource => dense(8, self.repeats),
            Walk::Offsets if self.row.mask.consumes() => Sweep {
                live: self.live,
                last: self.last,
                ..dense(self.lanes, self.repeats)
            },
            Walk::Offsets => dense(self.lanes, self.repeats),
            Walk::Records32 => dense(32, self.repeats),
            Walk::SortedRecords => records(operand, 32, self.repeats),
            Walk::Merge4 => self.merge4_sweep(operand)?,
            Walk::Merge2 => self.merge2_sweep(index, operand)?,
            Walk::MergeQueues => self.queue_sweep(index, operand)?,
            Walk::Compacted => return self.compacted(operand),
            // The values of the records decide how many are merged.
            Walk::MergedUntil => return Ok(None),
            Walk::PatternBits => return self.pattern_sweep(operand),
            Walk::Work => {
                let elements = self.row.work_elements(self.repeats as i64, operand.dtype);
                let block = operand.dtype.c0();
                dense(block as usize, (elements / block) as usize)
            }
            Walk::Indexed if self.row.class == Class::Transpose => {
                self.tile_sweep(index, operand)?
            }
            // The addresses of all other walks depend on values.
            _ => return Ok(None),
        }))
    }

    /// Returns the walk of an operand that must be present and regular.
    pub(super) fn regular(&self, index: usize) -> Result<Sweep, VectorFault> {
        self.sweep(index)
            .copied()
            .ok_or(VectorFault::MissingOperand { operand: index })
    }

    /// Returns whether only element 0 of an operand is used: the fallback of `select` in scalar mode.
    pub(super) fn is_fallback_scalar(&self, index: usize) -> bool {
        self.row.class == Class::Select
            && index == param!(Select.src2)
            && self.call.select == SelectMode::TensorScalar
    }

    fn lane_sweep(&self, param: usize, operand: &VectorOperand) -> Sweep {
        let bits = operand.dtype.bits() as usize;
        let mut sweep = Sweep::dense(operand.address, bits, self.lanes, self.repeats);
        (sweep.live, sweep.last) = (self.live, self.last);
        // A count is contiguous: strides have no effect.
        if !matches!(self.call.length, VectorLength::Count(_)) {
            sweep.repeat = operand.repeat_stride * BLOCK_BYTES;
            if has_block_stride(self.row, param) {
                sweep.block = operand.block_stride * BLOCK_BYTES;
            }
        }
        sweep
    }

    /// Returns the sweep of packed bits, one per lane: repeats follow each other without gaps, and a count ends it at
    /// the last byte that it needs.
    pub(super) fn bit_sweep(&self, operand: &VectorOperand) -> Sweep {
        let dense = Sweep::dense(operand.address, 8, self.lanes / 8, self.repeats);
        let bytes = |live: &LaneSet| LaneSet::first(live.iter().count().div_ceil(8));
        match self.call.length {
            VectorLength::Repeats(_) => dense,
            _ => Sweep {
                live: bytes(&self.live),
                last: bytes(&self.last),
                ..dense
            },
        }
    }

    fn result_sweep(&self, operand: &VectorOperand, results: usize) -> Sweep {
        let bits = operand.dtype.bits() as usize;
        let sweep = Sweep::dense(operand.address, bits, results, self.repeats);
        let written = |live: &LaneSet| match self.row.class {
            // A pair is written even without a live lane, unlike repeats and blocks.
            Class::PairReduce => LaneSet::first(results),
            Class::ReduceIndex => all_if_any(live, results),
            _ => groups(live, self.lanes / results),
        };
        Sweep {
            repeat: self.call.result_stride * sweep.repeat,
            live: written(&self.live),
            last: written(&self.last),
            ..sweep
        }
    }

    /// Returns the sweep over the results of a reduction of all repeats; it is empty if no lane is live.
    fn total_sweep(&self, operand: &VectorOperand, results: usize) -> Sweep {
        let bits = operand.dtype.bits() as usize;
        let live = match self.repeats {
            0 => LaneSet::EMPTY,
            1 => self.last,
            _ => {
                let mut live = self.live;
                live.merge(self.last);
                live
            }
        };
        Sweep {
            last: all_if_any(&live, results),
            ..Sweep::dense(operand.address, bits, results, 1)
        }
    }

    fn merge4_sweep(&self, operand: &VectorOperand) -> Result<Sweep, VectorFault> {
        let limits = self.options.limits;
        let (length, repeats) = (
            self.integer(integer!(MergeSort4.length_per_blk), 0..4096)?,
            self.integer(integer!(MergeSort4.repeat), 0..limits.repeat + 1)?,
        );
        Ok(records(operand, 4, (length * repeats) as usize))
    }

    fn merge2_sweep(&self, index: usize, operand: &VectorOperand) -> Result<Sweep, VectorFault> {
        let size1 = self.integer(integer!(MergeSort2.size1), 0..4096)?;
        let size2 = self.integer(integer!(MergeSort2.size2), 0..4096)?;
        let size = match index {
            DST => size1 + size2,
            SRC => size1,
            _ => size2,
        };
        Ok(records(operand, 1, size as usize))
    }

    fn queue_sweep(&self, index: usize, operand: &VectorOperand) -> Result<Sweep, VectorFault> {
        let mut sizes = [0; QUEUE_SIZES.len()];
        for (size, at) in sizes.iter_mut().zip(QUEUE_SIZES) {
            *size = self.integer(at, 0..4096)?;
        }
        let size = match index {
            DST => sizes.iter().sum(),
            _ => sizes[index - SRC],
        };
        Ok(records(operand, 1, size as usize))
    }

    /// Returns a walk over sixteen rows of one block each, as the tile transpose addresses them.
    fn tile_sweep(&self, index: usize, operand: &VectorOperand) -> Result<Sweep, VectorFault> {
        let bits = operand.dtype.bits() as usize;
        let (row_stride, repeat_stride) = match index {
            DST => (
                integer!(TransData.dst_row_stride),
                integer!(TransData.dst_rep),
            ),
            _ => (
                integer!(TransData.src_row_stride),
                integer!(TransData.src_rep),
            ),
        };
        let limits = self.options.limits;
        let row_elements = self.integer(row_stride, 0..i64::MAX / REPEAT_BYTES)?;
        let repeats = self.integer(integer!(TransData.repeat), 0..limits.repeat + 1)? as usize;
        let repeat_blocks = self.integer(repeat_stride, 0..limits.fill_block_stride + 1)?;
        Ok(Sweep {
            block: row_elements * (bits / 8) as i64,
            repeat: repeat_blocks * BLOCK_BYTES,
            ..Sweep::dense(operand.address, bits, 256, repeats)
        })
    }

    /// Rejects accesses outside of a memory of `capacity` bytes.
    pub fn check_bounds(&self, capacity: usize) -> Result<(), VectorFault> {
        let inside = |range: &Range<i64>| range.start >= 0 && range.end <= capacity as i64;
        for (operand, sweep) in self.sweeps.iter().enumerate() {
            let Some(sweep) = sweep else { continue };
            if inside(&sweep.bounds()) {
                continue;
            }
            // The bounds include dead lanes; only live ones have to lie inside.
            if let Some(range) = merge(sweep.live_ranges())
                .into_iter()
                .find(|range| !inside(range))
            {
                return Err(VectorFault::OutOfBounds {
                    operand,
                    range,
                    capacity,
                });
            }
        }
        Ok(())
    }

    /// Reports operands that are read and have no defined byte.
    pub(super) fn report_undefined(&self, memory: &Memory, events: &mut dyn FnMut(VectorEvent)) {
        let described = self.row.operands().enumerate();
        for ((operand, (_, described)), sweep) in described.zip(&self.sweeps) {
            let Some(sweep) = sweep.as_ref().filter(|_| described.access.reads()) else {
                continue;
            };
            let mut touched = false;
            let defined = sweep.live_ranges().any(|range| {
                touched = true;
                memory.any_defined(range.start as usize..range.end as usize)
            });
            if touched && !defined {
                events(VectorEvent::Undefined { operand });
            }
        }
    }
}

/// Returns a walk over records of a sorted queue, of eight bytes each.
fn records(operand: &VectorOperand, lanes: usize, repeats: usize) -> Sweep {
    Sweep::dense(operand.address, 64, lanes, repeats)
}

/// Returns the first `lanes` lanes, or none if no lane of `live` is live.
fn all_if_any(live: &LaneSet, lanes: usize) -> LaneSet {
    match live.iter().next() {
        Some(_) => LaneSet::first(lanes),
        None => LaneSet::EMPTY,
    }
}

/// Groups of `size` lanes that have a live lane.
fn groups(live: &LaneSet, size: usize) -> LaneSet {
    let mut set = LaneSet::EMPTY;
    live.iter().for_each(|lane| set.insert(lane / size));
    set
}

/// Returns whether the operand of the parameter at `param` has a block stride.
pub(super) fn has_block_stride(row: &Instruction, param: usize) -> bool {
    row.index_of(ParamKind::BlockStride(param)).is_some()
}

/// Returns the lanes of a repeat: those of the widest operand that walks lanes. In a conversion, the wider type
/// determines both the lanes and the bits of the mask.
fn lanes_per_repeat(call: &VectorCall, row: &Instruction) -> usize {
    let walks = row.operands().map(|(_, operand)| operand.walk);
    let widths = walks.zip(&call.operands).filter_map(|(walk, operand)| {
        let lanewise = matches!(walk, Walk::Lanes | Walk::BroadcastResult);
        operand
            .filter(|_| lanewise)
            .map(|operand| operand.dtype.bits())
    });
    (REPEAT_BYTES * 8 / widths.max().unwrap_or(8)) as usize
}

/// Returns the number of repeats, the live lanes of all but the last, and those of the last.
fn schedule(
    call: &VectorCall,
    row: &Instruction,
    lanes: usize,
    mask: Option<&VectorMask>,
    limits: &Limits,
) -> Result<(usize, LaneSet, LaneSet), VectorFault> {
    let illegal = VectorFault::Length {
        length: call.length,
    };
    let all = LaneSet::first(lanes);
    match call.length {
        VectorLength::Repeats(repeats) => {
            let live = match mask {
                Some(mask) if row.mask.consumes() => mask.prefix(lanes),
                _ => all,
            };
            Ok((
                checked_repeats(repeats, row.repeat_limit(limits))?,
                live,
                live,
            ))
        }
        VectorLength::Count(count) => {
            let legal = count >= 0 && row.index_of(ParamKind::Count).is_some();
            let count = if legal {
                count as usize
            } else {
                return Err(illegal);
            };
            // The last repeat has 1 to `lanes` elements; it has none only if the count is 0.
            let rest = count - count.saturating_sub(1) / lanes * lanes;
            Ok((count.div_ceil(lanes), all, LaneSet::first(rest)))
        }
        VectorLength::CountPerRepeat {
            repeats,
            lanes: live,
        } => {
            let legal = row.index_of(ParamKind::CountPerRepeat).is_some();
            if !legal || !(0..=lanes as i64).contains(&live) {
                return Err(illegal);
            }
            let live = LaneSet::first(live as usize);
            Ok((
                checked_repeats(repeats, row.repeat_limit(limits))?,
                live,
                live,
            ))
        }
    }
}

fn checked_repeats(repeats: i64, most: i64) -> Result<usize, VectorFault> {
    match (0..=most).contains(&repeats) {
        true => Ok(repeats as usize),
        false => Err(VectorFault::Repeats { repeats }),
    }
}

fn check_strides(call: &VectorCall, row: &Instruction, limits: &Limits) -> Result<(), VectorFault> {
    // A count is contiguous, so the strides are not used.
    if matches!(call.length, VectorLength::Count(_)) {
        return Ok(());
    }
    let within = |operand, stride, limit| match (0..=limit).contains(&stride) {
        true => Ok(()),
        false => Err(VectorFault::Stride {
            operand,
            stride,
            limit,
        }),
    };
    let repeats = match call.length {
        VectorLength::Repeats(repeats) => repeats,
        VectorLength::CountPerRepeat { repeats, .. } => repeats,
        VectorLength::Count(_) => 1,
    };
    let described = row.operands().zip(&call.operands);
    for (operand, ((param, described), present)) in described.enumerate() {
        let Some(present) = present else {
            continue;
        };
        if matches!(described.walk, Walk::Lanes | Walk::BroadcastResult) {
            // A single repeat does not use the stride between repeats.
            if repeats > 1 {
                within(
                    operand,
                    present.repeat_stride,
                    row.repeat_stride_limit(limits),
                )?;
            }
            if has_block_stride(row, param) {
                within(
                    operand,
                    present.block_stride,
                    row.block_stride_limit(limits),
                )?;
            }
        }
    }
    match row.index_of(ParamKind::ResultStride) {
        Some(_) => within(0, call.result_stride, limits.repeat_stride),
        None => Ok(()),
    }
}

fn check_types(call: &VectorCall, row: &Instruction) -> Result<(), VectorFault> {
    let types: Vec<Option<DType>> = call
        .operands
        .iter()
        .map(|operand| operand.map(|operand| operand.dtype))
        .collect();
    let present = || types.iter().copied().flatten();
    let equal = present().all(|dtype| Some(dtype) == types[0]);
    let legal = match row.types {
        TypeRule::Any => true,
        TypeRule::Equal => equal,
        TypeRule::Same(list) => equal && present().all(|dtype| list.contains(&dtype)),
        TypeRule::Rows(rows) => rows.iter().any(|row| {
            let pairs = row.iter().zip(&types);
            pairs
                .into_iter()
                .all(|(want, have)| have.is_none_or(|have| have == *want))
        }),
        TypeRule::Cast => {
            matches!(types[..], [Some(dst), Some(src)] if cast_pair(src, dst).is_some())
        }
    };
    match legal {
        true => Ok(()),
        false => Err(VectorFault::Types),
    }
}
