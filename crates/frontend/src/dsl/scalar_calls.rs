//! Functions of scalars, and vector functions with the same spelling.

use std::cell::Cell;
use std::rc::Rc;

use super::emit::{Arguments, Spanned};
use super::scalars::PythonScalars;
use super::tracer::{Eval, Tracer};
use super::value::{Value, VectorExpr};
use a2lint_ir::{BinaryOp, NoteKind, UnaryOp};
use a2lint_isa::{Class, DType, Opcode, Operator};
use a2lint_source::text::Span;

impl<'a> Tracer<'a> {
    pub(super) fn scalar_binary(
        &mut self,
        op: BinaryOp,
        arguments: &Arguments<'a>,
    ) -> Eval<Value<'a>> {
        let [a, b] = arguments.positional.as_slice() else {
            return Ok(Value::Unknown);
        };
        // The DSL's function rejects floats instead of rounding them.
        if op == BinaryOp::CeilDiv
            && let Some((_, at)) = [a, b].into_iter().find(|(value, _)| is_float(value))
        {
            let message = format!("{}() wants an int or a Var, not 'float'", op.symbol());
            self.raise(*at, "TypeError", message);
            return Ok(Value::Unknown);
        }
        // The compiled dialect folds constants itself; the other computes them with device operations.
        match a.0.is_scalar() && b.0.is_scalar() {
            true if self.is_compiled() => self.folded_binary(op, &a.0, &b.0),
            true => self.device_binary(op, &a.0, &b.0),
            false => Ok(Value::Unknown),
        }
    }

    /// Evaluates `Align16(value)` and the like.
    pub(super) fn align(&mut self, to: i128, arguments: &Arguments<'a>) -> Eval<Value<'a>> {
        let Some((value, at)) = arguments.positional.first() else {
            return Ok(Value::Unknown);
        };
        if !value.is_scalar() {
            return Ok(Value::Unknown);
        }
        if self.builder().scalar_dtype(value) == Some(DType::Float) {
            let message = format!("Align{to}() wants an integer, not a float");
            self.raise(*at, "TypeError", message);
            return Ok(Value::Unknown);
        }
        match self.is_compiled() {
            true => self.folded_binary(BinaryOp::AlignUp, value, &Value::Int(to)),
            false => self.device_binary(BinaryOp::AlignUp, value, &Value::Int(to)),
        }
    }

    pub(super) fn scalar_unary(
        &mut self,
        op: UnaryOp,
        arguments: &Arguments<'a>,
    ) -> Eval<Value<'a>> {
        let Some((value, span)) = arguments.positional.first() else {
            return Ok(Value::Unknown);
        };
        if !value.is_scalar() {
            return Ok(Value::Unknown);
        }
        let dtype = self.builder().scalar_dtype(value);
        // The square root is defined for floats only.
        if let (UnaryOp::Sqrt, Some(dtype)) = (op, dtype)
            && !dtype.is_float()
        {
            self.note(*span, NoteKind::SqrtOfInteger { dtype });
            return Ok(Value::Unknown);
        }
        if let (UnaryOp::Sqrt, Value::Var(id)) = (op, value) {
            // Parameters get their type from the launch, so this is wrong only for launches with ints.
            let variables = self.builder().typed_by(*id).to_vec();
            if !variables.is_empty() {
                self.note(*span, NoteKind::SqrtOfParameters { variables });
            }
        }
        self.device_unary(op, value)
    }

    pub(super) fn maximum(
        &mut self,
        operator: Operator,
        arguments: &Arguments<'a>,
        name_span: Span,
    ) -> Value<'a> {
        let [a, b] = arguments.positional.as_slice() else {
            return Value::Unknown;
        };
        let (class, sources, trailing) = match (&a.0, &b.0) {
            (Value::Local(_), Value::Local(_)) => (Class::Binary, vec![a.clone(), b.clone()], None),
            (Value::Local(_), other) if other.is_scalar() => {
                (Class::ScalarOp, vec![a.clone()], Some(b.clone()))
            }
            // Maximum and minimum commute, so the scalar can be passed last.
            (other, Value::Local(_)) if other.is_scalar() => {
                (Class::ScalarOp, vec![b.clone()], Some(a.clone()))
            }
            _ => return Value::Unknown,
        };
        match Opcode::computing(class, operator) {
            Some(opcode) => vector(opcode, sources, trailing, name_span),
            None => Value::Unknown,
        }
    }
}

/// Evaluates a function of an instruction's name if its argument is a plain number; `None` if it is a call of the
/// instruction.
pub(super) fn scalar_form<'a>(opcode: Opcode, arguments: &Arguments<'a>) -> Option<Value<'a>> {
    let only_number = match arguments.positional.as_slice() {
        [(value, _)] => value.as_float(),
        _ => None,
    }?;
    // A star import shadows Python's `abs`; on a plain number it must mean what Python means.
    match opcode.row().operator() {
        Some(Operator::Abs) => Some(match arguments.positional[0].0 {
            Value::Int(value) => value.checked_abs().map_or(Value::Unknown, Value::Int),
            _ => Value::Float(only_number.abs()),
        }),
        _ => None,
    }
}

/// Evaluates `np.float32(3)`: converts a number to the class of a type. The value is not rounded to the type.
pub(super) fn number_of<'a>(dtype: DType, value: Option<&Value<'a>>) -> Value<'a> {
    match (value, dtype.is_float()) {
        (Some(value), true) => value.as_float().map_or(Value::Unknown, Value::Float),
        (Some(value), false) => value.as_int().map_or(Value::Unknown, Value::Int),
        (None, _) => Value::Unknown,
    }
}

fn is_float(value: &Value) -> bool {
    matches!(value, Value::Float(_))
}

pub(super) fn vector<'a>(
    opcode: Opcode,
    sources: Vec<Spanned<'a>>,
    trailing: Option<Spanned<'a>>,
    op_span: Span,
) -> Value<'a> {
    Value::Vector(Rc::new(VectorExpr {
        opcode,
        sources,
        trailing,
        op_span,
        consumed: Cell::new(false),
    }))
}
