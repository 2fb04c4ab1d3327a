//! Numbers of a program: sizes and offsets in elements, exactly.

use a2lint_ir::build::Builder;
use a2lint_ir::{BinaryOp, Scalar, ScalarId, ScalarType, UnaryOp, VariableKind};
use a2lint_isa::{BLOCK_BYTES, DType};

/// Maximum depth to which an expression is searched for a factor.
const MAX_DEPTH: u32 = 24;

/// Returns the sum of two numbers.
pub fn add(builder: &mut Builder, a: ScalarId, b: ScalarId) -> ScalarId {
    builder.binary(BinaryOp::Add, a, b)
}

/// Returns the sum of two numbers of bytes in global memory, in 64 bits.
pub fn add_wide(builder: &mut Builder, a: ScalarId, b: ScalarId) -> ScalarId {
    let wide = ScalarType::of(DType::Int64);
    builder.program.scalars.binary_as(wide, BinaryOp::Add, a, b)
}

/// Returns the difference of two numbers.
pub fn sub(builder: &mut Builder, a: ScalarId, b: ScalarId) -> ScalarId {
    builder.binary(BinaryOp::Sub, a, b)
}

/// Returns the smaller of two numbers.
pub fn smaller(builder: &mut Builder, a: ScalarId, b: ScalarId) -> ScalarId {
    builder.binary(BinaryOp::Min, a, b)
}

/// Returns the product of two numbers.
pub fn mul(builder: &mut Builder, a: ScalarId, b: ScalarId) -> ScalarId {
    builder.binary(BinaryOp::Mul, a, b)
}

/// Returns the product of a number and a constant.
pub fn times(builder: &mut Builder, a: ScalarId, factor: i64) -> ScalarId {
    let factor = builder.int(factor);
    mul(builder, a, factor)
}

/// Returns the quotient of a number and a positive constant, rounded down. No division is emitted if the form of the
/// number shows that it is a multiple.
pub fn divided(builder: &mut Builder, a: ScalarId, divisor: i64) -> ScalarId {
    if divisor == 1 {
        return a;
    }
    if let Some(quotient) = exact(builder, a, divisor, MAX_DEPTH) {
        return quotient;
    }
    let divisor = builder.int(divisor);
    builder.binary(BinaryOp::Div, a, divisor)
}

/// Rounds a number down to a multiple of a constant.
pub fn rounded_down(builder: &mut Builder, a: ScalarId, unit: i64) -> ScalarId {
    if exact(builder, a, unit, MAX_DEPTH).is_some() {
        return a;
    }
    let whole = divided(builder, a, unit);
    times(builder, whole, unit)
}

/// Rounds a number up to a multiple of a constant.
pub fn rounded_up(builder: &mut Builder, a: ScalarId, unit: i64) -> ScalarId {
    if exact(builder, a, unit, MAX_DEPTH).is_some() {
        return a;
    }
    let unit = builder.int(unit);
    builder.binary(BinaryOp::AlignUp, a, unit)
}

/// Returns the least and the largest value that a number may have, as far as its form shows: `4 + i % 2`.
pub fn range(builder: &Builder, id: ScalarId) -> Option<(i64, i64)> {
    form_range(builder, id, MAX_DEPTH)
}

