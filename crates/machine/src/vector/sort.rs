//! Sorting and merging of 8-byte records: value, padding, u32 index.
//!
//! Sorting is descending and stable; NaN counts as larger than every number, and −0 equals +0. Definedness
//! moves with the record; the effect of an undefined key on the order is not tracked.

use super::address::Sweep;
use super::number::Number;
use super::plan::Plan;
use super::{Taken, VectorFault};
use crate::memory::{Exactly, Memory};
use a2lint_isa::{DST, DType, Opcode, SRC, integer, param};
use std::cmp::Ordering;

/// Bytes of one record.
pub(crate) const RECORD: usize = 8;
/// Offset of the index in a record.
const INDEX: usize = 4;
/// Number of records that one repeat of `sort32` sorts.
const GROUP: usize = 32;

/// A record with the definedness of its bytes, bit by bit.
#[derive(Clone, Copy)]
struct Record {
    key: f32,
    bytes: [u8; RECORD],
    defined: [u8; RECORD],
    dtype: DType,
    /// The exact value of the key.
    exact: Option<Exactly>,
}

/// Returns how many records of each queue were taken, for a merge that may leave some.
pub(super) fn execute(plan: &Plan, memory: &mut Memory) -> Result<Option<Taken>, VectorFault> {
    match plan.call.opcode {
        Opcode::Sort32 => sort_groups(plan, memory)?,
        Opcode::MergeSort4 => merge_four(plan, memory)?,
        Opcode::MergeSort2 => merge_queues(plan, memory, 2)?,
        Opcode::MergeUntil => return merge_until(plan, memory).map(Some),
        _ => merge_queues(plan, memory, 4)?,
    }
    Ok(None)
}

fn sort_groups(plan: &Plan, memory: &mut Memory) -> Result<(), VectorFault> {
    let dtype = plan.operand(SRC)?.dtype;
    let [dst, values, indices] = [
        plan.regular(DST)?,
        plan.regular(SRC)?,
        plan.regular(param!(Sort32.idx))?,
    ];
    for repeat in 0..plan.repeats {
        let record = |lane| {
            pack(
                memory,
                dtype,
                values.address(repeat, lane),
                indices.address(repeat, lane),
            )
        };
        let mut records: Vec<Record> = (0..GROUP).map(record).collect();
        // A stable sort, as the instruction is.
        records.sort_by(|a, b| descending(a.key, b.key));
        write(memory, dst.address(repeat, 0), &records);
    }
    Ok(())
}

/// Merges, in each repeat, four adjacent queues of `length` records.
fn merge_four(plan: &Plan, memory: &mut Memory) -> Result<(), VectorFault> {
    let (dst, src) = (plan.operand(DST)?, plan.operand(SRC)?);
    let (length, repeats) = (
        plan.call.integers[integer!(MergeSort4.length_per_blk)] as usize,
        plan.call.integers[integer!(MergeSort4.repeat)],
    );
    for repeat in 0..repeats {
        let done = repeat * (4 * length * RECORD) as i64;
        let queue = |index: usize| {
            let start = src.address + done + (index * length * RECORD) as i64;
            read(memory, src.dtype, start, length)
        };
        let queues: Vec<Vec<Record>> = (0..4).map(queue).collect();
        let (merged, _) = merge(&queues, false);
        write(memory, dst.address + done, &merged);
    }
    Ok(())
}

/// Merges `count` sorted sources into one queue.
fn merge_queues(plan: &Plan, memory: &mut Memory, count: usize) -> Result<(), VectorFault> {
    let dst = plan.regular(DST)?;
    let (merged, _) = merge(&sources(plan, memory, count)?, false);
    write(memory, dst.base, &merged);
    Ok(())
}

