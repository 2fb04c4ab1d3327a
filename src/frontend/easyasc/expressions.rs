//! Expressions: Python values are computed, device scalars and vector expressions are built.

use std::cell::Cell;
use std::rc::Rc;

use super::emit::Arguments;
use super::facade::{self, Namespace};
use super::python::attributes;
use super::python::objects::ClassKind;
use super::tensors::{arithmetic, methods};
use super::tracer::{Eval, Tracer, static_range};
use super::unknown::may_pick;
use super::value::{Lambda, SliceValue, Value, VectorExpr};
use crate::ir::{self, GlobalId, Scalar, ScalarType, UnaryOp};
use crate::isa::{Class, Opcode, Receiver};
use crate::syntax::python::ast::{self, BinaryOp, ExprKind};
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
                let index = self.eval(index)?;
                self.subscript(object, index, expr.span)?
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
                match condition.truth() {
                    Some(true) => self.eval(body)?,
                    Some(false) => self.eval(orelse)?,
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
            self.note_undefined(name, span);
            return Value::Unknown;
        };
        if let Value::A5(name) = value {
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
            Value::Instance(instance) => instance.as_tuple(),
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

    fn unary(&mut self, op: ast::UnaryOp, value: Value<'a>, span: Span) -> Eval<Value<'a>> {
        use ast::UnaryOp as U;
        Ok(match (op, &value) {
            (U::Neg, Value::Int(v)) => v.checked_neg().map_or(Value::Unknown, Value::Int),
            (U::Neg, Value::Float(v)) => Value::Float(-v),
            (U::Pos, Value::Int(_) | Value::Float(_)) => value,
            (U::Invert, Value::Int(v)) => Value::Int(!v),
            (U::Not, Value::Var(_)) => self.device_unary(UnaryOp::Not, &value)?,
            (U::Not, _) => value
                .truth()
                .map_or(Value::Unknown, |truth| Value::Bool(!truth)),
            (U::Neg, Value::Var(_)) => self.device_unary(UnaryOp::Negate, &value)?,
            (U::Neg, Value::Local(_) | Value::Ring(_)) => {
                let help = format!("write `{}(dst, src, -1.0)`", Opcode::Muls.row().name);
                let message = "bad operand type for unary -: 'Tensor'";
                self.raise_with(span, "TypeError", message, Some(help));
                Value::Unknown
            }
            _ => Value::Unknown,
        })
    }

    /// Python's `==` on plain values.
    pub fn equal(&mut self, a: &Value<'a>, b: &Value<'a>) -> Eval<Option<bool>> {
        let (equal, compared) = a.equals_counted(b);
        self.charge(compared)?;
        Ok(equal)
    }

    pub fn device_unary(&mut self, op: UnaryOp, value: &Value<'a>) -> Eval<Value<'a>> {
        if !self.in_kernel() {
            return Ok(Value::Unknown);
        }
        let builder = self.builder();
        let operand = builder.scalar(value);
        let of = builder.program.scalars.unary_type(op, operand);
        let result = builder.program.scalars.unary_as(of, op, operand);
        self.temporary(result, of)
    }

    /// A device scalar that holds the current value of an expression.
    pub fn temporary(&mut self, value: ir::ScalarId, of: ScalarType) -> Eval<Value<'a>> {
        let span = self.builder().statement;
        let builder = self.builder();
        let temporary = builder.variable(ir::VariableKind::Temporary, "", of, span);
        builder.assign(temporary, value)?;
        Ok(Value::Var(temporary))
    }

    fn bool_op(&mut self, and: bool, values: &'a [ast::Expr]) -> Eval<Value<'a>> {
        let mut device: Option<Value<'a>> = None;
        let mut last = Value::Bool(and);
        for expr in values {
            let value = self.eval(expr)?;
            match value.truth() {
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
            let one = self.compare(*op, &a, &b)?;
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

    fn compare(&mut self, op: ast::CompareOp, a: &Value<'a>, b: &Value<'a>) -> Eval<Value<'a>> {
        use ast::CompareOp as C;
        let known = |truth: Option<bool>| truth.map_or(Value::Unknown, Value::Bool);
        let is_device = |value: &Value| matches!(value, Value::Var(_));
        if self.in_kernel() && (is_device(a) || is_device(b)) && a.is_scalar() && b.is_scalar() {
            let Some(op) = device_comparison(op) else {
                return Ok(Value::Unknown);
            };
            let builder = self.builder();
            let (x, y) = (builder.scalar(a), builder.scalar(b));
            let result = builder.compare(op, x, y);
            return self.temporary(result, ScalarType::INT);
        }
        Ok(match op {
            C::Eq => known(self.equal(a, b)?),
            C::Ne => known(self.equal(a, b)?.map(|equal| !equal)),
            C::Is | C::IsNot => {
                let same = match (a, b) {
                    (Value::Unknown | Value::Foreign | Value::Inert, _)
                    | (_, Value::Unknown | Value::Foreign | Value::Inert) => None,
                    (Value::None, Value::None) => Some(true),
                    (Value::None, _) | (_, Value::None) => Some(false),
                    _ if a.is_same(b) => Some(true),
                    _ => self.equal(a, b)?,
                };
                known(same.map(|same| same == (op == C::Is)))
            }
            C::In | C::NotIn => {
                let inside = self.is_in(a, b)?;
                known(inside.map(|inside| inside == (op == C::In)))
            }
            _ => {
                let ordering = match (a.as_int(), b.as_int()) {
                    (Some(x), Some(y)) => Some(x.cmp(&y)),
                    _ => match (a.as_float(), b.as_float()) {
                        (Some(x), Some(y)) => x.partial_cmp(&y),
                        _ => None,
                    },
                };
                let op = device_comparison(op);
                known(op.zip(ordering).map(|(op, ordering)| op.holds(ordering)))
            }
        })
    }

    pub fn binary(
        &mut self,
        op: BinaryOp,
        op_span: Span,
        (a, a_span): (Value<'a>, Span),
        (b, b_span): (Value<'a>, Span),
        span: Span,
    ) -> Eval<Value<'a>> {
        if is_tensor(&a) || is_tensor(&b) {
            return self.vector_binary(op, op_span, (a, a_span), (b, b_span), span);
        }
        if matches!(a, Value::Var(_)) || matches!(b, Value::Var(_)) {
            if !a.is_scalar() || !b.is_scalar() || !self.in_kernel() {
                return Ok(Value::Unknown);
            }
            return match device_operation(op) {
                Some(op) => self.device_binary(op, &a, &b),
                None => Ok(Value::Unknown),
            };
        }
        if let Some(tensor) = arithmetic::binary(op, &a, &b) {
            return Ok(tensor);
        }
        if let Some(container) = self.container_binary(op, &a, &b)? {
            return Ok(container);
        }
        Ok(static_binary(op, &a, &b))
    }

    pub fn device_binary(
        &mut self,
        op: ir::BinaryOp,
        a: &Value<'a>,
        b: &Value<'a>,
    ) -> Eval<Value<'a>> {
        let builder = self.builder();
        let (x, y) = (builder.scalar(a), builder.scalar(b));
        let of = builder.program.scalars.binary_type(op, x, y);
        let result = builder.program.scalars.binary_as(of, op, x, y);
        self.temporary(result, of)
    }

    fn vector_binary(
        &mut self,
        op: BinaryOp,
        op_span: Span,
        (a, a_span): (Value<'a>, Span),
        (b, b_span): (Value<'a>, Span),
        span: Span,
    ) -> Eval<Value<'a>> {
        if a.is_unknown() || b.is_unknown() || !self.in_kernel() {
            return Ok(Value::Unknown);
        }
        let nested = matches!(a, Value::Vector(_)) || matches!(b, Value::Vector(_));
        if nested {
            consume(&a);
            consume(&b);
            let help = "store the inner result in a UB tensor first: one operation per <<=";
            let message = format!("unsupported operand for {}: 'VecOP'", symbol(op));
            self.raise_with(span, "TypeError", message, Some(help.into()));
            return Ok(Value::Unknown);
        }
        if op == BinaryOp::Div && b.as_float() == Some(0.0) {
            self.raise(span, "ZeroDivisionError", "division by zero");
            return Ok(Value::Unknown);
        }
        let form = match (is_tensor(&a), is_tensor(&b)) {
            (true, true) => tensor_tensor(op)
                .map(|opcode| (opcode, vec![(a.clone(), a_span), (b.clone(), b_span)], None)),
            (true, false) => self.tensor_scalar(op, &b)?.map(|(opcode, scalar)| {
                (opcode, vec![(a.clone(), a_span)], Some((scalar, b_span)))
            }),
            _ => commuting(op)
                .filter(|_| a.is_scalar())
                .map(|opcode| (opcode, vec![(b.clone(), b_span)], Some((a.clone(), a_span)))),
        };
        let Some((opcode, sources, trailing)) = form else {
            let message = format!(
                "unsupported operand type(s) for {}: '{}' and '{}'",
                symbol(op),
                a.type_name(),
                b.type_name()
            );
            let help = (a.is_scalar() && is_tensor(&b))
                .then(|| reversed(op))
                .flatten();
            self.raise_with(span, "TypeError", message, help);
            return Ok(Value::Unknown);
        };
        Ok(Value::Vector(Rc::new(VectorExpr {
            opcode,
            sources,
            trailing,
            op_span,
            consumed: Cell::new(false),
        })))
    }

    /// `tensor op scalar`: subtraction and division become addition and multiplication.
    fn tensor_scalar(
        &mut self,
        op: BinaryOp,
        scalar: &Value<'a>,
    ) -> Eval<Option<(Opcode, Value<'a>)>> {
        if !scalar.is_scalar() {
            return Ok(None);
        }
        Ok(match op {
            BinaryOp::Add => Some((Opcode::Adds, scalar.clone())),
            BinaryOp::Mul => Some((Opcode::Muls, scalar.clone())),
            BinaryOp::Sub => {
                let negated = match scalar {
                    Value::Var(_) => self.device_unary(UnaryOp::Negate, scalar)?,
                    _ => static_binary(BinaryOp::Sub, &Value::Int(0), scalar),
                };
                Some((Opcode::Adds, negated))
            }
            BinaryOp::Div => {
                let inverse = match scalar {
                    Value::Var(_) => {
                        self.device_binary(ir::BinaryOp::Div, &Value::Float(1.0), scalar)?
                    }
                    _ => static_binary(BinaryOp::Div, &Value::Float(1.0), scalar),
                };
                Some((Opcode::Muls, inverse))
            }
            _ => None,
        })
    }

    /// Attributes of objects; methods come back bound.
    pub fn attribute(&mut self, object: Value<'a>, name: &str, span: Span) -> Eval<Value<'a>> {
        if let Value::Namespace(namespace) = &object {
            let found = facade::attribute(*namespace, name);
            if let Some(Value::A5(name)) = &found {
                let name = (*name).to_owned();
                self.note(span, ir::NoteKind::A5Only { name });
            }
            if found.is_none() {
                self.note_no_attribute(*namespace, name, span);
            }
            let inert = matches!(namespace, Namespace::Library(_));
            return Ok(found.unwrap_or(match inert {
                true => Value::Inert,
                false => Value::Unknown,
            }));
        }
        if let Value::Method(method) = &object
            && method.1 == attributes::SUPER
        {
            return Ok(self.super_attribute(&method.0, name));
        }
        if let Some(value) = self.python_attribute(&object, name, span)? {
            return Ok(value);
        }
        Ok(match (&object, name) {
            (Value::Unknown | Value::Foreign | Value::Inert, _) => object,
            (Value::Instance(_) | Value::Class(_) | Value::Lambda(_), _)
            | (Value::Partial(_) | Value::Builtin(_) | Value::Function(_), _) => Value::Unknown,
            (Value::Local(view), "T") => {
                let mut view = view.as_ref().clone();
                view.transposed = !view.transposed;
                view.site = span;
                Value::Local(Rc::new(view))
            }
            (Value::Global(view), "T") => {
                let mut view = view.as_ref().clone();
                view.transposed = !view.transposed;
                view.site = span;
                Value::Global(Rc::new(view))
            }
            (Value::Local(view), "shape") => self.extents(view.shape)?,
            (Value::Local(view), "span") => self.extents(view.span)?,
            (Value::Local(view), "dtype") => Value::DType(view.dtype),
            (Value::Local(view), "position") => {
                Value::Position(self.builder().program.buffer(view.buffer).position)
            }
            (Value::Ring(buffer), "shape") => {
                let shape = self.builder().program.buffer(*buffer).shape;
                self.extents(shape)?
            }
            (Value::Ring(buffer), "dtype") => {
                Value::DType(self.builder().program.buffer(*buffer).dtype)
            }
            (Value::Global(view), "dtype") => {
                let dtype = self.builder().program.global(view.global).dtype;
                dtype.map_or(Value::Unknown, Value::DType)
            }
            (Value::Global(view), "shape") if view.axes.is_empty() => {
                Value::Method(Rc::new((object.clone(), name.to_owned())))
            }
            (Value::Global(view), "shape") => {
                let axes: Vec<_> = view.axes.iter().map(|axis| axis.span).collect();
                self.scalars_tuple(&axes)?
            }
            (Value::HostTensor(tensor), "shape") => match &tensor.shape {
                Some(shape) => methods::extents(shape),
                None => Value::Unknown,
            },
            (Value::HostTensor(tensor), "T" | "mT") => {
                return self.host_method(tensor, "t", &Arguments::default());
            }
            (Value::HostTensor(tensor), "ndim") => {
                let rank = tensor.shape.as_ref().map(|shape| shape.len() as i128);
                rank.map_or(Value::Unknown, Value::Int)
            }
            (Value::HostTensor(tensor), "dtype") => {
                tensor.dtype.map_or(Value::Unknown, Value::DType)
            }
            (Value::HostTensor(_), "device") => Value::Inert,
            (Value::DType(dtype), "size" | "itemsize") if dtype.bits() >= 8 => {
                Value::Int((dtype.bits() / 8).into())
            }
            (Value::DType(dtype), "C0") => Value::Int(dtype.c0().into()),
            (Value::DType(dtype), "name") => Value::str(dtype.name()),
            _ => Value::Method(Rc::new((object.clone(), name.to_owned()))),
        })
    }

    fn extents(&mut self, pair: [ir::ScalarId; 2]) -> Eval<Value<'a>> {
        self.scalars_tuple(&pair)
    }

    fn scalars_tuple(&mut self, ids: &[ir::ScalarId]) -> Eval<Value<'a>> {
        let mut items = Vec::new();
        for &id in ids {
            items.push(self.scalar_value(id)?);
        }
        Ok(Value::tuple(items))
    }

    /// The Python object for a scalar of the program: an int, a float or a `Var`.
    pub fn scalar_value(&mut self, id: ir::ScalarId) -> Eval<Value<'a>> {
        Ok(match self.builder().program.scalars.get(id) {
            Scalar::Int(value) => Value::Int(value.into()),
            Scalar::Large(value) => Value::Int(value.into()),
            Scalar::Float(value) => Value::Float(value),
            Scalar::Variable(variable) => Value::Var(variable),
            _ => {
                let of = self.builder().type_of(id);
                self.temporary(id, of)?
            }
        })
    }

    /// `x.shape[i]` of a parameter whose rank is not known yet.
    pub fn extent(&mut self, global: GlobalId, axis: i128) -> Eval<Value<'a>> {
        let Ok(axis) = u32::try_from(axis) else {
            return Ok(Value::Unknown);
        };
        let id = self
            .builder()
            .program
            .scalars
            .intern(Scalar::Extent(global, axis));
        self.temporary(id, ScalarType::INT)
    }

    /// A tensor method that is a vector expression (`x.exp()`), by its name.
    pub fn vector_method(name: &str) -> Option<Opcode> {
        let opcode = Opcode::function(name)?;
        let class = opcode.row().class;
        let fits = matches!(
            class,
            Class::Unary | Class::Cast | Class::Reduce | Class::GroupReduce | Class::PairReduce
        );
        fits.then_some(opcode)
    }

    /// Gives an object that has no name yet the name it is bound to.
    pub fn name_object(&mut self, name: &str, value: &Value<'a>) {
        let Some(builder) = &mut self.kernel else {
            return;
        };
        let program = &mut builder.program;
        let slot = match value {
            Value::Var(id) => &mut program.variables[id.index()].name,
            Value::Local(view) if !view.sliced => &mut program.buffers[view.buffer.index()].name,
            Value::Ring(id) => &mut program.buffers[id.index()].name,
            Value::Global(view) if !view.sliced => &mut program.globals[view.global.index()].name,
            Value::Event(id) => &mut program.events[id.index()].name,
            Value::Mutex(id) => &mut program.mutexes[id.index()].name,
            _ => return,
        };
        if slot.is_empty() {
            *slot = name.to_owned();
        }
    }
}

/// Marks an expression as used.
pub(super) fn consume(value: &Value) {
    if let Value::Vector(vector) = value {
        vector.consumed.set(true);
    }
}

fn is_tensor(value: &Value) -> bool {
    matches!(value, Value::Local(_) | Value::Ring(_) | Value::Vector(_))
}

fn tensor_tensor(op: BinaryOp) -> Option<Opcode> {
    Some(match op {
        BinaryOp::Add => Opcode::Add,
        BinaryOp::Sub => Opcode::Sub,
        BinaryOp::Mul => Opcode::Mul,
        BinaryOp::Div => Opcode::Div,
        BinaryOp::BitAnd => Opcode::Vand,
        BinaryOp::BitOr => Opcode::Vor,
        _ => return None,
    })
}

/// `scalar op tensor`.
fn commuting(op: BinaryOp) -> Option<Opcode> {
    match op {
        BinaryOp::Add => Some(Opcode::Adds),
        BinaryOp::Mul => Some(Opcode::Muls),
        _ => None,
    }
}

/// How to write `scalar op tensor` where the operation does not commute.
fn reversed(op: BinaryOp) -> Option<String> {
    let row = |opcode: Opcode| opcode.row().name;
    match op {
        BinaryOp::Sub => Some(format!(
            "negate and add: `{}(dst, src, -1.0)`, then `{}(dst, dst, scalar)`",
            row(Opcode::Muls),
            row(Opcode::Adds)
        )),
        BinaryOp::Div => Some(format!(
            "invert and multiply: `{}(dst, src)`, then `{}(dst, dst, scalar)`",
            row(Opcode::Rec),
            row(Opcode::Muls)
        )),
        _ => None,
    }
}

fn symbol(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Mul => "*",
        BinaryOp::Div => "/",
        BinaryOp::FloorDiv => "//",
        BinaryOp::Mod => "%",
        BinaryOp::Pow => "**",
        BinaryOp::MatMul => "@",
        BinaryOp::BitAnd => "&",
        BinaryOp::BitOr => "|",
        BinaryOp::BitXor => "^",
        BinaryOp::Shl => "<<",
        BinaryOp::Shr => ">>",
    }
}

fn device_operation(op: BinaryOp) -> Option<ir::BinaryOp> {
    Some(match op {
        BinaryOp::Add => ir::BinaryOp::Add,
        BinaryOp::Sub => ir::BinaryOp::Sub,
        BinaryOp::Mul => ir::BinaryOp::Mul,
        BinaryOp::Div | BinaryOp::FloorDiv => ir::BinaryOp::Div,
        BinaryOp::Mod => ir::BinaryOp::Mod,
        BinaryOp::BitAnd => ir::BinaryOp::BitAnd,
        BinaryOp::BitOr => ir::BinaryOp::BitOr,
        BinaryOp::Shl => ir::BinaryOp::Shl,
        BinaryOp::Shr => ir::BinaryOp::Shr,
        BinaryOp::Pow | BinaryOp::MatMul | BinaryOp::BitXor => return None,
    })
}

fn device_comparison(op: ast::CompareOp) -> Option<ir::CompareOp> {
    Some(match op {
        ast::CompareOp::Eq => ir::CompareOp::Eq,
        ast::CompareOp::Ne => ir::CompareOp::Ne,
        ast::CompareOp::Lt => ir::CompareOp::Lt,
        ast::CompareOp::Le => ir::CompareOp::Le,
        ast::CompareOp::Gt => ir::CompareOp::Gt,
        ast::CompareOp::Ge => ir::CompareOp::Ge,
        _ => return None,
    })
}

/// Python's arithmetic on plain values; unknown where it raises or is not a number.
pub(super) fn static_binary<'a>(op: BinaryOp, a: &Value<'a>, b: &Value<'a>) -> Value<'a> {
    if let (Some(x), Some(y)) = (a.as_int(), b.as_int()) {
        return integer_binary(op, x, y);
    }
    if let (Some(x), Some(y)) = (a.as_float(), b.as_float()) {
        return float_binary(op, x, y);
    }
    match (op, a, b) {
        (BinaryOp::Add, Value::List(x), Value::List(y)) => {
            joined(&x.borrow(), &y.borrow()).map_or(Value::Unknown, Value::list)
        }
        (BinaryOp::Add, Value::Tuple(x), Value::Tuple(y)) => {
            joined(x, y).map_or(Value::Unknown, Value::tuple)
        }
        (BinaryOp::Add, Value::Str(x), Value::Str(y)) if x.len() + y.len() <= MAX_ITEMS => {
            Value::str(&format!("{x}{y}"))
        }
        (BinaryOp::Mul, Value::Tuple(items), times)
        | (BinaryOp::Mul, times, Value::Tuple(items)) => {
            repeated(items, times).map_or(Value::Unknown, Value::tuple)
        }
        (BinaryOp::Mul, Value::List(items), times) | (BinaryOp::Mul, times, Value::List(items)) => {
            repeated(&items.borrow(), times).map_or(Value::Unknown, Value::list)
        }
        _ => Value::Unknown,
    }
}

/// A sequence so many times.
fn repeated<'a>(items: &[Value<'a>], times: &Value<'a>) -> Option<Vec<Value<'a>>> {
    let total = times.as_int()?.max(0).saturating_mul(items.len() as i128);
    let fits = total <= MAX_ITEMS as i128;
    fits.then(|| items.iter().cycle().take(total as usize).cloned().collect())
}