fn form_range(builder: &Builder, id: ScalarId, depth: u32) -> Option<(i64, i64)> {
    let depth = depth.checked_sub(1)?;
    let scalars = &builder.program.scalars;
    let of = scalars.operation_type(id).dtype;
    let range = match scalars.get(id) {
        Scalar::Int(value) => return Some((value, value)),
        Scalar::Compare(..) => return Some((0, 1)),
        Scalar::Unary(UnaryOp::Convert, a) => form_range(builder, a, depth)?,
        Scalar::Binary(BinaryOp::Add, a, b) => {
            let (a, b) = (
                form_range(builder, a, depth)?,
                form_range(builder, b, depth)?,
            );
            (a.0.checked_add(b.0)?, a.1.checked_add(b.1)?)
        }
        Scalar::Binary(BinaryOp::Mul, a, b) => {
            let (a, b) = (
                form_range(builder, a, depth)?,
                form_range(builder, b, depth)?,
            );
            match a.0 >= 0 && b.0 >= 0 {
                true => (a.0.checked_mul(b.0)?, a.1.checked_mul(b.1)?),
                false => return None,
            }
        }
        Scalar::Binary(BinaryOp::Mod, _, b) => match scalars.get(b) {
            // The remainder has the sign of the dividend.
            Scalar::Int(by @ 1..) => match of.is_signed() {
                true => (1 - by, by - 1),
                false => (0, by - 1),
            },
            _ => return None,
        },
        Scalar::Binary(BinaryOp::BitAnd, a, b) => match (scalars.get(a), scalars.get(b)) {
            (Scalar::Int(mask @ 0..), _) | (_, Scalar::Int(mask @ 0..)) => (0, mask),
            _ => return None,
        },
        _ => return None,
    };
    // What does not fit the type of the operation wraps.
    if of.is_float() {
        return None;
    }
    let (least, most) = a2lint_ir::arithmetic::limits(of);
    (least <= i128::from(range.0) && i128::from(range.1) <= most).then_some(range)
}

/// Returns `a / divisor` if the form of `a` shows that there is no remainder.
fn exact(builder: &mut Builder, a: ScalarId, divisor: i64, depth: u32) -> Option<ScalarId> {
    if divisor == 1 {
        return Some(a);
    }
    let depth = depth.checked_sub(1)?;
    // An unsigned operation of 32 bits may wrap; what it wraps to is no multiple of the divisor's other factors.
    let of = builder.program.scalars.operation_type(a);
    let may_wrap = of.dtype.is_float() || !of.dtype.is_signed() && of.dtype.bits() < 64;
    let binary = |builder: &mut Builder, op, x, y| builder.program.scalars.binary_as(of, op, x, y);
    match builder.program.scalars.get(a) {
        Scalar::Binary(..) if may_wrap => None,
        Scalar::Int(value) => (value % divisor == 0).then(|| builder.int(value / divisor)),
        Scalar::Binary(BinaryOp::Mul, x, y) => {
            if let Some(quotient) = exact(builder, y, divisor, depth) {
                return Some(binary(builder, BinaryOp::Mul, x, quotient));
            }
            let quotient = exact(builder, x, divisor, depth)?;
            Some(binary(builder, BinaryOp::Mul, quotient, y))
        }
        Scalar::Binary(
            op @ (BinaryOp::Add | BinaryOp::Sub | BinaryOp::Min | BinaryOp::Max),
            x,
            y,
        ) => {
            let x = exact(builder, x, divisor, depth)?;
            let y = exact(builder, y, divisor, depth)?;
            Some(binary(builder, op, x, y))
        }
        Scalar::Binary(BinaryOp::Shl, x, by) => {
            let by = builder.program.scalars.as_int(by)?;
            let factor = 1_i64.checked_shl(u32::try_from(by).ok()?)?;
            let factor = builder.int(Some(factor / divisor).filter(|_| factor % divisor == 0)?);
            (by < 32).then(|| binary(builder, BinaryOp::Mul, x, factor))
        }
        Scalar::Binary(BinaryOp::AlignUp, x, unit) => {
            let wide = builder.program.scalars.as_int(unit)?;
            if wide % divisor != 0 {
                return None;
            }
            let unit = builder.int(wide / divisor);
            match exact(builder, x, divisor, depth) {
                Some(x) => Some(binary(builder, BinaryOp::AlignUp, x, unit)),
                None => {
                    let divisor = builder.int(divisor);
                    let x = binary(builder, BinaryOp::CeilDiv, x, divisor);
                    Some(binary(builder, BinaryOp::AlignUp, x, unit))
                }
            }
        }
        // A conversion that changes nothing keeps the number.
        Scalar::Unary(UnaryOp::Convert, x) => {
            let of = builder.program.scalars.operation_type(a);
            let is_wide = of.dtype.bits() == 64 && !of.dtype.is_float();
            let is_whole = builder
                .program
                .scalars
                .type_of(x)
                .is_some_and(|of| !of.dtype.is_float() && !of.or_float);
            match is_wide && is_whole {
                true => exact(builder, x, divisor, depth),
                false => None,
            }
        }
        // A temporary that keeps what it was given.
        Scalar::Variable(variable) => {
            let made_of = builder.made_of(variable)?;
            exact(builder, made_of, divisor, depth)
        }
        _ => None,
    }
}

