//! Loops: those whose course is known are evaluated iteration by iteration; others become loops of the program.
//!
//! An iteration by iteration evaluation that emits statements is kept only while it is short. A loop of the program
//! counts where its header is that of a counting loop and the body leaves the counter and the bounds alone; any other
//! one runs for ever and is left where its condition does not hold.
//!
//! A counting loop of the program counts whole numbers, and C++ wraps. Counters of 8 and 16 bits, whose end is near,
//! count only where the bound is known to fit. Wider ones count always: a signed one that overflows is undefined
//! behaviour, and an unsigned one that wraps belongs to a loop over some 2^32 iterations that does not end.

use std::hash::{Hash, Hasher};

use a2lint_ir::{self as ir, Scalar, ScalarId, SpecialScalar, StmtKind};
use rustc_hash::{FxHashSet, FxHasher};

use super::Eval;
use super::branches::known_truth;
use super::exits::{Exit, Exits, Flow};
use super::frame::LoopFrame;
use super::types::{IntType, Kind, Ty};
use super::values::{CellId, IntValue, Operand, Place, Value};
use crate::library::Evaluated;
use crate::syntax::ast::{BinaryOp, Expr, ExprKind, For, RangeFor, Stmt, StmtKind as Ast};

/// Iterations of a loop that emits statements and is still evaluated one by one.
const UNROLLED: u32 = 16;
/// The same, where its body needs its counter as a constant.
const UNROLLED_FOR_CONSTANTS: u32 = 256;
/// Iterations of a loop of the program that only `break` ends.
const ENDLESS: i64 = 1 << 62;

/// A loop in a common form.
#[derive(Clone, Copy)]
struct Loop<'u> {
    stmt: &'u Stmt,
    condition: Option<&'u Expr>,
    step: Option<&'u Expr>,
    body: &'u Stmt,
    /// Whether the first iteration asks no condition.
    body_first: bool,
}

/// How iteration by iteration evaluation ended.
enum Unrolled {
    Done(Flow),
    /// Its course is not known, or too long.
    Given,
}

/// The header of a counting loop.
struct Counting {
    counter: CellId,
    of: IntType,
    start: IntValue,
    stop: ScalarId,
    step: ScalarId,
    /// Cells that bounds and step were read from.
    reads: FxHashSet<CellId>,
}

impl<'u> Eval<'u> {
    /// `for (init; condition; step) body`
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

    /// `while (condition) body`
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

