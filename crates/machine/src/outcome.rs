//! The end of a run, and its results.

use super::allocate::AllocationError;
use super::lane_id::LaneId;
use super::loads::ShorterLoad;
use super::memory::Memory;
use super::numerics::Numerics;
use super::observer::Token;
use super::sanitizer::SanitizerFinding;
use super::signals::EventRef;
use super::value::Fault;
use a2lint_ir::sync::Route;
use a2lint_ir::{Program, StmtId, VariableId};
use a2lint_isa::{Pipe, Position};

/// The result of a run.
#[derive(Debug)]
pub struct Outcome {
    /// The end of the run.
    pub end: End,
    /// Global tensors as the run left them, by [`a2lint_ir::GlobalId`].
    pub globals: Vec<Memory>,
    /// The observations of the sanitizer, by statement.
    pub findings: Vec<SanitizerFinding>,
    /// Instructions that break a rule of the hardware and were not executed.
    pub illegal: Vec<Illegal>,
    /// Loads that filled less than they had filled before, one for each statement.
    pub shorter_loads: Vec<ShorterLoad>,
    /// Whether any lane executed a statement, by number.
    pub executed: Vec<bool>,
    /// Whether every statement was executed as written: no illegal or unsupported instruction was left out,
    /// and the source has no erroneous statement.
    pub faithful: bool,
    /// Statements that were left out, or executed with an assumed number, because something about them is
    /// unknown; one for each statement.
    pub doubts: Vec<Doubt>,
    /// Whether float products were made while HF32 was on. The machine does not round their operands.
    pub hf32: bool,
    /// The rounding errors, if they were tracked; exact values are with the global tensors.
    pub numerics: Option<Numerics>,
    /// Statements that were executed, over all lanes.
    pub instructions: u64,
    /// Work of the units, see [`super::Options::max_work`].
    pub work: u64,
}

/// An instruction that was not executed because the hardware has no such instruction. Its destination holds
/// zeros afterwards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Illegal {
    /// The statement.
    pub stmt: StmtId,
    /// The reason, as a clause.
    pub reason: Illegality,
}

/// The reason why the hardware has no such instruction.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Illegality {
    /// A negative length; its field in the instruction reads as another number.
    #[error("a length of {0} is negative")]
    NegativeLength(i64),
    /// An operand of `matmul` that is larger than one half of L0A or L0B.
    #[error("it loads {bytes} bytes of an operand to {position}, and has {room} there")]
    Staging {
        /// Index of the parameter that names the operand.
        operand: usize,
        /// The memory.
        position: Position,
        /// Bytes of the operand, in whole fractals.
        bytes: i64,
        /// Bytes of one half of the memory.
        room: i64,
    },
    /// Another reason, as a clause.
    #[error("{0}")]
    Other(String),
}

/// A statement that was not executed as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Doubt {
    /// The statement.
    pub stmt: StmtId,
    /// The reason as a clause.
    pub reason: String,
}

impl Outcome {
    /// Returns whether the run has results: it is finished, or an output holds defined data.
    pub fn has_results(&self, program: &Program) -> bool {
        let mut outputs = program.outputs.iter();
        let is_stored = |memory: &Memory| memory.any_defined(0..memory.capacity());
        // A run that ended early may have stored outputs before.
        self.end == End::Finished
            || outputs.any(|id| self.globals.get(id.index()).is_some_and(is_stored))
    }
}

/// The way in which a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// Every lane finished.
    Finished,
    /// Every unfinished lane waits.
    Deadlock(Deadlock),
    /// A limit was hit.
    BudgetExhausted(Budget),
    /// The observer asked for the end at a watched statement.
    Stopped,
    /// The observer cancelled the run.
    Cancelled,
    /// A statement cannot be executed at all.
    Refused(Refusal),
}

/// The limit that was hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Budget {
    /// Number of statements.
    Instructions,
    /// Work of the units.
    Work,
    /// Bytes of on-chip memories.
    Memory,
    /// The caller's deadline.
    Time,
}

impl Outcome {
    /// Returns why values may not be those of the device, as a clause; illegal instructions are reported on
    /// their own.
    pub fn doubt(&self) -> Option<String> {
        let reason = match self.doubts.first() {
            Some(doubt) => &doubt.reason,
            // An illegal or erroneous statement leaves no doubt of its own.
            None if !self.faithful => "a statement in error was left out",
            None if self.hf32 => "float products are not rounded to HF32 here",
            None => return None,
        };
        Some(format!(
            "{reason}, so values may not be those of the device"
        ))
    }
}

