//! What the results of an instruction are computed from.

use std::ops::Range;

use smallvec::SmallVec;

use super::address::Sweep;
use super::plan::Plan;
use crate::isa::{Class, param};

/// One result of an instruction.
#[derive(Clone, Debug, PartialEq)]
pub struct Flow {
    /// The repeat that makes it: all reads of a repeat come before its writes.
    pub repeat: usize,
    /// Its number among the results of the repeat.
    pub result: usize,
    /// Bytes that are written.
    pub written: Range<i64>,
    /// Bytes that it may be computed from, by operand.
    pub read: SmallVec<[(usize, Range<i64>); 4]>,
}

impl Plan<'_> {
    /// Tells every result with what it may be computed from, repeat by repeat. `false`, and nothing is told,
    /// where that depends on values or is not followed lane by lane.
    pub fn flows(&self, each: &mut dyn FnMut(Flow)) -> bool {
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
            | Class::Cast
            | Class::Select => 1,
            Class::Reduce | Class::GroupReduce | Class::PairReduce => self.lanes / dst.lanes.max(1),
            Class::Compare => 8,
            Class::Broadcast => 1,
            _ => return false,
        };
        let reads_own = self
            .row
            .operands()
            .next()
            .is_some_and(|(_, it)| it.access.reads());
        let first = usize::from(!reads_own);
        for repeat in 0..self.repeats {
            for result in 0..dst.lanes {
                if self.row.class != Class::Compare && !dst.live(repeat).contains(result) {
                    continue;
                }
                let lanes = match self.row.class {
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
                    for lane in lanes.clone() {
                        if reduces && !sweep.live(repeat).contains(lane) {
                            continue;
                        }
                        let lane = match self.row.class {
                            Class::Select if operand == param!(Select.selmask) => lane / 8,
                            _ => lane,
                        };
                        let at = match (sweep.lanes, sweep.repeats) {
                            (1, 0 | 1) => (0, 0),
                            _ => (repeat, lane),
                        };
                        extend(&mut read, operand, bytes(sweep, at));
                    }
                }
                let written = bytes(&dst, (repeat, result));
                each(Flow {
                    repeat,
                    result,
                    written,
                    read,
                });
            }
        }
        true
    }

    /// The walks of all operands that are there; `None` where the walk of one depends on values.
    fn all_sweeps(&self) -> Option<SmallVec<[Option<Sweep>; 4]>> {
        let operands = self.call.operands.iter().enumerate();
        let sweeps = operands.map(|(index, operand)| match (operand, self.sweep(index)) {
            (None, _) => Some(None),
            (Some(_), Some(sweep)) if sweep.bits >= 8 => Some(Some(*sweep)),
            (Some(_), _) => None,
        });
        sweeps.collect()
    }
}

fn bytes(sweep: &Sweep, (repeat, lane): (usize, usize)) -> Range<i64> {
    let start = sweep.address(repeat, lane);
    start..start + (sweep.bits / 8) as i64
}

/// Adds bytes, to those before them where they follow.
fn extend(read: &mut SmallVec<[(usize, Range<i64>); 4]>, operand: usize, bytes: Range<i64>) {
    match read.last_mut() {
        Some((last, range)) if *last == operand && range.end == bytes.start => {
            range.end = bytes.end
        }
        _ => read.push((operand, bytes)),
    }
}
