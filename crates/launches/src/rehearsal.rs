//! Rehearses a guess: evaluates its scalars on every lane, without executing any instruction.
//!
//! A rehearsal says which statements a launch reaches, the trip counts of its loops, and whether views stay inside of
//! their buffers. It costs a small part of a run, so that many sizes can be compared before one of them runs. Long
//! loops are walked for their first iterations and the last one. What instructions read from memory counts as 0, as
//! in a guess whose data steers the kernel.

use std::sync::Arc;

use super::measure::MAX_EXTENT;
use a2lint_ir::sync::side_of;
use a2lint_ir::{
    Buffer, ENDLESS, GlobalView, Instr, LocalView, Program, ScalarId, Stmt, StmtKind, View,
    trip_count,
};
use a2lint_isa::{BLOCK_BYTES, Position, Side};
use a2lint_machine::{
    Absence, BoundLaunch, Environment, LaneId, LaneKind, Value, VariableSet, lanes,
    variables_of_scalars,
};

/// Iterations of a loop that are walked before its last one.
const WALKED: i64 = 4;
/// Iterations of a loop without a bound that are walked.
const WALKED_ENDLESS: i64 = 16;
/// Elements that one unit of work computes.
const ELEMENTS_OF_WORK: i64 = 64;

/// How well a launch executes a statement.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Mark {
    /// No lane reaches it, or all of its views are empty.
    #[default]
    Missed,
    /// A view leaves its buffer, is empty, or does not start on a block.
    Unfit,
    /// All views fit.
    Fits,
}

/// What a launch would execute.
#[derive(Clone, Debug)]
pub(super) struct Rehearsal {
    /// How well each statement is executed, by number.
    pub marks: Vec<Mark>,
    /// The largest trip count of each loop, by number.
    pub trips: Vec<i64>,
    /// Whether each statement moves a length that is no multiple of a block, by number.
    pub ragged: Vec<bool>,
    /// The work of a run, estimated.
    pub work: u64,
    /// Bytes of buffers beyond the memory of the device.
    pub excess: i64,
    /// Whether each statement ends the run, by number: a division by 0, an access far outside of a tensor.
    pub faults: Vec<bool>,
}

impl Rehearsal {
    /// Returns whether the launch cannot run, or its buffers do not fit.
    pub fn is_spoilt(&self) -> bool {
        self.excess > 0 || self.faults.iter().any(|&it| it)
    }
}

/// Rehearses launches of one program within a number of steps.
pub(super) struct Stage<'p> {
    program: &'p Program,
    depends: Arc<[VariableSet]>,
    /// Steps that are left, each a statement of one lane.
    pub steps: u64,
}

/// What follows a statement.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Flow {
    Next,
    Continue,
    Break,
    /// The steps are spent.
    Stop,
}

impl<'p> Stage<'p> {
    pub(super) fn new(program: &'p Program, steps: u64) -> Stage<'p> {
        Stage {
            program,
            depends: variables_of_scalars(program),
            steps,
        }
    }

    /// Rehearses a launch; `None` if that takes more steps than are left.
    pub(super) fn rehearse(&mut self, launch: &BoundLaunch) -> Option<Rehearsal> {
        let count = self.program.stmt_count as usize;
        let mut seen = Rehearsal {
            marks: vec![Mark::Missed; count],
            trips: vec![0; count],
            ragged: vec![false; count],
            work: 0,
            excess: 0,
            faults: vec![false; count + 1],
        };
        for lane in self.lanes(launch) {
            let environment = Environment::new(self.program, launch, &self.depends, lane);
            let mut walk = Walk {
                program: self.program,
                environment,
                kind: lane.kind,
                seen: &mut seen,
                at: count,
                steps: &mut self.steps,
            };
            if walk.block(&self.program.body, 1) == Flow::Stop {
                return None;
            }
            walk.at = count;
            let excess = walk.excess(launch);
            seen.excess = seen.excess.max(excess);
        }
        Some(seen)
    }

    fn lanes(&self, launch: &BoundLaunch) -> Vec<LaneId> {
        let program = self.program;
        let all = (0..launch.cores).flat_map(|core| lanes(program, launch.vec_lanes, core));
        all.filter(|lane| !program.cube_only || lane.kind == LaneKind::Cube)
            .collect()
    }
}

/// A walk through a program on one lane.
struct Walk<'w, 'p> {
    program: &'p Program,
    environment: Environment<'p>,
    kind: LaneKind,
    seen: &'w mut Rehearsal,
    /// The number of the current statement; one more than those of all statements where there is none.
    at: usize,
    steps: &'w mut u64,
}

impl Walk<'_, '_> {
    /// Walks a block whose statements stand for `weight` executions each.
    fn block(&mut self, block: &[Stmt], weight: i64) -> Flow {
        for stmt in block {
            match self.statement(stmt, weight) {
                Flow::Next => {}
                flow => return flow,
            }
        }
        Flow::Next
    }

