//! Statements, one after the other, and what assignments do.

use super::emit::Arguments;
use super::python::native::Site;
use super::tracer::{Eval, Flow, Tracer};
use super::value::Value;
use crate::ir::{NoEffect, NoteKind, VariableKind};
use crate::syntax::python::ast::{self, ExprKind};
use crate::text::{SourceText, Span};

impl<'a> Tracer<'a> {
    pub fn block(&mut self, body: &'a [ast::Stmt]) -> Eval<Flow<'a>> {
        for stmt in body {
            match self.statement(stmt)? {
                Flow::Normal => {}
                other => return Ok(other),
            }
        }
        Ok(Flow::Normal)
    }

    pub(super) fn statement(&mut self, stmt: &'a ast::Stmt) -> Eval<Flow<'a>> {
        self.step()?;
        if let Some(builder) = &mut self.kernel {
            builder.statement = header_span(self.source, stmt);
        }
        if self.broken_at(header_span(self.source, stmt))
            && !matches!(stmt.kind, ast::StmtKind::Error(_))
        {
            return self.broken_statement(stmt);
        }
        if self.compiled {
            self.refuse(stmt);
        }
        match &stmt.kind {
            ast::StmtKind::Expr(expr) => self.expression_statement(expr)?,
            ast::StmtKind::Assign { targets, value } => self.assignment(targets, value)?,
            ast::StmtKind::AnnAssign { target, value, .. } => {
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
                body,
                ..
            } => self.class(name, (decorators, bases), body)?,
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
            ast::StmtKind::Try { blocks, parts } => return self.try_blocks(blocks, parts),
            ast::StmtKind::Break if self.compiled => return self.compiled_exit(Flow::Break),
            ast::StmtKind::Continue if self.compiled => {
                return self.compiled_exit(Flow::Continue);
            }
            ast::StmtKind::Break => return Ok(Flow::Break),
            ast::StmtKind::Continue => return Ok(Flow::Continue),
            ast::StmtKind::Assert(test) => {
                let condition = self.eval(test)?;
                self.note_truth(test, &condition, "`assert`");
            }
            ast::StmtKind::Error(recovered) => {
                self.broken(stmt.span)?;
                return self.block(recovered);
            }
            ast::StmtKind::Global(names) => {
                for name in names {
                    self.frame.declare_foreign(&name.text);
                }
            }
            // What comes after it at the outermost level is looked at all the same.
            ast::StmtKind::Raise if self.calls > 0 || self.tries > 0 => return Ok(Flow::Raise),
            ast::StmtKind::Raise | ast::StmtKind::Delete(_) | ast::StmtKind::Pass => {}
        }
        Ok(Flow::Normal)
    }

    pub(super) fn expression_statement(&mut self, expr: &'a ast::Expr) -> Eval<()> {
        let value = self.eval(expr)?;
        if let Value::Vector(vector) = value
            && !vector.consumed.get()
        {
            self.note(expr.span, NoteKind::NoEffect(NoEffect::UnusedExpression));
        }
        Ok(())
    }

    pub(super) fn assignment(
        &mut self,
        targets: &'a [ast::Expr],
        value: &'a ast::Expr,
    ) -> Eval<()> {
        let carried = match targets {
            [target] if !self.compiled => self.carried_update(target, value),
            _ => None,
        };
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
        for target in targets {
            if self.compiled {
                self.rebound_cell(target, made_before, &evaluated);
            }
            self.assign(target, evaluated.clone(), value.span)?;
        }
        Ok(())
    }

    /// `v = v + 1` where an enclosing device loop runs longer than the variable was made in: every
    /// trip computes from the same old value.
    pub(super) fn carried_update(
        &mut self,
        target: &ast::Expr,
        value: &ast::Expr,
    ) -> Option<NoteKind> {
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

    /// What is wrong with rebinding a variable's name to a new value of it.
    pub fn lost_update(&mut self, name: &str, in_place: String) -> Option<NoteKind> {
        let Value::Var(variable) = self.frame.get(name)? else {
            return None;
        };
        let builder = self.kernel.as_ref()?;
        let declared = builder.program.variable(variable);
        let device_loop = *builder.loops.last()?;
        let outside = *builder.declared_in.get(&variable)? < builder.loops.len();
        (declared.kind == VariableKind::Declared && outside).then(|| NoteKind::LostUpdate {
            name: name.to_owned(),
            device_loop,
            declared: declared.span,
            in_place,
        })
    }

    /// Notes a device value where Python asks for its truth while tracing.
    pub fn note_truth(&mut self, test: &ast::Expr, value: &Value<'a>, construct: &'static str) {
        if self.in_kernel() && !self.compiled && matches!(value, Value::Var(_)) {
            let comparison = matches!(test.kind, ExprKind::Compare { .. });
            let kind = NoteKind::TruthOfVar {
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
                self.frame.set(name, value);
            }
            ExprKind::Tuple(items) | ExprKind::List(items) => {
                self.unpack(items, value, site)?;
            }
            ExprKind::Starred(inner) => self.assign(inner, Value::Unknown, site)?,
            ExprKind::Subscript {
                value: object,
                index,
            } => {
                let object = self.eval(object)?;
                let at = self.eval(index)?;
                if let Value::HostTensor(tensor) = &object {
                    self.set_tensor_item(tensor, index, &at, &value);
                    return Ok(());
                }
                let index = at;
                self.charge(object.size())?;
                if object.is_unknown() {
                    self.hand_on(target, &value)?;
                }
                let given = Arguments::of([index.clone(), value.clone()], target.span);
                let site = Site::at(target.span);
                match self.call_method(&object, "__setitem__", given, site)? {
                    Some(_) => {}
                    None => self.assign_subscript(target, object, index, value),
                }
            }
            ExprKind::Attribute {
                value: object,
                attr,
            } => {
                let object = self.eval(object)?;
                if let Value::HostTensor(tensor) = &object {
                    // `x.requires_grad = True`; `x.data = y`, `x.shape = …` make another tensor of it.
                    if !matches!(attr.text.as_str(), "requires_grad" | "grad" | "name") {
                        tensor.forget();
                    }
                    return Ok(());
                }
                if !self.set_attribute(&object, &attr.text, value.clone())? {
                    self.hand_on(target, &value)?;
                }
            }
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
        let items = self.static_items(&value)?;
        if let Some(items) = &items
            && items.len() != targets.len()
            && !targets
                .iter()
                .any(|t| matches!(t.kind, ExprKind::Starred(_)))
        {
            let (have, want) = (items.len(), targets.len());
            self.raise(
                site,
                "ValueError",
                format!("{have} values for {want} names"),
            );
        }
        let starred = targets
            .iter()
            .position(|t| matches!(t.kind, ExprKind::Starred(_)));
        let further = items
            .as_ref()
            .map_or(0, |items| (items.len() + 1).saturating_sub(targets.len()));
        for (at, target) in targets.iter().enumerate() {
            // What stands after `*rest` takes the last items.
            let place = match starred {
                Some(star) if at > star => at + further - 1.min(further),
                _ => at,
            };
            let item = match (&target.kind, &items) {
                (ExprKind::Starred(inner), Some(items)) => {
                    let rest = items.iter().skip(at).take(further).cloned().collect();
                    self.assign(inner, Value::list(rest), site)?;
                    continue;
                }
                (_, items) => items.as_ref().and_then(|items| items.get(place)).cloned(),
            };
            self.assign(target, item.unwrap_or(Value::Unknown), site)?;
        }
        Ok(())
    }

    pub(super) fn assign_subscript(
        &mut self,
        target: &'a ast::Expr,
        object: Value<'a>,
        index: Value<'a>,
        value: Value<'a>,
    ) {
        match object {
            Value::List(items) => {
                let mut items = items.borrow_mut();
                let len = items.len() as i128;
                let at = index.as_int().map(|at| if at < 0 { at + len } else { at });
                match at.and_then(|at| items.get_mut(usize::try_from(at).ok()?)) {
                    Some(item) => *item = value,
                    None => items.iter_mut().for_each(|item| *item = Value::Unknown),
                }
            }
            Value::Dict(items) => {
                let mut items = items.borrow_mut();
                let found = items
                    .iter()
                    .position(|(key, _)| key.equals(&index) == Some(true));
                match found {
                    Some(at) => items[at].1 = value,
                    None => items.push((index, value)),
                }
            }
            Value::Local(_) | Value::Ring(_) | Value::Global(_) if self.in_kernel() => {
                let target = self.text(target.span);
                let span = self.builder().statement;
                self.note(
                    span,
                    NoteKind::NoEffect(NoEffect::SubscriptAssignment { target }),
                );
            }
            _ => {}
        }
    }
}

/// The numbers of a Python range.
pub(super) fn static_range(start: i128, stop: i128, step: i128) -> impl Iterator<Item = i128> {
    let mut next = start;
    std::iter::from_fn(move || {
        let inside = (step > 0 && next < stop) || (step < 0 && next > stop);
        let current = inside.then_some(next)?;
        // Behind the last number that there is, nothing is inside.
        next = next.checked_add(step).unwrap_or(stop);
        Some(current)
    })
}

/// The part of a compound statement before its body, the whole of a simple one.
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
            // The first character: a damaged statement may begin with any.
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
