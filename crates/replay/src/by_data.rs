//! What follows from contents of tensors that no launch gives.
//!
//! Such contents are drawn, and may be outside of the operator's domain: a divisor of 0, indices of which several are
//! equal, a list that does not grow, counts that do not fit together. A fault counts only if memory decides neither
//! which elements are accessed nor which way control takes to it; what is left out makes properties undecided.

use rustc_hash::FxHashSet;

use super::Replay;
use super::observation::{Event, Observation, Source};
use super::outcomes::Shortfall;
use super::trials::touching;
use a2lint_ir::sync::{Token, call};
use a2lint_ir::{Deciding, Program, Stmt, StmtId, StmtKind, Through};
use a2lint_isa::Class;
use a2lint_launches::picked;
use a2lint_machine::hazards::Hazard;
use a2lint_machine::{BlockedLane, EventRef, FindingKind, Outcome, Waiting};
use a2lint_source::text::Span;

impl Replay {
    /// Returns whether an observation holds whatever tensors contain; if not, its place is left undecided.
    pub(super) fn holds_for_any_data(
        &mut self,
        program: &Program,
        observation: &Observation,
    ) -> bool {
        if !follows(program, observation) {
            return true;
        }
        let stmt = observation.stmt.and_then(|id| program.statement(id));
        let place = stmt.map_or(program.name_span, |stmt| stmt.span);
        self.shortfall.get_or_insert(Shortfall::Contents(place));
        false
    }

    /// Notes which statements a launch has executed.
    pub(super) fn note_executed(&mut self, outcome: &Outcome, has_data: bool) {
        merge(&mut self.executed, &outcome.executed);
        self.drew_data |= !has_data;
    }

    /// Returns whether some launch executed each instruction that accesses memory.
    pub(super) fn executes_all(&self, program: &Program) -> bool {
        touching(program).all(|stmt| self.is_executed(stmt.id))
    }

    fn is_executed(&self, id: StmtId) -> bool {
        self.executed.get(id.index()).copied().unwrap_or(false)
    }

    /// Leaves undecided what drawn contents keep from running, or from running more than a few times.
    pub(super) fn leave_to_data(&mut self, program: &Program) {
        if !self.drew_data || self.shortfall.is_some() || !program.reads_scalars() {
            return;
        }
        let mut skipped = touching(program).filter(|stmt| !self.is_executed(stmt.id));
        let unreached = skipped.find(|stmt| is_reached_by_data(program, stmt.id));
        self.shortfall = match unreached {
            Some(stmt) => Some(Shortfall::Unreached(stmt.span)),
            None => turned_by_data(program).map(Shortfall::Turns),
        };
    }
}

/// Adds the statements that another launch has executed.
pub(super) fn merge(executed: &mut Vec<bool>, others: &[bool]) {
    if executed.len() < others.len() {
        executed.resize(others.len(), false);
    }
    for (mine, &other) in executed.iter_mut().zip(others) {
        *mine |= other;
    }
}

fn is_reached_by_data(program: &Program, stmt: StmtId) -> bool {
    let mut deciding = Deciding::new(program, Through::Control);
    deciding.reach(stmt);
    deciding.reads_memory()
}

/// Returns whether memory decides which arm of a branch runs, or how often a loop does.
fn is_steered(program: &Program, kind: &StmtKind) -> bool {
    let mut deciding = Deciding::new(program, Through::Control);
    deciding.way(kind);
    deciding.reads_memory()
}

/// Returns the first loop of which memory decides how often it runs, and which accesses memory or hands over tokens.
fn turned_by_data(program: &Program) -> Option<Span> {
    let instructions = program.instructions().into_iter();
    let matters = instructions
        .filter(|(_, instr)| is_of_order(instr.row().class) || instr.operands().next().is_some());
    let mut seen = FxHashSet::default();
    let loops = matters.flat_map(|(stmt, _)| program.loops(stmt.id));
    let loops = loops.filter(|&&id| seen.insert(id));
    let found = loops.filter_map(|&id| program.statement(id));
    let mut found = found.filter(|stmt| is_steered(program, &stmt.kind));
    found.next().map(|stmt| stmt.span)
}

