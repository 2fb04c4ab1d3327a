//! Operators that classes define: `__add__`, `__lt__`, `__contains__`, `__bool__`, …

use std::rc::Rc;

use super::super::emit::Arguments;
use super::super::tracer::{Eval, Tracer};
use super::super::value::Value;
use super::native::Site;
use super::objects::{ClassKind, Instance};
use a2lint_source::text::Span;
use a2lint_syntax::python::ast::{BinaryOp, CompareOp, UnaryOp};

impl<'a> Tracer<'a> {
    /// Evaluates a binary operator by the classes of its operands; `None` if they define nothing for it.
    pub fn class_binary(
        &mut self,
        op: BinaryOp,
        (a, b): (&Value<'a>, &Value<'a>),
        span: Span,
    ) -> Eval<Option<Value<'a>>> {
        let [name, reflected, _] = binary_names(op);
        let found = self.by_class(Operator::Arithmetic, (a, name), (b, reflected), span)?;
        self.or_type_error(found, a, b)
    }

    /// Evaluates `a += b` of an object whose class changes it in place; `None` if the binary operator applies.
    pub fn class_augmented(
        &mut self,
        op: BinaryOp,
        (a, b): (&Value<'a>, &Value<'a>),
        span: Span,
    ) -> Eval<Option<Value<'a>>> {
        if !is_object(a) {
            return Ok(None);
        }
        let [_, _, name] = binary_names(op);
        let given = Arguments::of([b.clone()], span);
        let done = self.call_method(a, name, given, Site::at(span))?;
        // `NotImplemented` falls back to `__add__`.
        Ok(done.filter(|done| !matches!(done, Value::NotImplemented)))
    }

    /// Raises `TypeError` if neither operand supports the other one.
    fn or_type_error(
        &mut self,
        found: Option<Value<'a>>,
        a: &Value<'a>,
        b: &Value<'a>,
    ) -> Eval<Option<Value<'a>>> {
        match found {
            Some(Value::NotImplemented) => self.throw("TypeError", Some(Value::Unknown)),
            None if is_object(a) || is_object(b) => {
                let is_bare = |value: &Value<'a>| match value {
                    Value::Instance(instance) => instance.is_bare(),
                    other => other.is_plain(),
                };
                // With an unknown base class, the operator may be inherited.
                match is_bare(a) && is_bare(b) && !self.in_kernel() {
                    true => self.throw("TypeError", Some(Value::Unknown)),
                    false => Ok(None),
                }
            }
            found => Ok(found),
        }
    }

    /// Evaluates a unary operator by the class of its operand.
    pub fn class_unary(
        &mut self,
        op: UnaryOp,
        value: &Value<'a>,
        span: Span,
    ) -> Eval<Option<Value<'a>>> {
        let name = match op {
            UnaryOp::Neg => "__neg__",
            UnaryOp::Pos => "__pos__",
            UnaryOp::Invert => "__invert__",
            // `not` calls `__bool__`, which `condition` does.
            UnaryOp::Not => return Ok(None),
        };
        self.call_method(value, name, Arguments::default(), Site::at(span))
    }

    /// Evaluates a comparison by the classes of its operands.
    pub fn class_compare(
        &mut self,
        op: CompareOp,
        (a, b): (&Value<'a>, &Value<'a>),
        span: Span,
    ) -> Eval<Option<Value<'a>>> {
        let names = match op {
            CompareOp::Eq => ["__eq__", "__eq__"],
            CompareOp::Ne => ["__ne__", "__ne__"],
            // The reflection of `<` is `>`.
            CompareOp::Lt => ["__lt__", "__gt__"],
            CompareOp::Le => ["__le__", "__ge__"],
            CompareOp::Gt => ["__gt__", "__lt__"],
            CompareOp::Ge => ["__ge__", "__le__"],
            CompareOp::In | CompareOp::NotIn if !is_object(b) => return Ok(None),
            CompareOp::In | CompareOp::NotIn => {
                // Without `__contains__`, `in` iterates.
                let given = Arguments::of([a.clone()], span);
                let inside = self.call_method(b, "__contains__", given, Site::at(span))?;
                return match inside {
                    Some(inside) => {
                        // `in` converts the result to a bool; other comparisons return it unchanged.
                        let truth = self.condition(inside, span)?.truth();
                        let answer = |truth| Value::Bool(truth == (op == CompareOp::In));
                        Ok(Some(truth.map_or(Value::Unknown, answer)))
                    }
                    None => Ok(None),
                };
            }
            CompareOp::Is | CompareOp::IsNot => return Ok(None),
        };
        let [name, reflected] = names;
        let found = self.by_class(Operator::Comparison, (a, name), (b, reflected), span)?;
        let is_equality = matches!(op, CompareOp::Eq | CompareOp::Ne);
        match found {
            Some(Value::NotImplemented) if !is_equality => {
                return self.throw("TypeError", Some(Value::Unknown));
            }
            Some(Value::NotImplemented) | None => {}
            found => return Ok(found),
        }
        if op == CompareOp::Ne {
            // `object.__ne__` inverts `__eq__`.
            let names = ((a, "__eq__"), (b, "__eq__"));
            let equal = self.by_class(Operator::Comparison, names.0, names.1, span)?;
            if let Some(equal) = equal.filter(|equal| !matches!(equal, Value::NotImplemented)) {
                let truth = self.condition(equal, span)?.truth();
                return Ok(Some(
                    truth.map_or(Value::Unknown, |truth| Value::Bool(!truth)),
                ));
            }
        }
        if is_equality {
            // If both methods return `NotImplemented`, equality is identity.
            let says_nothing = |value: &Value<'a>| match value {
                Value::Instance(instance) => instance.class.lookup("__eq__").is_some(),
                _ => false,
            };
            return Ok(match says_nothing(a) || says_nothing(b) {
                true => Some(Value::Bool(a.is_alike(b) == (op == CompareOp::Eq))),
                false => None,
            });
        }
        self.ordered_by_class(op, (a, b), span)
    }

    /// Evaluates ordering of dataclasses, named tuples and string enumerations.
    fn ordered_by_class(
        &mut self,
        op: CompareOp,
        (a, b): (&Value<'a>, &Value<'a>),
        span: Span,
    ) -> Eval<Option<Value<'a>>> {
        let (Value::Instance(x), Value::Instance(y)) = (a, b) else {
            return Ok(None);
        };
        // Int enumerations compare as numbers.
        if x.as_int().is_some() || y.as_int().is_some() {
            return Ok(None);
        }
        if let (Some(x), Some(y)) = (x.text(), y.text()) {
            return self.compare(op, &Value::Str(x), &Value::Str(y)).map(Some);
        }
        let is_data = matches!(x.class.kind, ClassKind::Data(_)) && x.class.data.order;
        // `order=True` generates methods that require the same class.
        let fields = match is_data && Rc::ptr_eq(&x.class, &y.class) {
            true => {
                let names = x.class.fields().iter().filter(|field| field.is_compared());
                let of = |of: &Instance<'a>| -> Option<Vec<Value<'a>>> {
                    names.clone().map(|field| of.get(&field.name)).collect()
                };
                of(x).zip(of(y))
            }
            false => x.as_tuple().zip(y.as_tuple()),
        };
        if let Some((x, y)) = fields {
            return self
                .compare(op, &Value::tuple(x), &Value::tuple(y))
                .map(Some);
        }
        // `total_ordering` derives the missing methods from these.
        let has_order = ["__lt__", "__le__", "__gt__", "__ge__"].iter();
        let mut has_order = has_order.map(|name| x.class.lookup(name).is_some());
        let _ = span;
        match x.is_bare() && y.is_bare() && !has_order.any(|has| has) {
            true => self.throw("TypeError", Some(Value::Unknown)),
            false => self.not_followed().map(Some),
        }
    }

    /// Calls the left operand's method, then the reflected one of the right operand.
    fn by_class(
        &mut self,
        operator: Operator,
        (a, name): (&Value<'a>, &str),
        (b, reflected): (&Value<'a>, &str),
        span: Span,
    ) -> Eval<Option<Value<'a>>> {
        if !is_object(a) && !is_object(b) {
            return Ok(None);
        }
        let site = Site::at(span);
        let method = |value: &Value<'a>, name: &str| match value {
            Value::Instance(instance) => instance.class.lookup(name).is_some(),
            _ => false,
        };
        let has_one_class = match (a, b) {
            (Value::Instance(a), Value::Instance(b)) => a.class.is_it(&b.class),
            _ => false,
        };
        // If the right operand's class is a proper subclass that defines the reflected method, that method is tried
        // first; for arithmetic, only if it is not the one of the left operand's class.
        let is_below = match (a, b) {
            (Value::Instance(a), Value::Instance(b)) => {
                let inherits = || match (a.class.lookup(reflected), b.class.lookup(reflected)) {
                    (Some(one), Some(other)) => one.is_alike(&other),
                    _ => false,
                };
                !has_one_class
                    && b.class.is_below(&a.class)
                    && (operator == Operator::Comparison || !inherits())
            }
            _ => false,
        };
        if is_below && method(b, reflected) {
            let given = Arguments::of([a.clone()], span);
            match self.call_method(b, reflected, given, site)? {
                Some(Value::NotImplemented) | None => {}
                result => return Ok(result),
            }
        }
        let given = Arguments::of([b.clone()], span);
        let first = self.call_method(a, name, given, site)?;
        match first {
            Some(Value::NotImplemented) | None => {}
            result => return Ok(result),
        }
        // An unknown left operand may support the right one, so the right one must not decide.
        let is_asked = match a {
            Value::Instance(instance) => instance.class.is_whole,
            Value::List(_) | Value::Dict(_) | Value::Set(_) => true,
            other => other.is_plain(),
        };
        // Of two operands of one class, arithmetic asks the left one alone.
        let is_alone = has_one_class && operator == Operator::Arithmetic;
        // With `is_below`, the reflected method was tried before.
        if !is_asked || is_below || is_alone {
            return Ok(first);
        }
        let given = Arguments::of([a.clone()], span);
        let second = self.call_method(b, reflected, given, site)?;
        Ok(second.or(first))
    }

    /// Evaluates a value as a condition: of an object, by `__bool__`, then `__len__`.
    pub fn condition(&mut self, value: Value<'a>, span: Span) -> Eval<Value<'a>> {
        for name in ["__bool__", "__len__"] {
            let said = self.call_method(&value, name, Arguments::default(), Site::at(span))?;
            match said {
                Some(Value::Bool(truth)) => return Ok(Value::Bool(truth)),
                Some(Value::Int(length @ 0..)) if name == "__len__" => {
                    return Ok(Value::Bool(length != 0));
                }
                // A result of another type raises, which is left unknown.
                Some(_) => return self.not_followed(),
                None => {}
            }
        }
        Ok(value)
    }
}

