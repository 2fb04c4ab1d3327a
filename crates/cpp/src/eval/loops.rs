//! Loops: those whose iterations are known are evaluated one by one; others become loops of the program.
//!
//! An iteration by iteration evaluation that emits statements is kept only while it is short. A loop of the program
//! counts where its header is that of a counting loop and the body leaves the counter and the bounds alone; any other
//! one runs for ever and is left where its condition does not hold.
//!
//! A counting loop of the program counts whole numbers, and C++ wraps. Counters of 8 and 16 bits, whose end is near,
//! count only where the bound is known to fit. Wider ones count always: a signed overflow is undefined behaviour, and
//! `ControlFacts::may_wrap` of the analysis finds unsigned counters that step past the end of their type.

use a2lint_ir::{self as ir, ENDLESS, ScalarId, StmtKind};
use rustc_hash::FxHashSet;

use super::Eval;
use super::blocks::State;
use super::branches::known_truth;
use super::calls::has_return;
use super::exits::{Exit, Exits, Flow};
use super::frame::{LoopFrame, OpenScope, inner_path};
use super::types::IntType;
use super::values::{CellId, IntValue, Value};
use crate::library::Evaluated;
use crate::syntax::ast::{BinaryOp, Expr, ExprKind, For, Stmt, StmtKind as Ast};

/// Maximum number of iterations of a loop that emits statements and is still unrolled.
const UNROLLED: u32 = 16;
/// The same maximum for a loop whose body needs its counter as a constant.
const UNROLLED_FOR_CONSTANTS: u32 = 512;
/// Maximum number of iterations of an unrolled loop that some, but not all paths leave.
const SHORT: u32 = 4;

/// A `for`, `while` or `do` loop in one form.
#[derive(Clone, Copy)]
pub(super) struct Loop<'u> {
    pub stmt: &'u Stmt,
    pub condition: Option<&'u Expr>,
    pub step: Option<&'u Expr>,
    pub body: &'u Stmt,
    /// Whether the condition is not tested before the first iteration (`do`).
    pub body_first: bool,
}

/// The result of unrolling a loop.
enum Unrolled {
    Done(Flow),
    /// The number of iterations is unknown or too large; the caller rolls back their effects.
    GivenUp,
}

/// How a loop was evaluated; the next evaluation of the same loop starts with the same strategy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LoopStrategy {
    /// As a loop of the program.
    Counted,
    /// Iteration by iteration, since its body needs its counter as a constant.
    Unrolled,
}

/// The header of a counting loop.
pub(super) struct Counting<'u> {
    pub counter: CellId,
    pub of: IntType,
    pub start: IntValue,
    pub stop: ScalarId,
    pub step: ScalarId,
    /// The rest of the step, evaluated after each iteration: `j += 2` of `i++, j += 2`.
    pub others: Option<&'u Expr>,
    /// The cells that bound and step were read from; the body must not change them.
    pub reads: FxHashSet<CellId>,
}

impl<'u> Eval<'u> {
    /// Evaluates `for (init; condition; step) body`.
    pub(crate) fn for_loop(&mut self, stmt: &'u Stmt, header: &'u For) -> Evaluated<Flow> {
        let scope = self.frame.open_scope();
        if let Some(init) = &header.init {
            self.statements(std::slice::from_ref(init))?;
        }
        let flow = self.any_loop(Loop {
            stmt,
            condition: header.condition.as_ref(),
            step: header.step.as_ref(),
            body: &header.body,
            body_first: false,
        })?;
        self.end_scope(scope, flow)
    }

    /// Evaluates `while (condition) body`.
    pub(crate) fn while_loop(
        &mut self,
        stmt: &'u Stmt,
        condition: &'u Expr,
        body: &'u Stmt,
    ) -> Evaluated<Flow> {
        self.any_loop(Loop {
            stmt,
            condition: Some(condition),
            step: None,
            body,
            body_first: false,
        })
    }