    fn statement(&mut self, stmt: &Stmt, weight: i64) -> Flow {
        let Some(left) = self.steps.checked_sub(1) else {
            return Flow::Stop;
        };
        *self.steps = left;
        self.at = stmt.id.index();
        match &stmt.kind {
            StmtKind::Instr(instr) => self.instruction(stmt, instr, weight),
            StmtKind::Assign { variable, value } => {
                self.value(*value);
                self.environment.assign_scalar(*variable, *value);
            }
            StmtKind::Loop { .. } => return self.repeat(stmt, weight),
            StmtKind::If { arms, otherwise } => {
                for arm in arms {
                    match self.value(arm.condition).as_bool() {
                        Ok(true) => return self.block(&arm.body, weight),
                        Ok(false) => {}
                        // Unknown: each arm may run.
                        Err(_) => {
                            if self.block(&arm.body, weight) == Flow::Stop {
                                return Flow::Stop;
                            }
                        }
                    }
                }
                return self.block(otherwise, weight);
            }
            StmtKind::Scope { side, body } => {
                if *side == Side::Both || *side == self.kind.side() {
                    return self.block(body, weight);
                }
            }
            StmtKind::UnknownLoop { body }
            | StmtKind::AutoSync { body }
            | StmtKind::Atomic { body, .. } => return self.block(body, weight),
            StmtKind::Break => return Flow::Break,
            StmtKind::Continue => return Flow::Continue,
            StmtKind::Havoc(_) | StmtKind::Opaque => {}
        }
        Flow::Next
    }

    fn int(&mut self, id: ScalarId) -> Option<i64> {
        self.value(id).as_int().ok()
    }

    fn value(&mut self, id: ScalarId) -> Value {
        let value = self.environment.value(id);
        if matches!(value, Value::Absent(Absence::Fault(_))) {
            self.seen.faults[self.at] = true;
        }
        value
    }

    /// Walks the first iterations of a loop and its last one, which stands for all others.
    fn repeat(&mut self, stmt: &Stmt, weight: i64) -> Flow {
        let StmtKind::Loop {
            variable,
            start,
            stop,
            step,
            ref body,
        } = stmt.kind
        else {
            return Flow::Next;
        };
        let bounds = [start, stop, step].map(|id| self.int(id));
        let [Some(start), Some(stop), Some(step)] = bounds else {
            return match self.block(body, weight) {
                Flow::Stop => Flow::Stop,
                _ => Flow::Next,
            };
        };
        let trips = trip_count(start, stop, step).unwrap_or(0);
        let is_endless = stop == ENDLESS;
        let walked = if is_endless { WALKED_ENDLESS } else { WALKED };
        let mut done = 0;
        let numbers =
            (0..trips.min(walked)).chain((trips > walked && !is_endless).then_some(trips - 1));
        for number in numbers {
            let at = start.saturating_add(number.saturating_mul(step));
            self.environment.assign(variable, Value::Int(at));
            let times = if number < walked { 1 } else { trips - walked };
            done += times;
            match self.block(body, weight.saturating_mul(times)) {
                Flow::Stop => return Flow::Stop,
                Flow::Break => break,
                Flow::Next | Flow::Continue => {}
            }
        }
        let trips = &mut self.seen.trips[stmt.id.index()];
        *trips = done.max(*trips);
        Flow::Next
    }

