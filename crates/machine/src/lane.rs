//! One lane: walks the statement tree and issues instructions.
//!
//! The walk is explicit (a stack of blocks, no recursion), so a lane can stop at a wait and go on
//! later. Scalars are evaluated when an instruction is issued. A wait that a pipe cannot pass yet
//! does not stop the lane, as on silicon: the pipe stalls, what is issued to it is put aside, and
//! it catches up when the event arrives. Waits of the scalar unit and flags between lanes stop
//! the lane.

use std::sync::Arc;

use super::access::Site;
use super::allocate::AllocationError;
use super::delays::Delays;
use super::description::Text;
use super::lane_id::LaneId;
use super::observer::{SyncOp, Token};
use super::operation::Work;
use super::outcome::Illegality;
use super::outcome::{Refusal, Waiting};
use super::resolve::Resolver;
use super::sanitizer::FindingKind;
use super::scalars::Environment;
use super::setup::{Following, Setup};
use super::shared_state::ObservedState;
use super::signals::{EventRef, Events};
use super::stalls::{Deferred, PipeSet, Stalls};
use super::unit_flags::UnitFlags;
use super::value::{Absence, Value};
use super::vector::{Taken, VectorMask};
use a2lint_ir::sync::{Route, pipe_of, side_of};
use a2lint_ir::{AtomicKind, Branch, Instr, ScalarId, Stmt, StmtKind, VariableId};
use a2lint_isa::{Class, Pipe, Side, Unit};

/// One lane of one core.
#[derive(Clone)]
pub struct Lane<'p> {
    /// The lane's identity.
    pub id: LaneId,
    pub(super) setup: Arc<Setup<'p>>,
    pub(super) environment: Environment<'p>,
    pub(super) mask: VectorMask,
    /// How many records of each queue the last merge has taken; `None` if it does not say.
    pub(super) taken: Option<Taken>,
    pub(super) events: Events,
    frames: Vec<Frame<'p>>,
    /// The iteration numbers of the loops being executed, outermost first.
    pub(super) iterations: Vec<i64>,
    atomic: Option<AtomicKind>,
    pub(super) stalls: Stalls<'p>,
    /// The delays of pipes, in a run whose order is drawn.
    pub(super) delays: Delays,
    /// Whether HF32 is on, in which the device rounds the operands of float products.
    pub(super) hf32: bool,
    /// The unit flags of L0C.
    pub(super) unit_flags: UnitFlags,
    /// Number of free tokens of mutexes that were collected at the end of the kernel, over all mutexes.
    pub(super) collected: usize,
    /// Number of executions of watched statements so far, by statement.
    pub(super) executions: Vec<u64>,
}

/// The result of a step of a lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Something was executed.
    Advanced,
    /// Nothing can be executed before the lane has waited for this.
    Blocked(Waiting),
    /// The kernel is over.
    Finished,
}

/// The reason why a run ends in the middle of a lane.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Halt {
    /// A statement cannot be executed.
    Refused(Refusal),
    /// The observer asked for it.
    Stopped,
}

/// A statement list being executed.
#[derive(Clone)]
struct Frame<'p> {
    block: &'p [Stmt],
    next: usize,
    kind: FrameKind,
}

#[derive(Clone, Debug)]
enum FrameKind {
    Plain,
    Loop {
        variable: VariableId,
        current: i64,
        stop: i64,
        step: i64,
    },
    AutoSync,
    /// The atomic operation outside of the scope.
    Atomic(Option<AtomicKind>),
}

impl<'p> Lane<'p> {
    /// Creates a lane before its first statement.
    pub fn new(setup: &Arc<Setup<'p>>, id: LaneId) -> Lane<'p> {
        let program = setup.program;
        Lane {
            id,
            setup: Arc::clone(setup),
            environment: match setup.options.following {
                Following::Nothing => Environment::new(program, setup.launch, &setup.depends, id),
                _ => Environment::new(program, setup.launch, &setup.depends, id).followed(),
            },
            mask: VectorMask::default(),
            taken: None,
            events: Events::new(program),
            frames: vec![Frame {
                block: &program.body,
                next: 0,
                kind: FrameKind::Plain,
            }],
            iterations: Vec::new(),
            atomic: None,
            stalls: Stalls::default(),
            delays: Delays::of(setup.options.stepping, id),
            hf32: false,
            unit_flags: UnitFlags::of(setup.program),
            collected: 0,
            executions: Vec::new(),
        }
    }

    /// Returns the statement that is executed next.
    pub fn statement(&self) -> Option<&'p Stmt> {
        let frame = self.frames.last()?;
        frame.block.get(frame.next)
    }