    /// Evaluates `do body while (condition);`.
    pub(crate) fn do_while(
        &mut self,
        stmt: &'u Stmt,
        body: &'u Stmt,
        condition: &'u Expr,
    ) -> Evaluated<Flow> {
        self.any_loop(Loop {
            stmt,
            condition: Some(condition),
            step: None,
            body,
            body_first: true,
        })
    }

    fn any_loop(&mut self, of: Loop<'u>) -> Evaluated<Flow> {
        let broken = self.flag()?;
        let owned = self.frame.owned.len();
        self.frame.loops.push(LoopFrame::new(broken, owned));
        let flow = self.loop_in_frame(of)?;
        let flow = self.consumed(flow, Exit::Break)?;
        self.frame.loops.pop();
        Ok(flow)
    }

    fn loop_in_frame(&mut self, of: Loop<'u>) -> Evaluated<Flow> {
        // The request for constants concerns this loop first; if it cannot be met here, it passes to the enclosing
        // loop.
        let outer_wants = std::mem::take(&mut self.wants_constants);
        let key = (of.stmt.id.0, self.path);
        let strategy = self.loop_strategies.get(&key).copied();
        let state = self.state();
        let scope = self.frame.open_scope();
        let mut done = None;
        if strategy.is_none() {
            done = self.unrolled_or_undone(of, UNROLLED, (&state, scope))?;
        }
        if done.is_none() && strategy != Some(LoopStrategy::Unrolled) {
            // Recorded before the body is evaluated, since the body may end the evaluation of the enclosing blocks.
            self.loop_strategies.insert(key, LoopStrategy::Counted);
            self.wants_constants = false;
            let flow = self.program_loop(of)?;
            if self.wants_constants {
                self.loop_strategies.insert(key, LoopStrategy::Unrolled);
                self.roll_back(&state);
                self.close_scope(scope, true)?;
            } else {
                done = Some(flow);
            }
        }
        if done.is_none() {
            done = self.unrolled_or_undone(of, UNROLLED_FOR_CONSTANTS, (&state, scope))?;
        }
        self.leave_state(&state);
        let flow = match done {
            Some(flow) => flow,
            None => self.program_loop(of)?,
        };
        self.wants_constants |= outer_wants;
        Ok(flow)
    }

    /// Unrolls a loop iteration by iteration; returns `None` and undoes the evaluation if the number of iterations is
    /// unknown or too large.
    fn unrolled_or_undone(
        &mut self,
        of: Loop<'u>,
        limit: u32,
        (state, scope): (&State, OpenScope),
    ) -> Evaluated<Option<Flow>> {
        if let Unrolled::Done(flow) = self.unrolled(of, limit)? {
            return Ok(Some(flow));
        }
        self.roll_back(state);
        self.close_scope(scope, true)?;
        Ok(None)
    }

    /// Returns how many iterations of a counting loop are left, where that is known.
    fn iterations_left(&mut self, of: Loop<'u>) -> Evaluated<Option<i64>> {
        let counting = self.dry(|eval| eval.counting(of))?;
        Ok(counting.and_then(|counting| {
            let scalars = &self.builder.program.scalars;
            let (stop, step) = (
                scalars.as_int(counting.stop)?,
                scalars.as_int(counting.step)?,
            );
            match counting.start {
                IntValue::Known(start) => ir::trip_count(i64::try_from(start).ok()?, stop, step),
                IntValue::Scalar(_) => None,
            }
        }))
    }

    /// Evaluates a loop iteration by iteration; gives up after `limit` iterations if they emit statements.
    fn unrolled(&mut self, of: Loop<'u>, limit: u32) -> Evaluated<Unrolled> {
        let path = self.path;
        let emitted = self.builder.program.stmt_count;
        let result = self.iterations(of, 0, limit, emitted);
        self.path = path;
        result
    }

