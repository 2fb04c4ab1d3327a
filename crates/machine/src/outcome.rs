//! How a run ended and what it left.

use super::allocate::AllocationError;
use super::lane_id::LaneId;
use super::loads::Reload;
use super::memory::Memory;
use super::numerics::Numerics;
use super::observer::Token;
use super::sanitizer::SanitizerFinding;
use super::signals::EventRef;
use super::value::Fault;
use a2lint_ir::sync::Route;
use a2lint_ir::{Program, StmtId};
use a2lint_isa::{Pipe, Position};

/// The result of a run.
#[derive(Debug)]
pub struct Outcome {
    /// How it ended.
    pub end: End,
    /// Global tensors as the run left them, by [`a2lint_ir::GlobalId`].
    pub globals: Vec<Memory>,
    /// What the sanitizer saw, in the order of statements.
    pub findings: Vec<SanitizerFinding>,
    /// Instructions that break a rule of the hardware and were not executed.
    pub illegal: Vec<Illegal>,
    /// Loads that filled less than they had filled before, each statement once.
    pub reloads: Vec<Reload>,
    /// Whether any lane executed a statement, by number.
    pub executed: Vec<bool>,
    /// Whether every statement was done as it stands: no illegal instruction was left out, none that
    /// is not simulated, and no erroneous one stood in the source.
    pub faithful: bool,
    /// What was left out, or done with a number of the machine's own, because something about it is
    /// not known; each statement once.
    pub doubts: Vec<Doubt>,
    /// Whether float products were made while HF32 was on. The machine does not round their operands.
    pub hf32: bool,
    /// What rounding did, where that was followed; exact values are with the global tensors.
    pub numerics: Option<Numerics>,
    /// Statements that were executed, over all lanes.
    pub instructions: u64,
    /// Work that the units did, see [`super::Options::max_work`].
    pub work: u64,
}

/// An instruction that was not executed because the hardware has no such instruction. Its
/// destination holds zeros from then on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Illegal {
    /// The statement.
    pub stmt: StmtId,
    /// The reason, which reads as a clause.
    pub reason: Illegality,
}

/// Why the hardware has no such instruction.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Illegality {
    /// A length below 0; the device reads another one in its field.
    #[error("a length of {0} is negative")]
    NegativeLength(i64),
    /// An operand of `matmul` above what one half of L0A or L0B holds.
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
    /// Something else, as a clause.
    #[error("{0}")]
    Other(String),
}

/// A statement that was not done as it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Doubt {
    /// The statement.
    pub stmt: StmtId,
    /// The reason as a clause.
    pub reason: String,
}

impl Outcome {
    /// Whether what the run computed has come out: it is over, or holds something of what the
    /// kernel returns.
    pub fn has_results(&self, program: &Program) -> bool {
        let mut outputs = program.outputs.iter();
        let is_stored = |memory: &Memory| memory.any_defined(0..memory.capacity());
        self.end == End::Finished
            || outputs.any(|id| self.globals.get(id.index()).is_some_and(is_stored))
    }
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// Every lane came to its end.
    Finished,
    /// Every lane that is left waits.
    Deadlock(Deadlock),
    /// A limit was hit.
    BudgetExhausted(Budget),
    /// The observer has seen what it wanted.
    Stopped,
    /// The observer wanted no more of it.
    Cancelled,
    /// Something cannot be executed at all.
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
    /// Why the values may not be those of the device, as a clause; what was illegal says so itself.
    pub fn doubt(&self) -> Option<String> {
        let reason = match self.doubts.first() {
            Some(doubt) => &doubt.reason,
            None if !self.faithful => "a statement in error was left out",
            None if self.hf32 => "float products are not rounded to HF32 here",
            None => return None,
        };
        Some(format!(
            "{reason}, so values may not be those of the device"
        ))
    }
}

/// Why a run cannot go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The statement; `None` where the kernel as a whole is to blame.
    pub stmt: Option<StmtId>,
    /// The lane.
    pub lane: Option<LaneId>,
    /// The reason as a clause.
    pub reason: String,
    /// Why buffers cannot be placed, if that is the reason.
    pub unplaced: Option<AllocationError>,
    /// The arithmetic that has no result, if that is the reason.
    pub fault: Option<Fault>,
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
        }
    }
}

/// Lanes that wait for each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deadlock {
    /// Every lane that has not come to its end, in stepping order.
    pub lanes: Vec<BlockedLane>,
}

/// A lane in a deadlock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockedLane {
    /// Which one.
    pub lane: LaneId,
    /// The statement it is at; `None` at the end of the kernel.
    pub stmt: Option<StmtId>,
    /// What it waits for.
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
        /// The statement that made it wait.
        stmt: StmtId,
    },
    /// A flag between lanes.
    Flag {
        /// From whom.
        route: Route,
        /// Its number.
        id: i64,
    },
}

impl Token {
    /// What it is, as the end of a sentence: `the event `loaded``, `flag 3 (mutex `cv`)`.
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
    /// One sentence for each lane.
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
    /// The statement to blame: of a stalled pipe, the one that stalled it; `None` at the end of
    /// the kernel.
    pub fn waits_at(&self) -> Option<StmtId> {
        match self.waiting {
            Waiting::Pipe { stmt, .. } => Some(stmt),
            _ => self.stmt,
        }
    }
}

impl Waiting {
    /// What is awaited, as the end of a sentence.
    pub fn describe(&self, program: &Program) -> String {
        match self {
            Waiting::Event(event) => format!("for {}", event_name(program, *event)),
            Waiting::Pipe { pipe, event, .. } => {
                format!(
                    "for {pipe}, which waits for {}",
                    event_name(program, *event)
                )
            }
            Waiting::Flag { route, id } => {
                format!("for {} on {}", route.awaited(), flag_name(program, *id))
            }
        }
    }
}

pub(super) fn event_name(program: &Program, event: EventRef) -> String {
    match event {
        EventRef::Event(id) => format!("the event `{}`", program.event(id).name),
        EventRef::Raw(src, dst, id) => format!("flag {id} from {src} to {dst}"),
    }
}

pub(super) fn flag_name(program: &Program, id: i64) -> String {
    let mutex = program
        .mutexes
        .iter()
        .find(|mutex| mutex.flag_id == Some(id));
    match mutex {
        Some(mutex) => format!("flag {id} (mutex `{}`)", mutex.name),
        None => format!("flag {id}"),
    }
}
