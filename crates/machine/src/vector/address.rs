//! The address generator: the addresses of the lanes of an operand.
//!
//! Execution, footprints, bounds checks and the definedness shadow all walk the [`Sweep`] of an
//! operand, so none of them can disagree about what an instruction touches.

use super::lanes::LaneSet;
use a2lint_isa::BLOCK_BYTES;
use std::ops::Range;

/// The regular walk of an operand: repeats of blocks of lanes, with the lanes that take part.
///
/// Lane `l` of repeat `r` starts `r * repeat + (l / C0) * block` bytes plus `l % C0` lanes after `base`,
/// where C0 is the number of lanes in 32 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sweep {
    /// Byte address of lane 0 of repeat 0.
    pub base: i64,
    /// Bits of one lane.
    pub bits: usize,
    /// Lanes of one repeat, dead ones included; at most 256.
    pub lanes: usize,
    /// Bytes between the blocks of a repeat.
    pub block: i64,
    /// Bytes between repeats.
    pub repeat: i64,
    /// Number of repeats.
    pub repeats: usize,
    /// Lanes that take part in every repeat but the last.
    pub live: LaneSet,
    /// Lanes that take part in the last repeat.
    pub last: LaneSet,
}

/// Adjacent lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Run {
    /// Byte address of the first lane.
    pub address: i64,
    /// The index of the first lane, counted from the first lane of the requested repeats.
    pub first: usize,
    /// Number of lanes.
    pub lanes: usize,
    /// Bytes they take.
    pub bytes: usize,
}

impl Run {
    /// Returns the bytes as a range of a memory of this capacity, if they lie inside of it.
    pub(super) fn range(&self, capacity: usize) -> Option<Range<usize>> {
        let start = usize::try_from(self.address).ok()?;
        let end = start.checked_add(self.bytes)?;
        (end <= capacity).then_some(start..end)
    }
}

/// Addresses are clamped to this range, in which no sum of strides can overflow.
const FAR: i64 = 1 << 48;

impl Sweep {
    /// Returns a walk over adjacent lanes, with adjacent repeats.
    pub(super) fn dense(base: i64, bits: usize, lanes: usize, repeats: usize) -> Self {
        let all = LaneSet::first(lanes);
        Sweep {
            base: base.clamp(-FAR, FAR),
            bits,
            lanes,
            block: BLOCK_BYTES,
            repeat: (lanes * bits / 8) as i64,
            repeats,
            live: all,
            last: all,
        }
    }

    /// Returns the number of lanes of one block.
    pub(super) fn block_lanes(&self) -> usize {
        BLOCK_BYTES as usize * 8 / self.bits
    }

    /// Returns the lanes that take part in a repeat.
    pub(super) fn live(&self, repeat: usize) -> &LaneSet {
        if repeat + 1 == self.repeats {
            &self.last
        } else {
            &self.live
        }
    }

    /// Returns whether every lane of these repeats takes part.
    pub(super) fn is_full(&self, repeats: Range<usize>) -> bool {
        let all = LaneSet::first(self.lanes);
        (repeats.len() < 2 || self.live == all)
            && repeats
                .end
                .checked_sub(1)
                .is_none_or(|last| *self.live(last) == all)
    }

    /// Returns the byte address of a lane; for lanes of 4 bits, of the byte that holds it.
    pub(super) fn address(&self, repeat: usize, lane: usize) -> i64 {
        let (block, within) = (lane / self.block_lanes(), lane % self.block_lanes());
        self.base
            + repeat as i64 * self.repeat
            + block as i64 * self.block
            + (within * self.bits / 8) as i64
    }

    /// Returns the lanes of some repeats as maximal runs, dead lanes included.
    pub(super) fn runs(&self, repeats: Range<usize>) -> impl Iterator<Item = Run> + use<> {
        let sweep = *self;
        let total = repeats.len() * sweep.lanes;
        let step = sweep.run_lanes(total).max(1);
        (0..total).step_by(step).map(move |first| Run {
            address: sweep.address(repeats.start + first / sweep.lanes, first % sweep.lanes),
            first,
            lanes: step,
            bytes: (step * sweep.bits).div_ceil(8),
        })
    }

    /// Returns the lanes of all repeats, if they are adjacent and all take part.
    pub(super) fn single_run(&self) -> Option<Run> {
        let mut runs = self.runs(0..self.repeats);
        let first = runs.next().filter(|_| self.is_full(0..self.repeats));
        first.filter(|_| runs.next().is_none())
    }

    fn run_lanes(&self, total: usize) -> usize {
        // Adjacent blocks form one run per repeat, adjacent repeats one run in all.
        if self.block != BLOCK_BYTES {
            self.block_lanes()
        } else if self.repeat != (self.lanes * self.bits / 8) as i64 {
            self.lanes
        } else {
            total
        }
    }

    /// Returns [`Sweep::bounds`] of some repeats.
    pub(super) fn bounds_of(&self, repeats: Range<usize>) -> Range<i64> {
        let first = Sweep {
            base: self.base + repeats.start as i64 * self.repeat,
            repeats: repeats.len(),
            ..*self
        };
        first.bounds()
    }