    fn iterations(
        &mut self,
        of: Loop<'u>,
        first: u32,
        limit: u32,
        emitted: u32,
    ) -> Evaluated<Unrolled> {
        let path = self.path;
        let mut at = first;
        loop {
            self.step()?;
            self.path = inner_path(path, (of.stmt.id.0, at));
            if !(of.body_first && at == 0)
                && let Some(condition) = of.condition
            {
                match self.loop_condition(condition)? {
                    Value::Int(_, IntValue::Known(0)) => break,
                    Value::Int(_, IntValue::Known(_)) => {}
                    _ => return Ok(Unrolled::GivenUp),
                }
            }
            // A loop without emitted statements is evaluated however long it is: kernels compute constant tables this
            // way.
            let emits = self.builder.program.stmt_count != emitted;
            if at >= limit && emits {
                return Ok(Unrolled::GivenUp);
            }
            let flow = self.iteration(of)?;
            match flow {
                Flow::Normal => {}
                Flow::Left(_) => {
                    self.path = path;
                    return Ok(Unrolled::Done(flow));
                }
                Flow::Partly(goes_on, exits) => {
                    // Each iteration after this one is nested in a branch of the program: as a loop of the program they
                    // are simpler.
                    let is_short = at < SHORT
                        && self
                            .iterations_left(of)?
                            .is_some_and(|left| left <= i64::from(SHORT));
                    let is_forced = limit == UNROLLED_FOR_CONSTANTS && at < UNROLLED;
                    if !is_short && !is_forced {
                        return Ok(Unrolled::GivenUp);
                    }
                    let key = (of.stmt.id.0, 5, self.path);
                    let mut gave_up = false;
                    let flow = self.guarded(key, (goes_on, exits), |eval| {
                        eval.run_step(of)?;
                        match eval.nested(|eval| eval.iterations(of, at + 1, limit, emitted))? {
                            Unrolled::Done(flow) => Ok(flow),
                            Unrolled::GivenUp => {
                                gave_up = true;
                                Ok(Flow::Normal)
                            }
                        }
                    })?;
                    self.path = path;
                    return Ok(match gave_up {
                        true => Unrolled::GivenUp,
                        false => Unrolled::Done(flow),
                    });
                }
            }
            self.run_step(of)?;
            at += 1;
            // One iteration tells that the loop emits statements; then its length decides.
            let emits = self.builder.program.stmt_count != emitted;
            if at == 1 && emits && !may_leave(of.body) {
                let left = self.iterations_left(of)?;
                if left.is_some_and(|left| left >= i64::from(limit)) {
                    return Ok(Unrolled::GivenUp);
                }
            }
        }
        self.path = path;
        Ok(Unrolled::Done(Flow::Normal))
    }

    fn run_step(&mut self, of: Loop<'u>) -> Evaluated<()> {
        if let Some(step) = of.step {
            let temporaries = self.temporaries.len();
            self.stand_at(of.stmt.span);
            self.expr(step)?;
            self.end_expression(temporaries)?;
        }
        Ok(())
    }

    /// Evaluates the body once; `continue` ends it.
    pub(super) fn iteration(&mut self, of: Loop<'u>) -> Evaluated<Flow> {
        let continued = self.flag()?;
        if let Some(frame) = self.frame.loops.last_mut() {
            frame.continued = Some(continued);
        }
        let flow = self.arm(of.body)?;
        self.consumed(flow, Exit::Continue)
    }

    fn loop_condition(&mut self, condition: &'u Expr) -> Evaluated<Value> {
        let temporaries = self.temporaries.len();
        let operand = self.expr(condition)?;
        let value = self.condition_of(operand, condition.span)?;
        self.end_expression(temporaries)?;
        Ok(value)
    }

