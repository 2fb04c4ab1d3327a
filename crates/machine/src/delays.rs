//! Pipes that fall behind, where the order of a run is drawn.
//!
//! Every pipe goes at its own pace, and synchronisation alone makes one wait for another. A drawn order holds
//! a pipe back now and then: its work is put aside in order, like that of a pipe which waits for an event,
//! while others go on. It is done as soon as something has to come after it: an event that it sets, a
//! barrier of all pipes, work of the scalar unit, or the lane has nothing else to do. Inside of `auto_sync`,
//! work on a buffer waits for all that is held back on it, which is at least what its handshakes order.

use super::inputs::Random;
use super::lane::{Halt, Lane};
use super::lane_id::LaneId;
use super::operation::Work;
use super::setup::Stepping;
use super::stalls::Deferred;
use super::world::World;
use a2lint_ir::{BufferId, Stmt, StmtKind, View};
use a2lint_isa::Pipe;

/// One of so many pieces of work is held back.
const HELD: u64 = 4;
/// While work is held back, one of so many others lets it catch up.
const RELEASED: u64 = 16;
/// Most work that is held back at once.
const MOST: usize = 64;

/// When the pipes of a lane are held back.
#[derive(Clone)]
pub(super) struct Delays {
    /// Nothing where pipes are not held back.
    random: Option<Random>,
    /// Whether work may be held back at present.
    is_behind: bool,
    /// Whether a region of `auto_sync` has begun or ended since.
    is_region_over: bool,
}

impl Delays {
    /// Those of a lane.
    pub(super) fn of(stepping: Stepping, lane: LaneId) -> Delays {
        let number = u64::from(lane.core) << 8 | lane.kind.index() as u64;
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

    /// A region of `auto_sync` begins or ends.
    pub(super) fn pass_region(&mut self) {
        self.is_region_over = true;
    }

    /// Whether work is to be held back, which has to be held back then.
    pub(super) fn hold(&mut self, item: &Deferred) -> bool {
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

    /// Draws whether all may catch up.
    fn releases(&mut self) -> bool {
        let random = self.random.as_mut();
        random.is_some_and(|random| random.next().is_multiple_of(RELEASED))
    }
}

impl<'p> Lane<'p> {
    /// Lets work that is held back catch up; whether there may have been some.
    pub(super) fn settle(&mut self, world: &mut World) -> Result<bool, Halt> {
        let was_behind = std::mem::take(&mut self.delays.is_behind);
        if was_behind {
            self.catch_up(world)?;
        }
        Ok(was_behind)
    }

    /// Lets work that is held back catch up where a piece of work has to come after it, or its time has come;
    /// whether it has.
    pub(super) fn settle_before(
        &mut self,
        item: &Deferred<'p>,
        world: &mut World,
    ) -> Result<bool, Halt> {
        if !self.delays.is_behind {
            self.delays.is_region_over = false;
            return Ok(false);
        }
        let is_ordered = std::mem::take(&mut self.delays.is_region_over)
            || matches!(item.pipe, Pipe::S | Pipe::All)
            || self.stalls.len() >= MOST
            || self.is_synchronised() && self.stalls.iter().any(|it| shares(it.stmt, item.stmt));
        match is_ordered || self.delays.releases() {
            true => self.settle(world),
            false => Ok(false),
        }
    }
}

/// Whether two instructions use a buffer in common.
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
