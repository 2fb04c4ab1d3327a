//! Statements and assignments.

use super::branches::{bound_in, declared};
use super::tracer::{Abort, Eval, Flow, Tracer};
use super::value::{Frame, Value};
use a2lint_ir::{NoEffect, PythonNote, VariableKind};
use a2lint_source::text::{SourceText, Span};
use a2lint_syntax::python::ast::{self, ExprKind};

impl<'a> Tracer<'a> {
    pub fn block(&mut self, body: &'a [ast::Stmt]) -> Eval<Flow<'a>> {
        for (at, stmt) in body.iter().enumerate() {
            // Saved for each statement: an exception unwinds everything that the statement has entered.
            let state = self.state();
            match self.statement(stmt) {
                Ok(Flow::Normal) => {}
                // In a compiled kernel, statements after `break` in a device block are never executed, which is a
                // mistake.
                Ok(exit @ (Flow::Break | Flow::Continue)) if self.ends_device_block(stmt) => {
                    self.refuse_rest(&exit, &body[at + 1..])?;
                    return Ok(exit);
                }
                Err(Abort::Raised) => {
                    self.restore(state);
                    return Ok(Flow::Raise);
                }
                other => return other,
            }
        }
        Ok(Flow::Normal)
    }

    /// Evaluates the statements of a module. After one that raises, CPython executes none: names that the rest would
    /// bind become unknown, but its functions and classes are evaluated for their kernels.
    pub fn module_block(&mut self, body: &'a [ast::Stmt]) -> Eval<()> {
        for (at, stmt) in body.iter().enumerate() {
            let flow = match self.block(std::slice::from_ref(stmt)) {
                Ok(flow) => flow,
                // An abort leaves the module half-evaluated, so its values cannot be trusted.
                Err(abort) => {
                    self.forget_module(body)?;
                    return Err(abort);
                }
            };
            if !matches!(flow, Flow::Raise) {
                continue;
            }
            self.doubts.settle();
            let rest = &body[at + 1..];
            for name in bound_in(rest) {
                self.forget_name(name)?;
            }
            // Their effects on objects do not happen.
            self.open_region();
            for stmt in rest {
                if is_definition(stmt) {
                    self.block(std::slice::from_ref(stmt))?;
                    self.doubts.raised = None;
                }
            }
            self.doubts.settle();
            break;
        }
        Ok(())
    }

    /// Forgets the values of a module that was not evaluated to its end. Functions, classes and imports stay, so that
    /// kernels are traced with these values unknown.
    fn forget_module(&mut self, body: &'a [ast::Stmt]) -> Eval<()> {
        self.doubts.settle();
        self.refuel();
        let mut names = Vec::new();
        for stmt in body {
            match &stmt.kind {
                // A function can rebind the module's names by `global`.
                ast::StmtKind::Function(def) => declared(&def.body, &mut names),
                _ if is_definition(stmt) => {}
                _ => names.extend(bound_in(std::slice::from_ref(stmt))),
            }
        }
        for name in names {
            if let Some(value) = self.frame.own(name) {
                self.lose(&value)?;
            }
            self.frame.set_own(name, Value::Unknown);
        }
        Ok(())
    }

    pub(super) fn state(&self) -> State<'a> {
        State {
            frame: self.frame.clone(),
            calls: self.calls,
            running: self.running.len(),
            yields: self.yields.len(),
            returns: self.doubts.returns.len(),
            handled: self.doubts.handled.len(),
            rewritten: self.rewritten,
            loops: self.loop_kinds.len(),
        }
    }

    /// Unwinds to the state before the statement that raised.
    pub(super) fn restore(&mut self, state: State<'a>) {
        self.frame = state.frame;
        self.calls = state.calls;
        self.running.truncate(state.running);
        self.yields.truncate(state.yields);
        self.doubts.returns.truncate(state.returns);
        self.doubts.handled.truncate(state.handled);
        self.rewritten = state.rewritten;
        self.loop_kinds.truncate(state.loops);
    }

