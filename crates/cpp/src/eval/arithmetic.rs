//! Arithmetic of numbers: known ones exactly as C++ computes them, others as scalars of the program.

use a2lint_ir::{self as ir, ScalarId, ScalarType};
use half::{bf16, f16};

use super::Eval;
use super::types::{FloatType, IntType};
use super::values::{FloatValue, IntValue, Value};
use crate::syntax::ast::BinaryOp;

/// The result of an operation, or a clause that says why it has none.
pub(crate) type Computed = Result<Value, &'static str>;

/// Returns the result of an operation on known integers of one type.
fn known_int(of: IntType, op: BinaryOp, x: i128, y: i128) -> Computed {
    let exact = match op {
        BinaryOp::Add => x + y,
        BinaryOp::Sub => x - y,
        BinaryOp::Mul => match x.checked_mul(y) {
            Some(product) => product,
            // Only unsigned factors are as large; what counts is the product modulo 2^64.
            None => i128::from((x as u64).wrapping_mul(y as u64)),
        },
        BinaryOp::Div | BinaryOp::Rem if y == 0 => return Err("this divides by zero"),
        BinaryOp::Div => x / y,
        BinaryOp::Rem if !of.holds(x / y) => return Err("this remainder overflows"),
        BinaryOp::Rem => x % y,
        BinaryOp::BitAnd => x & y,
        BinaryOp::BitOr => x | y,
        BinaryOp::BitXor => x ^ y,
        _ => return Err("this operator has no meaning for integers"),
    };
    match of.is_signed() && !of.holds(exact) {
        true => Err("this overflows a signed integer"),
        false => Ok(Value::int(of, of.wrap(exact))),
    }
}

fn known_shift(of: IntType, op: BinaryOp, x: i128, y: i128) -> Computed {
    if !(0..i128::from(of.bits())).contains(&y) {
        return Err("this shifts by more bits than the type has");
    }
    Ok(Value::int(
        of,
        match op {
            BinaryOp::Shl => of.wrap(x << y),
            _ => x >> y,
        },
    ))
}

/// Returns the comparison in a2lint's IR for a C++ operator; `None` for operators that do not compare.
pub(crate) fn comparison(op: BinaryOp) -> Option<ir::CompareOp> {
    Some(match op {
        BinaryOp::Eq => ir::CompareOp::Eq,
        BinaryOp::Ne => ir::CompareOp::Ne,
        BinaryOp::Lt => ir::CompareOp::Lt,
        BinaryOp::Le => ir::CompareOp::Le,
        BinaryOp::Gt => ir::CompareOp::Gt,
        BinaryOp::Ge => ir::CompareOp::Ge,
        _ => return None,
    })
}

/// Rounds a number to a floating type.
pub(crate) fn rounded(of: FloatType, value: f64) -> f64 {
    match of {
        FloatType::Half => f16::from_f64(value).to_f64(),
        FloatType::BFloat16 => bf16::from_f64(value).to_f64(),
        FloatType::Float => f64::from(value as f32),
        FloatType::Double => value,
    }
}

/// Rounds a whole number to a floating type in one step.
fn rounded_whole(of: FloatType, value: i128) -> f64 {
    match of {
        FloatType::Float => f64::from(value as f32),
        FloatType::Double => value as f64,
        // Numbers beyond 2^53 are beyond all halves, and a bfloat16 of them is rounded from a float.
        _ => rounded(of, value as f64),
    }
}

/// Returns the floating type of an operation; one of the two for `half` with `bfloat16_t`, for which C++ defines none.
pub(crate) fn common_float(a: FloatType, b: FloatType) -> FloatType {
    a.max(b)
}

