//! The recorded steps of a lane, for the cost model.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::cost::SlotUse;
use super::lane_id::{LaneId, LaneKind};
use super::observer::Token;
use super::shared_loads::Load;
use a2lint_ir::StmtId;
use a2lint_ir::toolchain::AutoSync;
use a2lint_isa::Pipe;

/// Number of pipes of a lane.
pub(super) const PIPES: usize = Pipe::ALL.len();

/// Refers to a step of a lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct StepRef {
    /// Index of the lane.
    pub lane: u32,
    /// Index among its steps.
    pub step: u32,
}

/// A step of a pipe.
#[derive(Clone, Debug)]
pub(super) struct Step {
    /// The statement.
    pub stmt: StmtId,
    /// The pipe; `ALL` for a step that joins all pipes.
    pub pipe: Pipe,
    /// The kind of the step.
    pub act: Act,
    /// The steps that have to end first.
    pub after: SmallVec<[StepRef; 2]>,
}

/// The kind of a step.
#[derive(Clone, Copy, Debug)]
pub(super) enum Act {
    /// An instruction.
    Work(Work),
    /// Sets a token, once the work of its pipe is done.
    Set(Token),
    /// Waits for a token.
    Wait(Token),
    /// Waits for the earlier work of its pipe.
    Barrier,
}

/// The cost of an instruction.
#[derive(Clone, Copy, Debug)]
pub(super) struct Work {
    /// Cycles until its pipe is free.
    pub occupancy: f64,
    /// Cycles until its result is visible.
    pub latency: f64,
    /// Cycles for which it occupies the chip's path to memory.
    pub chip: f64,
    /// Whether it stores.
    pub stores: bool,
    /// Whether it is a load, most of whose bytes are not in L2.
    pub from_memory: bool,
    /// The load that it is.
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
    /// The steps that have set events and raw flags that are not yet taken.
    pub(super) events: FxHashMap<Token, StepRef>,
    /// The last users of slots, inside of the open region.
    pub(super) slots: FxHashMap<usize, SlotUsers>,
    /// Number of `auto_sync` regions that are open.
    pub(super) regions: u32,
    /// Number of loads from global memory so far.
    pub(super) loads: u32,
}

/// The last step of each pipe that read or wrote a slot.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SlotUsers {
    read: [Option<u32>; PIPES],
    written: [Option<u32>; PIPES],
}

impl LaneLog {
    /// Adds the steps that a use of a slot has to follow inside of `auto_sync`.
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
                // A write has to wait for earlier readers as well.
                after.extend(users.read[other as usize]);
            }
        }
        // `auto_sync` inserts a barrier between dependent vector instructions.
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

/// Returns the index of a lane among those of all cores.
pub(super) fn lane_index(lane: LaneId) -> usize {
    lane.core as usize * LaneKind::ALL.len() + lane.kind.index()
}

/// Returns the lane at an index.
pub(super) fn lane_at(index: usize) -> LaneId {
    LaneId {
        core: (index / LaneKind::ALL.len()) as u32,
        kind: LaneKind::ALL[index % LaneKind::ALL.len()],
    }
}

/// Returns whether `auto_sync` orders two pipes, whichever of them is the producer.
fn is_covered(auto_sync: &AutoSync, a: Pipe, b: Pipe) -> bool {
    auto_sync.covers(a, b) || auto_sync.covers(b, a)
}
