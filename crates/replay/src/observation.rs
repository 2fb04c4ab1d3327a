//! Observations: what the runs of a replay showed.

use super::origins::Tracker;
use a2lint_ir::{BufferId, GlobalId, Program, StmtId, VariableId};
use a2lint_isa::Position;
use a2lint_machine::hazards::Hazard;
use a2lint_machine::memory::Memory;
use a2lint_machine::{
    AllocationError, BlockedLane, BoundLaunch, End, Fault, FindingKind, Illegality, LaneId,
    LaneKind, Outcome, Refusal, Rest, Undefined,
};

/// A fault or peculiarity that a run showed, at the first place where it occurred.
#[derive(Clone, Debug, PartialEq)]
pub struct Observation {
    /// The event.
    pub event: Event,
    /// The statement; `None` for the kernel as a whole.
    pub stmt: Option<StmtId>,
    /// Index of the parameter of the operand to blame, if there is one.
    pub operand: Option<usize>,
    /// The lane on which it was seen first.
    pub lane: LaneId,
    /// Iteration numbers of the loops around the statement, from 0, outermost first.
    pub iterations: Vec<i64>,
    /// Index of the first affected element.
    pub element: Option<i64>,
    /// Number of executions of the statement that showed it.
    pub count: u64,
    /// The undefined part of the operand.
    pub part: Option<Part>,
    /// Where undefined data came from.
    pub origin: Option<Origin>,
    /// Index into [`super::Replay::executions`].
    pub execution: usize,
}

/// A store that ends where a hole begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LastStore {
    /// The statement.
    pub stmt: StmtId,
    /// The lane that executed it.
    pub lane: LaneId,
    /// The elements that the source asks for and those that are stored, where the length is rounded down to blocks.
    pub cut: Option<[i64; 2]>,
}

/// The kinds of observations.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// A finding of the sanitizer.
    Machine(FindingKind),
    /// An instruction that the device does not have and that was skipped.
    Illegal(Illegality),
    /// The launch cannot run: buffers do not fit into their memory.
    Overflow {
        /// The memory.
        position: Position,
        /// Bytes that the buffers take, up to and including the first that does not fit.
        needed: i64,
        /// The first buffer that does not fit.
        buffer: BufferId,
    },
    /// Two accesses without an order. The statement is that of the second.
    Hazard(Hazard),
    /// Every remaining lane waits for ever.
    Deadlock(Vec<BlockedLane>),
    /// Arithmetic of a scalar that a lane needed has no result, which ended the run.
    Fault(Fault),
    /// A scalar that a lane needed has been set by nothing, which ended the run.
    Unset(VariableId),
    /// Elements of a returned tensor that no lane stores.
    Hole {
        /// The tensor.
        global: GlobalId,
        /// Flat index of the first such element.
        first: i64,
        /// Number of such elements.
        elements: i64,
        /// The store that ends where it begins, if one does.
        last: Option<LastStore>,
    },
    /// A returned tensor depends on what is beside the data of a load: leftovers of an older tile, or copies of an
    /// element that fill the last block of a row.
    Stale {
        /// The tensor.
        global: GlobalId,
        /// Rows, and bytes per row, that the load fills.
        extent: [i64; 2],
        /// What is beside them.
        rest: Rest,
    },
    /// Finite operands give a result that is not finite and reaches a returned tensor.
    NonFinite {
        /// The result.
        value: f64,
        /// The tensor that it reaches.
        global: GlobalId,
    },
}

/// The undefined bytes of an operand, relative to the start of its slot or global tensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// Offset of the first undefined byte.
    pub first: i64,
    /// Length of the range that it starts.
    pub run: i64,
    /// Number of undefined bytes.
    pub bytes: i64,
}

/// The read at which undefined data entered the computation.
#[derive(Clone, Debug, PartialEq)]
pub struct Origin {
    /// The memory that had not been written.
    pub source: Source,
    /// The instruction that read it.
    pub stmt: StmtId,
    /// Index of the parameter that names the operand.
    pub operand: usize,
    /// The part of the operand that was undefined.
    pub part: Part,
    /// The reading lane.
    pub lane: LaneId,
    /// The stores that carried the data through workspaces, first to last.
    pub through: Vec<StmtId>,
}