    /// Evaluates a loop as a loop of the program: a counting loop if the body changes neither the counter nor the
    /// bounds, and else a loop that a flag ends.
    fn program_loop(&mut self, of: Loop<'u>) -> Evaluated<Flow> {
        let state = self.state();
        let scope = self.frame.open_scope();
        if let Some(counting) = self.counting(of)? {
            let flow = self.counting_loop(of, &counting)?;
            if let Some(flow) = flow {
                self.leave_state(&state);
                return Ok(flow);
            }
        }
        self.roll_back(&state);
        self.close_scope(scope, true)?;
        self.leave_state(&state);
        self.general_loop(of)
    }

    /// Evaluates a counting loop; `None` where its body changes the counter or the bounds.
    fn counting_loop(&mut self, of: Loop<'u>, counting: &Counting<'u>) -> Evaluated<Option<Flow>> {
        let (name, name_span) = self.label(counting.counter);
        let key = self.statement_key(of.stmt.id, 4);
        // The counter is itself a variable of the program, so writing its cell does not count as a change of the block.
        let result = self.settled(key, |eval| {
            eval.stand_at(of.stmt.span);
            let start = eval.int_scalar(counting.start);
            let bounds = [start, counting.stop, counting.step];
            let scalar = counting.of.scalar();
            let open = eval.builder.open_loop_of(scalar, &name, name_span, bounds);
            let variable = open.counter();
            let (exits, reads) = eval.in_block(true, |eval| {
                // The counter is constant within an iteration: no temporary has to capture it.
                let value = eval.builder.read(variable);
                let value = Value::Int(counting.of, IntValue::Scalar(value));
                eval.memory.set(counting.counter, value, false);
                let exits = eval.body_of_program(of)?;
                let reads = match counting.others {
                    Some(others) => eval.reads_of(others, of)?,
                    None => FxHashSet::default(),
                };
                Ok((exits, reads))
            })?;
            let changes = eval.changes_of_block();
            // If the rest of the step reads the counter, it matters whether the counter is stepped before or after it.
            let is_left_alone = !changes.contains(&counting.counter)
                && !reads.contains(&counting.counter)
                && counting.reads.iter().all(|read| !changes.contains(read));
            eval.builder.close_loop(open)?;
            Ok((is_left_alone, exits))
        });
        let (is_left_alone, exits) = result?;
        match is_left_alone {
            true => self.after_loop(exits).map(Some),
            false => Ok(None),
        }
    }

    /// Evaluates a part of the header after an iteration; returns the cells that it reads.
    fn reads_of(&mut self, part: &'u Expr, of: Loop<'u>) -> Evaluated<FxHashSet<CellId>> {
        let before = self.reads.replace(FxHashSet::default());
        let step = Loop {
            step: Some(part),
            ..of
        };
        let result = self.run_step(step);
        let reads = std::mem::replace(&mut self.reads, before).unwrap_or_default();
        result.map(|()| reads)
    }

    /// Evaluates the body of a loop of the program; returns the exits through which it is left beside its end.
    fn body_of_program(&mut self, of: Loop<'u>) -> Evaluated<Exits> {
        let own = self.own_block();
        if let Some(frame) = self.frame.loops.last_mut() {
            frame.is_device = true;
            frame.blocks = own;
            frame.returns = false;
        }
        let flow = self.iteration(of)?;
        self.stand_at(of.stmt.span);
        let mut exits = flow.exits();
        // A `break` of the program skips the end of the block, where variables are normally assigned.
        if !matches!(flow, Flow::Normal) {
            self.flush_from(own)?;
        }
        match flow {
            Flow::Normal => {}
            Flow::Left(exits) if exits.is_empty() => {}
            Flow::Left(_) => self.builder.emit(StmtKind::Break)?,
            Flow::Partly(goes_on, _) => {
                let left = self.negated(goes_on);
                let body = self.single(StmtKind::Break)?;
                self.emit_branch(left, of.stmt.span, body, Vec::new())?;
            }
        }
        if let Some(frame) = self.frame.loops.last_mut() {
            frame.is_device = false;
            if std::mem::take(&mut frame.returns) {
                exits = exits.and(Exits::of(Exit::Return));
            }
        }
        Ok(exits.without(Exit::Break))
    }