/// One sequence behind the other; nothing where that is too long to follow.
fn joined<'a>(x: &[Value<'a>], y: &[Value<'a>]) -> Option<Vec<Value<'a>>> {
    let fits = x.len() + y.len() <= MAX_ITEMS;
    fits.then(|| x.iter().chain(y).cloned().collect())
}

fn integer_binary<'a>(op: BinaryOp, x: i128, y: i128) -> Value<'a> {
    let small = |value: i128| u32::try_from(value).ok().filter(|&value| value < 127);
    let result = match op {
        BinaryOp::Add => x.checked_add(y),
        BinaryOp::Sub => x.checked_sub(y),
        BinaryOp::Mul => x.checked_mul(y),
        BinaryOp::FloorDiv if y != 0 => floor_div(x, y),
        BinaryOp::Mod if y != 0 => Some(floor_mod(x, y)),
        BinaryOp::Div if y != 0 => return Value::Float(x as f64 / y as f64),
        BinaryOp::Pow if y >= 0 => small(y).and_then(|y| x.checked_pow(y)),
        BinaryOp::Pow => return Value::Float((x as f64).powf(y as f64)),
        BinaryOp::BitAnd => Some(x & y),
        BinaryOp::BitOr => Some(x | y),
        BinaryOp::BitXor => Some(x ^ y),
        BinaryOp::Shl => small(y)
            .and_then(|y| 1i128.checked_shl(y))
            .and_then(|factor| x.checked_mul(factor)),
        BinaryOp::Shr => small(y).map(|y| x >> y),
        _ => None,
    };
    result.map_or(Value::Unknown, Value::Int)
}

fn floor_div(x: i128, y: i128) -> Option<i128> {
    let quotient = x.checked_div(y)?;
    Some(quotient - i128::from(x % y != 0 && (x < 0) != (y < 0)))
}

fn floor_mod(x: i128, y: i128) -> i128 {
    let rest = x.wrapping_rem(y);
    match rest != 0 && (rest < 0) != (y < 0) {
        true => rest + y,
        false => rest,
    }
}

fn float_binary<'a>(op: BinaryOp, x: f64, y: f64) -> Value<'a> {
    match op {
        BinaryOp::Add => Value::Float(x + y),
        BinaryOp::Sub => Value::Float(x - y),
        BinaryOp::Mul => Value::Float(x * y),
        BinaryOp::Div if y != 0.0 => Value::Float(x / y),
        BinaryOp::FloorDiv if y != 0.0 => Value::Float((x / y).floor()),
        BinaryOp::Pow => Value::Float(x.powf(y)),
        _ => Value::Unknown,
    }
}

/// Whether a receiver kind has the method; the tracer emits it as an instruction.
pub(super) fn method_of(value: &Value, name: &str) -> Option<Opcode> {
    let receiver = match value {
        Value::Event(_) => Receiver::Event,
        Value::Mutex(_) | Value::Global(_) => Receiver::Mutex,
        Value::Var(_) => Receiver::Var,
        _ => return None,
    };
    Opcode::method(receiver, name)
}
