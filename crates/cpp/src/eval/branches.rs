//! Branches: a condition that is known chooses an arm; another one becomes a branch of the program.

use a2lint_ir::{self as ir, ScalarId, StmtKind};
use a2lint_source::text::Span;

use super::Eval;
use super::arithmetic::comparison;
use super::blocks::BlockKey;
use super::exits::{Exit, Flow, leaves};
use super::frame::LoopFrame;
use super::names::Local;
use super::types::{IntType, Kind, Ty};
use super::values::{Operand, Place, Value};
use crate::library::Evaluated;
use crate::syntax::ast::{BinaryOp, Expr, If, Stmt, StmtKind as Ast, Switch};

impl<'u> Eval<'u> {
    /// Evaluates an `if`. `rest` are the statements after it in its block; the second result is true if they were
    /// evaluated as part of a branch (when the other branch returns).
    pub(crate) fn if_statement(
        &mut self,
        stmt: &'u Stmt,
        branch: &'u If,
        rest: &'u [Stmt],
    ) -> Evaluated<(Flow, bool)> {
        let scope = self.frame.open_scope();
        let condition = match branch.is_constexpr {
            true => self.constant(|eval| eval.if_condition(branch))?,
            false => self.if_condition(branch)?,
        };
        if let Some(truth) = known_truth(&condition) {
            let arm = match truth {
                true => Some(&branch.then),
                false => branch.otherwise.as_ref(),
            };
            let flow = match arm {
                Some(arm) => self.arm(arm)?,
                None => Flow::Normal,
            };
            return Ok((self.end_scope(scope, flow)?, false));
        }
        if branch.is_constexpr {
            let span = branch.condition.as_ref().map_or(stmt.span, |it| it.span);
            let what = "this condition of `if constexpr` is not known";
            self.builder.note_unknown(span, what.to_owned());
        }
        let condition_span = branch.condition.as_ref().map_or(stmt.span, |it| it.span);
        let condition = self.number_scalar(&condition);
        // If one arm always leaves, the statements after the `if` belong to the other arm, and no flag is needed.
        let then_leaves = leaves(&branch.then);
        let else_leaves = branch.otherwise.as_ref().is_some_and(leaves);
        // Names that the header declares must not be seen by what follows: then that is guarded instead.
        let takes_rest = (then_leaves || else_leaves) && !rest.is_empty() && !self.declares(scope);
        let key = self.statement_key(stmt.id, 0);
        if branch.is_constexpr {
            self.library.undecided(true);
        }
        let flow = self.two_arms(key, (condition, condition_span), |eval, is_then| {
            let arm = match is_then {
                true => Some(&branch.then),
                false => branch.otherwise.as_ref(),
            };
            let flow = match arm {
                Some(arm) => eval.arm(arm)?,
                None => Flow::Normal,
            };
            let other_leaves = if is_then { else_leaves } else { then_leaves };
            match (flow, takes_rest && other_leaves) {
                (Flow::Normal, true) => eval.scoped(rest),
                (Flow::Partly(goes_on, exits), true) => {
                    let key = eval.statement_key(stmt.id, 1);
                    eval.guarded(key, (goes_on, exits), |eval| eval.scoped(rest))
                }
                (flow, _) => Ok(flow),
            }
        });
        if branch.is_constexpr {
            self.library.undecided(false);
        }
        Ok((self.end_scope(scope, flow?)?, takes_rest))
    }

    /// Returns whether names were declared since a scope was opened.
    fn declares(&self, scope: super::frame::OpenScope) -> bool {
        self.frame.locals.len() > scope.locals()
    }

