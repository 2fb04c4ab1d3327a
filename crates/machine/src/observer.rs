//! The events of a run, as observers receive them.

use std::ops::ControlFlow;

use super::access::{Access, Site};
use super::cost::Expense;
use super::inspect::Inspection;
use super::sanitizer::FindingKind;
use a2lint_ir::sync::Route;
use a2lint_ir::{EventId, StmtId};
use a2lint_isa::Pipe;

/// Receives the events of a run. Every method has a default that does nothing, and what an observer does not
/// ask for is never computed.
pub trait Observer {
    /// Returns whether [`Observer::begin`] and [`Observer::access`] are to be called. Asked once, before the
    /// run.
    fn wants_accesses(&self) -> bool {
        false
    }

    /// Returns whether accesses should contain what of them is undefined. Asked once, before the run.
    fn wants_definedness(&self) -> bool {
        false
    }

    /// Returns whether [`Observer::before`] and [`Observer::after`] are to be called for a statement. Asked
    /// once for every statement, before the run.
    fn watches(&self, _stmt: StmtId) -> bool {
        false
    }

    /// Returns whether [`Observer::spend`] is to be called. Asked once, before the run.
    fn wants_costs(&self) -> bool {
        false
    }

    /// Returns whether the run has taken too long. Asked every few hundred statements: the machine itself has
    /// no clock.
    fn is_expired(&mut self) -> bool {
        false
    }

    /// Returns whether the run should end now. Asked as often as [`Observer::is_expired`].
    fn is_cancelled(&mut self) -> bool {
        false
    }

    /// Reports how far the run has come. Called as often as [`Observer::is_expired`].
    fn progress(&mut self, _progress: &Progress) {}

    /// Reports an executed instruction and its cost.
    fn spend(&mut self, _site: &Site, _expense: &Expense) {}

    /// Reports that an instruction is about to be executed; the accesses up to the next call are its own.
    /// Called only if accesses are wanted.
    fn begin(&mut self, _site: &Site) {}

    /// Reports an instruction's read or write of memory.
    fn access(&mut self, _site: &Site, _access: &Access) {}

    /// Reports an observation of the sanitizer, after the accesses of the instruction so far.
    fn observed(&mut self, _site: &Site, _kind: &FindingKind, _operand: Option<usize>) {}

    /// Reports a set, a wait or a barrier of a lane.
    fn synchronise(&mut self, _site: &Site, _operation: &SyncOp) {}

    /// Reports that a watched statement is about to execute, for the `execution`-th time (from 0) on its
    /// lane.
    fn before(&mut self, _site: &Site, _execution: u64, _inspection: &mut Inspection) {}

    /// Reports that a watched statement has executed. `Break` ends the run.
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
pub struct NullObserver;

impl Observer for NullObserver {}

/// The progress of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Statements that were executed, over all lanes.
    pub instructions: u64,
    /// Number of cores that have finished.
    pub finished_cores: u32,
    /// Number of cores in all.
    pub cores: u32,
}

/// An operation of synchronisation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SyncOp {
    /// The work of `pipe` up to here is announced.
    Set {
        /// The token that is set.
        token: Token,
        /// The pipe whose work it announces.
        pipe: Pipe,
    },
    /// `pipe` has waited for a token and taken it.
    Wait {
        /// The token that was awaited.
        token: Token,
        /// The pipe that waited.
        pipe: Pipe,
    },
    /// Later work of this pipe follows all of its earlier work; `ALL` joins all pipes.
    Barrier(Pipe),
    /// An `auto_sync` region begins.
    EnterAutoSync,
    /// An `auto_sync` region ends.
    LeaveAutoSync,
    /// The machine left out something, or could not follow it: it may have ordered everything that the lane
    /// did before.
    Unseen {
        /// Whether it may have signalled to other lanes, or waited for them.
        signals: bool,
    },
}

/// A token that is set and waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Token {
    /// One hardware id of an event.
    Event {
        /// The event.
        event: EventId,
        /// The index of the id in the event.
        slot: u32,
    },
    /// A raw flag between two pipes of a lane.
    Raw {
        /// The pipe that sets.
        src: Pipe,
        /// The pipe that waits.
        dst: Pipe,
        /// The number of the flag.
        id: i64,
    },
    /// A flag between lanes; mutexes are made of them.
    Flag {
        /// Between which lanes.
        route: Route,
        /// The number of the flag.
        id: i64,
    },
}