    /// Returns the iteration numbers of the loops being executed, outermost first.
    pub fn iterations(&self) -> &[i64] {
        &self.iterations
    }

    /// Hashes all state that decides how the lane goes on.
    pub(super) fn describe(&self, text: &mut Text) {
        text.write(&self.environment.values());
        text.write(&(&self.mask, self.taken));
        text.write(&self.events);
        for frame in &self.frames {
            text.write(&(frame.next, &frame.kind));
        }
        text.write(&(&self.iterations, self.atomic, self.hf32, self.collected));
        text.write(&self.unit_flags);
        for item in self.stalls.iter() {
            text.write(&(item.stmt.id, item.pipe, &item.iterations));
        }
    }

    /// Executes one statement, or finds that the lane has to wait.
    pub fn step(&mut self, shared: &mut ObservedState) -> Result<Step, Halt> {
        let Some(frame) = self.frames.last() else {
            // Delayed work first: what `finish` waits for may be set by it.
            return match self.settle(shared)? {
                true => Ok(Step::Advanced),
                false => Ok(self.finish(shared)),
            };
        };
        let Some(stmt) = frame.block.get(frame.next) else {
            self.leave(shared);
            return Ok(Step::Advanced);
        };
        self.execute(stmt, shared)
    }

    fn execute(&mut self, stmt: &'p Stmt, shared: &mut ObservedState) -> Result<Step, Halt> {
        match &stmt.kind {
            StmtKind::Instr(instr) => return self.instruction(stmt, instr, shared),
            StmtKind::Assign { variable, value } => {
                self.environment.assign_scalar(*variable, *value);
                if self.setup.program.scalars.is_check(*value)
                    && let Err(absence @ Absence::Fault(_)) = self.environment.int(*value)
                {
                    return self.absent(stmt, absence, shared);
                }
            }
            StmtKind::Loop {
                variable,
                start,
                stop,
                step,
                body,
            } => {
                if !self.skips(stmt) {
                    let bounds = [*start, *stop, *step];
                    return self.enter_loop(stmt, *variable, bounds, body, shared);
                }
            }
            StmtKind::If { arms, otherwise } => {
                if !self.skips(stmt) {
                    return self.branch(stmt, arms, otherwise, shared);
                }
            }
            StmtKind::AutoSync { body, .. } => {
                shared
                    .monitor
                    .observer
                    .synchronise(&self.site(stmt), &SyncOp::EnterAutoSync);
                self.delays.pass_region();
                self.enter(body, FrameKind::AutoSync);
                return Ok(Step::Advanced);
            }
            StmtKind::Scope { side, body } => {
                if *side == Side::Both || *side == self.id.kind.side() {
                    self.enter(body, FrameKind::Plain);
                    return Ok(Step::Advanced);
                }
            }
            StmtKind::Atomic { kind, body } => {
                let outside = self.atomic.replace(*kind);
                self.enter(body, FrameKind::Atomic(outside));
                return Ok(Step::Advanced);
            }
            StmtKind::Break => {
                self.leave_until_loop(shared);
                if let Some(frame) = self.frames.pop() {
                    self.close(frame);
                }
                return Ok(Step::Advanced);
            }
            StmtKind::Continue => {
                self.leave_until_loop(shared);
                // At the end of its block, `leave` begins the next iteration of the loop.
                if let Some(frame) = self.frames.last_mut() {
                    frame.next = frame.block.len();
                }
                return Ok(Step::Advanced);
            }
            StmtKind::Havoc(views) => shared.havoc(self, views),
            StmtKind::UnknownLoop { .. } => {
                let reason = "the number of iterations is not known".to_owned();
                return Ok(self.leave_out(stmt, reason, shared));
            }
            StmtKind::Opaque => {
                shared.monitor.doubt(stmt.id, || {
                    "code that could not be evaluated ran here".into()
                });
                // The code may have set any mask: the default is assumed, and the doubt above says so.
                self.mask.reset_mask();
                shared.unseen(&self.site(stmt), true);
            }
        }
        self.advance();
        Ok(Step::Advanced)
    }