    /// Returns the number of the block of the current loop.
    fn own_block(&self) -> usize {
        self.blocks.len().saturating_sub(1)
    }

    /// Returns a block with one statement.
    fn single(&mut self, kind: StmtKind) -> Evaluated<Vec<ir::Stmt>> {
        self.builder.open_device_block();
        self.builder.emit(kind)?;
        Ok(self.builder.close_device_block())
    }

    fn after_loop(&mut self, exits: Exits) -> Evaluated<Flow> {
        match exits.is_empty() {
            true => Ok(Flow::Normal),
            false => self.flow_by_flags(exits),
        }
    }

    /// Evaluates any loop as one of the program that its condition leaves.
    fn general_loop(&mut self, of: Loop<'u>) -> Evaluated<Flow> {
        let key = self.statement_key(of.stmt.id, 6);
        let exits = self.settled(key, |eval| {
            eval.stand_at(of.stmt.span);
            // Programs have only counting loops: a loop that a condition ends counts to an unreachable bound.
            let [start, stop, step] = [0, ENDLESS, 1].map(|number| eval.builder.int(number));
            let span = of.stmt.span;
            let scalar = IntType::Long.scalar();
            let open = eval
                .builder
                .open_loop_of(scalar, "", span, [start, stop, step]);
            let exits = eval.in_block(true, |eval| {
                if !of.body_first {
                    eval.leave_unless(of)?;
                }
                let exits = eval.body_of_program(of)?;
                eval.run_step(of)?;
                if of.body_first {
                    eval.leave_unless(of)?;
                }
                Ok(exits)
            })?;
            eval.builder.close_loop(open)?;
            Ok(exits)
        })?;
        self.after_loop(exits)
    }

    /// Leaves the loop of the program where the condition does not hold.
    fn leave_unless(&mut self, of: Loop<'u>) -> Evaluated<()> {
        let Some(condition) = of.condition else {
            return Ok(());
        };
        let value = self.loop_condition(condition)?;
        self.flush_from(self.own_block())?;
        match known_truth(&value) {
            Some(true) => {}
            // The statements after it are dead, but are evaluated for their declarations.
            Some(false) => self.builder.emit(StmtKind::Break)?,
            None => {
                let holds = self.number_scalar(&value);
                let left = self.negated(holds);
                let body = self.single(StmtKind::Break)?;
                self.emit_branch(left, condition.span, body, Vec::new())?;
            }
        }
        Ok(())
    }
}

/// Returns whether a statement may leave the loop whose body it is, judged by its syntax.
fn may_leave(stmt: &Stmt) -> bool {
    let in_block = |block: &[Stmt]| block.iter().any(may_leave);
    match &stmt.kind {
        Ast::Break | Ast::Return(_) | Ast::Unknown(_) => true,
        Ast::Block(block) => in_block(block),
        Ast::If(branch) => {
            may_leave(&branch.then) || branch.otherwise.as_ref().is_some_and(may_leave)
        }
        // `break` leaves these themselves.
        Ast::Switch(switch) => switch
            .groups
            .iter()
            .any(|group| group.body.iter().any(may_return)),
        Ast::For(header) => may_return(&header.body),
        Ast::RangeFor(header) => may_return(&header.body),
        Ast::While(_, body) | Ast::DoWhile(body, _) => may_return(body),
        _ => false,
    }
}

fn may_return(stmt: &Stmt) -> bool {
    match &stmt.kind {
        Ast::Unknown(_) => true,
        _ => has_return(stmt),
    }
}

/// Returns the name of the only variable that the header of a loop declares.
pub(super) fn declared_counter(header: &For) -> Option<&str> {
    match &header.init.as_ref()?.kind {
        Ast::Variables(variables) => match variables.as_slice() {
            [only] => Some(&only.name),
            _ => None,
        },
        _ => None,
    }
}