    /// Evaluates the declarations in the header of an `if`, then its condition.
    fn if_condition(&mut self, branch: &'u If) -> Evaluated<Value> {
        let temporaries = self.temporaries.len();
        if let Some(init) = &branch.init {
            self.statements(std::slice::from_ref(init))?;
        }
        let (operand, span) = match (&branch.condition, &branch.init) {
            (Some(condition), _) => (self.expr(condition)?, condition.span),
            (None, Some(init)) => {
                let declared = match &init.kind {
                    Ast::Variables(variables) => variables.last().map(|it| it.name.clone()),
                    _ => None,
                };
                let local = declared.and_then(|name| self.frame.find(&name));
                let operand = local.and_then(|local| self.local_operand(&local, init.span));
                (
                    operand.unwrap_or_else(|| Operand::unknown(init.span)),
                    init.span,
                )
            }
            (None, None) => (Operand::unknown(Span::default()), Span::default()),
        };
        let value = self.condition_of(operand, span)?;
        self.end_expression(temporaries)?;
        Ok(value)
    }

    /// Evaluates the statement of an arm in a scope of its own.
    pub(crate) fn arm(&mut self, stmt: &'u Stmt) -> Evaluated<Flow> {
        match &stmt.kind {
            Ast::Block(block) => self.nested(|eval| eval.scoped(block)),
            _ => self.scoped(std::slice::from_ref(stmt)),
        }
    }

    /// Evaluates both arms of a branch of the program.
    pub(crate) fn two_arms(
        &mut self,
        key: BlockKey,
        (condition, condition_span): (ScalarId, Span),
        mut arm: impl FnMut(&mut Self, bool) -> Evaluated<Flow>,
    ) -> Evaluated<Flow> {
        let statement = self.builder.statement;
        let (then, otherwise) = self.settled(key, |eval| {
            let mut flows = [Flow::Normal; 2];
            let mut bodies = [Vec::new(), Vec::new()];
            let mut first = None;
            for (at, is_then) in [true, false].into_iter().enumerate() {
                first = Some(eval.builder.open_arm(first));
                flows[at] = eval.in_block(false, |eval| arm(eval, is_then))?;
                bodies[at] = eval.builder.close_device_block();
            }
            // Evaluating the arms has changed the statement to which emitted code is attributed.
            eval.builder.statement = statement;
            let [then, otherwise] = bodies;
            eval.emit_branch(condition, condition_span, then, otherwise)?;
            let [then, otherwise] = flows;
            Ok((then, otherwise))
        })?;
        self.joined(condition, then, otherwise)
    }

    /// Evaluates a `switch`.
    pub(crate) fn switch(&mut self, stmt: &'u Stmt, switch: &'u Switch) -> Evaluated<Flow> {
        let operand = self.expr(&switch.value)?;
        let operand = self.promoted(operand)?;
        let value = self.value_of(&operand)?;
        // `break` of a `switch` is an exit like that of a loop.
        let broken = self.flag()?;
        let owned = self.frame.owned.len();
        self.frame.loops.push(LoopFrame::new(broken, owned));
        let scope = self.frame.open_scope();
        let flow = self.switch_groups(stmt, switch, &operand.ty, &value)?;
        let flow = self.end_scope(scope, flow)?;
        let flow = self.consumed(flow, Exit::Break)?;
        self.frame.loops.pop();
        Ok(flow)
    }