impl Eval<'_> {
    /// Computes with two integers of type `of`; in a shift, `of` is the type of the left operand.
    pub(crate) fn int_operation(
        &mut self,
        of: IntType,
        op: BinaryOp,
        a: IntValue,
        b: IntValue,
    ) -> Computed {
        let is_shift = matches!(op, BinaryOp::Shl | BinaryOp::Shr);
        if let (IntValue::Known(x), IntValue::Known(y)) = (a, b) {
            if let Some(op) = comparison(op) {
                return Ok(Value::bool(op.holds(x.cmp(&y))));
            }
            return match is_shift {
                true => known_shift(of, op, x, y),
                false => known_int(of, op, x, y),
            };
        }
        // The shift is undefined whatever the left side is. A scalar shift count is left to the checks.
        if let IntValue::Known(y) = b {
            match op {
                BinaryOp::Div | BinaryOp::Rem if y == 0 => return Err("this divides by zero"),
                _ if is_shift && !(0..i128::from(of.bits())).contains(&y) => {
                    return Err("this shifts by more bits than the type has");
                }
                _ => {}
            }
        }
        let (a, b) = (self.int_scalar(a), self.int_scalar(b));
        let scalars = &mut self.builder.program.scalars;
        if let Some(op) = comparison(op) {
            let id = scalars.compare_as(of.scalar(), op, a, b);
            return Ok(self.int_of_scalar(IntType::Bool, id));
        }
        let op = match op {
            BinaryOp::Add => ir::BinaryOp::Add,
            BinaryOp::Sub => ir::BinaryOp::Sub,
            BinaryOp::Mul => ir::BinaryOp::Mul,
            BinaryOp::Div => ir::BinaryOp::Div,
            BinaryOp::Rem => ir::BinaryOp::Mod,
            BinaryOp::Shl => ir::BinaryOp::Shl,
            BinaryOp::Shr => ir::BinaryOp::Shr,
            BinaryOp::BitAnd => ir::BinaryOp::BitAnd,
            BinaryOp::BitOr => ir::BinaryOp::BitOr,
            BinaryOp::BitXor => ir::BinaryOp::BitXor,
            _ => return Err("this operator has no meaning for integers"),
        };
        let id = scalars.binary_as(of.scalar(), op, a, b);
        Ok(self.int_of_scalar(of, id))
    }

    /// Returns a scalar as an integer value of a type; a scalar that is a constant gives a known value.
    pub(crate) fn int_of_scalar(&mut self, of: IntType, id: ScalarId) -> Value {
        match self.builder.program.scalars.as_whole(id) {
            Some(value) if of.holds(value) => Value::int(of, value),
            _ => Value::Int(of, IntValue::Scalar(id)),
        }
    }

    /// Returns the scalar of the program for an integer.
    pub(crate) fn int_scalar(&mut self, value: IntValue) -> ScalarId {
        match value {
            IntValue::Known(value) => self.builder.program.scalars.whole(value),
            IntValue::Scalar(id) => id,
        }
    }

    fn float_scalar(&mut self, value: FloatValue) -> ScalarId {
        match value {
            FloatValue::Known(value) => self.builder.program.scalars.float(value),
            FloatValue::Scalar(id) => id,
        }
    }

    /// Computes with numbers of one floating type.
    pub(crate) fn float_operation(
        &mut self,
        of: FloatType,
        op: BinaryOp,
        a: FloatValue,
        b: FloatValue,
    ) -> Computed {
        if let (FloatValue::Known(x), FloatValue::Known(y)) = (a, b) {
            if let Some(op) = comparison(op) {
                let holds = x
                    .partial_cmp(&y)
                    .map_or(op == ir::CompareOp::Ne, |ordering| op.holds(ordering));
                return Ok(Value::bool(holds));
            }
            let exact = match (op, of) {
                // The product of two floats has at most 48 bits: a double holds it. A sum is rounded twice, which is
                // the same where the first format has more than twice as many bits.
                (BinaryOp::Add, _) => x + y,
                (BinaryOp::Sub, _) => x - y,
                (BinaryOp::Mul, _) => x * y,
                (BinaryOp::Div, _) => x / y,
                _ => return Err("this operator has no meaning for floating numbers"),
            };
            return Ok(Value::Float(of, FloatValue::Known(rounded(of, exact))));
        }
        // Programs compute scalars as float; half and double would round differently.
        if of != FloatType::Float {
            return Err("scalars of this floating type are not computed");
        }
        let (a, b) = (self.float_scalar(a), self.float_scalar(b));
        let single = FloatType::Float.scalar().unwrap_or(ScalarType::INT);
        let scalars = &mut self.builder.program.scalars;
        if let Some(op) = comparison(op) {
            let id = scalars.compare_as(single, op, a, b);
            return Ok(self.int_of_scalar(IntType::Bool, id));
        }
        let op = match op {
            BinaryOp::Add => ir::BinaryOp::Add,
            BinaryOp::Sub => ir::BinaryOp::Sub,
            BinaryOp::Mul => ir::BinaryOp::Mul,
            BinaryOp::Div => ir::BinaryOp::Div,
            _ => return Err("this operator has no meaning for floating numbers"),
        };
        let id = scalars.binary_as(single, op, a, b);
        Ok(Value::Float(of, FloatValue::Scalar(id)))
    }

    /// Negates a number of a promoted type.
    pub(crate) fn negate(&mut self, value: &Value) -> Computed {
        match value {
            Value::Int(of, value) => {
                self.int_operation(*of, BinaryOp::Sub, IntValue::Known(0), *value)
            }
            Value::Float(of, FloatValue::Known(value)) => {
                Ok(Value::Float(*of, FloatValue::Known(-value)))
            }
            Value::Float(of @ FloatType::Float, FloatValue::Scalar(id)) => {
                let single = FloatType::Float.scalar().unwrap_or(ScalarType::INT);
                let scalars = &mut self.builder.program.scalars;
                let id = scalars.unary_as(single, ir::UnaryOp::Negate, *id);
                Ok(Value::Float(*of, FloatValue::Scalar(id)))
            }
            Value::Unknown => Ok(Value::Unknown),
            _ => Err("this has no negative"),
        }
    }

    /// Inverts the bits of an integer of a promoted type.
    pub(crate) fn complement(&mut self, value: &Value) -> Computed {
        match value {
            Value::Int(of, IntValue::Known(value)) => Ok(Value::int(*of, of.wrap(!value))),
            Value::Int(of, value) => {
                let ones = IntValue::Known(of.wrap(-1));
                self.int_operation(*of, BinaryOp::BitXor, *value, ones)
            }
            Value::Unknown => Ok(Value::Unknown),
            _ => Err("this has no complement"),
        }
    }

    /// Converts an integer to another integer type.
    pub(crate) fn int_to_int(&mut self, from: IntType, value: IntValue, to: IntType) -> Value {
        match value {
            // A size or stride that a narrow type cannot hold is looked for where it is used.
            IntValue::Known(value) if is_cut(value, to) => {
                let id = self.builder.program.scalars.whole(value);
                Value::Int(to, IntValue::Scalar(self.int_cut(to, id)))
            }
            IntValue::Known(value) => Value::int(to, to.wrap(value)),
            IntValue::Scalar(id) => {
                let (a, b) = (from.limits(), to.limits());
                // What the other type holds needs no conversion; the scalar of a bool is 0 or 1.
                if b.0 <= a.0 && a.1 <= b.1 {
                    return Value::Int(to, IntValue::Scalar(id));
                }
                let scalars = &mut self.builder.program.scalars;
                let id = match to {
                    IntType::Bool => {
                        let zero = scalars.int(0);
                        scalars.compare_as(from.scalar(), ir::CompareOp::Ne, id, zero)
                    }
                    _ => self.int_cut(to, id),
                };
                self.int_of_scalar(to, id)
            }
        }
    }

    /// Converts a scalar to an integer type. Emits no cast if the scalar's type in the program, which may be narrower
    /// than its C++ type, already fits.
    fn int_cut(&mut self, to: IntType, id: ScalarId) -> ScalarId {
        self.builder.program.scalars.convert(to.scalar(), id)
    }

    /// Converts a number to an integer type.
    pub(crate) fn converted_to_int(&mut self, value: &Value, to: IntType) -> Computed {
        match value {
            Value::Int(of, value) => Ok(self.int_to_int(*of, *value, to)),
            Value::Float(_, FloatValue::Known(value)) if to == IntType::Bool => {
                Ok(Value::bool(*value != 0.0))
            }
            Value::Float(_, FloatValue::Known(value)) => {
                let whole = value.trunc();
                // A conversion out of range is undefined behaviour; the bound keeps the cast to i128 exact.
                let is_held = whole.abs() < 1e30 && to.holds(whole as i128);
                match is_held {
                    true => Ok(Value::int(to, whole as i128)),
                    false => Err("this number is out of the range of the integer type"),
                }
            }
            Value::Float(of, FloatValue::Scalar(id)) => {
                let scalars = &mut self.builder.program.scalars;
                let id = match to {
                    IntType::Bool => {
                        let zero = scalars.float(0.0);
                        let of = of.scalar().unwrap_or(ScalarType::INT);
                        scalars.compare_as(of, ir::CompareOp::Ne, *id, zero)
                    }
                    _ => scalars.convert(to.scalar(), *id),
                };
                Ok(self.int_of_scalar(to, id))
            }
            Value::Unknown => Ok(Value::Unknown),
            _ => Err("this is no number"),
        }
    }

    /// Converts a number to a floating type.
    pub(crate) fn converted_to_float(&mut self, value: &Value, to: FloatType) -> Computed {
        match value {
            Value::Int(_, IntValue::Known(value)) => {
                let value = rounded_whole(to, *value);
                Ok(Value::Float(to, FloatValue::Known(value)))
            }
            Value::Float(_, FloatValue::Known(value)) => {
                Ok(Value::Float(to, FloatValue::Known(rounded(to, *value))))
            }
            Value::Float(of, FloatValue::Scalar(_)) if *of == to => Ok(value.clone()),
            Value::Int(_, IntValue::Scalar(id)) | Value::Float(_, FloatValue::Scalar(id)) => {
                match to.scalar() {
                    Some(of) => {
                        let id = self.builder.program.scalars.convert(of, *id);
                        Ok(Value::Float(to, FloatValue::Scalar(id)))
                    }
                    None => Err("scalars of this floating type are not computed"),
                }
            }
            Value::Unknown => Ok(Value::Unknown),
            _ => Err("this is no number"),
        }
    }
}

