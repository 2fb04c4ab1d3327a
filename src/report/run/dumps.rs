//! Values that were asked for.

use crate::ir::StmtId;
use crate::machine::{LaneId, Snapshot};

/// A value that was asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct Dump {
    /// What it is called.
    pub name: String,
    /// The statement after which it is shown.
    pub stmt: StmtId,
    /// Which of the statement's executions on a lane, from 0.
    pub execution: u64,
    /// What was seen; `None` where the execution never came.
    pub seen: Option<Seen>,
}

/// Values at one moment.
#[derive(Clone, Debug, PartialEq)]
pub struct Seen {
    /// The lane.
    pub lane: LaneId,
    /// Iteration numbers of the loops around the statement, outermost first.
    pub iterations: Vec<i64>,
    /// The values; `None` where its extents are unknown or outside the memory.
    pub values: Option<Snapshot>,
}