/// Converts a number of elements of one type to elements of another type of the same bytes, rounded down.
pub fn elements(builder: &mut Builder, count: ScalarId, from: DType, to: DType) -> ScalarId {
    let (from, to) = (from.bits(), to.bits());
    if from == to {
        return count;
    }
    let common = gcd(from, to);
    let scaled = match from / common {
        1 => count,
        up => times(builder, count, up),
    };
    divided(builder, scaled, to / common)
}

/// Converts a number of bytes to elements of a type, rounded down.
pub fn of_bytes(builder: &mut Builder, bytes: ScalarId, dtype: DType) -> ScalarId {
    elements(builder, bytes, DType::UInt8, dtype)
}

/// Returns the remainder of a scalar modulo a power of two of at most 256; `None` if it is not constant. Integer types
/// have at least 8 bits, so wrapping does not change it.
pub fn remainder_of(builder: &Builder, id: ScalarId, by: i64) -> Option<i64> {
    remainder(builder, id, by, MAX_DEPTH)
}

fn remainder(builder: &Builder, id: ScalarId, by: i64, depth: u32) -> Option<i64> {
    let depth = depth.checked_sub(1)?;
    let of = |id| remainder(builder, id, by, depth);
    let rest = match builder.program.scalars.get(id) {
        Scalar::Int(value) => value,
        Scalar::Unary(UnaryOp::Convert, a)
            if !builder.program.scalars.operation_type(a).dtype.is_float() =>
        {
            of(a)?
        }
        // A temporary that keeps what it was given.
        Scalar::Variable(variable) => of(builder.made_of(variable)?)?,
        Scalar::Binary(BinaryOp::AlignUp, _, b) => of(b).filter(|&rest| rest == 0)?,
        Scalar::Binary(BinaryOp::Min | BinaryOp::Max, a, b) => {
            of(a).filter(|&rest| of(b) == Some(rest))?
        }
        Scalar::Binary(BinaryOp::BitAnd, a, b) if [of(a), of(b)].contains(&Some(0)) => 0,
        Scalar::Binary(BinaryOp::Add, a, b) => of(a)? + of(b)?,
        Scalar::Binary(BinaryOp::Sub, a, b) => of(a)? - of(b)?,
        Scalar::Binary(BinaryOp::Mul, a, b) => match (of(a), of(b)) {
            (Some(0), _) | (_, Some(0)) => 0,
            (Some(a), Some(b)) => a * b,
            _ => return None,
        },
        Scalar::Binary(BinaryOp::Shl, a, b) => match builder.program.scalars.as_int(b)? {
            shift @ 0..=8 => of(a)? << shift,
            _ => return None,
        },
        _ => return None,
    };
    Some(rest.rem_euclid(by))
}

/// Converts a number of elements of a type to bytes.
pub fn in_bytes(builder: &mut Builder, count: ScalarId, dtype: DType) -> ScalarId {
    elements(builder, count, dtype, DType::UInt8)
}

/// Rounds a number of bytes up to whole 32-byte blocks and returns the number of bytes.
pub fn in_blocks(builder: &mut Builder, bytes: ScalarId) -> ScalarId {
    rounded_up(builder, bytes, BLOCK_BYTES)
}

/// Returns the value of a scalar that is a constant.
pub fn known(builder: &Builder, id: ScalarId) -> Option<i64> {
    builder.program.scalars.as_int(id)
}

fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Returns the name of the parameter that a scalar is, converted or not; `None` for other scalars.
pub fn parameter(builder: &Builder, id: ScalarId) -> Option<String> {
    match builder.program.scalars.get(id) {
        Scalar::Unary(UnaryOp::Convert, of) => parameter(builder, of),
        Scalar::Variable(variable) => {
            let variable = builder.program.variable(variable);
            let is_given = variable.kind == VariableKind::Param && variable.assignments == 0;
            is_given.then(|| variable.name.to_string())
        }
        _ => None,
    }
}
