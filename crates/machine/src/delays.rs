//! Delays of pipes, in runs whose order is drawn at random.
//!
//! A pipe proceeds at its own pace, and only synchronisation makes one wait for another. A drawn order delays
//! a pipe now and then: its work is queued in order, like that of a pipe which waits for an event, while
//! others go on. The queue is worked off as soon as something has to follow it: an event that the pipe sets,
//! a barrier of all pipes, work of the scalar unit, or because the lane has nothing else to do. Inside of
//! `auto_sync`, work on a buffer waits for all delayed work on it, which is at least the order of its
//! handshakes.

use super::inputs::Random;
use super::lane::{Halt, Lane};
use super::lane_id::LaneId;
use super::operation::Work;
use super::setup::Stepping;
use super::shared_state::ObservedState;
use super::stalls::Deferred;
use a2lint_ir::{BufferId, Stmt, StmtKind, View};
use a2lint_isa::Pipe;

/// One in this number of pieces of work is delayed, on average.
const HELD: u64 = 4;
/// While work is delayed, one in this number of further pieces works the queue off, on average.
const RELEASED: u64 = 16;
/// Maximum number of pieces of work that are delayed at once.
// Each further piece is compared with all of them, so this bounds the time of a step.
const MOST: usize = 64;

/// Decides when the pipes of a lane are delayed.
#[derive(Clone)]
pub(super) struct Delays {
    /// `None` if the order is not drawn.
    random: Option<Random>,
    /// Whether work may be delayed at present.
    is_behind: bool,
    /// Whether a region of `auto_sync` has begun or ended since work was last compared with the queue.
    is_region_over: bool,
}

impl Delays {
    /// Creates the delays of a lane.
    pub(super) fn of(stepping: Stepping, lane: LaneId) -> Delays {
        let number = u64::from(lane.core) << 8 | lane.kind.index() as u64;
        // Every lane draws from a stream of its own, so its delays do not depend on the order in which lanes
        // are stepped.
        let random = match stepping {
            Stepping::InTurn => None,
            Stepping::Drawn(seed) => Some(Random::new(seed ^ number.rotate_right(24))),
        };
        Delays {
            random,
            is_behind: false,
            is_region_over: false,
        }
    }

    /// Records that a region of `auto_sync` begins or ends.
    pub(super) fn pass_region(&mut self) {
        self.is_region_over = true;
    }

    /// Draws whether a piece of work is delayed; if so, the caller has to queue it.
    pub(super) fn hold(&mut self, item: &Deferred) -> bool {
        // Everything the lane issues next may depend on scalar work and on synchronisation, so only work of
        // units is delayed.
        let is_unit = matches!(item.work, Work::Unit(..));
        if !is_unit || matches!(item.pipe, Pipe::S | Pipe::All) {
            return false;
        }
        let Some(random) = &mut self.random else {
            return false;
        };
        let holds = random.next().is_multiple_of(HELD);
        self.is_behind |= holds;
        holds
    }

    /// Draws whether the queue is worked off.
    fn releases(&mut self) -> bool {
        let random = self.random.as_mut();
        random.is_some_and(|random| random.next().is_multiple_of(RELEASED))
    }
}

impl<'p> Lane<'p> {
    /// Works off delayed work; returns whether there may have been some.
    pub(super) fn settle(&mut self, shared: &mut ObservedState) -> Result<bool, Halt> {
        let was_behind = std::mem::take(&mut self.delays.is_behind);
        if was_behind {
            self.catch_up(shared)?;
        }
        Ok(was_behind)
    }

    /// Works off delayed work if `item` has to follow it, or if that is drawn; returns whether it was.
    pub(super) fn settle_before(
        &mut self,
        item: &Deferred<'p>,
        shared: &mut ObservedState,
    ) -> Result<bool, Halt> {
        if !self.delays.is_behind {
            // Nothing is queued that work after the region could overtake.
            self.delays.is_region_over = false;
            return Ok(false);
        }
        let is_ordered = std::mem::take(&mut self.delays.is_region_over)
            || matches!(item.pipe, Pipe::S | Pipe::All)
            || self.stalls.len() >= MOST
            || self.is_synchronised() && self.stalls.iter().any(|it| shares(it.stmt, item.stmt));
        match is_ordered || self.delays.releases() {
            true => self.settle(shared),
            false => Ok(false),
        }
    }
}

/// Returns whether two instructions use a common buffer.
fn shares(one: &Stmt, other: &Stmt) -> bool {
    buffers(one).any(|buffer| buffers(other).any(|it| it == buffer))
}

fn buffers(stmt: &Stmt) -> impl Iterator<Item = BufferId> {
    let instr = match &stmt.kind {
        StmtKind::Instr(instr) => Some(instr),
        _ => None,
    };
    let operands = instr.into_iter().flat_map(|instr| instr.operands());
    operands.filter_map(|(_, _, view)| match view {
        View::Local(view) => Some(view.buffer),
        View::Global(_) => None,
    })
}