fn is_name(expr: &Expr, name: &str) -> bool {
    match &expr.kind {
        ExprKind::Path(path) => match path.segments.as_slice() {
            [only] => !path.is_absolute && &*only.name == name,
            _ => false,
        },
        _ => false,
    }
}

/// The condition of a counting loop: `counter < bound`, or `counter * factor < bound`.
pub(super) struct Compared<'u> {
    pub op: BinaryOp,
    pub bound: &'u Expr,
    pub factor: Option<&'u Expr>,
}

/// Recognises the condition of a counting loop, also with its sides swapped.
pub(super) fn compared<'u>(condition: &'u Expr, name: &str) -> Option<Compared<'u>> {
    let ExprKind::Binary(op, a, b) = &condition.kind else {
        return None;
    };
    let turned = match op {
        BinaryOp::Lt => BinaryOp::Gt,
        BinaryOp::Le => BinaryOp::Ge,
        BinaryOp::Gt => BinaryOp::Lt,
        BinaryOp::Ge => BinaryOp::Le,
        BinaryOp::Ne => BinaryOp::Ne,
        _ => return None,
    };
    let of = |own: &'u Expr, op: BinaryOp, bound: &'u Expr| {
        if is_name(own, name) {
            return Some(Compared {
                op,
                bound,
                factor: None,
            });
        }
        let factor = multiplied(own, name)?;
        Some(Compared {
            op,
            bound,
            factor: Some(factor),
        })
    };
    of(a, *op, b).or_else(|| of(b, turned, a))
}

/// Recognises `counter * factor` and `factor * counter`, and returns the factor.
fn multiplied<'u>(expr: &'u Expr, name: &str) -> Option<&'u Expr> {
    match &expr.kind {
        ExprKind::Binary(BinaryOp::Mul, a, b) if is_name(a, name) => Some(b),
        ExprKind::Binary(BinaryOp::Mul, a, b) if is_name(b, name) => Some(a),
        _ => None,
    }
}

/// The step of a counting loop.
pub(super) struct Stepped<'u> {
    /// By how much it changes the counter; `None` for 1.
    pub by: Option<&'u Expr>,
    /// Whether that is subtracted.
    pub is_negative: bool,
    /// The other operand of its comma operator.
    pub others: Option<&'u Expr>,
}

/// Recognises `++counter`, `counter += step` and `counter = counter + step`, alone or beside a comma.
pub(super) fn stepped<'u>(step: &'u Expr, name: &str) -> Option<Stepped<'u>> {
    let alone = |by: Option<&'u Expr>, is_negative: bool| {
        Some(Stepped {
            by,
            is_negative,
            others: None,
        })
    };
    match &step.kind {
        ExprKind::Step {
            target,
            is_increment,
            ..
        } if is_name(target, name) => alone(None, !is_increment),
        ExprKind::Assign(target, Some(op), by) if is_name(target, name) => match op {
            BinaryOp::Add => alone(Some(by), false),
            BinaryOp::Sub => alone(Some(by), true),
            _ => None,
        },
        ExprKind::Assign(target, None, value) if is_name(target, name) => match &value.kind {
            ExprKind::Binary(BinaryOp::Add, a, b) if is_name(a, name) => alone(Some(b), false),
            ExprKind::Binary(BinaryOp::Add, a, b) if is_name(b, name) => alone(Some(a), false),
            ExprKind::Binary(BinaryOp::Sub, a, b) if is_name(a, name) => alone(Some(b), true),
            _ => None,
        },
        ExprKind::Comma(a, b) => {
            let one = |own: &'u Expr, other: &'u Expr| {
                let own = stepped(own, name).filter(|own| own.others.is_none())?;
                Some(Stepped {
                    others: Some(other),
                    ..own
                })
            };
            one(a, b).or_else(|| one(b, a))
        }
        _ => None,
    }
}