    pub(super) fn statement(&mut self, stmt: &'a ast::Stmt) -> Eval<Flow<'a>> {
        self.step()?;
        // Instructions emitted by this statement point at its header, not at its body.
        if let Some(builder) = &mut self.kernel {
            builder.statement = header_span(self.source, stmt);
        }
        // The parser recovers with a partial statement; its missing part may change the meaning.
        if self.broken_at(header_span(self.source, stmt))
            && !matches!(stmt.kind, ast::StmtKind::Error(_))
        {
            return self.broken_statement(stmt);
        }
        if self.compiled {
            // The compiled dialect accepts a subset of Python's statements.
            self.refuse(stmt);
        }
        match &stmt.kind {
            ast::StmtKind::Expr(expr) => self.expression_statement(expr)?,
            ast::StmtKind::Assign { targets, value } => self.assignment(targets, value)?,
            ast::StmtKind::AnnAssign { target, value, .. } => {
                // `x: int` without a value binds nothing.
                if let Some(value) = value {
                    self.assignment(std::slice::from_ref(target), value)?;
                }
            }
            ast::StmtKind::AugAssign {
                target,
                op,
                op_span,
                value,
            } => {
                self.augmented(target, *op, *op_span, value)?;
            }
            ast::StmtKind::For {
                target,
                iter,
                body,
                orelse,
            } => {
                return self.for_loop(target, iter, body, orelse);
            }
            ast::StmtKind::While { test, body, orelse } => {
                return self.while_loop(test, body, orelse);
            }
            ast::StmtKind::If { arms, orelse } => return self.branch(arms, orelse),
            ast::StmtKind::With { items, body } => return self.with(items, body),
            ast::StmtKind::Function(def) => self.define(def)?,
            ast::StmtKind::Class {
                name,
                decorators,
                bases,
                keywords,
                body,
                ..
            } => self.class(name, decorators, (bases, keywords), body)?,
            ast::StmtKind::Return(value) => {
                let value = match value {
                    Some(value) => self.eval(value)?,
                    None => Value::None,
                };
                return Ok(Flow::Return(value));
            }
            ast::StmtKind::Import(names) => self.import(names)?,
            ast::StmtKind::ImportFrom {
                module,
                names,
                star,
                ..
            } => {
                self.import_from(module, names, *star)?;
            }
            ast::StmtKind::Try {
                blocks,
                parts,
                handlers,
            } => return self.try_blocks(blocks, parts, handlers),
            // In compiled code they become statements of the device; elsewhere they steer the trace.
            ast::StmtKind::Break if self.compiled => return self.compiled_exit(Flow::Break),
            ast::StmtKind::Continue if self.compiled => {
                return self.compiled_exit(Flow::Continue);
            }
            ast::StmtKind::Break => return Ok(Flow::Break),
            ast::StmtKind::Continue => return Ok(Flow::Continue),
            ast::StmtKind::Assert(test) => {
                let condition = self.eval(test)?;
                self.note_truth(test, &condition, "`assert`");
                if self.in_kernel() {
                    // A device value cannot fail at trace time.
                    if condition.truth() == Some(false) {
                        return Ok(self.raised_in_kernel(stmt.span, "this `assert` fails"));
                    }
                } else {
                    match self.condition(condition, test.span)?.truth() {
                        Some(true) => {}
                        Some(false) => self.throw("AssertionError", ())?,
                        None => self.doubt(),
                    }
                }
            }
            ast::StmtKind::Error(recovered) => {
                self.broken(stmt.span)?;
                return self.block(recovered);
            }
            ast::StmtKind::Global(names) => {
                for name in names {
                    self.frame.declare_foreign(&name.text, true);
                }
            }
            ast::StmtKind::Nonlocal(names) => {
                for name in names {
                    self.frame.declare_foreign(&name.text, false);
                }
            }
            ast::StmtKind::Raise(_) if self.in_kernel() => {
                return Ok(self.raised_in_kernel(stmt.span, "an exception is raised here"));
            }
            ast::StmtKind::Raise(exception) => return self.raise_exception(exception.as_ref()),
            ast::StmtKind::Delete(targets) => {
                for target in targets {
                    self.delete(target)?;
                }
            }
            ast::StmtKind::Pass => {}
        }
        Ok(Flow::Normal)
    }

    pub(super) fn expression_statement(&mut self, expr: &'a ast::Expr) -> Eval<()> {
        if let ExprKind::Compare { left, rest } = &expr.kind
            && let [(ast::CompareOp::Le, _)] = rest.as_slice()
            && self.in_kernel()
            && self.names_tensor(left)
        {
            self.note(expr.span, PythonNote::NoEffect(NoEffect::Comparison));
        }
        let value = self.eval(expr)?;
        // An expression statement that makes a vector expression has no destination, so nothing is computed.
        if let Value::Vector(vector) = value
            && !vector.consumed.get()
        {
            self.note(expr.span, PythonNote::NoEffect(NoEffect::UnusedExpression));
        }
        Ok(())
    }

    /// Returns whether an expression is a tensor or a part of one, by its name alone.
    fn names_tensor(&self, expr: &ast::Expr) -> bool {
        match &expr.kind {
            ExprKind::Name(name) => matches!(
                self.frame.get(name),
                Some(Value::Local(_) | Value::Global(_) | Value::Ring(_))
            ),
            ExprKind::Subscript { value, .. } => self.names_tensor(value),
            _ => false,
        }
    }

    pub(super) fn assignment(
        &mut self,
        targets: &'a [ast::Expr],
        value: &'a ast::Expr,
    ) -> Eval<()> {
        // Asked before the value is evaluated, as the name is rebound below.
        let carried = match targets {
            [target] if !self.compiled => self.carried_update(target, value),
            _ => None,
        };
        // Variables that this statement makes are new; the rebound name had an older one.
        let made_before = self.made_so_far();
        let evaluated = self.eval(value)?;
        if let Some(update) = carried {
            self.note(targets[0].span.to(value.span), update);
        }
        if let (Value::Vector(vector), [target]) = (&evaluated, targets)
            && let ExprKind::Name(name) = &target.kind
        {
            self.pending_expression(vector.clone(), name, target.span.to(value.span));
        }
        // `a = b = value` evaluates the value once and binds from left to right.
        for target in targets {
            if self.compiled {
                self.rebound_cell(target, made_before, &evaluated);
            }
            self.assign(target, evaluated.clone(), value.span)?;
        }
        Ok(())
    }

    /// Returns the note for `v = v + 1` if an enclosing device loop is younger than the variable: every iteration
    /// then computes from the same old value.
    pub(super) fn carried_update(
        &mut self,
        target: &ast::Expr,
        value: &ast::Expr,
    ) -> Option<PythonNote> {
        let ExprKind::Name(name) = &target.kind else {
            return None;
        };
        let ExprKind::Binary { left, right, .. } = &value.kind else {
            return None;
        };
        let is_target = |side: &ast::Expr| matches!(&side.kind, ExprKind::Name(n) if n == name);
        let in_place = format!("{name} <<= {}", self.text(value.span));
        (is_target(left) || is_target(right))
            .then(|| self.lost_update(name, in_place))
            .flatten()
    }

    /// Returns the note for rebinding the name of a variable to a new value of it; `None` if the update is not lost.
    pub fn lost_update(&mut self, name: &str, in_place: String) -> Option<PythonNote> {
        let Value::Var(variable) = self.frame.get(name)? else {
            return None;
        };
        let builder = self.kernel.as_ref()?;
        let declared = builder.program.variable(variable);
        let device_loop = builder.innermost_loop()?;
        let outside = builder.is_declared_outside_loop(variable);
        // Temporaries and parameters have no cell that the user expects to be updated.
        (declared.kind == VariableKind::Declared && outside).then(|| PythonNote::LostUpdate {
            name: name.to_owned(),
            device_loop,
            declared: declared.span,
            in_place,
        })
    }

    /// Returns how control goes on after a statement of a kernel has raised.
    fn raised_in_kernel(&mut self, span: Span, what: &'static str) -> Flow<'a> {
        // In a helper or a `try`, the caller or the handler continues.
        if self.calls > 0 || self.doubts.is_tried() {
            return Flow::Raise;
        }
        // Statements at the outermost level are still traced, so that further mistakes are found. None is executed.
        self.note_unknown(span, what);
        Flow::Normal
    }

    /// Notes a device value whose truth Python asks for at trace time.
    pub fn note_truth(&mut self, test: &ast::Expr, value: &Value<'a>, construct: &'static str) {
        if self.in_kernel() && !self.compiled && matches!(value, Value::Var(_)) {
            let comparison = matches!(test.kind, ExprKind::Compare { .. });
            let kind = PythonNote::TruthOfVar {
                construct,
                comparison,
            };
            self.note(test.span, kind);
        }
    }

    /// Binds a target to a value.
    pub fn assign(&mut self, target: &'a ast::Expr, value: Value<'a>, site: Span) -> Eval<()> {
        match &target.kind {
            ExprKind::Name(name) => {
                self.name_object(name, &value);
                self.bind_name(name, value);
            }
            ExprKind::Tuple(items) | ExprKind::List(items) => {
                self.unpack(items, value, site)?;
            }
            // A starred target outside of a list of targets is a syntax error in Python.
            ExprKind::Starred(inner) => self.assign(inner, Value::Unknown, site)?,
            ExprKind::Subscript {
                value: object,
                index,
            } => {
                let object = self.eval(object)?;
                let at = self.eval(index)?;
                // Tensors also get the syntax of the subscript, which alone shows an ellipsis.
                if let Value::HostTensor(tensor) = &object {
                    self.set_tensor_item(tensor, index, &at, &value);
                    return Ok(());
                }
                let index = at;
                self.charge(object.size())?;
                // The object that is written to is unknown, so the value can be reached from anywhere.
                if object.is_unknown() {
                    self.hand_on(target, &value)?;
                }
                self.set_item(&object, index, value.clone(), target.span)?;
                // The container's contents are unknown, but the value may be found in it again.
                if object.is_lost() {
                    self.hide(&value)?;
                }
            }
            ExprKind::Attribute {
                value: object,
                attr,
            } => {
                let object = self.eval(object)?;
                if let Value::HostTensor(tensor) = &object {
                    // `requires_grad`, `grad` and `name` leave the elements alone; `x.data = y` and `x.shape = …`
                    // change them.
                    if !matches!(attr.text.as_str(), "requires_grad" | "grad" | "name") {
                        tensor.forget();
                    }
                    return Ok(());
                }
                if !self.set_attribute(&object, &attr.text, value.clone())? {
                    self.hand_on(target, &value)?;
                }
                if object.is_lost() {
                    self.hide(&value)?;
                }
            }
            // Other targets do not parse as assignments.
            _ => {}
        }
        Ok(())
    }

    pub(super) fn unpack(
        &mut self,
        targets: &'a [ast::Expr],
        value: Value<'a>,
        site: Span,
    ) -> Eval<()> {
        let is_star = |target: &ast::Expr| matches!(target.kind, ExprKind::Starred(_));
        let starred = targets.iter().position(is_star);
        let items = match starred {
            // One item more than there are targets shows that there are too many; an infinite iterator is not
            // exhausted.
            None => self.first_items(&value, targets.len() + 1)?,
            Some(_) => self.static_items(&value)?,
        };
        let Some(items) = items else {
            self.hide_items(&value)?;
            for target in targets {
                let target = match &target.kind {
                    ExprKind::Starred(inner) => inner,
                    _ => target,
                };
                self.assign(target, Value::Unknown, site)?;
            }
            return Ok(());
        };
        let fits = match starred {
            None => items.len() == targets.len(),
            Some(_) => items.len() + 1 >= targets.len(),
        };
        if !fits {
            let (have, want) = (items.len(), targets.len());
            let message = format!("{have} values for {want} names");
            // Noted first: in a kernel `throw` does not stop the trace.
            self.raise(site, "ValueError", message);
            self.throw("ValueError", ())?;
        }
        let further = (items.len() + 1).saturating_sub(targets.len());
        for (at, target) in targets.iter().enumerate() {
            if let ExprKind::Starred(inner) = &target.kind {
                let rest = items.iter().skip(at).take(further).cloned().collect();
                self.assign(inner, Value::list(rest), site)?;
                continue;
            }
            // Targets after `*rest` take the last items.
            let place = match starred {
                Some(star) if at > star => (at + further).saturating_sub(1),
                _ => at,
            };
            let item = items.get(place).cloned();
            self.assign(target, item.unwrap_or(Value::Unknown), site)?;
        }
        Ok(())
    }

    /// Evaluates `del target`.
    fn delete(&mut self, target: &'a ast::Expr) -> Eval<()> {
        match &target.kind {
            ExprKind::Name(name) => {
                let frame = self.frame.binding(name);
                // A name with an unknown value may be unbound.
                if frame.is_lost() || frame.own(name).is_none_or(|value| value.is_unknown()) {
                    self.doubt();
                }
                if !self.unbind_in(&frame, name) && !frame.is_lost() {
                    self.throw("NameError", ())?;
                }
            }
            ExprKind::Tuple(items) | ExprKind::List(items) => {
                for item in items {
                    self.delete(item)?;
                }
            }
            ExprKind::Subscript {
                value: object,
                index,
            } => {
                let object = self.eval(object)?;
                let index = self.eval(index)?;
                self.delete_item(&object, &index, target.span)?;
            }
            ExprKind::Attribute {
                value: object,
                attr,
            } => {
                let object = self.eval(object)?;
                self.delete_attribute(&object, &attr.text, target.span)?;
            }
            _ => self.doubt(),
        }
        Ok(())
    }

    /// Notes an assignment to a part of a tensor, which has no effect.
    pub(super) fn note_subscript_assignment(&mut self, target: Span) {
        let target = self.text(target);
        let span = self.builder().statement;
        self.note(
            span,
            PythonNote::NoEffect(NoEffect::SubscriptAssignment { target }),
        );
    }
}

/// The state that evaluation restores after an exception.
pub(super) struct State<'a> {
    frame: Frame<'a>,
    calls: u32,
    running: usize,
    yields: usize,
    returns: usize,
    handled: usize,
    rewritten: bool,
    loops: usize,
}

fn is_definition(stmt: &ast::Stmt) -> bool {
    use ast::StmtKind as S;
    matches!(
        stmt.kind,
        S::Function(_) | S::Class { .. } | S::Import(_) | S::ImportFrom { .. }
    )
}

/// Returns the numbers of a Python range.
pub(super) fn static_range(start: i128, stop: i128, step: i128) -> impl Iterator<Item = i128> {
    let mut next = start;
    std::iter::from_fn(move || {
        let inside = (step > 0 && next < stop) || (step < 0 && next > stop);
        let current = inside.then_some(next)?;
        // If the next number does not fit, the range ends: nothing lies beyond the last representable number.
        next = next.checked_add(step).unwrap_or(stop);
        Some(current)
    })
}

/// Returns the part of a compound statement before its body, and the whole of a simple statement.
pub(super) fn header_span(source: &SourceText, stmt: &ast::Stmt) -> Span {
    let end = match &stmt.kind {
        ast::StmtKind::For { iter, .. } => iter.span,
        ast::StmtKind::While { test, .. } => test.span,
        ast::StmtKind::If { arms, .. } => match arms.first() {
            Some((test, _)) => test.span,
            None => stmt.span,
        },
        ast::StmtKind::With { items, .. } => match items.last() {
            Some((expr, _)) => expr.span,
            None => stmt.span,
        },
        ast::StmtKind::Function(def) => match def.params.last() {
            Some(last) => last.name.span,
            None => def.name.span,
        },
        ast::StmtKind::Class { name, .. } => name.span,
        ast::StmtKind::Try { .. } => Span {
            start: stmt.span.start,
            // The first character, of any length: a damaged statement may begin with any.
            end: match source.slice(stmt.span).chars().next() {
                Some(first) => stmt.span.start + first.len_utf8() as u32,
                None => stmt.span.end,
            },
        },
        _ => return stmt.span,
    };
    Span {
        start: stmt.span.start,
        end: end.end,
    }
}