    /// Returns whether the lane is inside of `auto_sync`.
    pub(super) fn is_synchronised(&self) -> bool {
        let mut frames = self.frames.iter();
        frames.any(|frame| matches!(frame.kind, FrameKind::AutoSync))
    }

    fn skips(&self, stmt: &Stmt) -> bool {
        self.setup.relevance.skips(self.id.kind.side(), stmt)
    }

    pub(super) fn site<'s>(&'s self, stmt: &Stmt) -> Site<'s> {
        Site {
            stmt: stmt.id,
            lane: self.id,
            iterations: &self.iterations,
        }
    }

    fn refuse(&self, stmt: &Stmt, reason: String, absence: Option<Absence>) -> Halt {
        Halt::Refused(Refusal {
            stmt: Some(stmt.id),
            lane: Some(self.id),
            reason,
            fault: absence.and_then(Absence::fault),
            unset: absence.and_then(Absence::unset),
            unplaced: None,
        })
    }

    /// Ends the run at a statement that uses a buffer that does not fit.
    fn refuse_buffer(&self, stmt: &Stmt, unfit: AllocationError) -> Halt {
        Halt::Refused(Refusal {
            stmt: Some(stmt.id),
            lane: Some(self.id),
            reason: unfit.message(self.setup.program),
            fault: None,
            unset: None,
            unplaced: Some(unfit),
        })
    }

    /// Handles a control statement whose header has no value: it is left out if the value is merely unknown.
    fn absent(
        &mut self,
        stmt: &'p Stmt,
        absence: Absence,
        shared: &mut ObservedState,
    ) -> Result<Step, Halt> {
        let reason = absence.reason(self.setup.program);
        match absence {
            Absence::Unknown => Ok(self.leave_out(stmt, reason, shared)),
            _ => Err(self.refuse(stmt, reason, Some(absence))),
        }
    }

    /// Leaves out a statement, and continues as if it could have done anything that it may do: the contents
    /// of what it writes and assigns become unknown.
    fn leave_out(&mut self, stmt: &'p Stmt, reason: String, shared: &mut ObservedState) -> Step {
        shared.monitor.doubt(stmt.id, || reason);
        let mut left = stmt;
        if stmt.leaves_iteration() {
            // Whether the surrounding loop goes on after this statement is unknown, so the rest of the loop
            // is left out with it.
            self.leave_until_loop(shared);
            if let Some(frame) = self.frames.pop() {
                self.close(frame);
            }
            // `enter` has advanced past the loop, so it is the statement before the next one.
            if let Some(around) = self.statement_before() {
                left = around;
            }
        } else {
            self.advance();
        }
        let mut signals = false;
        left.walk(&mut |stmt| signals |= self.lose(stmt, shared));
        shared.unseen(&self.site(stmt), signals);
        Step::Advanced
    }

    /// Returns the statement that was entered or executed last.
    fn statement_before(&self) -> Option<&'p Stmt> {
        let frame = self.frames.last()?;
        frame.block.get(frame.next.checked_sub(1)?)
    }

    /// Makes everything unknown that a statement would have changed; returns whether it may signal or wait.
    fn lose(&mut self, stmt: &Stmt, shared: &mut ObservedState) -> bool {
        let unknown = Value::Absent(Absence::Unknown);
        // Statements that are left out count as well: a loop around them has to exhaust the budget at some
        // time.
        shared.tally.work += 1;
        match &stmt.kind {
            StmtKind::Assign { variable, .. } | StmtKind::Loop { variable, .. } => {
                self.environment.assign(*variable, unknown);
            }
            StmtKind::Havoc(views) => shared.havoc(self, views),
            StmtKind::Instr(instr) => {
                let operands = instr.operands();
                for (_, _, view) in operands.filter(|(_, operand, _)| operand.access.writes()) {
                    shared.havoc(self, std::slice::from_ref(view));
                }
                if let Some(id) = instr.reads_into() {
                    self.environment.assign(id, unknown);
                }
                self.unit_flags.lose();
                match instr.row().class {
                    Class::Mask => self.mask.reset_mask(),
                    Class::Sort => self.taken = None,
                    _ => {}
                }
                return matches!(
                    instr.row().class,
                    Class::Event | Class::CrossFlag | Class::Mutex
                );
            }
            StmtKind::Opaque => return true,
            _ => {}
        }
        false
    }

    fn advance(&mut self) {
        if let Some(frame) = self.frames.last_mut() {
            frame.next += 1;
        }
    }
}