/// Returns whether a number is too large for an integer of 8 or 16 bits. A negative one is meant as the largest number.
fn is_cut(value: i128, to: IntType) -> bool {
    let (_, most) = to.limits();
    to != IntType::Bool && most <= i128::from(u16::MAX) && value > most
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_integers_follow_lp64() {
        let value = |of, op, x, y| known_int(of, op, x, y).ok().and_then(|it| it.known_int());
        use BinaryOp::{Add, Div, Mul, Rem, Sub};
        assert_eq!(value(IntType::Unsigned, Sub, 0, 1), Some(u32::MAX.into()));
        assert_eq!(value(IntType::Int, Add, i32::MAX.into(), 1), None);
        assert_eq!(value(IntType::Int, Div, i32::MIN.into(), -1), None);
        assert_eq!(value(IntType::Int, Rem, i32::MIN.into(), -1), None);
        assert_eq!(value(IntType::Int, Rem, -7, 2), Some(-1));
        let top = i128::from(u64::MAX);
        assert_eq!(value(IntType::UnsignedLong, Mul, top, top), Some(1));
        let shifted = known_shift(IntType::Unsigned, BinaryOp::Shl, 3, 31);
        assert_eq!(shifted.ok().and_then(|it| it.known_int()), Some(1 << 31));
    }
}
