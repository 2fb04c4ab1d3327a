//! Definedness of lanes: conversions between the shadow of a memory and sets of lanes.
//!
//! A lane is defined when all of its bytes are (all four bits, for lanes of half a byte).

use super::address::{Run, Sweep};
use super::lanes::{LaneSet, low_bits};
use crate::memory::{Memory, WINDOW};
use std::ops::Range;

/// Returns whether every lane of some repeats is defined, dead lanes included.
pub(super) fn all_defined(memory: &Memory, sweep: &Sweep, repeats: Range<usize>) -> bool {
    spans_defined(memory, sweep, repeats.clone()) || runs_defined(memory, sweep, repeats)
}

/// Returns whether all bytes from the first to the last lane of some repeats are defined, including those
/// between rows. That is the usual case, and fast to test.
fn spans_defined(memory: &Memory, sweep: &Sweep, repeats: Range<usize>) -> bool {
    let Range { start, end } = sweep.bounds_of(repeats);
    let is_inside = start >= 0 && end <= memory.capacity() as i64;
    is_inside && memory.all_defined(start as usize..end as usize)
}

fn runs_defined(memory: &Memory, sweep: &Sweep, repeats: Range<usize>) -> bool {
    sweep.runs(repeats).all(|run| {
        let range = run.range(memory.capacity());
        range.is_some_and(|range| memory.all_defined(range))
    })
}

/// Returns the defined lanes of one repeat.
pub(super) fn defined_lanes(memory: &Memory, sweep: &Sweep, repeat: usize) -> LaneSet {
    let mut set = LaneSet::EMPTY;
    for run in sweep.runs(repeat..repeat + 1) {
        match sweep.bits {
            4 => nibbles_defined(memory, &run, &mut set),
            bits => bytes_defined(memory, &run, bits / 8, &mut set),
        }
    }
    set
}

fn bytes_defined(memory: &Memory, run: &Run, size: usize, set: &mut LaneSet) {
    let Some(range) = run.range(memory.capacity()) else {
        return lanes_defined_singly(memory, run, size, set);
    };
    for (index, address) in range.step_by(WINDOW).enumerate() {
        let done = index * (WINDOW / size);
        let lanes = (run.lanes - done).min(WINDOW / size);
        let bits = compress(memory.defined_window(address), size) & low_bits(lanes);
        set.add_window(run.first + done, bits);
    }
}

/// Handles runs that leave the memory, lane by lane: their live lanes lie inside.
fn lanes_defined_singly(memory: &Memory, run: &Run, size: usize, set: &mut LaneSet) {
    for lane in 0..run.lanes {
        let address = run.address + (lane * size) as i64;
        if let Some(range) = byte_range(memory, address, size)
            && memory.all_defined(range)
        {
            set.insert(run.first + lane);
        }
    }
}

fn nibbles_defined(memory: &Memory, run: &Run, set: &mut LaneSet) {
    for lane in 0..run.lanes {
        let address = run.address + (lane / 2) as i64;
        if let Some(range) = byte_range(memory, address, 1)
            && memory.defined_bits(range.start) & nibble(lane) == nibble(lane)
        {
            set.insert(run.first + lane);
        }
    }
}

/// Sets the definedness of the selected lanes of one repeat to that in `defined`.
pub(super) fn assign(
    memory: &mut Memory,
    sweep: &Sweep,
    repeat: usize,
    select: &LaneSet,
    defined: &LaneSet,
) {
    for run in sweep.runs(repeat..repeat + 1) {
        match sweep.bits {
            4 => assign_nibbles(memory, &run, select, defined),
            bits => assign_bytes(memory, &run, bits / 8, select, defined),
        }
    }
}

fn assign_bytes(memory: &mut Memory, run: &Run, size: usize, select: &LaneSet, defined: &LaneSet) {
    let step = WINDOW / size;
    for done in (0..run.lanes).step_by(step) {
        let lanes = (run.lanes - done).min(step);
        let select = select.window(run.first + done, lanes);
        let defined = defined.window(run.first + done, lanes);
        let address = run.address + (done * size) as i64;
        // Only the leading lanes of a run can lie before address 0, and those are dead.
        let skip = (-address).clamp(0, WINDOW as i64 - 1) as usize;
        let (select, defined) = (expand(select, size) >> skip, expand(defined, size) >> skip);
        if select != 0 {
            memory.assign_defined(address.max(0) as usize, select, defined);
        }
    }
}

