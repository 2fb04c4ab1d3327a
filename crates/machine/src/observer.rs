//! What a run tells whoever watches it.

use std::ops::ControlFlow;

use super::access::{Access, Site};
use super::cost::Expense;
use super::inspect::Inspection;
use super::sanitizer::FindingKind;
use a2lint_ir::sync::Route;
use a2lint_ir::{EventId, StmtId};
use a2lint_isa::Pipe;

/// Somebody who watches a run. Every method has a default that does nothing, and what an observer
/// does not ask for is never computed.
pub trait Observer {
    /// Whether [`Observer::begin`] and [`Observer::access`] are to be called. Asked once, before the run.
    fn wants_accesses(&self) -> bool {
        false
    }

    /// Whether accesses are to say what of them is undefined. Asked once, before the run.
    fn wants_definedness(&self) -> bool {
        false
    }

    /// Whether [`Observer::before`] and [`Observer::after`] are to be called for a statement.
    /// Asked once for every statement, before the run.
    fn watches(&self, _stmt: StmtId) -> bool {
        false
    }

    /// Whether [`Observer::spend`] is to be called. Asked once, before the run.
    fn wants_costs(&self) -> bool {
        false
    }

    /// Whether the run has taken too long. Asked every few hundred statements: the machine itself
    /// has no clock.
    fn is_expired(&mut self) -> bool {
        false
    }

    /// Whether the run is to end now. Asked as often as [`Observer::is_expired`].
    fn is_cancelled(&mut self) -> bool {
        false
    }

    /// How far the run has come. Told as often as [`Observer::is_expired`] is asked.
    fn progress(&mut self, _progress: &Progress) {}

    /// An instruction was executed, with what it costs.
    fn spend(&mut self, _site: &Site, _expense: &Expense) {}

    /// An instruction is about to be executed; the accesses up to the next one are its own. Told
    /// if accesses are wanted.
    fn begin(&mut self, _site: &Site) {}

    /// An instruction reads or writes memory.
    fn access(&mut self, _site: &Site, _access: &Access) {}

    /// The sanitizer makes an observation. The accesses of the instruction so far have been told.
    fn observed(&mut self, _site: &Site, _kind: &FindingKind, _operand: Option<usize>) {}

    /// A lane sets or awaits something, or passes a barrier.
    fn synchronise(&mut self, _site: &Site, _operation: &SyncOp) {}

    /// A watched statement is about to execute, for the `execution`-th time (from 0) on its lane.
    fn before(&mut self, _site: &Site, _execution: u64, _inspection: &mut Inspection) {}

    /// A watched statement has executed. `Break` ends the run.
    fn after(
        &mut self,
        _site: &Site,
        _execution: u64,
        _inspection: &mut Inspection,
    ) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// An observer that asks for nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Blind;

impl Observer for Blind {}

/// How far a run has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Statements that were executed, over all lanes.
    pub instructions: u64,
    /// Cores that have come to their end.
    pub finished_cores: u32,
    /// Cores in all.
    pub cores: u32,
}

/// A step of synchronisation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SyncOp {
    /// Work of `pipe` up to here is published.
    Set {
        /// What is set.
        token: Token,
        /// The pipe whose work it stands for.
        pipe: Pipe,
    },
    /// `pipe` has waited for a token and taken it.
    Wait {
        /// What was awaited.
        token: Token,
        /// The pipe that waited.
        pipe: Pipe,
    },
    /// Later work of this pipe follows all its earlier work; `ALL` joins all pipes.
    Barrier(Pipe),
    /// An `auto_sync` region begins.
    EnterAutoSync,
    /// An `auto_sync` region ends.
    LeaveAutoSync,
    /// Something ran that the machine did not see, or could not do: it may have ordered whatever
    /// the lane did before it.
    Unseen {
        /// Whether it may have signalled to other lanes, or waited for them.
        signals: bool,
    },
}

/// Things that are set and awaited.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Token {
    /// One hardware id of an event.
    Event {
        /// The event.
        event: EventId,
        /// Which of its ids.
        slot: u32,
    },
    /// A raw flag between two pipes of a lane.
    Raw {
        /// The pipe that sets.
        src: Pipe,
        /// The pipe that waits.
        dst: Pipe,
        /// Its number.
        id: i64,
    },
    /// A flag between lanes; mutexes are made of them.
    Flag {
        /// Between which lanes.
        route: Route,
        /// Its number.
        id: i64,
    },
}