    fn instruction(&mut self, stmt: &Stmt, instr: &Instr, weight: i64) {
        if let Some(variable) = instr.reads_into() {
            self.environment.assign(variable, Value::Int(0));
        }
        let side = side_of(self.program, instr);
        if side != Side::Both && side != self.kind.side() {
            return;
        }
        let (mut mark, mut is_empty, mut elements) = (Mark::Fits, true, 0);
        for (_, _, view) in instr.operands() {
            let (count, fits) = match view {
                View::Local(view) => self.local(view),
                View::Global(view) => {
                    let (count, fits, is_whole) = self.global(view);
                    self.seen.ragged[stmt.id.index()] |= !is_whole;
                    (count, fits)
                }
            };
            is_empty &= count == 0;
            elements = count.max(elements);
            if !fits || count == 0 {
                mark = Mark::Unfit;
            }
        }
        if is_empty && instr.operands().next().is_some() {
            mark = Mark::Missed;
        }
        let known = &mut self.seen.marks[stmt.id.index()];
        // One lane with an operand that does not fit spoils the whole launch.
        *known = match (*known, mark) {
            (Mark::Unfit, _) | (_, Mark::Unfit) => Mark::Unfit,
            (known, mark) => known.max(mark),
        };
        let work = (1 + elements / ELEMENTS_OF_WORK).saturating_mul(weight);
        self.seen.work = self.seen.work.saturating_add(work.max(0) as u64);
    }

    /// Returns the number of elements of a view, and whether it starts on a block and stays inside of the buffer. An
    /// unknown extent counts as one element that fits.
    fn local(&mut self, view: &LocalView) -> (i64, bool) {
        let [rows, columns] = view.span.map(|id| self.int(id));
        let (Some(rows), Some(columns)) = (rows, columns) else {
            return (1, true);
        };
        if rows <= 0 || columns <= 0 {
            return (0, rows == 0 || columns == 0);
        }
        let count = rows.saturating_mul(columns);
        let shape = view.shape.map(|id| self.int(id));
        let offset = view.offset.map(|id| self.int(id));
        let ([Some(_), Some(pitch)], [Some(row), Some(column)]) = (shape, offset) else {
            return (count, true);
        };
        let first = row.saturating_mul(pitch).saturating_add(column);
        let last = (rows - 1).saturating_mul(pitch).saturating_add(first);
        let end = view.dtype.bytes_of(last.saturating_add(columns));
        let room = self.bytes(self.program.buffer(view.buffer));
        let is_inside = row >= 0 && column >= 0 && room.is_none_or(|room| end <= room);
        let is_aligned = count == 1 || view.dtype.bytes_of(first) % BLOCK_BYTES == 0;
        (count, is_inside && is_aligned)
    }

    /// Returns the elements of a view, whether they may exist, and whether they are whole blocks.
    fn global(&mut self, view: &GlobalView) -> (i64, bool, bool) {
        let mut count = 1_i64;
        for axis in &view.axes {
            let [start, span] = [axis.start, axis.span].map(|id| self.int(id));
            let end = start.unwrap_or(0).saturating_add(span.unwrap_or(1));
            let is_near = start.is_none_or(|start| start >= 0) && end <= MAX_EXTENT;
            if span.is_none_or(|span| span != 0) && (!is_near || span.is_some_and(|span| span < 0))
            {
                self.seen.faults[self.at] = true;
                return (0, false, true);
            }
            count = count.saturating_mul(span.unwrap_or(1));
        }
        let dtype = self.program.global(view.global).dtype;
        let is_whole = dtype.is_none_or(|dtype| dtype.bytes_of(count) % BLOCK_BYTES == 0);
        (count, true, is_whole)
    }

    /// Returns the bytes of one slot of a buffer.
    fn bytes(&mut self, buffer: &Buffer) -> Option<i64> {
        let [rows, columns] = buffer.shape.map(|id| self.int(id));
        let (rows, columns) = (rows?, columns?);
        if rows < 0 || columns < 0 {
            self.seen.faults[self.at] = true;
        }
        Some(buffer.dtype.bytes_of(rows.checked_mul(columns)?))
    }

    /// Returns the bytes of buffers in UB that the device does not have.
    fn excess(&mut self, launch: &BoundLaunch) -> i64 {
        let program = self.program;
        let used = program
            .buffers
            .iter()
            .filter(|buffer| buffer.position == Position::Ub)
            .filter_map(|buffer| {
                let bytes = self.bytes(buffer)?;
                Some(bytes.saturating_mul(i64::from(buffer.slots)))
            })
            .fold(0_i64, i64::saturating_add);
        (used - launch.device.memories.ub.bytes).max(0)
    }
}