/// The reason why a run cannot go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The statement; `None` if it concerns the kernel as a whole.
    pub stmt: Option<StmtId>,
    /// The cube or vec core that cannot go on, if it is one.
    pub lane: Option<LaneId>,
    /// The reason as a clause.
    pub reason: String,
    /// The reason why buffers cannot be placed, if it is that.
    pub unplaced: Option<AllocationError>,
    /// The arithmetic without a result, if it is that.
    pub fault: Option<Fault>,
    /// The scalar that nothing has set, if it is that.
    pub unset: Option<VariableId>,
}

impl Refusal {
    /// Returns the refusal of a run that cannot begin.
    pub fn before_the_start(reason: String) -> Refusal {
        Refusal {
            stmt: None,
            lane: None,
            reason,
            unplaced: None,
            fault: None,
            unset: None,
        }
    }
}

/// Lanes that wait for each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deadlock {
    /// Every unfinished lane, in stepping order.
    pub lanes: Vec<BlockedLane>,
}

/// A lane in a deadlock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockedLane {
    /// The cube or vec core that is blocked.
    pub lane: LaneId,
    /// The statement that it is at; `None` at the end of the kernel.
    pub stmt: Option<StmtId>,
    /// The token that it waits for.
    pub waiting: Waiting,
}

/// What a lane waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Waiting {
    /// An event, on the scalar pipe.
    Event(EventRef),
    /// A stalled pipe, which waits for an event.
    Pipe {
        /// The pipe.
        pipe: Pipe,
        /// The event.
        event: EventRef,
        /// The statement that stalled the pipe.
        stmt: StmtId,
    },
    /// A stalled pipe, which waits for the unit flag of a part of L0C.
    UnitFlag {
        /// Whether it is a copy, which waits for a product, rather than the other way round.
        is_copy: bool,
        /// The statement that stalled the pipe.
        stmt: StmtId,
    },
    /// A flag between lanes.
    Flag {
        /// The lanes at both ends.
        route: Route,
        /// The number of the flag.
        id: i64,
    },
}

impl Token {
    /// Returns a description as the end of a sentence: `the event `loaded``, `flag 3 (mutex `cv`)`.
    pub fn describe(&self, program: &Program) -> String {
        match *self {
            Token::Event { event, .. } => event_name(program, EventRef::Event(event)),
            Token::Raw { src, dst, id } => event_name(program, EventRef::Raw(src, dst, id)),
            Token::Flag { route, id } => {
                format!("{} on {}", route.awaited(), flag_name(program, id))
            }
        }
    }
}

impl Deadlock {
    /// Returns one sentence for each lane.
    pub fn lines(&self, program: &Program) -> Vec<String> {
        let describe = |blocked: &BlockedLane| {
            format!(
                "core {} {} waits {}",
                blocked.lane.core,
                blocked.lane.kind.name(),
                blocked.waiting.describe(program)
            )
        };
        self.lanes.iter().map(describe).collect()
    }
}

impl BlockedLane {
    /// Returns the statement to blame: for a stalled pipe, the one that stalled it; `None` at the end of the
    /// kernel.
    pub fn waits_at(&self) -> Option<StmtId> {
        match self.waiting {
            Waiting::Pipe { stmt, .. } | Waiting::UnitFlag { stmt, .. } => Some(stmt),
            _ => self.stmt,
        }
    }
}

impl Waiting {
    /// Returns a description of the token as the end of a sentence.
    pub fn describe(&self, program: &Program) -> String {
        match self {
            Waiting::Event(event) => format!("for {}", event_name(program, *event)),
            Waiting::Pipe { pipe, event, .. } => {
                format!(
                    "for {pipe}, which waits for {}",
                    event_name(program, *event)
                )
            }
            Waiting::UnitFlag { is_copy: true, .. } => {
                "for FIX, which waits for a product that sets the unit flag of its part of L0C"
                    .into()
            }
            Waiting::UnitFlag { is_copy: false, .. } => {
                "for M, which waits for a copy that clears the unit flag of its part of L0C".into()
            }
            Waiting::Flag { route, id } => {
                format!("for {} on {}", route.awaited(), flag_name(program, *id))
            }
        }
    }
}

pub(super) fn event_name(program: &Program, event: EventRef) -> String {
    match event {
        EventRef::Event(id) => program.event(id).awaited(),
        EventRef::Raw(src, dst, id) => format!("flag {id} from {src} to {dst}"),
    }
}

pub(super) fn flag_name(program: &Program, id: i64) -> String {
    // The source names the mutex, not the flags that it is made of.
    let mutex = program
        .mutexes
        .iter()
        .find(|mutex| mutex.flag_id == Some(id));
    match mutex {
        Some(mutex) => format!("flag {id} (mutex `{}`)", mutex.name),
        None => format!("flag {id}"),
    }
}
