//! The bytes that each result of an instruction is computed from.

use std::ops::Range;

use smallvec::SmallVec;

use super::address::Sweep;
use super::plan::Plan;
use a2lint_isa::{Class, DST, SRC, Walk, param};

/// Repeats with the same pattern of results, each at a constant distance from the one before it. All reads of
/// a repeat come before its writes.
#[derive(Clone, Debug, PartialEq)]
pub struct Repeats {
    /// The repeats.
    pub range: Range<usize>,
    /// For each operand, the bytes from one repeat to the next.
    pub steps: SmallVec<[i64; 4]>,
}

/// A result of the first of some repeats.
#[derive(Clone, Debug, PartialEq)]
pub struct Flow {
    /// The index of the result among those of its repeat.
    pub result: usize,
    /// The bytes that are written.
    pub written: Range<i64>,
    /// The bytes that it may be computed from, by operand.
    pub read: SmallVec<[(usize, Range<i64>); 4]>,
}

impl Plan<'_> {
    /// Reports every result with the bytes that it may be computed from, repeat by repeat; of repeats with the same
    /// pattern, only the first one is reported. Returns `false`, without reporting anything, if the sources of results
    /// depend on values or are not tracked by lane.
    pub fn flows(&self, each: &mut dyn FnMut(&Repeats, Flow)) -> bool {
        let sweeps: Option<SmallVec<[Option<Sweep>; 4]>> = self.all_sweeps();
        let Some(sweeps) = sweeps else { return false };
        let Some(Some(dst)) = sweeps.first().copied() else {
            return false;
        };
        let per_result = match self.row.class {
            Class::Binary
            | Class::Unary
            | Class::ScalarOp
            | Class::Fill
            | Class::Sequence
            | Class::Cast
            | Class::Select => 1,
            Class::Reduce | Class::GroupReduce | Class::PairReduce => self.lanes / dst.lanes.max(1),
            Class::ReduceIndex | Class::ReduceAll => self.lanes,
            Class::Compare => 8,
            Class::Broadcast | Class::Compact => 1,
            _ => return false,
        };
        if self.row.class == Class::Compact {
            return self.compacted_flows(&sweeps, each);
        }
        let reads_own = self
            .row
            .operands()
            .next()
            .is_some_and(|(_, it)| it.access.reads());
        let first = usize::from(!reads_own);
        let all = 0..self.repeats;
        for repeats in self.alike(&sweeps) {
            let repeat = repeats.range.start;
            let read_repeats = match self.row.class {
                Class::ReduceAll => all.clone(),
                _ => repeat..repeat + 1,
            };
            for result in 0..dst.lanes {
                if self.row.class != Class::Compare && !dst.live(repeat).contains(result) {
                    continue;
                }
                let lanes = match self.row.class {
                    Class::ReduceIndex | Class::ReduceAll => 0..self.lanes,
                    Class::Broadcast => {
                        let scalar = result / dst.block_lanes();
                        scalar..scalar + 1
                    }
                    _ => result * per_result..(result + 1) * per_result,
                };
                let mut read = SmallVec::new();
                for (operand, sweep) in sweeps.iter().enumerate().skip(first) {
                    let Some(sweep) = sweep else { continue };
                    let reduces = per_result > 1 && self.row.class != Class::Compare;
                    let lanes = lanes.clone();
                    let read_lanes = read_repeats
                        .clone()
                        .flat_map(|repeat| lanes.clone().map(move |lane| (repeat, lane)));
                    for (repeat, lane) in read_lanes {
                        if reduces && !sweep.live(repeat).contains(lane) {
                            continue;
                        }
                        let lane = match self.row.class {
                            Class::Select if operand == param!(Select.selmask) => lane / 8,
                            _ => lane,
                        };
                        let at = match is_single(sweep) {
                            true => (0, 0),
                            false => (repeat, lane),
                        };
                        extend(&mut read, operand, bytes(sweep, at));
                    }
                }
                let written = bytes(&dst, (repeat, result));
                let flow = Flow {
                    result,
                    written,
                    read,
                };
                each(&repeats, flow);
            }
        }
        true
    }

    /// Same as [`flows`](Self::flows) for a compaction: each result is computed from the one element that it copies.
    /// Returns `false` if the pattern is in a tensor, so that the kept elements depend on data.
    fn compacted_flows(
        &self,
        sweeps: &[Option<Sweep>],
        each: &mut dyn FnMut(&Repeats, Flow),
    ) -> bool {
        let [Some(dst), Some(src), ..] = sweeps else {
            return false;
        };
        let Ok(Some(pattern)) = self.pattern() else {
            return false;
        };
        let mut first = 0;
        let last = self.repeats.saturating_sub(1);
        for range in [0..last, last..self.repeats] {
            if range.is_empty() {
                continue;
            }
            let live = src.live(range.start);
            let kept: Vec<usize> = live.iter().filter(|&k| pattern.keeps(k as u64)).collect();
            let written = |result: usize| {
                let element = first + result;
                bytes(dst, (element / dst.lanes, element % dst.lanes))
            };
            let step = (kept.len() * dst.bits / 8) as i64;
            let mut steps: SmallVec<[i64; 4]> = sweeps.iter().map(|_| 0).collect();
            (steps[DST], steps[SRC]) = (step, src.repeat);
            let repeats = Repeats {
                range: range.clone(),
                steps,
            };
            for (result, &lane) in kept.iter().enumerate() {
                let mut read = SmallVec::new();
                extend(&mut read, SRC, bytes(src, (range.start, lane)));
                let flow = Flow {
                    result,
                    written: written(result),
                    read,
                };
                each(&repeats, flow);
            }
            first += range.len() * kept.len();
        }
        true
    }

    /// Returns all repeats, grouped such that the same lanes of every operand take part in the repeats of a group.
    fn alike(&self, sweeps: &[Option<Sweep>]) -> Vec<Repeats> {
        if self.row.class == Class::ReduceAll {
            let steps = sweeps.iter().map(|_| 0).collect();
            return vec![Repeats { range: 0..1, steps }];
        }
        let all = sweeps.iter().flatten();
        let is_even = all.clone().all(|sweep| sweep.live == sweep.last);
        let ends_together = all.clone().all(|sweep| sweep.repeats == self.repeats);
        let (first, last) = (0..self.repeats, self.repeats.saturating_sub(1));
        // Only the last repeat can have other live lanes; operands with different numbers of repeats have
        // different last ones.
        let ranges: Vec<Range<usize>> = match (is_even, ends_together) {
            (true, _) => vec![first],
            (false, true) => vec![0..last, last..self.repeats],
            (false, false) => first.map(|repeat| repeat..repeat + 1).collect(),
        };
        let step = |sweep: &Option<Sweep>| match sweep {
            Some(sweep) if !is_single(sweep) => sweep.repeat,
            _ => 0,
        };
        let steps: SmallVec<[i64; 4]> = sweeps.iter().map(step).collect();
        let ranges = ranges.into_iter().filter(|range| !range.is_empty());
        let repeats = ranges.map(|range| Repeats {
            range,
            steps: steps.clone(),
        });
        repeats.collect()
    }

    /// Returns the walks of all operands that are present, or `None` if one of them depends on values.
    fn all_sweeps(&self) -> Option<SmallVec<[Option<Sweep>; 4]>> {
        let operands = self.call.operands.iter().zip(self.row.operands());
        let operands = operands.map(|(operand, (_, described))| (operand, described));
        let sweeps = operands.enumerate().map(|(index, (operand, described))| {
            match (operand, self.sweep(index)) {
                (None, _) => Some(None),
                // Space to work in takes no part.
                (Some(_), _) if described.walk == Walk::Work => Some(None),
                (Some(_), None) if index > 0 && !described.access.reads() => Some(None),
                (Some(_), Some(sweep)) if sweep.bits >= 8 => Some(Some(*sweep)),
                (Some(_), _) => None,
            }
        });
        sweeps.collect()
    }
}

/// Returns whether an operand is one element for all repeats.
fn is_single(sweep: &Sweep) -> bool {
    sweep.lanes == 1 && sweep.repeats <= 1
}

fn bytes(sweep: &Sweep, (repeat, lane): (usize, usize)) -> Range<i64> {
    let start = sweep.address(repeat, lane);
    start..start + (sweep.bits / 8) as i64
}

/// Adds bytes, joined with those before them if they are adjacent.
fn extend(read: &mut SmallVec<[(usize, Range<i64>); 4]>, operand: usize, bytes: Range<i64>) {
    match read.last_mut() {
        Some((last, range)) if *last == operand && range.end == bytes.start => {
            range.end = bytes.end
        }
        _ => read.push((operand, bytes)),
    }
}