/// Control flow.
impl<'p> Lane<'p> {
    fn enter(&mut self, block: &'p [Stmt], kind: FrameKind) {
        // Advances before it enters, so that leaving the block continues after the statement.
        self.advance();
        self.frames.push(Frame {
            block,
            next: 0,
            kind,
        });
    }

    fn enter_loop(
        &mut self,
        stmt: &'p Stmt,
        variable: VariableId,
        bounds: [ScalarId; 3],
        body: &'p [Stmt],
        shared: &mut ObservedState,
    ) -> Result<Step, Halt> {
        let mut values = [0; 3];
        self.environment.take_wrap();
        for (value, scalar) in values.iter_mut().zip(bounds) {
            match self.environment.int(scalar) {
                Ok(int) => *value = int,
                Err(absence) => return self.absent(stmt, absence, shared),
            }
            self.environment.follow(scalar);
        }
        self.report_wrap(stmt, shared);
        let [current, stop, step] = values;
        if continues(current, stop, step) {
            self.enter(
                body,
                FrameKind::Loop {
                    variable,
                    current,
                    stop,
                    step,
                },
            );
            self.iterations.push(0);
            self.environment.assign(variable, Value::Int(current));
        } else {
            self.advance();
        }
        Ok(Step::Advanced)
    }

    fn branch(
        &mut self,
        stmt: &'p Stmt,
        arms: &'p [Branch],
        otherwise: &'p [Stmt],
        shared: &mut ObservedState,
    ) -> Result<Step, Halt> {
        let mut chosen = otherwise;
        for arm in arms {
            let holds = self.environment.value(arm.condition).as_bool();
            self.environment.follow(arm.condition);
            match holds {
                Ok(false) => {}
                Ok(true) => {
                    chosen = &arm.body;
                    break;
                }
                Err(absence) => return self.absent(stmt, absence, shared),
            }
        }
        self.enter(chosen, FrameKind::Plain);
        Ok(Step::Advanced)
    }

    /// Ends an iteration of the innermost block: begins the next one, or leaves the block.
    fn leave(&mut self, shared: &mut ObservedState) {
        let Some(frame) = self.frames.last_mut() else {
            return;
        };
        if let FrameKind::Loop {
            variable,
            current,
            stop,
            step,
        } = &mut frame.kind
            // A counter that would overflow ends the loop.
            && let Some(next) = current.checked_add(*step)
            && continues(next, *stop, *step)
        {
            *current = next;
            frame.next = 0;
            let variable = *variable;
            if let Some(iteration) = self.iterations.last_mut() {
                *iteration += 1;
            }
            self.environment.assign(variable, Value::Int(next));
            return;
        }
        self.pop(shared);
    }

    /// Leaves the innermost block.
    fn pop(&mut self, shared: &mut ObservedState) {
        let Some(frame) = self.frames.pop() else {
            return;
        };
        if matches!(frame.kind, FrameKind::AutoSync) {
            self.delays.pass_region();
        }
        if matches!(frame.kind, FrameKind::AutoSync)
            && let Some(outer) = self.frames.last()
            && let Some(stmt) = outer.block.get(outer.next.wrapping_sub(1))
        {
            shared
                .monitor
                .observer
                .synchronise(&self.site(stmt), &SyncOp::LeaveAutoSync);
        }
        self.close(frame);
    }

    /// Undoes the effects of entering a block.
    fn close(&mut self, frame: Frame) {
        match frame.kind {
            FrameKind::Loop { .. } => {
                self.iterations.pop();
            }
            FrameKind::Atomic(outside) => self.atomic = outside,
            FrameKind::Plain | FrameKind::AutoSync => {}
        }
    }

