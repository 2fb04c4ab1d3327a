//! Operators that classes define: `__add__`, `__lt__`, `__contains__`, `__bool__`, …

use super::super::emit::Arguments;
use super::super::tracer::{Eval, Tracer};
use super::super::value::Value;
use super::native::Site;
use crate::syntax::python::ast::{BinaryOp, CompareOp, UnaryOp};
use crate::text::Span;

impl<'a> Tracer<'a> {
    /// What the classes of operands make of an operator; `None` where they define nothing for it.
    pub fn class_binary(
        &mut self,
        op: BinaryOp,
        (a, b): (&Value<'a>, &Value<'a>),
        span: Span,
    ) -> Eval<Option<Value<'a>>> {
        let [name, reflected, _] = binary_names(op);
        self.by_class((a, name), (b, reflected), span)
    }

    /// `a += b` of an object whose class changes it in place.
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
        self.call_method(a, name, given, Site::at(span))
    }

    /// The same of an operator with one operand.
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
            UnaryOp::Not => return Ok(None),
        };
        self.call_method(value, name, Arguments::default(), Site::at(span))
    }

    /// The same of a comparison.
    pub fn class_compare(
        &mut self,
        op: CompareOp,
        (a, b): (&Value<'a>, &Value<'a>),
        span: Span,
    ) -> Eval<Option<Value<'a>>> {
        let names = match op {
            CompareOp::Eq => ["__eq__", "__eq__"],
            CompareOp::Ne => ["__ne__", "__ne__"],
            CompareOp::Lt => ["__lt__", "__gt__"],
            CompareOp::Le => ["__le__", "__ge__"],
            CompareOp::Gt => ["__gt__", "__lt__"],
            CompareOp::Ge => ["__ge__", "__le__"],
            CompareOp::In | CompareOp::NotIn if !is_object(b) => return Ok(None),
            CompareOp::In | CompareOp::NotIn => {
                let given = Arguments::of([a.clone()], span);
                let inside = self.call_method(b, "__contains__", given, Site::at(span))?;
                return Ok(inside.map(|inside| match inside.truth() {
                    Some(truth) => Value::Bool(truth == (op == CompareOp::In)),
                    None => Value::Unknown,
                }));
            }
            CompareOp::Is | CompareOp::IsNot => return Ok(None),
        };
        let [name, reflected] = names;
        let found = self.by_class((a, name), (b, reflected), span)?;
        if found.is_some() || op != CompareOp::Ne {
            return Ok(found);
        }
        // What is not equal is what `__eq__` denies.
        let equal = self.by_class((a, "__eq__"), (b, "__eq__"), span)?;
        let denied = |equal: Value| match equal.truth() {
            Some(truth) => Value::Bool(!truth),
            None => Value::Unknown,
        };
        Ok(equal.map(denied))
    }

    /// The left operand's method, or the right one's.
    fn by_class(
        &mut self,
        (a, name): (&Value<'a>, &str),
        (b, reflected): (&Value<'a>, &str),
        span: Span,
    ) -> Eval<Option<Value<'a>>> {
        if !is_object(a) && !is_object(b) {
            return Ok(None);
        }
        let site = Site::at(span);
        let given = Arguments::of([b.clone()], span);
        if let Some(result) = self.call_method(a, name, given, site)? {
            return Ok(Some(result));
        }
        // Of what is not known on the left, nobody knows whether it takes the right.
        let is_asked = match a {
            Value::Instance(instance) => instance.class.is_whole,
            Value::List(_) | Value::Dict(_) | Value::Set(_) => true,
            other => other.is_plain(),
        };
        if !is_asked {
            return Ok(None);
        }
        let given = Arguments::of([a.clone()], span);
        self.call_method(b, reflected, given, site)
    }

    /// A value as a condition: of an object, what its class says.
    pub fn condition(&mut self, value: Value<'a>, span: Span) -> Eval<Value<'a>> {
        for name in ["__bool__", "__len__"] {
            let said = self.call_method(&value, name, Arguments::default(), Site::at(span))?;
            if let Some(said) = said {
                return Ok(said.truth().map_or(Value::Unknown, Value::Bool));
            }
        }
        Ok(value)
    }

    /// What a loop over an object sees; `None` where its class does not say, or that is not known.
    pub fn iterated(&mut self, object: &Value<'a>) -> Eval<Option<Vec<Value<'a>>>> {
        let span = match self.in_kernel() {
            true => self.builder().statement,
            false => Span::default(),
        };
        let site = Site::at(span);
        match self.call_method(object, "__iter__", Arguments::default(), site)? {
            // One that hands out what is next keeps count of it.
            None | Some(Value::Instance(_)) => Ok(None),
            Some(items) => self.static_items(&items),
        }
    }
}

fn is_object(value: &Value) -> bool {
    matches!(value, Value::Instance(_))
}

/// The methods of an operator: of the left operand, of the right one, and in place.
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