/// A memory that undefined data comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// An on-chip buffer.
    Buffer(BufferId),
    /// A global tensor.
    Global(GlobalId),
}

impl Part {
    /// Converts undefined bytes of a memory; `base` is the start of the slot.
    pub(super) fn new(undefined: Undefined, base: i64) -> Part {
        Part {
            first: undefined.first - base,
            run: undefined.run,
            bytes: undefined.bytes,
        }
    }
}

impl Observation {
    /// Returns the finding of the sanitizer, if it is one.
    pub fn kind(&self) -> Option<FindingKind> {
        match self.event {
            Event::Machine(kind) => Some(kind),
            _ => None,
        }
    }

    /// Returns whether undefined data was used: stored, reduced, taken as a scalar or index, or read from an operand
    /// without any defined byte.
    pub fn is_undefined(&self) -> bool {
        self.kind().is_some_and(|kind| kind.is_undefined())
    }

    /// Returns whether every remaining lane waits for ever.
    pub(super) fn is_deadlock(&self) -> bool {
        matches!(self.event, Event::Deadlock(_))
    }

    /// Returns whether two observations from different launches show the same fault.
    pub(super) fn is_like(&self, other: &Observation) -> bool {
        let alike = match (&self.event, &other.event) {
            (Event::Machine(a), Event::Machine(b)) => a.is_like(b),
            (Event::Hole { global: a, .. }, Event::Hole { global: b, .. }) => a == b,
            (
                Event::Stale {
                    global: a, rest: x, ..
                },
                Event::Stale {
                    global: b, rest: y, ..
                },
            ) => a == b && x.is_like(*y),
            (Event::Hazard(a), Event::Hazard(b)) => a.is_like(b),
            (a, b) => std::mem::discriminant(a) == std::mem::discriminant(b),
        };
        alike && self.stmt == other.stmt && self.operand == other.operand
    }
}

/// The lane of observations that do not concern a lane.
const FIRST_LANE: LaneId = LaneId {
    core: 0,
    kind: LaneKind::Cube,
};

/// Returns everything that an outcome shows.
pub(super) fn of_outcome(
    program: &Program,
    bound: &BoundLaunch,
    outcome: &Outcome,
    tracker: &Tracker,
) -> Vec<Observation> {
    let machine = outcome.findings.iter().map(|seen| {
        let traced = tracker.trace(seen);
        Observation {
            event: Event::Machine(seen.kind),
            stmt: Some(seen.stmt),
            operand: seen.operand,
            lane: seen.lane,
            iterations: seen.iterations.clone(),
            element: seen.element,
            count: seen.count,
            part: traced.map(|traced| traced.part),
            origin: traced.map(|traced| traced.origin.clone()),
            execution: 0,
        }
    });
    let mut seen: Vec<Observation> = machine.collect();
    let illegal = outcome.illegal.iter();
    seen.extend(illegal.map(|illegal| Observation {
        stmt: Some(illegal.stmt),
        ..plain(Event::Illegal(illegal.reason.clone()))
    }));
    match &outcome.end {
        End::Deadlock(deadlock) => seen.extend(blocked(&deadlock.lanes)),
        End::Refused(refusal) => seen.extend(fault(refusal).into_iter().chain(overflow(refusal))),
        // A run that was cut, or that skipped statements, leaves holes that the kernel does not have.
        End::Finished if outcome.faithful => seen.extend(holes(program, bound, outcome)),
        _ => {}
    }
    if outcome.has_results(program) {
        forget_harmless_reads(&mut seen);
    }
    seen.sort_by_key(|observation| observation.stmt);
    seen
}

/// Returns the buffers that do not fit into their memory.
fn overflow(refusal: &Refusal) -> Option<Observation> {
    match refusal.unplaced {
        Some(AllocationError::Overflow {
            position,
            needed,
            buffer,
            ..
        }) => Some(plain(Event::Overflow {
            position,
            needed,
            buffer,
        })),
        _ => None,
    }
}