fn assign_nibbles(memory: &mut Memory, run: &Run, select: &LaneSet, defined: &LaneSet) {
    for lane in (0..run.lanes).filter(|lane| select.contains(run.first + lane)) {
        let address = (run.address + (lane / 2) as i64) as usize;
        let others = memory.defined_bits(address) & !nibble(lane);
        let own = if defined.contains(run.first + lane) {
            nibble(lane)
        } else {
            0
        };
        memory.set_defined_bits(address, others | own);
    }
}

/// Marks the live lanes of some repeats as defined.
pub(super) fn define(memory: &mut Memory, sweep: &Sweep, repeats: Range<usize>) {
    // Usually everything is defined already, and nothing has to be written.
    if spans_defined(memory, sweep, repeats.clone()) {
        return;
    }
    if sweep.is_full(repeats.clone()) {
        for run in sweep.runs(repeats) {
            let start = run.address as usize;
            memory.set_defined(start..start + run.bytes, true);
        }
        return;
    }
    for repeat in repeats {
        let live = *sweep.live(repeat);
        assign(memory, sweep, repeat, &live, &live);
    }
}

/// Returns the bits that a lane of four bits takes of its byte; even lanes are the low half.
fn nibble(lane: usize) -> u8 {
    0x0F << (lane % 2 * 4)
}

fn byte_range(memory: &Memory, address: i64, size: usize) -> Option<Range<usize>> {
    let start = usize::try_from(address).ok()?;
    (start + size <= memory.capacity()).then_some(start..start + size)
}

/// Converts one flag per byte to one per lane of `size` bytes, set if all of its bytes are.
fn compress(flags: u64, size: usize) -> u64 {
    if flags == u64::MAX {
        return low_bits(WINDOW / size);
    }
    (0..size.ilog2()).fold(flags, |flags, _| even_bits(flags & flags >> 1))
}

/// Converts one flag per lane of `size` bytes to one per byte.
fn expand(flags: u64, size: usize) -> u64 {
    if flags == low_bits(WINDOW / size) {
        return u64::MAX;
    }
    (0..size.ilog2()).fold(flags, |flags, _| {
        let spread = spread_bits(flags);
        spread | spread << 1
    })
}

/// Packs the even bits into the lower half.
fn even_bits(mut bits: u64) -> u64 {
    bits &= 0x5555_5555_5555_5555;
    bits = (bits | bits >> 1) & 0x3333_3333_3333_3333;
    bits = (bits | bits >> 2) & 0x0F0F_0F0F_0F0F_0F0F;
    bits = (bits | bits >> 4) & 0x00FF_00FF_00FF_00FF;
    bits = (bits | bits >> 8) & 0x0000_FFFF_0000_FFFF;
    (bits | bits >> 16) & 0x0000_0000_FFFF_FFFF
}

/// Moves the lower half to the even bits.
fn spread_bits(mut bits: u64) -> u64 {
    bits &= 0x0000_0000_FFFF_FFFF;
    bits = (bits | bits << 16) & 0x0000_FFFF_0000_FFFF;
    bits = (bits | bits << 8) & 0x00FF_00FF_00FF_00FF;
    bits = (bits | bits << 4) & 0x0F0F_0F0F_0F0F_0F0F;
    bits = (bits | bits << 2) & 0x3333_3333_3333_3333;
    (bits | bits << 1) & 0x5555_5555_5555_5555
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_need_all_their_bytes() {
        assert_eq!(compress(0b1111_0111_0011, 4), 0b100);
        assert_eq!(compress(0b1111_0111, 2), 0b1101);
        assert_eq!(expand(0b101, 4), 0b1111_0000_1111);
        assert_eq!(expand(u64::MAX, 8), u64::MAX);
    }

    #[test]
    fn lanes_round_trip_through_strided_bytes() {
        let mut memory = Memory::new(1024);
        for bits in [4, 8, 16, 32, 64] {
            let sweep = Sweep {
                block: 96,
                ..Sweep::dense(40, bits, 32, 1)
            };
            let mut some = LaneSet::EMPTY;
            [0, 3, 7, 8, 30]
                .into_iter()
                .for_each(|lane| some.insert(lane));
            assign(&mut memory, &sweep, 0, &LaneSet::first(32), &some);
            assert_eq!(defined_lanes(&memory, &sweep, 0), some, "{bits}");
            assert_eq!(
                memory.count_defined(0..1024),
                if bits == 4 { 0 } else { 5 * bits / 8 }
            );
            memory.set_defined(0..1024, false);
        }
    }
}