    fn switch_groups(
        &mut self,
        stmt: &'u Stmt,
        switch: &'u Switch,
        ty: &Ty,
        value: &Value,
    ) -> Evaluated<Flow> {
        let mut labels: Vec<(usize, i128)> = Vec::new();
        let mut default = None;
        for (at, group) in switch.groups.iter().enumerate() {
            for label in &group.labels {
                let Some(label) = label else {
                    default = Some(at);
                    continue;
                };
                match self.constant_int(label)? {
                    Some(label) => labels.push((at, label)),
                    None => {
                        let what = "this label is not a constant that is known";
                        self.builder.note_unknown(label.span, what.to_owned());
                    }
                }
            }
        }
        // A condition with a known value (a tiling key, a template argument) leaves no branch in the program.
        if let Some(known) = value.known_int() {
            let found = labels.iter().find(|(_, label)| *label == known);
            return match found.map(|(at, _)| *at).or(default) {
                Some(at) => self.groups_from(switch, at),
                None => Ok(Flow::Normal),
            };
        }
        let scalar = self.number_scalar(value);
        let of = match (&ty.kind, value) {
            (Kind::Int(of), _) | (_, Value::Int(of, _)) => *of,
            _ => IntType::Int,
        };
        let mut cases: Vec<(usize, ScalarId)> = Vec::new();
        for at in 0..switch.groups.len() {
            let mut condition: Option<ScalarId> = None;
            for (_, label) in labels.iter().filter(|(group, _)| *group == at) {
                let scalars = &mut self.builder.program.scalars;
                let label = scalars.whole(*label);
                let is = scalars.compare_as(of.scalar(), ir::CompareOp::Eq, scalar, label);
                condition = Some(match condition {
                    Some(other) => {
                        let int = ir::ScalarType::INT;
                        scalars.binary_as(int, ir::BinaryOp::Or, other, is)
                    }
                    None => is,
                });
            }
            cases.extend(condition.map(|condition| (at, condition)));
        }
        self.cases(stmt, switch, &cases, 0, default)
    }

    /// Evaluates a `switch` over a scalar as a chain of branches.
    fn cases(
        &mut self,
        stmt: &'u Stmt,
        switch: &'u Switch,
        cases: &[(usize, ScalarId)],
        at: usize,
        default: Option<usize>,
    ) -> Evaluated<Flow> {
        let Some(&(group, condition)) = cases.get(at) else {
            return match default {
                Some(group) => self.groups_from(switch, group),
                None => Ok(Flow::Normal),
            };
        };
        let key = self.statement_key(stmt.id, 2 + (at % 128) as u8);
        let condition = (condition, switch.value.span);
        self.nested(|eval| {
            eval.two_arms(key, condition, |eval, is_then| match is_then {
                true => eval.groups_from(switch, group),
                false => eval.cases(stmt, switch, cases, at + 1, default),
            })
        })
    }

    /// Evaluates the statements of a `switch` from a label on.
    fn groups_from(&mut self, switch: &'u Switch, from: usize) -> Evaluated<Flow> {
        let scope = self.frame.open_scope();
        let flow = self.groups_after(switch, from)?;
        self.end_scope(scope, flow)
    }

    fn groups_after(&mut self, switch: &'u Switch, from: usize) -> Evaluated<Flow> {
        for (at, group) in switch.groups.iter().enumerate().skip(from) {
            let flow = self.statements(&group.body)?;
            match flow {
                Flow::Normal => {}
                Flow::Left(_) => return Ok(flow),
                Flow::Partly(goes_on, exits) => {
                    let key = (self.builder.statement.start, 3, self.path);
                    return self.guarded(key, (goes_on, exits), |eval| {
                        eval.groups_from(switch, at + 1)
                    });
                }
            }
        }
        Ok(Flow::Normal)
    }

