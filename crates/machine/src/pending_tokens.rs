//! The state of synchronisation at an instant: tokens that are set, and work that is queued.

use super::outcome::{event_name, flag_name};
use super::stalls::Deferred;
use super::stepper::Stepper;
use a2lint_ir::{Program, StmtId};
use a2lint_isa::Pipe;

/// A token, and how often it is set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PendingToken {
    /// The description of the token: ``the event `loaded` ``, ``flag 3 (mutex `cv`) from the cube lane``.
    pub what: String,
    /// Number of ids that are set, or of tokens that can be taken.
    pub set: u64,
    /// Number of ids of an event; `None` for counters.
    pub most: Option<u64>,
}

/// A piece of work that is queued for a stalled pipe.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueuedWork {
    /// The pipe.
    pub pipe: Pipe,
    /// The statement.
    pub stmt: StmtId,
    /// Iteration numbers of the loops around it, outermost first.
    pub iterations: Vec<i64>,
}

impl Stepper<'_> {
    /// Returns every event of a lane, and the flags that have been set for it or by it.
    pub fn pending_tokens(&self, at: usize, program: &Program) -> Vec<PendingToken> {
        let lane = &self.lanes[at];
        let events = lane
            .events
            .pending_tokens()
            .map(|(event, set, most)| PendingToken {
                what: event_name(program, event),
                set,
                most: Some(most),
            });
        let flags = self.shared.flags.pending_tokens(lane.id);
        let flags = flags.map(|(route, id, set)| PendingToken {
            what: format!("{} from {}", flag_name(program, id), route.awaited()),
            set: set.into(),
            most: None,
        });
        events.chain(flags).collect()
    }

    /// Returns the work of a lane that is queued for stalled pipes, in order.
    pub fn queued_work(&self, at: usize) -> Vec<QueuedWork> {
        let items = self.lanes[at].stalls.iter();
        let described = items.map(|item: &Deferred| QueuedWork {
            pipe: item.pipe,
            stmt: item.stmt.id,
            iterations: item.iterations.clone(),
        });
        described.collect()
    }
}