    /// Leaves blocks until the innermost one is a loop.
    fn leave_until_loop(&mut self, shared: &mut ObservedState) {
        while let Some(frame) = self.frames.last()
            && !matches!(frame.kind, FrameKind::Loop { .. })
        {
            self.pop(shared);
        }
    }
}

pub(super) fn continues(current: i64, stop: i64, step: i64) -> bool {
    if step < 0 {
        current > stop
    } else {
        current < stop
    }
}

/// Instructions.
impl<'p> Lane<'p> {
    fn instruction(
        &mut self,
        stmt: &'p Stmt,
        instr: &'p Instr,
        shared: &mut ObservedState,
    ) -> Result<Step, Halt> {
        if self.is_foreign(instr) {
            self.pass_over(instr);
            self.advance();
            return Ok(Step::Advanced);
        }
        self.environment.take_wrap();
        let mut resolver = Resolver {
            setup: &self.setup,
            environment: &mut self.environment,
            instr,
            atomic: self.atomic,
            stood_in: false,
        };
        shared.monitor.seen.executed[stmt.id.index()] = true;
        let (work, stood_in) = (resolver.work(), resolver.stood_in);
        self.report_wrap(stmt, shared);
        let work = match work {
            Ok(work) => work,
            Err(unresolved) => {
                self.unit_flags.lose();
                // What the device does with such a length is unknown. Its results are taken as defined, so
                // that one mistake gives one finding.
                if let Some(length) = unresolved.negative() {
                    let reason = Illegality::NegativeLength(length);
                    shared.monitor.seen.illegal(stmt.id, reason);
                    shared.define_results(self, instr);
                    shared.unseen(&self.site(stmt), false);
                    self.advance();
                    return Ok(Step::Advanced);
                }
                let reason = unresolved.reason(self.setup.program, instr);
                if unresolved.is_unsupported() {
                    shared.monitor.doubt(stmt.id, || reason);
                    shared.define_results(self, instr);
                    // Handshakes that its accesses take part in are not seen either.
                    shared.unseen(&self.site(stmt), false);
                    self.advance();
                    return Ok(Step::Advanced);
                }
                if unresolved.is_unknown() {
                    return Ok(self.leave_out(stmt, reason, shared));
                }
                let unplaced = unresolved.unplaced();
                return Err(
                    match unplaced.and_then(|it| self.setup.allocation.on(self.id).unfit(it)) {
                        Some(unfit) => self.refuse_buffer(stmt, unfit),
                        None => self.refuse(stmt, reason, unresolved.absence()),
                    },
                );
            }
        };
        if stood_in {
            shared.monitor.doubt(stmt.id, || {
                "a number that could not be evaluated: 1 stands for it".to_owned()
            });
        }
        // After a doubt memory may hold other numbers than on the device, so none of them decides an address.
        let by_memory = matches!(instr.row().class, Class::Gather) || instr.reads_into().is_some();
        if by_memory && !shared.monitor.seen.doubts.is_empty() {
            let reason = "what memory holds is not known";
            return Ok(self.leave_out(stmt, reason.to_owned(), shared));
        }
        // What the instruction is given was looked at: a launch that it refuses is refused by every run.
        if shared.is_out_of_sight(stmt, instr) {
            self.unit_flags.lose();
            shared.tally.work += 1;
            self.advance();
            return Ok(Step::Advanced);
        }
        if let Work::SetFlag(_, id) | Work::WaitFlag(_, id) = work {
            let program = self.setup.program;
            if !(0..program.toolchain.flag_ids(program.device)).contains(&id) {
                let kind = FindingKind::FlagId(id);
                shared.monitor.report(&self.site(stmt), kind, None, None);
            }
        }
        let pipe = pipe_of(self.setup.program, instr);
        // The macro stages its operands on MTE1, so a stall of either pipe holds it up.
        let pipes = match instr.row().unit {
            Unit::CubeMacro => PipeSet::of(pipe).with(Pipe::Mte1),
            _ => PipeSet::of(pipe),
        };
        let deferred = Deferred {
            stmt,
            pipe,
            pipes,
            work,
            iterations: Vec::new(),
        };
        let has_settled = self.settle_before(&deferred, shared)?;
        match self.issue(deferred, shared)? {
            // What the lane waits for may be set by delayed work.
            Some(_) if has_settled || self.settle(shared)? => Ok(Step::Advanced),
            Some(waiting) => Ok(Step::Blocked(waiting)),
            None => {
                self.advance();
                Ok(Step::Advanced)
            }
        }
    }