/// Returns whether an observation follows from the contents of tensors.
fn follows(program: &Program, observation: &Observation) -> bool {
    match &observation.event {
        Event::Hazard(hazard) => return is_hazard_by_data(program, hazard),
        Event::Deadlock(lanes) => return is_wait_by_data(program, lanes),
        _ => {}
    }
    if observation.kind().is_some_and(|kind| kind.is_undefined()) {
        return is_undefined_by_data(program, observation);
    }
    let mut deciding = Deciding::new(program, Through::Control);
    match (&observation.event, observation.kind()) {
        (Event::Fault(fault), _) => {
            deciding.scalar(fault.scalar);
            if let Some(stmt) = observation.stmt {
                deciding.branches(stmt);
            }
        }
        // Where indices select what is stored, the rest keeps what it holds.
        (Event::Hole { global, .. }, _) => {
            for (stmt, instr) in program.instructions() {
                let stores = instr.operands().filter(|(_, operand, view)| {
                    let of = view.global().map(|view| view.global);
                    operand.access.writes() && of == Some(*global)
                });
                for (operand, ..) in stores {
                    deciding.elements(stmt.id, Some(operand));
                    deciding.reach(stmt.id);
                }
            }
        }
        (_, Some(FindingKind::GlobalBounds { .. })) => {
            if let Some(stmt) = observation.stmt {
                deciding.elements(stmt, observation.operand);
                deciding.branches(stmt);
            }
        }
        (
            _,
            Some(
                FindingKind::Overlap { stmt: earlier, .. }
                | FindingKind::SharedLine { stmt: earlier, .. },
            ),
        ) => {
            for stmt in observation.stmt.into_iter().chain([earlier]) {
                deciding.elements(stmt, None);
                deciding.reach(stmt);
            }
        }
        (
            _,
            Some(
                FindingKind::FlagId(_)
                | FindingKind::RepeatedSet(_)
                | FindingKind::LeftSet(_)
                | FindingKind::FlagOverflow(_),
            ),
        ) => return any_signal_by_data(program, |_| true),
        (_, Some(kind)) => {
            let Some(stmt) = observation.stmt else {
                return false;
            };
            if matches!(
                kind,
                FindingKind::Overrun { .. } | FindingKind::OutsideMemory(_)
            ) && picked(program).contains(&stmt)
            {
                return true;
            }
            deciding.elements(stmt, observation.operand);
            if kind.is_unseeded() {
                deciding.reach(stmt);
                return deciding.reads_memory() || is_undefined_by_data(program, observation);
            }
        }
        (Event::Illegal(_), _) => {
            if let Some(stmt) = observation.stmt {
                deciding.elements(stmt, None);
            }
        }
        _ => return false,
    }
    deciding.reads_memory()
}

/// Returns whether data decides which elements an undefined operand has, or whether and where a write to its buffer
/// runs.
fn is_undefined_by_data(program: &Program, observation: &Observation) -> bool {
    let instr = observation.stmt.and_then(|it| program.instruction(it));
    let operand = instr.zip(observation.operand);
    let view = operand.and_then(|(instr, at)| instr.local(at));
    let read = match observation.origin.as_ref().map(|origin| origin.source) {
        Some(Source::Buffer(buffer)) => Some(buffer),
        _ => view.map(|view| view.buffer),
    };
    let mut deciding = Deciding::new(program, Through::Control);
    if let Some(stmt) = observation.stmt {
        deciding.elements(stmt, observation.operand);
    }
    if let Some(origin) = &observation.origin {
        deciding.elements(origin.stmt, Some(origin.operand));
    }
    let Some(read) = read else {
        return deciding.reads_memory();
    };
    for (stmt, instr) in program.instructions() {
        if instr.writes(read) {
            deciding.reach(stmt.id);
            // What is read out of a tensor is undefined as well.
            deciding.elements(stmt.id, None);
        }
    }
    deciding.reads_memory()
}