    /// Evaluates `a && b` or `a || b` of numbers.
    pub(crate) fn logical(
        &mut self,
        expr: &'u Expr,
        op: BinaryOp,
        a: Operand,
        b: &'u Expr,
    ) -> Evaluated<Operand> {
        let span = expr.span;
        let first_span = a.span;
        let first = self.condition_of(a, first_span)?;
        let is_and = op == BinaryOp::And;
        if let Some(truth) = known_truth(&first) {
            if truth != is_and {
                return Ok(Operand::value(IntType::Bool, Value::bool(truth), span));
            }
            let b = self.expr(b)?;
            let second = self.condition_of(b, span)?;
            return Ok(Operand::value(IntType::Bool, second, span));
        }
        let first = self.number_scalar(&first);
        // `a && b` of scalars is one scalar if `b` only computes; otherwise `b` runs in a branch.
        let pure = self.pure_value(|eval| {
            let b = eval.expr(b)?;
            eval.condition_of(b, span)
        })?;
        if let Some(second) = pure {
            let value = match known_truth(&second) {
                Some(truth) if truth == is_and => self.int_of_scalar(IntType::Bool, first),
                Some(truth) => Value::bool(truth),
                None => {
                    let second = self.number_scalar(&second);
                    let op = if is_and {
                        ir::BinaryOp::And
                    } else {
                        ir::BinaryOp::Or
                    };
                    let int = ir::ScalarType::INT;
                    let id = self
                        .builder
                        .program
                        .scalars
                        .binary_as(int, op, first, second);
                    let value = self.int_of_scalar(IntType::Bool, id);
                    self.kept(value)?
                }
            };
            return Ok(Operand::value(IntType::Bool, value, span));
        }
        let result = self.temporary(&IntType::Bool.into())?;
        // If the right side is not evaluated, the left one decides: false for `&&`, true for `||`.
        self.memory.set(result, Value::bool(!is_and), false);
        let key = self.expression_key(expr, 0);
        self.two_arms(key, (first, first_span), |eval, is_then| {
            if is_then == is_and {
                let b = eval.expr(b)?;
                let value = eval.condition_of(b, span)?;
                eval.store_cell(result, value)?;
            }
            Ok(Flow::Normal)
        })?;
        let value = self.load_cell(result)?;
        Ok(Operand::value(IntType::Bool, value, span))
    }

    /// Evaluates a computation without side effects. Returns `None` and undoes the evaluation if it has a side effect
    /// or if its result may be undefined.
    pub(crate) fn pure_value(
        &mut self,
        work: impl FnOnce(&mut Self) -> Evaluated<Value>,
    ) -> Evaluated<Option<Value>> {
        self.computed_value(work, false)
    }

    /// Evaluates as [`Self::pure_value`] does. `may_fail` allows undefined results: the program computes the value at
    /// this place anyway.
    pub(super) fn computed_value(
        &mut self,
        work: impl FnOnce(&mut Self) -> Evaluated<Value>,
        may_fail: bool,
    ) -> Evaluated<Option<Value>> {
        let state = self.state();
        self.watches.push((self.memory.age(), false));
        let (notes, unknown) = (
            self.builder.program.notes.len(),
            self.builder.program.unknown.len(),
        );
        let before = self.builder.innermost_block().len();
        let temporaries = self.temporaries.len();
        let value = work(self);
        let is_stored = self.watches.pop().is_none_or(|(_, is_stored)| is_stored);
        let value = value?;
        let program = &self.builder.program;
        let is_quiet = !is_stored
            && program.notes.len() == notes
            && program.unknown.len() == unknown
            && self.temporaries.len() == temporaries;
        let emitted = self
            .builder
            .innermost_block()
            .get(before..)
            .unwrap_or_default();
        let is_pure = is_quiet
            && emitted.iter().all(|stmt| match stmt.kind {
                StmtKind::Assign { variable, value } => {
                    program.variable(variable).kind == ir::VariableKind::Temporary
                        && (may_fail || !self.may_fail(value))
                }
                _ => false,
            })
            && value
                .scalars()
                .iter()
                .all(|(id, _)| may_fail || !self.may_fail(*id))
            && !value.is_unknown();
        if !is_pure {
            self.roll_back(&state);
            self.temporaries.truncate(temporaries);
        }
        self.leave_state(&state);
        Ok(is_pure.then_some(value))
    }

    /// Returns whether the result of an expression may be undefined: a division by a possible 0, a shift by a scalar,
    /// an index.
    pub(super) fn may_fail(&self, id: ScalarId) -> bool {
        let scalars = &self.builder.program.scalars;
        match scalars.get(id) {
            ir::Scalar::Binary(op, a, b) => {
                let is_safe = match op.may_have_no_result() {
                    // Which indices an array has is checked where the program uses one.
                    _ if matches!(op, ir::BinaryOp::Index | ir::BinaryOp::Multiple) => false,
                    // Hoisted out of its branch, the expression would divide by 0 where the program does not.
                    true => scalars.as_whole(b).is_some_and(|it| it > 0),
                    false => true,
                };
                !is_safe || self.may_fail(a) || self.may_fail(b)
            }
            ir::Scalar::Compare(_, a, b) => self.may_fail(a) || self.may_fail(b),
            ir::Scalar::Unary(_, a) => self.may_fail(a),
            _ => false,
        }
    }