    /// `do body while (condition);`
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
        self.frame.loops.push(LoopFrame {
            broken,
            continued: None,
            is_device: false,
            returns: false,
            owned,
        });
        let flow = self.loop_in_frame(of)?;
        let flow = self.consumed(flow, Exit::Break)?;
        self.frame.loops.pop();
        Ok(flow)
    }

    fn loop_in_frame(&mut self, of: Loop<'u>) -> Evaluated<Flow> {
        let outer_wants = std::mem::take(&mut self.wants_constants);
        let state = self.state();
        let scope = self.frame.open_scope();
        let flow = match self.unrolled(of, UNROLLED)? {
            Unrolled::Done(flow) => {
                self.leave_state(&state);
                flow
            }
            Unrolled::Given => {
                self.roll_back(&state);
                self.close_scope(scope, true)?;
                self.wants_constants = false;
                let flow = self.program_loop(of)?;
                match (self.wants_constants, flow) {
                    (true, _) | (_, None) => {
                        self.roll_back(&state);
                        self.close_scope(scope, true)?;
                        match self.unrolled(of, UNROLLED_FOR_CONSTANTS)? {
                            Unrolled::Done(flow) => {
                                self.leave_state(&state);
                                flow
                            }
                            Unrolled::Given => {
                                self.roll_back(&state);
                                self.close_scope(scope, true)?;
                                self.leave_state(&state);
                                let flow = self.program_loop(of)?;
                                match flow {
                                    Some(flow) => flow,
                                    None => self.general_loop(of)?,
                                }
                            }
                        }
                    }
                    (false, Some(flow)) => {
                        self.leave_state(&state);
                        flow
                    }
                }
            }
        };
        self.wants_constants |= outer_wants;
        Ok(flow)
    }

    /// Evaluates a loop iteration by iteration; so many may emit statements.
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
            self.path = {
                let mut hasher = FxHasher::default();
                (path, of.stmt.id.0, at).hash(&mut hasher);
                hasher.finish()
            };
            if !(of.body_first && at == 0)
                && let Some(condition) = of.condition
            {
                match self.loop_condition(condition)? {
                    Value::Int(_, IntValue::Known(0)) => break,
                    Value::Int(_, IntValue::Known(_)) => {}
                    _ => return Ok(Unrolled::Given),
                }
            }
            let emits = self.builder.program.stmt_count != emitted;
            if at >= limit && emits {
                return Ok(Unrolled::Given);
            }
            let flow = self.iteration(of)?;
            match flow {
                Flow::Normal => {}
                Flow::Left(_) => {
                    self.path = path;
                    return Ok(Unrolled::Done(flow));
                }
                Flow::Partly(goes_on, exits) => {
                    if at >= limit {
                        return Ok(Unrolled::Given);
                    }
                    let key = (of.stmt.id.0, 5, self.path);
                    let mut is_given = false;
                    let flow = self.guarded(key, (goes_on, exits), |eval| {
                        eval.run_step(of)?;
                        match eval.nested(|eval| eval.iterations(of, at + 1, limit, emitted))? {
                            Unrolled::Done(flow) => Ok(flow),
                            Unrolled::Given => {
                                is_given = true;
                                Ok(Flow::Normal)
                            }
                        }
                    })?;
                    self.path = path;
                    return Ok(match is_given {
                        true => Unrolled::Given,
                        false => Unrolled::Done(flow),
                    });
                }
            }
            self.run_step(of)?;
            at += 1;
        }
        self.path = path;
        Ok(Unrolled::Done(Flow::Normal))
    }

    fn run_step(&mut self, of: Loop<'u>) -> Evaluated<()> {
        if let Some(step) = of.step {
            let temporaries = self.temporaries.len();
            self.builder.statement = of.stmt.span;
            self.expr(step)?;
            self.end_expression(temporaries)?;
        }
        Ok(())
    }

    /// Evaluates the body once; `continue` ends it.
    fn iteration(&mut self, of: Loop<'u>) -> Evaluated<Flow> {
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

    /// Evaluates a loop of the program; `None` where it is no counting loop and another attempt is better.
    fn program_loop(&mut self, of: Loop<'u>) -> Evaluated<Option<Flow>> {
        let state = self.state();
        let scope = self.frame.open_scope();
        if let Some(counting) = self.counting(of)? {
            let flow = self.counting_loop(of, &counting)?;
            if let Some(flow) = flow {
                self.leave_state(&state);
                return Ok(Some(flow));
            }
        }
        self.roll_back(&state);
        self.close_scope(scope, true)?;
        self.leave_state(&state);
        self.general_loop(of).map(Some)
    }

    /// The bounds of a counting loop, where its header is one.
    fn counting(&mut self, of: Loop<'u>) -> Evaluated<Option<Counting>> {
        let (Some(condition), Some(step), Ast::For(header)) =
            (of.condition, of.step, &of.stmt.kind)
        else {
            return Ok(None);
        };
        let Some(name) = declared_counter(header) else {
            return Ok(None);
        };
        let Some((op, bound)) = compared(condition, name) else {
            return Ok(None);
        };
        let Some((step, is_negative)) = stepped(step, name) else {
            return Ok(None);
        };
        let Some((counter, ty)) = self.local_cell(name) else {
            return Ok(None);
        };
        let Kind::Int(of_counter) = ty.kind else {
            return Ok(None);
        };
        let start = match self.load_cell(counter)? {
            Value::Int(_, start) => start,
            _ => return Ok(None),
        };
        self.reads = Some(FxHashSet::default());
        let bounds = self.pure_bounds(bound, step);
        let reads = self.reads.take().unwrap_or_default();
        let Some((bound, step)) = bounds? else {
            return Ok(None);
        };
        if reads.contains(&counter) {
            return Ok(None);
        }
        let Some((stop, step)) =
            self.exact_bounds((of_counter, start), op, &bound, &step, is_negative)?
        else {
            return Ok(None);
        };
        Ok(Some(Counting {
            counter,
            of: of_counter,
            start,
            stop,
            step,
            reads,
        }))
    }

    /// The bound and step of a loop, where they only compute.
    fn pure_bounds(
        &mut self,
        bound: &'u Expr,
        step: Option<&'u Expr>,
    ) -> Evaluated<Option<(Value, Value)>> {
        let value = |eval: &mut Self, expr: &'u Expr| {
            eval.pure_value(|eval| {
                let operand = eval.expr(expr)?;
                let operand = eval.promoted(operand)?;
                eval.value_of(&operand)
            })
        };
        let Some(bound) = value(self, bound)? else {
            return Ok(None);
        };
        let step = match step {
            Some(step) => match value(self, step)? {
                Some(step) => step,
                None => return Ok(None),
            },
            None => Value::int(IntType::Int, 1),
        };
        Ok(Some((bound, step)))
    }

    /// Bound and step of a loop of the program that counts as C++ does; `None` where none does.
    fn exact_bounds(
        &mut self,
        (of, start): (IntType, IntValue),
        op: BinaryOp,
        bound: &Value,
        step: &Value,
        is_negative: bool,
    ) -> Evaluated<Option<(ScalarId, ScalarId)>> {
        let (Value::Int(of_bound, bound), Value::Int(of_step, step)) = (bound, step) else {
            return Ok(None);
        };
        let known_step = match step {
            IntValue::Known(step) if *step > 0 && *step < 1 << 40 => Some(*step),
            IntValue::Known(_) => return Ok(None),
            IntValue::Scalar(id) => {
                if !of_step.is_signed() || self.is_positive(*id) {
                    None
                } else {
                    return Ok(None);
                }
            }
        };
        let compared = of.common(*of_bound);
        // Both sides are compared as they are: a negative counter does not become a large number.
        let is_natural = |eval: &Self, value: &IntValue, of: IntType| match value {
            IntValue::Known(value) => *value >= 0,
            IntValue::Scalar(id) => !of.is_signed() || eval.is_positive(*id),
        };
        if !compared.is_signed()
            && (!is_natural(self, &start, of) || !is_natural(self, bound, *of_bound))
        {
            return Ok(None);
        }
        let is_upwards = matches!(op, BinaryOp::Lt | BinaryOp::Le | BinaryOp::Ne);
        if is_upwards == is_negative {
            return Ok(None);
        }
        // A counter that could pass the end of its type before it passes the bound does not count so.
        if of.bits() < 32 {
            let IntValue::Known(bound) = *bound else {
                return Ok(None);
            };
            let Some(step) = known_step else {
                return Ok(None);
            };
            let end = if is_upwards {
                bound + step
            } else {
                bound - step
            };
            if !of.holds(end) {
                return Ok(None);
            }
        }
        if !of.is_signed() && !is_upwards {
            // Downwards to 0 or below, an unsigned counter wraps unless it meets the bound.
            let reaches = op == BinaryOp::Gt && known_step == Some(1);
            if !reaches {
                return Ok(None);
            }
        }
        if op == BinaryOp::Ne {
            let IntValue::Known(from) = start else {
                return Ok(None);
            };
            let starts_below = match bound {
                IntValue::Known(bound) => from <= *bound,
                IntValue::Scalar(_) => from == 0 && is_natural(self, bound, *of_bound),
            };
            if known_step != Some(1) || !starts_below {
                return Ok(None);
            }
        }
        let mut stop = self.int_scalar(*bound);
        let wide = IntType::Long.scalar();
        let scalars = &mut self.builder.program.scalars;
        let one = scalars.int(1);
        match op {
            BinaryOp::Le => stop = scalars.binary_as(wide, ir::BinaryOp::Add, stop, one),
            BinaryOp::Ge => stop = scalars.binary_as(wide, ir::BinaryOp::Sub, stop, one),
            _ => {}
        }
        let mut step = self.int_scalar(*step);
        if is_negative {
            let scalars = &mut self.builder.program.scalars;
            let zero = scalars.int(0);
            step = scalars.binary_as(wide, ir::BinaryOp::Sub, zero, step);
        }
        Ok(Some((stop, step)))
    }

    /// Whether a scalar is certainly 0 or more.
    fn is_positive(&self, id: ScalarId) -> bool {
        let scalars = &self.builder.program.scalars;
        match scalars.get(id) {
            Scalar::Int(value) => value >= 0,
            Scalar::Special(
                SpecialScalar::CubeNum
                | SpecialScalar::CubeIdx
                | SpecialScalar::VecNum
                | SpecialScalar::VecIdx
                | SpecialScalar::SubBlockIdx,
            )
            | Scalar::Extent(..)
            | Scalar::Compare(..) => true,
            Scalar::Unary(ir::UnaryOp::Convert, a) => {
                let to = scalars.operation_type(id);
                let own = scalars.type_of(a);
                !to.dtype.is_signed() || self.is_positive(a) && own.is_some_and(|own| own.fits(to))
            }
            Scalar::Variable(variable) => {
                let of = scalars.variable_type(variable);
                if !of.or_float && !of.dtype.is_float() && !of.dtype.is_signed() {
                    return true;
                }
                self.builder
                    .meaning_of(variable)
                    .is_some_and(|made| self.is_positive(made))
            }
            Scalar::Binary(op, a, b) => match op {
                ir::BinaryOp::Div
                | ir::BinaryOp::Mod
                | ir::BinaryOp::BitAnd
                | ir::BinaryOp::Shr => self.is_positive(a) && self.is_positive(b),
                _ => !scalars.operation_type(id).dtype.is_signed(),
            },
            _ => false,
        }
    }

    /// Evaluates a counting loop; `None` where its body changes the counter or the bounds.
    fn counting_loop(&mut self, of: Loop<'u>, counting: &Counting) -> Evaluated<Option<Flow>> {
        let (name, name_span) = self.label(counting.counter);
        let key = self.statement_key(of.stmt.id, 4);
        let result = self.settled(key, |eval| {
            eval.builder.statement = of.stmt.span;
            let start = eval.int_scalar(counting.start);
            let bounds = [start, counting.stop, counting.step];
            let scalar = counting.of.scalar();
            let open = eval.builder.open_loop_of(scalar, &name, name_span, bounds);
            let variable = open.counter();
            let exits = eval.in_block(true, |eval| {
                let value = eval.builder.read(variable);
                let value = Value::Int(counting.of, IntValue::Scalar(value));
                eval.memory.set(counting.counter, value, false);
                eval.body_of_program(of)
            })?;
            let changes = eval.changes_of_block();
            let is_left_alone = !changes.contains(&counting.counter)
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

    /// Evaluates the body of a loop of the program; returns the exits through which it is left beside its end.
    fn body_of_program(&mut self, of: Loop<'u>) -> Evaluated<Exits> {
        if let Some(frame) = self.frame.loops.last_mut() {
            frame.is_device = true;
            frame.returns = false;
        }
        let flow = self.iteration(of)?;
        self.builder.statement = of.stmt.span;
        let mut exits = flow.exits();
        if !matches!(flow, Flow::Normal) {
            self.flush_all()?;
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

    /// A block with one statement.
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
            eval.builder.statement = of.stmt.span;
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
        self.flush_all()?;
        match known_truth(&value) {
            Some(true) => {}
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

    /// `for (T x : range) body`
    pub(crate) fn range_for(&mut self, stmt: &'u Stmt, header: &'u RangeFor) -> Evaluated<Flow> {
        let scope = self.frame.open_scope();
        let range = self.expr(&header.range)?;
        let range = self.materialised(range)?;
        if let Place::Temporary(cell) = range.place {
            self.forget_temporary(cell);
            self.own(cell, &range.ty.clone(), range.span);
        }
        let broken = self.flag()?;
        let owned = self.frame.owned.len();
        self.frame.loops.push(LoopFrame {
            broken,
            continued: None,
            is_device: false,
            returns: false,
            owned,
        });
        let path = self.path;
        let items = self.range_items(&range)?;
        let flow = match items {
            Some(items) => self.each_item(stmt, header, &items, 0)?,
            None => {
                let what = "what this loop runs over is not known";
                self.builder
                    .note_unknown(header.range.span, what.to_owned());
                self.unknown_statement("a loop over this range", stmt.span)?;
                Flow::Normal
            }
        };
        self.path = path;
        let flow = self.consumed(flow, Exit::Break)?;
        self.frame.loops.pop();
        self.end_scope(scope, flow)
    }

    /// The items of a range: elements of an array, or what the iterators of a class yield.
    fn range_items(&mut self, range: &Operand) -> Evaluated<Option<Vec<Operand>>> {
        if let (Kind::Array(of, Some(length)), Some(array)) = (&range.ty.kind, range.object()) {
            let (of, length) = (of.clone(), *length);
            let of: Ty = match range.ty.is_const {
                true => of.as_ref().clone().constant(),
                false => of.as_ref().clone(),
            };
            let mut items = Vec::new();
            for at in 0..length {
                if let Some(cell) = self.element(array, at)? {
                    items.push(Operand::cell(of.clone(), cell, range.span));
                }
            }
            return Ok(Some(items));
        }
        let Some(class) = range.ty.class() else {
            return Ok(None);
        };
        let [begin, end] = ["begin", "end"].map(|name| {
            let found = self.find_in_class(class, &name.into())?;
            let functions = found
                .map(|found| self.functions_of(&found))
                .unwrap_or_default();
            let spans = (range.span, range.span);
            match self.choose(&functions, None, Some(range), &[])? {
                Ok(chosen) => self
                    .call_method(chosen, range.clone(), Vec::new(), true, spans)
                    .map(Some),
                Err(_) => Ok(None),
            }
        });
        let (Some(begin), Some(end)) = (begin?, end?) else {
            return Ok(None);
        };
        let ty = begin.ty.clone().unqualified();
        let at = self.temporary(&ty)?;
        self.initialise_from(at, &ty, begin)?;
        let iterator = Operand::cell(ty, at, range.span);
        let mut items = Vec::new();
        loop {
            self.step()?;
            let differs = self.binary(BinaryOp::Ne, iterator.clone(), end.clone(), range.span)?;
            let differs = self.condition_of(differs, range.span)?;
            match known_truth(&differs) {
                Some(true) => {}
                Some(false) => return Ok(Some(items)),
                None => return Ok(None),
            }
            let item = self.unary(
                crate::syntax::ast::UnaryOp::Dereference,
                iterator.clone(),
                range.span,
            )?;
            items.push(self.materialised(item)?);
            let stepped = self.overloaded("++", std::slice::from_ref(&iterator), range.span)?;
            if stepped.is_none() {
                let one = self.one_of(&iterator.ty, range.span);
                self.assign_with(iterator.clone(), Some(BinaryOp::Add), one, range.span)?;
            }
        }
    }

    fn each_item(
        &mut self,
        stmt: &'u Stmt,
        header: &'u RangeFor,
        items: &[Operand],
        first: usize,
    ) -> Evaluated<Flow> {
        let path = self.path;
        for (at, item) in items.iter().enumerate().skip(first) {
            self.step()?;
            self.path = {
                let mut hasher = FxHasher::default();
                (path, stmt.id.0, at).hash(&mut hasher);
                hasher.finish()
            };
            let scope = self.frame.open_scope();
            self.declare_item(&header.variable, item.clone())?;
            let of = Loop {
                stmt,
                condition: None,
                step: None,
                body: &header.body,
                body_first: false,
            };
            let flow = self.iteration(of)?;
            let flow = self.end_scope(scope, flow)?;
            match flow {
                Flow::Normal => {}
                Flow::Left(_) => {
                    self.path = path;
                    return Ok(flow);
                }
                Flow::Partly(goes_on, exits) => {
                    let key = (stmt.id.0, 7, self.path);
                    let flow = self.guarded(key, (goes_on, exits), |eval| {
                        eval.nested(|eval| eval.each_item(stmt, header, items, at + 1))
                    })?;
                    self.path = path;
                    return Ok(flow);
                }
            }
        }
        self.path = path;
        Ok(Flow::Normal)
    }

    /// Declares the variable of a loop over a range.
    fn declare_item(
        &mut self,
        variable: &'u crate::syntax::ast::Variable,
        item: Operand,
    ) -> Evaluated<()> {
        use super::names::Local;
        let ty = match Self::is_placeholder(&variable.ty) {
            true => self.deduced_type(&variable.ty, &item)?,
            false => self.ty(&variable.ty)?,
        };
        let ty = match variable.is_const {
            true => ty.constant(),
            false => ty,
        };
        let local = match ty.is_reference() {
            true => {
                let bound = self.convert(item, &ty, false)?;
                let bound = self.materialised(bound)?;
                Local::Object(bound.ty, super::calls::named(bound.place))
            }
            false => {
                let span = variable.name_span;
                let cell = self.new_object(&ty, &variable.name, span)?;
                self.initialise_from(cell, &ty.clone().unqualified(), item)?;
                self.own(cell, &ty, span);
                Local::Object(ty, Place::Cell(cell))
            }
        };
        self.add_local(&variable.name, local);
        Ok(())
    }
}

/// The variable that the header of a loop declares alone.
fn declared_counter(header: &For) -> Option<&str> {
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

/// `counter < bound`, or the same turned around.
fn compared<'u>(condition: &'u Expr, name: &str) -> Option<(BinaryOp, &'u Expr)> {
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
    if is_name(a, name) {
        Some((*op, b))
    } else if is_name(b, name) {
        Some((turned, a))
    } else {
        None
    }
}

/// `++counter`, `counter += step`, `counter = counter + step`: the step, 1 where none is written, and whether it is
/// subtracted.
fn stepped<'u>(step: &'u Expr, name: &str) -> Option<(Option<&'u Expr>, bool)> {
    match &step.kind {
        ExprKind::Step {
            target,
            is_increment,
            ..
        } if is_name(target, name) => Some((None, !is_increment)),
        ExprKind::Assign(target, Some(op), by) if is_name(target, name) => match op {
            BinaryOp::Add => Some((Some(by), false)),
            BinaryOp::Sub => Some((Some(by), true)),
            _ => None,
        },
        ExprKind::Assign(target, None, value) if is_name(target, name) => match &value.kind {
            ExprKind::Binary(BinaryOp::Add, a, b) if is_name(a, name) => Some((Some(b), false)),
            ExprKind::Binary(BinaryOp::Add, a, b) if is_name(b, name) => Some((Some(a), false)),
            ExprKind::Binary(BinaryOp::Sub, a, b) if is_name(a, name) => Some((Some(b), true)),
            _ => None,
        },
        _ => None,
    }
}