/// Returns whether data decides if two accesses meet, or what stands between them.
fn is_hazard_by_data(program: &Program, hazard: &Hazard) -> bool {
    let ends = [&hazard.first, &hazard.second];
    let mut deciding = Deciding::new(program, Through::Control);
    for end in ends {
        deciding.elements(end.stmt, Some(end.operand));
    }
    // What memory steers contains both accesses, or neither them nor what may order them.
    let [first, second] = ends.map(|end| end.stmt);
    // In one iteration, only what stands between the two may order them.
    let is_once = hazard.is_within_lane() && hazard.first.iterations == hazard.second.iterations;
    let may_order = |stmt: &Stmt| {
        let is_between = first < stmt.id && stmt.id < second;
        orders(stmt) && (is_between || !is_once)
    };
    program.walk(&mut |stmt| {
        let contained = [first, second].map(|end| program.contains(stmt.id, end));
        let matters = match contained {
            [true, true] => arm(program, stmt.id, first) != arm(program, stmt.id, second),
            [false, false] => may_order(stmt),
            _ => true,
        };
        if matters {
            deciding.way(&stmt.kind);
        }
    });
    deciding.reads_memory()
}

/// Returns the number of the block of a branch that contains a statement.
fn arm(program: &Program, branch: StmtId, stmt: StmtId) -> Option<usize> {
    let mut guards = program.guards(stmt).iter();
    let guard = guards.find(|guard| guard.branch == branch);
    guard.map(|guard| guard.block)
}

/// Returns whether a statement contains one that orders instructions.
fn orders(stmt: &Stmt) -> bool {
    let mut found = false;
    stmt.walk(&mut |inner| {
        let instr = inner.kind.instr();
        found = found || instr.is_some_and(|instr| is_of_order(instr.row().class));
    });
    found
}

fn is_of_order(class: Class) -> bool {
    matches!(
        class,
        Class::Barrier | Class::Event | Class::CrossFlag | Class::Mutex
    )
}

/// Returns whether data decides how often the tokens are set and awaited that blocked lanes wait for. If it decides
/// about none of them, they are missing whatever tensors contain.
fn is_wait_by_data(program: &Program, lanes: &[BlockedLane]) -> bool {
    let awaits_turn = |lane: &BlockedLane| matches!(lane.waiting, Waiting::UnitFlag { .. });
    if lanes.iter().any(awaits_turn) && is_turn_by_data(program) {
        return true;
    }
    let is_awaited = |token: Token| {
        lanes.iter().any(|lane| match (lane.waiting, token) {
            (Waiting::Flag { id, .. }, Token::Flag(_, known)) => id == known,
            (Waiting::Flag { .. }, Token::Data(_) | Token::Credit(_)) => true,
            (Waiting::Flag { .. }, Token::Event(_) | Token::Raw(..)) => false,
            (Waiting::UnitFlag { .. }, _) => true,
            (Waiting::Event(event) | Waiting::Pipe { event, .. }, token) => match (event, token) {
                (EventRef::Event(a), Token::Event(b)) => a == b,
                (EventRef::Raw(src, dst, id), Token::Raw(from, to, known)) => {
                    (src, dst, id) == (from, to, known)
                }
                _ => false,
            },
        })
    };
    any_signal_by_data(program, |stmt| {
        call(program, stmt).is_none_or(|call| is_awaited(call.token))
    })
}

/// Returns whether data decides which parts of L0C products and copies with unit flags access, or whether they run.
fn is_turn_by_data(program: &Program) -> bool {
    let mut deciding = Deciding::new(program, Through::Control);
    for (stmt, instr) in program.instructions() {
        if instr.scalar_named("unit_flag").is_some() {
            deciding.elements(stmt.id, None);
            deciding.reach(stmt.id);
        }
    }
    deciding.reads_memory()
}

/// Returns whether data decides how often a token is set or awaited, or which one, among statements that `counts`
/// selects.
fn any_signal_by_data(program: &Program, counts: impl Fn(&Stmt) -> bool) -> bool {
    let mut deciding = Deciding::new(program, Through::Control);
    for (stmt, instr) in program.instructions() {
        let class = instr.row().class;
        if is_of_order(class) && class != Class::Barrier && counts(stmt) {
            deciding.elements(stmt.id, None);
            deciding.reach(stmt.id);
        }
    }
    deciding.reads_memory()
}