    /// Returns whether the lane leaves a statement to the other side.
    pub fn passes_over(&self, stmt: &Stmt) -> bool {
        matches!(&stmt.kind, StmtKind::Instr(instr) if self.is_foreign(instr))
    }

    /// Returns whether an instruction is for the other side alone: because of its unit, or because it reads
    /// into a variable that only the other side needs.
    fn is_foreign(&self, instr: &Instr) -> bool {
        let mine = self.id.kind.side();
        match side_of(self.setup.program, instr) {
            Side::Both => instr
                .reads_into()
                .is_some_and(|id| self.setup.relevance.is_foreign(mine, id)),
            side => side != mine,
        }
    }

    /// Reports an integer that had wrapped when the statement used it.
    fn report_wrap(&mut self, stmt: &Stmt, shared: &mut ObservedState) {
        if let Some(wrap) = self.environment.take_wrap() {
            shared.report_wrap(&self.site(stmt), &wrap);
        }
    }

    /// Leaves an instruction to the other side; the variable that it reads into has no value here.
    fn pass_over(&mut self, instr: &Instr) {
        if let Some(id) = instr.reads_into() {
            let value = Value::Absent(Absence::OtherSide(id));
            self.environment.assign(id, value);
        }
    }

    /// Executes work, or queues it if its pipe is stalled; returns what the lane waits for if it has to stop.
    fn issue(
        &mut self,
        item: Deferred<'p>,
        shared: &mut ObservedState,
    ) -> Result<Option<Waiting>, Halt> {
        match item.work {
            Work::WaitFlag(route, id) => {
                return Ok(self.await_flag(item.stmt, item.pipe, route, id, shared));
            }
            // All later work follows this barrier, so nothing is issued before the stalled pipes have caught
            // up.
            Work::Barrier(Pipe::All) => {
                if let Some(waiting) = self.stalls.waiting() {
                    return Ok(Some(waiting));
                }
            }
            _ => {}
        }
        if self.stalls.holds(item.pipes) {
            self.put_aside(item, shared);
            return Ok(None);
        }
        if let Work::Wait(event) = item.work {
            if self.take_event(&item, event, shared) {
                return Ok(None);
            }
            // The scalar unit issues everything, so its wait stops the lane.
            if item.pipe == Pipe::S {
                // A set that a stalled pipe has not reached comes when that pipe goes on: what stalls it is the cause.
                let cause = self.stalls.waiting().filter(|_| self.stalls.sets(event));
                return Ok(Some(cause.unwrap_or(Waiting::Event(event))));
            }
            self.put_aside(item, shared);
            return Ok(None);
        }
        if self.delays.hold(&item) || !self.has_its_turn(&item) {
            self.put_aside(item, shared);
            return Ok(None);
        }
        self.perform(&item, shared)?;
        Ok(None)
    }

    /// Queues work that a pipe is not ready for. That counts as work, since the wait may never end.
    fn put_aside(&mut self, mut item: Deferred<'p>, shared: &mut ObservedState) {
        shared.tally.work += 1;
        item.iterations.clone_from(&self.iterations);
        self.stalls.push(item);
    }

    /// Executes work that nothing delays.
    fn perform(&mut self, item: &Deferred<'p>, shared: &mut ObservedState) -> Result<(), Halt> {
        match &item.work {
            Work::Unit(operation, atomic) => {
                self.operate(item, operation, *atomic, shared)?;
                match operation.turn() {
                    // The other pipe may be stalled by this flag.
                    Some(_) => self.catch_up(shared),
                    None => Ok(()),
                }
            }
            Work::Set(event) => {
                self.set_event(item, *event, shared);
                // Another pipe of the lane may be stalled by this event.
                self.catch_up(shared)
            }
            Work::SetAll(id) => {
                if !self.events.set_all(*id) {
                    shared.report_repeated_set(&self.site(item.stmt), EventRef::Event(*id));
                }
                self.catch_up(shared)
            }
            Work::Release(id) => {
                self.events.release(*id);
                Ok(())
            }
            Work::SetFlag(route, id) => {
                let site = self.site(item.stmt);
                shared.set_flag(&site, *route, *id, item.pipe);
                Ok(())
            }
            Work::Barrier(pipe) => {
                shared
                    .monitor
                    .observer
                    .synchronise(&self.site(item.stmt), &SyncOp::Barrier(*pipe));
                Ok(())
            }
            Work::Wait(_) | Work::WaitFlag(..) => Ok(()),
        }
    }

