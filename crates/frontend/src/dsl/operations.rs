//! Operators: plain values are computed; device scalars and tensors become instructions, or expressions that wait for
//! a destination.

use std::cell::Cell;
use std::rc::Rc;

use super::python::arithmetic::static_binary;
use super::python::iteration;
use super::scalars::PythonScalars;
use super::tensors::arithmetic;
use super::tracer::{Eval, Tracer};
use super::value::{Value, VectorExpr};
use a2lint_ir::{self as ir, ScalarType, UnaryOp};
use a2lint_isa::{Class, Opcode, Operator};
use a2lint_source::text::Span;
use a2lint_syntax::python::ast::{self, BinaryOp};

impl<'a> Tracer<'a> {
    pub fn unary(&mut self, op: ast::UnaryOp, value: Value<'a>, span: Span) -> Eval<Value<'a>> {
        use ast::UnaryOp as U;
        // A method of the file's classes (`__neg__`, …) has precedence over everything below.
        if let Some(result) = self.class_unary(op, &value, span)? {
            return Ok(result);
        }
        Ok(match (op, &value) {
            // `-True` is the int -1.
            (U::Neg, Value::Bool(v)) => Value::Int(-i128::from(*v)),
            (U::Pos, Value::Bool(v)) => Value::Int(i128::from(*v)),
            (U::Invert, Value::Bool(v)) => Value::Int(!i128::from(*v)),
            // Ints beyond 128 bits are unknown, not wrapped.
            (U::Neg, Value::Int(v)) => v.checked_neg().map_or(Value::Unknown, Value::Int),
            (U::Neg, Value::Float(v)) => Value::Float(-v),
            (U::Pos, Value::Int(_) | Value::Float(_)) => value,
            (U::Invert, Value::Int(v)) => Value::Int(!v),
            (_, Value::HostTensor(tensor)) => {
                arithmetic::unary(op, tensor).map_or(Value::Unknown, Value::HostTensor)
            }
            (U::Invert, Value::Var(_)) if self.compiled => self.inverted(&value)?,
            (U::Not, Value::Var(_)) => self.device_unary(UnaryOp::Not, &value)?,
            (U::Not, _) => {
                let condition = self.condition(value, span)?;
                condition
                    .truth()
                    .map_or(Value::Unknown, |truth| Value::Bool(!truth))
            }
            (U::Neg, Value::Var(_)) => self.device_unary(UnaryOp::Negate, &value)?,
            (U::Neg, Value::Local(_) | Value::Ring(_)) => {
                let help = format!("write `{}(dst, src, -1.0)`", Opcode::Muls.row().name);
                let message = "bad operand type for unary -: 'Tensor'";
                self.raise_with(span, "TypeError", message, Some(help));
                Value::Unknown
            }
            (
                // `TypeError` for certain: these types define none of the three operators.
                U::Neg | U::Pos | U::Invert,
                Value::None | Value::Str(_) | Value::Tuple(_) | Value::List(_),
            ) => {
                return self.throw("TypeError", Value::Unknown);
            }
            _ => Value::Unknown,
        })
    }

    /// Evaluates `==` on plain values; `None` if it is unknown.
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

    /// Returns a device scalar that holds the current value of an expression.
    pub fn temporary(&mut self, value: ir::ScalarId, of: ScalarType) -> Eval<Value<'a>> {
        // Stored at once, since the device may update the operands in place before the result is used.
        Ok(Value::Var(self.builder().temporary(value, of)?))
    }