/// Merges four sorted sources until the last record of one has been taken.
fn merge_until(plan: &Plan, memory: &mut Memory) -> Result<Taken, VectorFault> {
    let dst = plan.operand(DST)?;
    let queues = sources(plan, memory, 4)?;
    let (merged, left) = merge(&queues, true);
    let range = dst.address..dst.address + (merged.len() * RECORD) as i64;
    if range.start < 0 || range.end > memory.capacity() as i64 {
        return Err(VectorFault::OutOfBounds {
            operand: DST,
            range,
            capacity: memory.capacity(),
        });
    }
    write(memory, dst.address, &merged);
    Ok(std::array::from_fn(|queue| {
        (queues[queue].len() - left[queue]) as u32
    }))
}

/// Reads `count` sorted sources.
fn sources(plan: &Plan, memory: &Memory, count: usize) -> Result<Vec<Vec<Record>>, VectorFault> {
    let queue = |index| {
        let Sweep { base, repeats, .. } = plan.regular(index)?;
        Ok(read(memory, plan.operand(index)?.dtype, base, repeats))
    };
    (SRC..SRC + count).map(queue).collect()
}

/// Takes the largest head repeatedly, of the first queue among equals; `suspends` tells whether to end with the last
/// record of a queue. Returns the number of records left in each queue as well.
fn merge(queues: &[Vec<Record>], suspends: bool) -> (Vec<Record>, Vec<usize>) {
    let mut heads: Vec<&[Record]> = queues.iter().map(Vec::as_slice).collect();
    let mut merged = Vec::with_capacity(queues.iter().map(Vec::len).sum());
    loop {
        let waiting = heads.iter_mut().filter(|queue| !queue.is_empty());
        // `min_by` returns the first of equal heads, which keeps the merge stable.
        let best = waiting.min_by(|a, b| descending(a[0].key, b[0].key));
        let ends = match best {
            Some(best) => {
                merged.push(best[0]);
                *best = &best[1..];
                suspends && best.is_empty()
            }
            None => true,
        };
        if ends {
            return (merged, heads.iter().map(|queue| queue.len()).collect());
        }
    }
}

fn descending(a: f32, b: f32) -> Ordering {
    let by_value = || b.partial_cmp(&a).unwrap_or(Ordering::Equal);
    b.is_nan().cmp(&a.is_nan()).then_with(by_value)
}

/// Creates a record from a value and an index at different places. The padding after a half is 0 and defined.
fn pack(memory: &Memory, dtype: DType, value: i64, index: i64) -> Record {
    let size = dtype.bits() as usize / 8;
    let (mut bytes, mut defined) = ([0; RECORD], [u8::MAX; RECORD]);
    let mut copy = |from: i64, to: usize, count: usize| {
        for byte in 0..count {
            bytes[to + byte] = memory.get(from as usize + byte);
            defined[to + byte] = memory.defined_bits(from as usize + byte);
        }
    };
    copy(value, 0, size);
    copy(index, INDEX, RECORD - INDEX);
    Record {
        key: key(dtype, &bytes),
        bytes,
        defined,
        dtype,
        exact: memory.exactly(value as usize, dtype),
    }
}

fn read(memory: &Memory, dtype: DType, start: i64, count: usize) -> Vec<Record> {
    let start = start as usize;
    let record = |index: usize| {
        let at = start + index * RECORD;
        let bytes: [u8; RECORD] = std::array::from_fn(|byte| memory.get(at + byte));
        let defined = std::array::from_fn(|byte| memory.defined_bits(at + byte));
        Record {
            key: key(dtype, &bytes),
            bytes,
            defined,
            dtype,
            exact: memory.exactly(at, dtype),
        }
    };
    (0..count).map(record).collect()
}

fn write(memory: &mut Memory, start: i64, records: &[Record]) {
    for (index, record) in records.iter().enumerate() {
        for byte in 0..RECORD {
            let address = start as usize + index * RECORD + byte;
            memory.put(address, record.bytes[byte]);
            memory.set_defined_bits(address, record.defined[byte]);
        }
        let address = start as usize + index * RECORD;
        memory.set_exactly(address, record.dtype, record.exact);
    }
}

fn key(dtype: DType, bytes: &[u8]) -> f32 {
    let mut lane = [0.0];
    f32::load(dtype, &bytes[..dtype.bits() as usize / 8], &mut lane);
    lane[0]
}