    /// Executes queued work, as far as events allow.
    pub(super) fn catch_up(&mut self, shared: &mut ObservedState) -> Result<(), Halt> {
        // Queued work keeps its order: an item whose pipe an earlier item holds is queued again.
        let mut stalls = std::mem::take(&mut self.stalls);
        let mut moved = !stalls.is_empty();
        while moved {
            moved = false;
            shared.tally.work += stalls.len() as u64;
            for item in stalls.take() {
                let done = !stalls.holds(item.pipes) && self.retry(&item, shared)?;
                moved |= done;
                if !done {
                    stalls.push(item);
                }
            }
            moved &= !stalls.is_empty();
        }
        self.stalls = stalls;
        Ok(())
    }

    /// Executes queued work, with the iterations in which it was issued. Returns `false` if it still has to
    /// wait.
    fn retry(&mut self, item: &Deferred<'p>, shared: &mut ObservedState) -> Result<bool, Halt> {
        let now = std::mem::replace(&mut self.iterations, item.iterations.clone());
        let result = match item.work {
            Work::Wait(event) => Ok(self.take_event(item, event, shared)),
            // Not through `perform`, which would go over the queue once more from inside of this pass.
            Work::Set(event) => {
                self.set_event(item, event, shared);
                Ok(true)
            }
            Work::Unit(ref operation, atomic) => match self.has_its_turn(item) {
                true => self.operate(item, operation, atomic, shared).map(|()| true),
                false => Ok(false),
            },
            _ => self.perform(item, shared).map(|()| true),
        };
        self.iterations = now;
        result
    }

    fn set_event(&mut self, item: &Deferred<'p>, event: EventRef, shared: &mut ObservedState) {
        let (slot, was_clear) = self.events.set(event, item.stmt.id);
        let site = self.site(item.stmt);
        let outlives = self.setup.program.toolchain.ids.outlive_kernels;
        let is_raw = matches!(event, EventRef::Raw(..));
        if !was_clear && (outlives || !is_raw) {
            shared.report_repeated_set(&site, event);
        }
        let operation = SyncOp::Set {
            token: token(event, slot),
            pipe: item.pipe,
        };
        shared.monitor.observer.synchronise(&site, &operation);
    }

    fn take_event(
        &mut self,
        item: &Deferred<'p>,
        event: EventRef,
        shared: &mut ObservedState,
    ) -> bool {
        let Some(slot) = self.events.take(event) else {
            return false;
        };
        let operation = SyncOp::Wait {
            token: token(event, slot),
            pipe: item.pipe,
        };
        shared
            .monitor
            .observer
            .synchronise(&self.site(item.stmt), &operation);
        true
    }

    fn await_flag(
        &mut self,
        stmt: &Stmt,
        pipe: Pipe,
        route: Route,
        id: i64,
        shared: &mut ObservedState,
    ) -> Option<Waiting> {
        if !shared
            .flags
            .take(route, id, self.id, self.setup.launch.cores_and_vec_lanes())
        {
            return Some(Waiting::Flag { route, id });
        }
        // A flag between cores orders the stores before it: they cannot clash with later ones. Those that the first
        // lane to leave makes afterwards still can, with stores of lanes that leave after it.
        if shared.flags.is_first_to_leave(route, id, self.id) {
            shared.chip.ownership.forget();
        }
        let operation = SyncOp::Wait {
            token: Token::Flag { route, id },
            pipe,
        };
        shared
            .monitor
            .observer
            .synchronise(&self.site(stmt), &operation);
        None
    }
}

fn token(event: EventRef, slot: u32) -> Token {
    match event {
        EventRef::Event(event) => Token::Event { event, slot },
        EventRef::Raw(src, dst, id) => Token::Raw { src, dst, id },
    }
}
