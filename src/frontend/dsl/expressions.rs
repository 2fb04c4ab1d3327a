//! Expressions: Python values are computed, device scalars and vector expressions are built.

use std::rc::Rc;

use super::python::objects::ClassKind;
use super::statements::static_range;
use super::tensors::indexing;
use super::tracer::{Eval, Tracer};
use super::unknown::may_pick;
use super::value::{Lambda, SliceValue, Value};
use crate::ir::{self};
use crate::syntax::python::ast::{self, ExprKind};
use crate::text::Span;

/// Longest list that is evaluated element by element.
pub(super) const MAX_ITEMS: usize = 200_000;

impl<'a> Tracer<'a> {
    pub fn eval(&mut self, expr: &'a ast::Expr) -> Eval<Value<'a>> {
        let value = self.evaluate(expr)?;
        if value.is_unknown() && may_pick(expr) {
            self.escape(expr)?;
        }
        let is_new = !matches!(expr.kind, ExprKind::Name(_) | ExprKind::Subscript { .. });
        if is_new {
            self.charge(value.size())?;
        }
        Ok(value)
    }

    fn evaluate(&mut self, expr: &'a ast::Expr) -> Eval<Value<'a>> {
        self.step()?;
        Ok(match &expr.kind {
            ExprKind::None => Value::None,
            ExprKind::Bool(value) => Value::Bool(*value),
            ExprKind::Int(value) => Value::Int(*value),
            ExprKind::Float(value) => Value::Float(*value),
            ExprKind::Str(text) => Value::str(text),
            ExprKind::OpaqueStr | ExprKind::Ellipsis | ExprKind::Error => Value::Unknown,
            ExprKind::Format(parts) => self.format(parts)?,
            ExprKind::Yield { value, from } => self.yielded(value.as_deref(), *from)?,
            ExprKind::Name(name) => {
                let value = self.name(name, expr.span);
                if self.undefined.contains(&expr.span) {
                    self.lost_name(expr.span)?;
                }
                value
            }
            ExprKind::Attribute { value, attr } => {
                let object = self.eval(value)?;
                self.attribute(object, &attr.text, expr.span)?
            }
            ExprKind::Subscript { value, index } => {
                let object = self.eval(value)?;
                let at = self.eval(index)?;
                match &object {
                    Value::HostTensor(tensor) => self.tensor_item(tensor, index, &at),
                    _ => self.subscript(object, at, expr.span)?,
                }
            }
            ExprKind::Slice { lower, upper, step } => {
                let lower = self.optional(lower)?;
                let upper = self.optional(upper)?;
                let step = self.optional(step)?;
                Value::Slice(Rc::new(SliceValue {
                    lower,
                    upper,
                    step,
                    span: expr.span,
                }))
            }
            ExprKind::Call {
                func,
                args,
                keywords,
            } => self.call(expr, func, args, keywords)?,
            ExprKind::Tuple(items) => Value::tuple(self.items(items)?),
            ExprKind::List(items) => Value::list(self.items(items)?),
            ExprKind::Set(items) => {
                let items = self.items(items)?;
                self.set_of(items)?
            }
            ExprKind::Dict(entries) => self.dict(entries)?,
            ExprKind::Unary { op, operand } => {
                let value = self.eval(operand)?;
                self.unary(*op, value, expr.span)?
            }
            ExprKind::Binary {
                op,
                op_span,
                left,
                right,
            } => {
                let a = self.eval(left)?;
                let b = self.eval(right)?;
                self.binary(*op, *op_span, (a, left.span), (b, right.span), expr.span)?
            }
            ExprKind::BoolOp { and, values } => self.bool_op(*and, values)?,
            ExprKind::Compare { left, rest } => self.comparison(left, rest)?,
            ExprKind::Conditional { test, body, orelse } => {
                let condition = self.eval(test)?;
                self.note_truth(test, &condition, "a conditional expression");
                let condition = self.condition(condition, test.span)?;
                match condition.truth() {
                    Some(true) => self.eval(body)?,
                    Some(false) => self.eval(orelse)?,
                    None if self.compiled && condition.is_scalar() => {
                        self.compiled_choice(&condition, test.span, (body, orelse))?
                    }
                    None => {
                        self.eval(body)?;
                        self.eval(orelse)?;
                        Value::Unknown
                    }
                }
            }
            ExprKind::Comprehension {
                kind,
                element,
                value,
                clauses,
            } => self.comprehension(*kind, element, value.as_deref(), clauses)?,
            ExprKind::Lambda { params, body } => Value::Lambda(Rc::new(Lambda {
                params,
                body,
                closure: self.frame.for_functions(),
                defaults: self.defaults(params)?,
            })),
            ExprKind::Starred(inner) => {
                self.eval(inner)?;
                Value::Unknown
            }
            ExprKind::Named { name, value } => {
                let value = self.eval(value)?;
                self.name_object(&name.text, &value);
                self.frame.set(&name.text, value.clone());
                value
            }
        })
    }

    fn optional(&mut self, expr: &'a Option<Box<ast::Expr>>) -> Eval<Option<Value<'a>>> {
        expr.as_deref().map(|expr| self.eval(expr)).transpose()
    }

    pub fn name(&mut self, name: &str, span: Span) -> Value<'a> {
        let Some(value) = self.lookup(name) else {
            if !(self.compiled && self.note_gone(name, span)) {
                self.note_undefined(name, span);
            }
            return Value::Unknown;
        };
        if let (Value::Var(id), Some(builder)) = (&value, &mut self.kernel) {
            builder.asked.insert(*id);
        }
        if let Value::A5(name) = value {
            // What does not parse may bind it to something of the author's own.
            if self.is_in_broken_text(name) {
                return Value::Unknown;
            }
            let name = name.to_owned();
            self.note(span, ir::NoteKind::A5Only { name });
        }
        value
    }

    /// Evaluates list items; `*x` spreads what is known.
    fn items(&mut self, items: &'a [ast::Expr]) -> Eval<Vec<Value<'a>>> {
        let mut values = Vec::with_capacity(items.len());
        for item in items {
            if let ExprKind::Starred(inner) = &item.kind {
                let inner = self.eval(inner)?;
                match self.static_items(&inner)? {
                    Some(spread) => values.extend(spread),
                    None => values.push(Value::Unknown),
                }
            } else {
                values.push(self.eval(item)?);
            }
        }
        Ok(values)
    }

    fn dict(&mut self, entries: &'a [(Option<ast::Expr>, ast::Expr)]) -> Eval<Value<'a>> {
        let mut items = Vec::with_capacity(entries.len());
        let mut is_open = false;
        for (key, value) in entries {
            let value = self.eval(value)?;
            match (key, &value) {
                (Some(key), _) => {
                    let key = self.eval(key)?;
                    self.insert(&mut items, key, value)?;
                }
                (None, Value::Dict(more)) => {
                    for (key, value) in more.borrow().to_vec() {
                        self.insert(&mut items, key, value)?;
                    }
                }
                (None, _) => is_open = true,
            }
        }
        Ok(match is_open {
            true => Value::Unknown,
            false => Value::dict(items),
        })
    }

    /// The elements that a Python loop over `value` would see; `None` where they are not known.
    pub fn static_items(&mut self, value: &Value<'a>) -> Eval<Option<Vec<Value<'a>>>> {
        self.charge(value.size())?;
        Ok(match value {
            Value::Tuple(items) => Some(items.to_vec()),
            Value::List(items) | Value::Set(items) => Some(items.borrow().to_vec()),
            Value::Instance(instance) => match instance.as_tuple() {
                Some(items) => Some(items),
                None => self.iterated(value)?,
            },
            Value::Class(class) if matches!(class.kind, ClassKind::Enum { .. }) => {
                Some(self.members(class))
            }
            Value::DeviceRange(bounds) if !self.in_kernel() => {
                match [0, 1, 2].map(|at: usize| bounds[at].as_int()) {
                    [Some(start), Some(stop), Some(step)] => {
                        return self.static_items(&Value::Range(start, stop, step));
                    }
                    _ => None,
                }
            }
            Value::HostTensor(tensor) => {
                let rows = indexing::rows(tensor, MAX_ITEMS);
                self.charge(rows.as_ref().map_or(0, Vec::len))?;
                if rows.is_none() {
                    // Views of it that are not known.
                    tensor.expose();
                }
                rows
            }
            Value::Dict(items) => Some(items.borrow().iter().map(|(key, _)| key.clone()).collect()),
            Value::Str(text) => Some(text.chars().map(|c| Value::str(&c.to_string())).collect()),
            Value::Range(start, stop, step) => {
                let items: Vec<_> = static_range(*start, *stop, *step)
                    .take(MAX_ITEMS)
                    .map(Value::Int)
                    .collect();
                if items.len() == MAX_ITEMS {
                    return Err(super::tracer::Abort(format!(
                        "a Python loop has {MAX_ITEMS} iterations or more"
                    )));
                }
                self.charge(items.len())?;
                Some(items)
            }
            _ => None,
        })
    }

    fn comprehension(
        &mut self,
        kind: ast::ComprehensionKind,
        element: &'a ast::Expr,
        value: Option<&'a ast::Expr>,
        clauses: &'a [ast::Clause],
    ) -> Eval<Value<'a>> {
        let frame = self.new_frame(self.frame.clone());
        let outer = std::mem::replace(&mut self.frame, frame);
        let mut items = Vec::new();
        let known = self.clauses(clauses, &mut |tracer| {
            let key = tracer.eval(element)?;
            let value = value.map(|value| tracer.eval(value)).transpose()?;
            items.push((key, value.unwrap_or(Value::None)));
            Ok(())
        });
        self.frame = outer;
        if !known? {
            return Ok(Value::Unknown);
        }
        Ok(match kind {
            ast::ComprehensionKind::Dict => {
                let mut entries = Vec::with_capacity(items.len());
                for (key, value) in items {
                    self.insert(&mut entries, key, value)?;
                }
                Value::dict(entries)
            }
            ast::ComprehensionKind::Set => {
                self.set_of(items.into_iter().map(|(key, _)| key).collect())?
            }
            ast::ComprehensionKind::List | ast::ComprehensionKind::Generator => {
                Value::list(items.into_iter().map(|(key, _)| key).collect())
            }
        })
    }

    /// Runs `body` for every binding of the clauses; false where one could not be evaluated.
    fn clauses(
        &mut self,
        clauses: &'a [ast::Clause],
        body: &mut dyn FnMut(&mut Self) -> Eval<()>,
    ) -> Eval<bool> {
        let Some((clause, rest)) = clauses.split_first() else {
            body(self)?;
            return Ok(true);
        };
        let iterable = self.eval(&clause.iter)?;
        let iterable = match iterable {
            Value::DeviceRange(bounds) => match [0, 1, 2].map(|at: usize| bounds[at].as_int()) {
                [Some(start), Some(stop), Some(step)] => Value::Range(start, stop, step),
                _ => Value::Unknown,
            },
            other => other,
        };
        let Some(items) = self.static_items(&iterable)? else {
            return Ok(false);
        };
        for item in items {
            self.step()?;
            self.assign(&clause.target, item, clause.iter.span)?;
            let mut holds = Some(true);
            for condition in &clause.conditions {
                let value = self.eval(condition)?;
                self.note_truth(condition, &value, "the condition of a comprehension");
                let value = self.condition(value, condition.span)?;
                holds = match (holds, value.truth()) {
                    (Some(a), Some(b)) => Some(a && b),
                    _ => None,
                };
            }
            match holds {
                None => return Ok(false),
                Some(false) => {}
                Some(true) => {
                    if !self.clauses(rest, body)? {
                        return Ok(false);
                    }
                }
            }
        }
        Ok(true)
    }

    fn bool_op(&mut self, and: bool, values: &'a [ast::Expr]) -> Eval<Value<'a>> {
        let mut device: Option<Value<'a>> = None;
        let mut last = Value::Bool(and);
        for expr in values {
            let value = self.eval(expr)?;
            match self.condition(value.clone(), expr.span)?.truth() {
                Some(truth) if device.is_none() => {
                    if truth != and {
                        return Ok(value);
                    }
                    last = value;
                }
                _ if !self.in_kernel() || !value.is_scalar() => return Ok(Value::Unknown),
                _ => {
                    let op = if and {
                        ir::BinaryOp::And
                    } else {
                        ir::BinaryOp::Or
                    };
                    device = Some(match device {
                        None => value,
                        Some(before) => self.device_binary(op, &before, &value)?,
                    });
                }
            }
        }
        Ok(device.unwrap_or(last))
    }

    fn comparison(
        &mut self,
        left: &'a ast::Expr,
        rest: &'a [(ast::CompareOp, ast::Expr)],
    ) -> Eval<Value<'a>> {
        let mut a = self.eval(left)?;
        let mut result: Option<Value<'a>> = None;
        for (op, right) in rest {
            let b = self.eval(right)?;
            let span = left.span.to(right.span);
            let one = match self.class_compare(*op, (&a, &b), span)? {
                Some(result) => result,
                None => self.compare(*op, &a, &b)?,
            };
            result = Some(match result {
                None => one,
                Some(before) => match (before.truth(), one.truth()) {
                    (Some(x), Some(y)) => Value::Bool(x && y),
                    (Some(true), None) => one,
                    (None, Some(true)) => before,
                    (None, None) if before.is_scalar() && one.is_scalar() => {
                        self.device_binary(ir::BinaryOp::And, &before, &one)?
                    }
                    _ => Value::Unknown,
                },
            });
            a = b;
        }
        Ok(result.unwrap_or(Value::Unknown))
    }
}