    /// Returns the bytes from the lowest to the highest that any lane can touch.
    pub(super) fn bounds(&self) -> Range<i64> {
        if self.repeats == 0 || self.lanes == 0 {
            return self.base..self.base;
        }
        let blocks = self.lanes.div_ceil(self.block_lanes()) as i64;
        let in_last_block = self.lanes - (blocks as usize - 1) * self.block_lanes();
        let reach = (self.repeats as i64 - 1) * self.repeat + (blocks - 1) * self.block;
        // The last of several blocks counts as full: bounds may be too large, but never too small.
        let widest = if blocks > 1 {
            self.block_lanes()
        } else {
            in_last_block
        };
        self.base..self.base + reach + (widest * self.bits).div_ceil(8) as i64
    }

    /// Returns whether no two lanes share a byte, and addresses ascend from lane to lane.
    pub(super) fn rises(&self) -> bool {
        let blocks = self.lanes.div_ceil(self.block_lanes()) as i64;
        let row = (blocks - 1) * self.block + BLOCK_BYTES.min((self.lanes * self.bits / 8) as i64);
        (blocks == 1 || self.block >= BLOCK_BYTES) && (self.repeats <= 1 || self.repeat >= row)
    }

    /// Returns the bytes of live lanes, repeat by repeat in the order of the address generator, unmerged.
    pub(super) fn live_ranges(&self) -> impl Iterator<Item = Range<i64>> + use<> {
        let sweep = *self;
        let whole = if sweep.is_full(0..sweep.repeats) {
            sweep.repeats
        } else {
            0
        };
        let full = sweep
            .runs(0..whole)
            .map(|run| run.address..run.address + run.bytes as i64);
        let partial = (whole..sweep.repeats).flat_map(move |repeat| sweep.live_ranges_of(repeat));
        full.chain(partial)
    }

    fn live_ranges_of(self, repeat: usize) -> impl Iterator<Item = Range<i64>> {
        self.live_runs(repeat)
            .map(|run| run.address..run.address + run.bytes as i64)
    }

    /// Returns the live lanes of one repeat as maximal runs.
    pub(super) fn live_runs(&self, repeat: usize) -> impl Iterator<Item = Run> + use<> {
        let sweep = *self;
        let live = *self.live(repeat);
        self.runs(repeat..repeat + 1).flat_map(move |run| {
            let spans = live.spans(run.first..run.first + run.lanes);
            spans.map(move |span| sweep.part(&run, span))
        })
    }

    /// Returns some lanes of a run. If lanes have half a byte, a shared byte counts as a whole.
    fn part(&self, run: &Run, lanes: Range<usize>) -> Run {
        let start = (lanes.start - run.first) * self.bits / 8;
        let end = ((lanes.end - run.first) * self.bits).div_ceil(8);
        Run {
            address: run.address + start as i64,
            first: lanes.start,
            lanes: lanes.len(),
            bytes: end - start,
        }
    }
}

/// Sorts ranges and joins those that overlap or touch.
pub(super) fn merge(ranges: impl Iterator<Item = Range<i64>>) -> Vec<Range<i64>> {
    let mut sorted: Vec<Range<i64>> = ranges.filter(|range| !range.is_empty()).collect();
    sorted.sort_by_key(|range| range.start);
    let mut merged: Vec<Range<i64>> = Vec::new();
    for range in sorted {
        match merged.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => merged.push(range),
        }
    }
    merged
}

#[cfg(test)]
mod tests {
    use super::*;

    fn footprint(sweep: &Sweep) -> Vec<(i64, i64)> {
        let ranges = merge(sweep.live_ranges()).into_iter();
        ranges.map(|range| (range.start, range.end)).collect()
    }

    fn strided(block: i64, repeat: i64) -> Sweep {
        Sweep {
            block: block * BLOCK_BYTES,
            repeat: repeat * BLOCK_BYTES,
            ..Sweep::dense(64, 32, 64, 3)
        }
    }

    #[test]
    fn runs_are_as_long_as_the_strides_allow() {
        assert_eq!(Sweep::dense(64, 32, 64, 3).runs(0..3).count(), 1);
        assert_eq!(strided(1, 16).runs(0..3).count(), 3);
        assert_eq!(strided(0, 1).runs(1..3).count(), 16);
        let last = strided(2, 1).runs(2..3).last().unwrap();
        assert_eq!(
            (last.address, last.first, last.bytes),
            (64 + 64 + 7 * 64, 56, 32)
        );
    }

    #[test]
    fn footprints_merge_and_honour_live_lanes() {
        let rows = [(64, 320), (576, 832), (1088, 1344)];
        assert_eq!(footprint(&strided(1, 16)), rows);
        assert_eq!(footprint(&strided(0, 1)), [(64, 160)]);
        let mut sweep = strided(1, 8);
        sweep.last = LaneSet::first(1);
        assert_eq!(footprint(&sweep), [(64, 580)]);
        assert_eq!(sweep.bounds(), 64..832);
    }

    #[test]
    fn rising_sweeps_have_no_shared_bytes() {
        assert!(strided(1, 8).rises() && strided(1, 16).rises());
        assert!(!strided(1, 7).rises() && !strided(0, 8).rises());
    }
}