    pub fn compare(&mut self, op: ast::CompareOp, a: &Value<'a>, b: &Value<'a>) -> Eval<Value<'a>> {
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
        // `is` and `in` of a tensor give one truth value, not one for each element.
        let is_of_elements = !matches!(op, C::Is | C::IsNot | C::In | C::NotIn);
        if let Some(truths) = arithmetic::compared(a, b).filter(|_| is_of_elements) {
            return Ok(truths);
        }
        Ok(match op {
            C::Eq => known(self.equal(a, b)?),
            C::Ne => known(self.equal(a, b)?.map(|equal| !equal)),
            C::Is | C::IsNot => known(self.is_identical(a, b).map(|same| same == (op == C::Is))),
            C::In | C::NotIn => {
                let inside = self.is_in(a, b)?;
                known(inside.map(|inside| inside == (op == C::In)))
            }
            _ => {
                if let (Some(x), Some(y)) = (a.members(), b.members()) {
                    return self.compare_sets(op, x, y);
                }
                let (x, y) = (a.as_float(), b.as_float());
                // Ordering compares sequences lexicographically; the depth bound ends lists that hold themselves.
                let ordering = iteration::order(a, b, 5);
                // Every ordering comparison with NaN is false.
                if ordering.is_none() && x.zip(y).is_some_and(|(x, y)| x.is_nan() || y.is_nan()) {
                    return Ok(Value::Bool(false));
                }
                // Tuples are left out: whether their items can be ordered depends on the first pair that differs.
                let is_own = |value: &Value| value.is_plain() && !matches!(value, Value::Tuple(_));
                let both_numbers = x.is_some() && y.is_some();
                if ordering.is_none() && is_own(a) && is_own(b) && !both_numbers {
                    return self.throw("TypeError", Value::Unknown);
                }
                let op = device_comparison(op);
                known(op.zip(ordering).map(|(op, ordering)| op.holds(ordering)))
            }
        })
    }

    /// Evaluates `a is b`; `None` if it depends on which values CPython shares.
    fn is_identical(&self, a: &Value<'a>, b: &Value<'a>) -> Option<bool> {
        if a.is_unknown() || b.is_unknown() {
            return None;
        }
        match (a, b) {
            (Value::None, Value::None) => Some(true),
            (Value::NotImplemented, Value::NotImplemented) => Some(true),
            (Value::None, _) | (_, Value::None) => Some(false),
            (Value::Bool(a), Value::Bool(b)) => Some(a == b),
            (Value::Int(a), Value::Int(b)) => match a == b {
                // CPython caches the ints from -5 to 256.
                true => (-5..=256).contains(a).then_some(true),
                false => Some(false),
            },
            (Value::Str(x), Value::Str(y)) => match Rc::ptr_eq(x, y) {
                // Equal strings may be interned or not; different ones are certainly different objects.
                true => Some(true),
                false => (x != y).then_some(false),
            },
            (Value::Tuple(x), Value::Tuple(y)) if Rc::ptr_eq(x, y) => Some(true),
            (Value::Tuple(_), Value::Tuple(_)) | (Value::Float(_), Value::Float(_)) => {
                // Equal constants in one code object are shared, others are not.
                match a.equals(b)? {
                    true => None,
                    false => Some(false),
                }
            }
            (Value::Range(..), Value::Range(..)) | (Value::FrozenSet(_), Value::FrozenSet(_)) => {
                (!a.equals(b)?).then_some(false)
            }
            // Bound methods are made anew by each access, so that different values here say nothing.
            (Value::Partial(_), Value::Partial(_)) => a.is_same(b).then_some(true),
            // Copies of a class value share one body.
            (Value::Class(x), Value::Class(y)) => Some(Rc::ptr_eq(x, y) || x.body.is(&y.body)),
            // `is_same` also equates 1 and True, which are different objects.
            _ if a.is_same(b) => match a.type_name() == b.type_name() {
                true => Some(true),
                false => Some(false),
            },
            _ if a.type_name() != b.type_name() => Some(false),
            (Value::List(_), _) | (Value::Dict(_), _) | (Value::Set(_), _) => Some(false),
            (Value::Instance(_), _) | (Value::Function(_), _) | (Value::Lambda(_), _) => {
                Some(false)
            }
            (Value::Iterator(_), _) => Some(false),
            _ => a.equals(b),
        }
    }

    /// Evaluates `<`, `<=`, `>` and `>=` of sets, which mean (proper) inclusion.
    fn compare_sets(
        &mut self,
        op: ast::CompareOp,
        a: Vec<Value<'a>>,
        b: Vec<Value<'a>>,
    ) -> Eval<Value<'a>> {
        use ast::CompareOp as C;
        let (small, large) = match op {
            C::Lt | C::Le => (a, b),
            _ => (b, a),
        };
        let is_larger = large.len() > small.len();
        // `chosen` keeps the items of the smaller set that the larger one lacks.
        let Some(rest) = self.chosen(small, &large, false)? else {
            return Ok(Value::Unknown);
        };
        Ok(Value::Bool(
            rest.is_empty() && (is_larger || matches!(op, C::Le | C::Ge)),
        ))
    }

    pub fn binary(
        &mut self,
        op: BinaryOp,
        op_span: Span,
        (a, a_span): (Value<'a>, Span),
        (b, b_span): (Value<'a>, Span),
        span: Span,
    ) -> Eval<Value<'a>> {
        if let Some(result) = self.class_binary(op, (&a, &b), span)? {
            return Ok(result);
        }
        if is_tensor(&a) || is_tensor(&b) {
            return self.vector_binary(op, op_span, (a, a_span), (b, b_span), span);
        }
        // Device scalars exist in kernels alone; in host code `Var` values are plain numbers.
        if matches!(a, Value::Var(_)) || matches!(b, Value::Var(_)) {
            if !a.is_scalar() || !b.is_scalar() || !self.in_kernel() {
                return Ok(Value::Unknown);
            }
            return match device_operation(op) {
                // The dialects define integer division of negative numbers differently.
                Some(op) if self.compiled => {
                    let op = self.floored(op, &a, &b);
                    if self.refuses_divisor(op, (&a, &b), b_span) {
                        return Ok(Value::Unknown);
                    }
                    self.device_binary(op, &a, &b)
                }
                Some(op) => self.device_binary(op, &a, &b),
                None => Ok(Value::Unknown),
            };
        }
        if let Some(tensor) = arithmetic::binary(self.torch_float, op, &a, &b) {
            return Ok(tensor);
        }
        self.plain_binary(op, a, b)
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
        // Host code has no vector expressions.
        if a.is_unknown() || b.is_unknown() || !self.in_kernel() {
            return Ok(Value::Unknown);
        }
        // One `<<=` emits one instruction, so there is no place for an inner result.
        let nested = matches!(a, Value::Vector(_)) || matches!(b, Value::Vector(_));
        if nested {
            consume(&a);
            consume(&b);
            let help = "store the inner result in a UB tensor first: one operation per <<=";
            let message = format!("unsupported operand for {}: 'VecOP'", symbol(op));
            self.raise_with(span, "TypeError", message, Some(help.into()));
            return Ok(Value::Unknown);
        }
        // Division by a scalar multiplies by its inverse, which Python computes at trace time.
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
            // A scalar on the left is possible only for operations that commute, because the instruction takes it
            // last.
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
            let reversed = (a.is_scalar() && is_tensor(&b))
                .then(|| reversed(op))
                .flatten();
            let in_gm = [(&a, a_span), (&b, b_span)];
            let in_gm = in_gm
                .into_iter()
                .find(|(it, _)| matches!(it, Value::Global(_)));
            let load = in_gm.map(|(_, span)| {
                let text = self.text(span);
                format!("load it into a tensor in UB first: `ub <<= {text}`")
            });
            let help = reversed.or(load);
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

    /// Returns the instruction for `tensor op scalar`: subtraction and division become addition and multiplication.
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
            // The hardware has `adds` and `muls` only; the DSL negates or inverts the scalar.
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
}

/// Marks a vector expression as used.
pub(super) fn consume(value: &Value) {
    if let Value::Vector(vector) = value {
        vector.consumed.set(true);
    }
}

fn is_tensor(value: &Value) -> bool {
    matches!(value, Value::Local(_) | Value::Ring(_) | Value::Vector(_))
}

fn tensor_tensor(op: BinaryOp) -> Option<Opcode> {
    Opcode::computing(Class::Binary, operator(op)?)
}

/// Returns the instruction for `scalar op tensor`.
fn commuting(op: BinaryOp) -> Option<Opcode> {
    let commutes = matches!(op, BinaryOp::Add | BinaryOp::Mul);
    Opcode::computing(Class::ScalarOp, operator(op).filter(|_| commutes)?)
}

/// Returns the operator that a Python operator means between tensors.
fn operator(op: BinaryOp) -> Option<Operator> {
    Some(match op {
        BinaryOp::Add => Operator::Add,
        BinaryOp::Sub => Operator::Sub,
        BinaryOp::Mul => Operator::Mul,
        BinaryOp::Div => Operator::Div,
        BinaryOp::BitAnd => Operator::And,
        BinaryOp::BitOr => Operator::Or,
        _ => return None,
    })
}

/// Returns how to write `scalar op tensor` if the operation does not commute.
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

pub(super) fn device_operation(op: BinaryOp) -> Option<ir::BinaryOp> {
    Some(match op {
        BinaryOp::Add => ir::BinaryOp::Add,
        BinaryOp::Sub => ir::BinaryOp::Sub,
        BinaryOp::Mul => ir::BinaryOp::Mul,
        // On the device both divisions of integers are the same operation.
        BinaryOp::Div | BinaryOp::FloorDiv => ir::BinaryOp::Div,
        BinaryOp::Mod => ir::BinaryOp::Mod,
        BinaryOp::BitAnd => ir::BinaryOp::BitAnd,
        BinaryOp::BitOr => ir::BinaryOp::BitOr,
        BinaryOp::Shl => ir::BinaryOp::Shl,
        BinaryOp::Shr => ir::BinaryOp::Shr,
        BinaryOp::BitXor => ir::BinaryOp::BitXor,
        BinaryOp::Pow | BinaryOp::MatMul => return None,
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