/// The two protocols by which operators ask the classes of their operands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Operator {
    Arithmetic,
    Comparison,
}

fn is_object(value: &Value) -> bool {
    matches!(value, Value::Instance(_))
}

/// Returns the methods of an operator: of the left operand, of the right one, and in place.
fn binary_names(op: BinaryOp) -> [&'static str; 3] {
    match op {
        BinaryOp::Add => ["__add__", "__radd__", "__iadd__"],
        BinaryOp::Sub => ["__sub__", "__rsub__", "__isub__"],
        BinaryOp::Mul => ["__mul__", "__rmul__", "__imul__"],
        BinaryOp::Div => ["__truediv__", "__rtruediv__", "__itruediv__"],
        BinaryOp::FloorDiv => ["__floordiv__", "__rfloordiv__", "__ifloordiv__"],
        BinaryOp::Mod => ["__mod__", "__rmod__", "__imod__"],
        BinaryOp::Pow => ["__pow__", "__rpow__", "__ipow__"],
        BinaryOp::MatMul => ["__matmul__", "__rmatmul__", "__imatmul__"],
        BinaryOp::BitAnd => ["__and__", "__rand__", "__iand__"],
        BinaryOp::BitOr => ["__or__", "__ror__", "__ior__"],
        BinaryOp::BitXor => ["__xor__", "__rxor__", "__ixor__"],
        BinaryOp::Shl => ["__lshift__", "__rlshift__", "__ilshift__"],
        BinaryOp::Shr => ["__rshift__", "__rrshift__", "__irshift__"],
    }
}