/// Removes reads of undefined data that does not reach an output, a scalar or an index. A lane without a share of
/// the work computes on data that it has not loaded, and stores none of it.
fn forget_harmless_reads(seen: &mut Vec<Observation>) {
    let source =
        |observation: &Observation| observation.origin.as_ref().map(|origin| origin.source);
    let ends = seen.iter().filter(|observation| {
        observation
            .kind()
            .is_some_and(|kind| kind.is_undefined_end())
    });
    let reached: Vec<Option<Source>> = ends.map(source).collect();
    seen.retain(|observation| {
        let from = source(observation);
        !observation
            .kind()
            .is_some_and(|kind| kind.is_undefined_passage())
            || from.is_none()
            || reached.contains(&from)
            // A use of unknown origin may be one of any of these reads.
            || reached.contains(&None)
    });
}

/// Returns the observation of a hazard, at the access that should have waited.
pub(super) fn of_hazard(hazard: Hazard) -> Observation {
    Observation {
        stmt: Some(hazard.second.stmt),
        operand: Some(hazard.second.operand),
        lane: hazard.second.lane,
        iterations: hazard.second.iterations.clone(),
        count: hazard.count,
        ..plain(Event::Hazard(hazard))
    }
}

pub(super) fn plain(event: Event) -> Observation {
    Observation {
        event,
        stmt: None,
        operand: None,
        lane: FIRST_LANE,
        iterations: Vec::new(),
        element: None,
        count: 1,
        part: None,
        origin: None,
        execution: 0,
    }
}

/// Returns the observation of a scalar without a value, at the statement that needs the value.
fn fault(refusal: &Refusal) -> Option<Observation> {
    let event = match (refusal.fault, refusal.unset) {
        (Some(fault), _) => Event::Fault(fault),
        (None, Some(variable)) => Event::Unset(variable),
        (None, None) => return None,
    };
    Some(Observation {
        stmt: refusal.stmt,
        lane: refusal.lane.unwrap_or(FIRST_LANE),
        ..plain(event)
    })
}

/// Returns the observation of a deadlock, at the first lane that waits inside of the kernel.
fn blocked(lanes: &[BlockedLane]) -> Option<Observation> {
    let chief = lanes.iter().find(|lane| lane.waits_at().is_some());
    let chief = chief.or(lanes.first())?;
    Some(Observation {
        stmt: chief.waits_at(),
        lane: chief.lane,
        ..plain(Event::Deadlock(lanes.to_vec()))
    })
}

/// Returns the returned tensors with elements that were not stored. A tensor with undefined stores is left out:
/// these stores are reported.
fn holes(program: &Program, bound: &BoundLaunch, outcome: &Outcome) -> Vec<Observation> {
    let has_undefined_store = |id: GlobalId| {
        let kinds = outcome.findings.iter().map(|seen| seen.kind);
        kinds.into_iter().any(|kind| match kind {
            FindingKind::UndefinedStore(global) | FindingKind::UnseededStore(global) => {
                global == id
            }
            FindingKind::GlobalBounds { global, write, .. } => global == id && write,
            _ => false,
        })
    };
    let outputs = program.outputs.iter().copied();
    let missing = outputs
        .filter(|&id| !has_undefined_store(id))
        .filter_map(|id| {
            let size = bound.globals[id.index()].dtype.bits();
            let (first, elements) = undefined_elements(&outcome.globals[id.index()], size)?;
            Some(plain(Event::Hole {
                global: id,
                first,
                elements,
                last: None,
            }))
        });
    missing.collect()
}

/// Returns the index of the first undefined element of a tensor, and their number.
fn undefined_elements(memory: &Memory, bits: i64) -> Option<(i64, i64)> {
    let bytes = memory.capacity();
    let missing = bytes - memory.count_defined(0..bytes);
    if missing == 0 {
        return None;
    }
    let first = memory.first(0..bytes, false)?;
    Some((first as i64 * 8 / bits, missing as i64 * 8 / bits))
}