    /// Evaluates `a ? b : c`.
    pub(crate) fn conditional(
        &mut self,
        expr: &'u Expr,
        parts: &'u [Expr; 3],
    ) -> Evaluated<Operand> {
        let [condition, then, otherwise] = parts;
        let operand = self.expr(condition)?;
        let value = self.condition_of(operand, condition.span)?;
        if let Some(truth) = known_truth(&value) {
            let (chosen, other) = if truth {
                (then, otherwise)
            } else {
                (otherwise, then)
            };
            let chosen = self.expr(chosen)?;
            // The type is what both have in common.
            let other = self.typed(other)?;
            if let Some(ty) = self.common_base(&chosen, &other)? {
                return self.convert(chosen, &ty.reference_to(false), false);
            }
            let ty = self.common_type(&chosen, &other)?;
            return match ty {
                Some(ty) if !chosen.ty.is_same(&ty) => self.convert(chosen, &ty, false),
                _ => Ok(chosen),
            };
        }
        let condition_scalar = self.number_scalar(&value);
        let first = self.typed(then)?;
        let second = self.typed(otherwise)?;
        let arms = ((then, &first), (otherwise, &second));
        let condition_place = (condition_scalar, condition.span);
        if let Some(made) = self.conditional_object(expr, condition_place, arms)? {
            return Ok(made);
        }
        let ty = self.common_type(&first, &second)?;
        let ty = ty.unwrap_or_else(|| first.ty.clone()).unqualified();
        let ty = match ty.kind {
            Kind::Array(..) | Kind::Function(_) => super::functions::adjusted(ty),
            _ => ty,
        };
        if self.is_typing {
            return Ok(Operand::unknown_of(ty, expr.span));
        }
        if ty.kind == Kind::Void {
            let key = self.expression_key(expr, 1);
            self.two_arms(key, (condition_scalar, condition.span), |eval, is_then| {
                eval.expr(if is_then { then } else { otherwise })?;
                Ok(Flow::Normal)
            })?;
            return Ok(Operand::void(expr.span));
        }
        if let Kind::Int(of) = ty.kind {
            // A minimum or maximum operator keeps bounds that a branch would lose.
            let smaller = self.pure_value(|eval| {
                let [a, b] = [then, otherwise].map(|part| {
                    let operand = eval.expr(part)?;
                    let operand = eval.convert(operand, &of.into(), false)?;
                    eval.value_of(&operand)
                });
                let (a, b) = (a?, b?);
                Ok(eval
                    .smaller_or_larger(condition_scalar, of, &a, &b)
                    .unwrap_or(Value::Unknown))
            })?;
            if let Some(value) = smaller {
                return Ok(Operand::value(ty, value, expr.span));
            }
        }
        if self.memory.static_depth > 0 {
            // The initialiser of a static object runs before the program, which has no branch for it.
            let what = "which of two values is meant is not known";
            return Ok(self.unknown(expr.span, what));
        }
        let result = self.temporary(&ty)?;
        let key = self.expression_key(expr, 1);
        self.two_arms(key, (condition_scalar, condition.span), |eval, is_then| {
            let operand = eval.expr(if is_then { then } else { otherwise })?;
            eval.initialise_from(result, &ty, operand)?;
            Ok(Flow::Normal)
        })?;
        let place = match ty.kind {
            Kind::Class(_) => Place::Temporary(result),
            _ => Place::Value(self.load_cell(result)?),
        };
        Ok(Operand {
            ty,
            place,
            span: expr.span,
        })
    }

