//! Expressions: plain Python values are computed; device scalars and vector expressions are built.

use std::rc::Rc;

use super::branches::names_of;
use super::frame::Found;
use super::python::ambient::is_ambient;
use super::python::generated::{Expression, Generator};
use super::python::iterators::{Iterator, Source, State, Step};
use super::tracer::{Eval, Tracer};
use super::unknown::{may_hold, may_pick};
use super::value::{Attributes, Lambda, SliceValue, Value};
use a2lint_ir as ir;
use a2lint_source::text::Span;
use a2lint_syntax::python::ast::{self, ExprKind};

/// Longest list whose items are evaluated one by one.
pub(super) const MAX_ITEMS: usize = 200_000;

impl<'a> Tracer<'a> {
    pub fn eval(&mut self, expr: &'a ast::Expr) -> Eval<Value<'a>> {
        let value = self.evaluate(expr)?;
        if value.is_unknown() {
            // Reading a name or a literal never raises, so its unknown value is no doubt.
            if !is_quiet(expr) {
                self.doubt();
            }
            // In a kernel only the choice among device objects matters; host code also cares for objects that the
            // value may hold.
            let holds = match self.in_kernel() {
                true => may_pick(expr),
                false => may_hold(expr) && matches!(value, Value::Unknown),
            };
            if holds {
                self.escape(expr)?;
            }
        }
        // A name or an item refers to an object that was paid for when it was made.
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
            // A string with escapes that are not decoded, or bytes: its value is unknown, but evaluating it has no
            // effect.
            ExprKind::OpaqueStr | ExprKind::Ellipsis | ExprKind::Error => Value::Unknown,
            ExprKind::Format(parts) => self.format(parts)?,
            ExprKind::Yield { value, from } => self.yielded(value.as_deref(), *from)?,
            ExprKind::Name(name) => {
                let value = self.name(name, expr.span)?;
                // The name was reported as undefined: it may have been meant as any visible object.
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
                    // Tensors also get the syntax of the subscript, which alone shows an ellipsis.
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
            ExprKind::Tuple(items) => self.items(items)?.map_or(Value::Unknown, Value::tuple),
            ExprKind::List(items) => self.items(items)?.map_or(Value::Unknown, Value::list),
            ExprKind::Set(items) => match self.items(items)? {
                Some(items) => self.set_of(items)?,
                None => Value::Unknown,
            },
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
                // Python evaluates the left operand first, also if the right one raises.
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
                    // The compiled dialect translates a conditional expression into a device select; a traced one
                    // evaluates it in Python, where the truth of a device value is an error.
                    None if self.compiled && condition.is_scalar() => {
                        self.compiled_choice(&condition, test.span, (body, orelse))?
                    }
                    // Both arms are evaluated for the objects that they name and the instructions that they emit.
                    None if self.in_kernel() => {
                        self.eval(body)?;
                        self.eval(orelse)?;
                        Value::Unknown
                    }
                    None => {
                        self.perhaps_evaluated(body)?;
                        self.perhaps_evaluated(orelse)?;
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
            ExprKind::Lambda { params, body } => {
                if self.compiled {
                    self.refuse_lambda(params, body);
                }
                Value::Lambda(Rc::new(Lambda {
                    // Functions do not see the names of an enclosing class body, so the closure starts outside of it.
                    params,
                    body,
                    closure: self.frame.for_functions(),
                    // Defaults are evaluated once, at the definition.
                    defaults: self.defaults(params)?,
                    attributes: Attributes::new(),
                }))
            }
            ExprKind::Starred(inner) => {
                self.eval(inner)?;
                Value::Unknown
            }
            ExprKind::Named { name, value } => {
                // `name := value` in a comprehension binds in the enclosing function, never in the comprehension.
                let value = self.eval(value)?;
                self.name_object(&name.text, &value);
                let frame = self.frame.around_comprehensions().binding(&name.text);
                let inner = std::mem::replace(&mut self.frame, frame.clone());
                self.bind_in(&frame, &name.text, value.clone());
                self.frame = inner;
                value
            }
            ExprKind::Matches { subject, pattern } => {
                let subject = self.eval(subject)?;
                self.matches(&subject, pattern)?
            }
        })
    }

    /// Evaluates an expression that Python may not evaluate: its effects may happen, its value does not matter.
    fn perhaps_evaluated(&mut self, expr: &'a ast::Expr) -> Eval<()> {
        self.doubt();
        let run = |tracer: &mut Self| tracer.in_region(|tracer| tracer.eval(expr));
        self.guarded(Value::Unknown, run)?;
        // A `:=` in it may have bound its name or not.
        for name in names_of(expr) {
            let frame = self.frame.around_comprehensions().binding(name);
            if let Some(former) = frame.own(name) {
                self.hide(&former)?;
            }
            frame.set_own(name, Value::Unknown);
        }
        Ok(())
    }

    fn optional(&mut self, expr: &'a Option<Box<ast::Expr>>) -> Eval<Option<Value<'a>>> {
        expr.as_deref().map(|expr| self.eval(expr)).transpose()
    }

    pub fn name(&mut self, name: &str, span: Span) -> Eval<Value<'a>> {
        let found = match self.frame.find(name) {
            Found::Bound(value) => Some(value),
            Found::Lost => Some(self.lost(name)),
            // CPython raises `UnboundLocalError` for a local that is read before it is bound, even if a global has
            // that name.
            Found::Unbound => return self.throw("UnboundLocalError", Value::Unknown),
            Found::Nowhere => self.outermost(name),
        };
        let Some(value) = found else {
            // `globals`, `locals` and the like expose scopes to code that cannot be followed.
            if is_ambient(name) {
                self.lose_scopes();
            }
            if !(self.compiled && self.note_gone(name, span)) {
                self.note_undefined(name, span);
            }
            // In a kernel the name has been noted, and tracing goes on with an unknown value.
            let is_nowhere = !self.in_kernel() && self.is_no_name(name);
            self.doubt();
            return match is_nowhere {
                true => self.throw("NameError", Value::Unknown),
                false => Ok(Value::Unknown),
            };
        };
        // Records that the source names the variable: a symbol that it never names may be only the name of an extent.
        if let (Value::Var(id), Some(builder)) = (&value, &mut self.kernel) {
            builder.name_variable(*id);
        }
        if let Value::A5(name) = value {
            // Text that does not parse may bind the name to something of the user's own.
            if self.is_in_broken_text(name) {
                return Ok(Value::Unknown);
            }
            let name = name.to_owned();
            self.note(span, ir::PythonNote::A5Only { name });
        }
        Ok(value)
    }

    /// Evaluates list items; `None` if `*x` spreads unknown items.
    fn items(&mut self, items: &'a [ast::Expr]) -> Eval<Option<Vec<Value<'a>>>> {
        // Further items are evaluated even then, for their effects.
        let mut values = Vec::with_capacity(items.len());
        let mut is_open = false;
        for item in items {
            if let ExprKind::Starred(inner) = &item.kind {
                let inner = self.eval(inner)?;
                match self.static_items(&inner)? {
                    Some(spread) => values.extend(spread),
                    None => is_open = true,
                }
            } else {
                values.push(self.eval(item)?);
            }
        }
        Ok((!is_open).then_some(values))
    }

    fn dict(&mut self, entries: &'a [(Option<ast::Expr>, ast::Expr)]) -> Eval<Value<'a>> {
        let mut items = Vec::with_capacity(entries.len());
        let mut is_open = false;
        for (key, value) in entries {
            match key {
                Some(key) => {
                    let key = self.eval(key)?;
                    let value = self.eval(value)?;
                    is_open |= !self.insert(&mut items, key, value)?;
                }
                None => {
                    let value = self.eval(value)?;
                    let known = match &value {
                        // Only the expansion of a plain dictionary is known; any other mapping defines `keys` and
                        // `__getitem__` itself.
                        Value::Dict(more) => more.known().map(|more| more.to_vec()),
                        _ => None,
                    };
                    is_open |= known.is_none();
                    for (key, value) in known.unwrap_or_default() {
                        is_open |= !self.insert(&mut items, key, value)?;
                    }
                }
            }
        }
        Ok(match is_open {
            true => Value::Unknown,
            false => Value::dict(items),
        })
    }

    fn comprehension(
        &mut self,
        kind: ast::ComprehensionKind,
        element: &'a ast::Expr,
        value: Option<&'a ast::Expr>,
        clauses: &'a [ast::Clause],
    ) -> Eval<Value<'a>> {
        let Some(first) = clauses.first() else {
            return Ok(Value::Unknown);
        };
        // Python evaluates the first iterable at once, in the enclosing scope.
        let first = plain_range(self.eval(&first.iter)?);
        let Some(first) = self.iterator_of(&first)? else {
            return self.unknown_comprehension(element, value, clauses);
        };
        let frame = self.new_frame_of_comprehension();
        // A generator expression is lazy: nothing but the first iterable is evaluated now.
        if kind == ast::ComprehensionKind::Generator {
            let generator = Generator::of_expression(Expression {
                element,
                clauses,
                first,
                frame,
            });
            return Ok(Value::Iterator(Iterator::new(State::Generator(generator))));
        }
        // The clauses bind in the scope of the comprehension, so its variables do not leak.
        let outer = std::mem::replace(&mut self.frame, frame);
        let mut items = Vec::new();
        let known = self.clauses(clauses, Some(first), &mut |tracer| {
            let key = tracer.eval(element)?;
            let value = value.map(|value| tracer.eval(value)).transpose()?;
            items.push((key, value.unwrap_or(Value::None)));
            Ok(())
        });
        self.frame = outer;
        // Items found before the unknown one are dropped: the length of the result is unknown.
        if !known? {
            return self.unknown_comprehension(element, value, clauses);
        }
        Ok(match kind {
            ast::ComprehensionKind::Dict => {
                let mut entries = Vec::with_capacity(items.len());
                for (key, value) in items {
                    if !self.insert(&mut entries, key, value)? {
                        return Ok(Value::Unknown);
                    }
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

    /// Evaluates a comprehension over an unknown iterable: its effects may happen any number of times.
    fn unknown_comprehension(
        &mut self,
        element: &'a ast::Expr,
        value: Option<&'a ast::Expr>,
        clauses: &'a [ast::Clause],
    ) -> Eval<Value<'a>> {
        // In a kernel, `eval` handles the objects that the comprehension names (`escape`).
        if self.in_kernel() {
            return Ok(Value::Unknown);
        }
        let frame = self.new_frame_of_comprehension();
        let outer = std::mem::replace(&mut self.frame, frame);
        for clause in clauses {
            // Unpacking an unknown item may raise, which would not end the evaluation here.
            let site = clause.target.span;
            let bound = self.guarded((), |tracer| {
                tracer.assign(&clause.target, Value::Unknown, site)
            });
            bound?;
            for condition in &clause.conditions {
                self.perhaps_evaluated(condition)?;
            }
        }
        self.perhaps_evaluated(element)?;
        if let Some(value) = value {
            self.perhaps_evaluated(value)?;
        }
        self.frame = outer;
        Ok(Value::Unknown)
    }

    /// Runs `body` for every binding of the clauses. `first` is the iterator of the first clause, if it has been
    /// evaluated. Returns `false` if an iterable or a condition is unknown.
    pub fn clauses(
        &mut self,
        clauses: &'a [ast::Clause],
        first: Option<Source<'a>>,
        body: &mut dyn FnMut(&mut Self) -> Eval<()>,
    ) -> Eval<bool> {
        let Some((clause, rest)) = clauses.split_first() else {
            body(self)?;
            return Ok(true);
        };
        let iterator = match first {
            Some(first) => Some(first),
            None => {
                let iterable = self.eval(&clause.iter)?;
                let iterable = plain_range(iterable);
                self.iterator_of(&iterable)?
            }
        };
        let Some(iterator) = iterator else {
            return Ok(false);
        };
        loop {
            self.step()?;
            let item = match self.next_item(&iterator)? {
                Step::Item(item) => item,
                Step::End => return Ok(true),
                Step::Unknown => return Ok(false),
            };
            self.assign(&clause.target, item, clause.iter.span)?;
            let mut holds = Some(true);
            for condition in &clause.conditions {
                // Conditions after one that is false are not evaluated.
                if holds != Some(true) {
                    break;
                }
                let value = self.eval(condition)?;
                self.note_truth(condition, &value, "the condition of a comprehension");
                holds = self.condition(value, condition.span)?.truth();
            }
            match holds {
                None => return Ok(false),
                Some(false) => {}
                Some(true) => {
                    if !self.clauses(rest, None, body)? {
                        return Ok(false);
                    }
                }
            }
        }
    }

    fn bool_op(&mut self, and: bool, values: &'a [ast::Expr]) -> Eval<Value<'a>> {
        // `device` holds the operands so far that only the device can decide. Before the first of them, Python
        // short-circuits.
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
                // Whether the rest is evaluated depends on the unknown operand.
                _ if !self.in_kernel() => {
                    let at = values.iter().position(|it| it.span == expr.span);
                    for rest in &values[at.map_or(0, |at| at + 1)..] {
                        self.perhaps_evaluated(rest)?;
                    }
                    return Ok(Value::Unknown);
                }
                // An unknown operand in a kernel: no device expression can be built from it.
                _ if !value.is_scalar() => return Ok(Value::Unknown),
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
        // `a < b < c` evaluates `b` once, and stops at the first comparison that is false.
        for (at, (op, right)) in rest.iter().enumerate() {
            if self.in_kernel() {
                // Only a device value needs all comparisons.
                if let Some(before) = &result
                    && before.truth() == Some(false)
                {
                    return Ok(before.clone());
                }
            } else if let Some(before) = &result {
                // Chained comparisons short-circuit like `and`, so the next operand may not be evaluated.
                match self.condition(before.clone(), left.span)?.truth() {
                    Some(true) => {}
                    Some(false) => return Ok(before.clone()),
                    None => {
                        for (_, further) in &rest[at..] {
                            self.perhaps_evaluated(further)?;
                        }
                        return Ok(Value::Unknown);
                    }
                }
            }
            let b = self.eval(right)?;
            let span = left.span.to(right.span);
            let one = match self.class_compare(*op, (&a, &b), span)? {
                Some(result) => result,
                None => self.compare(*op, &a, &b)?,
            };
            result = Some(match result {
                None => one,
                Some(_) if !self.in_kernel() => one,
                // In a kernel all comparisons are built, and joined by a device `and`; a known true one is left out.
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

/// Converts the `range` of a facade to Python's if its bounds are known. A comprehension is never a device loop.
fn plain_range(iterable: Value<'_>) -> Value<'_> {
    let Value::DeviceRange(bounds) = &iterable else {
        return iterable;
    };
    match [0, 1, 2].map(|at: usize| bounds[at].as_int()) {
        [Some(start), Some(stop), Some(step)] => Value::Range(start, stop, step),
        _ => Value::Unknown,
    }
}

/// Returns whether an expression that evaluates to an unknown value certainly raises nothing.
fn is_quiet(expr: &ast::Expr) -> bool {
    matches!(
        expr.kind,
        ExprKind::Name(_) | ExprKind::OpaqueStr | ExprKind::Ellipsis | ExprKind::Lambda { .. }
    )
}
