//! The steps of a lane, as the cost model writes them down.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::cost::SlotUse;
use super::lane_id::{LaneId, LaneKind};
use super::observer::Token;
use super::together::Load;
use a2lint_ir::StmtId;
use a2lint_ir::toolchain::AutoSync;
use a2lint_isa::Pipe;

/// Pipes of a lane.
pub(super) const PIPES: usize = Pipe::ALL.len();

/// A step of a lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct StepRef {
    /// Index of the lane.
    pub lane: u32,
    /// Index among its steps.
    pub step: u32,
}

/// One thing that a pipe does.
#[derive(Clone, Debug)]
pub(super) struct Step {
    /// The statement.
    pub stmt: StmtId,
    /// The pipe; `ALL` for what joins them.
    pub pipe: Pipe,
    /// What it does.
    pub act: Act,
    /// What it follows.
    pub after: SmallVec<[StepRef; 2]>,
}

/// What a step does.
#[derive(Clone, Copy, Debug)]
pub(super) enum Act {
    /// An instruction.
    Work(Work),
    /// It sets something, once the work of its pipe is done.
    Set(Token),
    /// It waits for something.
    Wait(Token),
    /// It waits for the work of its pipe.
    Barrier,
}

/// An instruction's numbers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Work {
    /// Cycles until its pipe is free.
    pub occupancy: f64,
    /// Cycles until its result is there.
    pub latency: f64,
    /// Cycles that it takes of the chip's way to memory.
    pub chip: f64,
    /// Whether it stores.
    pub stores: bool,
    /// Whether it loads, and most of that is not in L2.
    pub from_memory: bool,
    /// Where it loads from.
    pub load: Option<Load>,
    /// Bytes that are moved.
    pub bytes: i64,
    /// Repeats of a vector instruction.
    pub repeats: i64,
    /// Elements that are computed.
    pub operations: i64,
}

/// The steps of one lane.
#[derive(Debug, Default)]
pub(super) struct LaneLog {
    /// In program order.
    pub steps: Vec<Step>,
    /// Where events and raw flags were set and not yet taken.
    pub(super) events: FxHashMap<Token, StepRef>,
    /// Who last worked on slots, inside of the region that is open.
    pub(super) slots: FxHashMap<usize, SlotUsers>,
    /// How many `auto_sync` regions are open.
    pub(super) regions: u32,
    /// How many loads from global memory it has made.
    pub(super) loads: u32,
}

/// The last step of each pipe that read or wrote a slot.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SlotUsers {
    read: [Option<u32>; PIPES],
    written: [Option<u32>; PIPES],
}

impl LaneLog {
    /// Adds what work on a slot has to follow inside of `auto_sync`.
    pub(super) fn follow(
        &self,
        auto_sync: &AutoSync,
        used: &SlotUse,
        after: &mut SmallVec<[u32; 4]>,
    ) {
        let Some(users) = self.slots.get(&used.slot) else {
            return;
        };
        for &other in Pipe::ALL
            .iter()
            .filter(|&&other| is_covered(auto_sync, used.pipe, other))
        {
            after.extend(users.written[other as usize]);
            if used.write {
                after.extend(users.read[other as usize]);
            }
        }
        // Between dependent vector instructions it puts a barrier.
        if used.pipe == Pipe::V {
            after.extend(users.written[Pipe::V as usize]);
        }
    }
}

impl SlotUsers {
    pub(super) fn note(&mut self, used: &SlotUse, step: u32) {
        let steps = if used.write {
            &mut self.written
        } else {
            &mut self.read
        };
        steps[used.pipe as usize] = Some(step);
    }
}

/// Index of a lane among those of all cores.
pub(super) fn lane_index(lane: LaneId) -> usize {
    lane.core as usize * LaneKind::ALL.len() + lane.kind.index()
}

/// The lane at an index.
pub(super) fn lane_at(index: usize) -> LaneId {
    LaneId {
        core: (index / LaneKind::ALL.len()) as u32,
        kind: LaneKind::ALL[index % LaneKind::ALL.len()],
    }
}

/// Whether `auto_sync` orders two pipes, whichever of them comes first.
fn is_covered(auto_sync: &AutoSync, a: Pipe, b: Pipe) -> bool {
    auto_sync.covers(a, b) || auto_sync.covers(b, a)
}