    /// Recognises `a < b ? a : b` and the like, and returns a minimum or maximum.
    pub(super) fn smaller_or_larger(
        &mut self,
        condition: ScalarId,
        of: IntType,
        then: &Value,
        otherwise: &Value,
    ) -> Option<Value> {
        use ir::CompareOp::{Ge, Gt, Le, Lt};
        let ir::Scalar::Compare(op, a, b) = self.builder.program.scalars.get(condition) else {
            return None;
        };
        let scalars = &self.builder.program.scalars;
        if scalars.operation_type(condition) != of.scalar() {
            return None;
        }
        let then = self.number_scalar(then);
        let otherwise = self.number_scalar(otherwise);
        let takes_smaller = match (op, (then, otherwise)) {
            (Lt | Le, pair) if pair == (a, b) => true,
            (Gt | Ge, pair) if pair == (b, a) => true,
            (Gt | Ge, pair) if pair == (a, b) => false,
            (Lt | Le, pair) if pair == (b, a) => false,
            _ => return None,
        };
        let op = match takes_smaller {
            true => ir::BinaryOp::Min,
            false => ir::BinaryOp::Max,
        };
        let id = self
            .builder
            .program
            .scalars
            .binary_as(of.scalar(), op, a, b);
        Some(self.int_of_scalar(of, id))
    }

    /// Returns the type of the object that `?:` names if its arms name objects of a class and of one derived from it.
    pub(super) fn common_base(&mut self, a: &Operand, b: &Operand) -> Evaluated<Option<Ty>> {
        let (Some(x), Some(y)) = (a.ty.class(), b.ty.class()) else {
            return Ok(None);
        };
        if x == y || !a.is_lvalue() || !b.is_lvalue() {
            return Ok(None);
        }
        self.complete(x)?;
        self.complete(y)?;
        let base = match (self.base_offset(x, y), self.base_offset(y, x)) {
            (Some(_), _) => y,
            (_, Some(_)) => x,
            (None, None) => return Ok(None),
        };
        let kind = Kind::Class(base);
        let is_const = a.ty.is_const || b.ty.is_const;
        Ok(Some(Ty { kind, is_const }))
    }

    /// Returns the common type of the two operands of `?:`.
    fn common_type(&mut self, a: &Operand, b: &Operand) -> Evaluated<Option<Ty>> {
        if a.ty.is_same(&b.ty) {
            return Ok(None);
        }
        if a.ty.kind == Kind::Unknown || b.ty.kind == Kind::Unknown {
            let known = if a.ty.kind == Kind::Unknown {
                &b.ty
            } else {
                &a.ty
            };
            return Ok(Some(known.clone()));
        }
        let [x, y] = [a, b].map(|it| self.arithmetic_type(&it.ty));
        if let (Some(x), Some(y)) = (x?, y?) {
            return Ok(Some(super::operators::usual(&x, &y)));
        }
        let [x, y] = [self.decayed_type(a)?, self.decayed_type(b)?];
        match (&x.kind, &y.kind) {
            (Kind::Pointer(..), Kind::Null | Kind::Int(_)) => return Ok(Some(x)),
            (Kind::Null | Kind::Int(_), Kind::Pointer(..)) => return Ok(Some(y)),
            _ => {}
        }
        if self.implicit_rank(b, &x)?.is_some() {
            return Ok(Some(x));
        }
        if self.implicit_rank(a, &y)?.is_some() {
            return Ok(Some(y));
        }
        Ok(None)
    }

    /// Returns the cell and type of a local variable by its name, for loops.
    pub(crate) fn local_cell(&self, name: &str) -> Option<(super::CellId, Ty)> {
        match self.frame.find(name)? {
            // A reference to one of several objects is no counter of its own.
            Local::Object(ty, Place::Cell(cell)) if self.choice_of(cell).is_none() => {
                Some((cell, ty))
            }
            _ => None,
        }
    }
}

/// Returns whether a condition is known to hold.
pub(crate) fn known_truth(value: &Value) -> Option<bool> {
    value.known_int().map(|value| value != 0)
}

/// Returns whether an operator compares.
pub(crate) fn is_comparison(op: BinaryOp) -> bool {
    comparison(op).is_some()
}
