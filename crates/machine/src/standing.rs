//! What synchronisation holds at an instant: tokens that are set, and work that waits on pipes.

use super::outcome::{event_name, flag_name};
use super::stalls::Deferred;
use super::stepper::Stepper;
use a2lint_ir::{Program, StmtId};
use a2lint_isa::Pipe;

/// A token, and how many of it are set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standing {
    /// What it is: ``the event `loaded` ``, ``flag 3 (mutex `cv`) from the cube lane``.
    pub what: String,
    /// How many are set, or wait to be taken.
    pub set: u64,
    /// How many there are at most; `None` of counters.
    pub most: Option<u64>,
}

/// A piece of work that was issued to a pipe and waits there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PutAside {
    /// The pipe.
    pub pipe: Pipe,
    /// The statement.
    pub stmt: StmtId,
    /// Iteration numbers of the loops around it, outermost first.
    pub iterations: Vec<i64>,
}

impl Stepper<'_> {
    /// Every event of a lane, and the flags that have been set for it or by it.
    pub fn standing(&self, at: usize, program: &Program) -> Vec<Standing> {
        let lane = &self.lanes[at];
        let events = lane.events.standing().map(|(event, set, most)| Standing {
            what: event_name(program, event),
            set,
            most: Some(most),
        });
        let flags = self.shared.flags.standing(lane.id);
        let flags = flags.map(|(route, id, set)| Standing {
            what: format!("{} from {}", flag_name(program, id), route.awaited()),
            set: set.into(),
            most: None,
        });
        events.chain(flags).collect()
    }

    /// Work that was issued on a lane and waits for an event, in its order.
    pub fn put_aside(&self, at: usize) -> Vec<PutAside> {
        let items = self.lanes[at].stalls.iter();
        let described = items.map(|item: &Deferred| PutAside {
            pipe: item.pipe,
            stmt: item.stmt.id,
            iterations: item.iterations.clone(),
        });
        described.collect()
    }
}
