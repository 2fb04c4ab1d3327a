//! Defines the arithmetic of device scalars: the type of an operation and its result.
//!
//! Types meet as in C. Integers of fewer than 32 bits become int32 before anything is done with them;
//! of two types the wider one wins, of two equally wide ones the unsigned one; beside a float
//! everything becomes an f32. An integer constant has no type of its own: it takes that of the other side.
//! Integers wrap at the width of their type, floats round at every operation.

use super::{BinaryOp, CompareOp};
use a2lint_isa::DType;

/// The type of a scalar expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ScalarType {
    /// The type.
    pub dtype: DType,
    /// Whether the type is float instead if the launch passes a float: the expression reads a parameter whose
    /// type only the launch determines.
    pub or_float: bool,
}

impl ScalarType {
    /// The type of a condition and of a device query.
    pub const INT: ScalarType = ScalarType::of(DType::Int);
    /// A parameter without a type: int32, or a float where the launch gives one.
    pub const LAUNCHED: ScalarType = ScalarType {
        dtype: DType::Int,
        or_float: true,
    };

    /// Makes a type that does not depend on the launch.
    pub const fn of(dtype: DType) -> ScalarType {
        ScalarType {
            dtype,
            or_float: false,
        }
    }

    /// Returns the type; `None` if it depends on the launch.
    pub fn known(self) -> Option<DType> {
        (!self.or_float).then_some(self.dtype)
    }

    /// Returns the type after promotion: an integer type of at least 32 bits, or 32-bit float.
    pub fn promoted(self) -> ScalarType {
        ScalarType {
            dtype: promoted(self.dtype),
            or_float: self.or_float,
        }
    }

    /// Returns the type of an operation over two operands, where `None` is the type of an integer constant.
    pub fn common(a: Option<ScalarType>, b: Option<ScalarType>) -> ScalarType {
        let (a, b) = match (a, b) {
            (None, None) => return ScalarType::INT,
            (Some(one), None) | (None, Some(one)) => return one.promoted(),
            (Some(a), Some(b)) => (a.promoted(), b.promoted()),
        };
        // The conversions of C as an order of tuples: float before integer, then the wider type, then
        // unsigned before signed.
        let rank = |dtype: DType| (dtype.is_float(), dtype.bits(), !dtype.is_signed());
        let dtype = match rank(a.dtype) >= rank(b.dtype) {
            true => a.dtype,
            false => b.dtype,
        };
        ScalarType {
            dtype,
            // Where the common type is a float, no launch can change it.
            or_float: (a.or_float || b.or_float) && !dtype.is_float(),
        }
    }

    /// Returns whether every value of this type can be represented in `other` unchanged.
    pub fn fits(self, other: ScalarType) -> bool {
        match (self.dtype.is_float(), other.dtype.is_float()) {
            (false, false) if !self.or_float || other.or_float => {
                let (from, to) = (limits(self.dtype), limits(other.dtype));
                to.0 <= from.0 && from.1 <= to.1
            }
            // Half and bfloat16 fit into float, but neither fits into the other.
            (true, true) => self.dtype == other.dtype || other.dtype == DType::Float,
            // A float fits into an integer type only if the launch may turn that type into a float.
            (true, false) => other.or_float,
            _ => false,
        }
    }
}

/// Returns the type that a scalar of this type is promoted to in arithmetic.
fn promoted(dtype: DType) -> DType {
    match dtype {
        dtype if dtype.is_float() => DType::Float,
        dtype if dtype.bits() < 32 => DType::Int,
        dtype => dtype,
    }
}

/// Returns a number as an integer, if it is one that a double holds exactly.
pub fn whole(value: f64) -> Option<i64> {
    // Just below 2^53, up to which doubles represent every integer.
    (value.fract() == 0.0 && value.abs() < 9.0e15).then_some(value as i64)
}

/// Returns the smallest and the largest value of an integer type.
pub fn limits(dtype: DType) -> (i128, i128) {
    match dtype {
        DType::Bool => (0, 1),
        dtype if dtype.is_signed() => {
            let half = 1_i128 << (dtype.bits() - 1);
            (-half, half - 1)
        }
        dtype => (0, (1 << dtype.bits()) - 1),
    }
}

/// Returns the value that an integer type stores for a whole number: its low bits, or its truth for `bool`.
pub fn wrapped(dtype: DType, value: i128) -> i128 {
    if dtype == DType::Bool {
        return i128::from(value != 0);
    }
    let (min, max) = limits(dtype);
    if (min..=max).contains(&value) {
        return value;
    }
    // Two's complement: the low bits, of which the highest is the sign in a signed type.
    let kept = value & ((1 << dtype.bits()) - 1);
    if kept > max {
        kept - (1 << dtype.bits())
    } else {
        kept
    }
}

/// Returns the integer that a float converts to: truncated towards zero, saturated to the promoted type, and
/// wrapped to `dtype` where that is narrower.
pub fn truncated(dtype: DType, value: f64) -> i128 {
    let (min, max) = limits(promoted(dtype));
    // `as` turns NaN into 0 and saturates infinities, so that every float has a result.
    wrapped(dtype, (value as i128).clamp(min, max))
}

/// The result of an integer operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Whole {
    /// The result after wrapping to the width of the type.
    pub value: i128,
    /// Whether the exact result differs from `value`.
    pub wraps: bool,
}

/// Computes an operation on integers of a type; `None` where it has no value (division by zero, a shift by at
/// least as many bits as the type has).
pub fn integer(dtype: DType, op: BinaryOp, x: i128, y: i128) -> Option<Whole> {
    let (x, y) = (wrapped(dtype, x), wrapped(dtype, y));
    let fit = |exact: i128, before: bool| {
        let value = wrapped(dtype, exact);
        Whole {
            value,
            wraps: before || value != exact,
        }
    };
    Some(match op {
        // The product of two uint64 can exceed a signed 128-bit number. Its low bits are right all the same.
        BinaryOp::Mul => fit(x.wrapping_mul(y), x.checked_mul(y).is_none()),
        // In the steps `(x + y - 1) / y` and `* y`, each of which may wrap: an overflow of the sum changes
        // the quotient.
        BinaryOp::CeilDiv | BinaryOp::AlignUp => {
            let sum = fit(x + y - 1, false);
            let quotient = fit(sum.value.checked_div(y)?, sum.wraps);
            match op {
                BinaryOp::AlignUp => fit(quotient.value * y, quotient.wraps),
                _ => quotient,
            }
        }
        BinaryOp::Shl | BinaryOp::Shr if !(0..i128::from(dtype.bits())).contains(&y) => {
            return None;
        }
        BinaryOp::Shl => fit(x << y, false),
        BinaryOp::Shr => fit(x >> y, false),
        BinaryOp::Add => fit(x + y, false),
        BinaryOp::Sub => fit(x - y, false),
        // `fit` wraps the one quotient that the type cannot hold: the smallest number divided by -1.
        BinaryOp::Div => fit(x.checked_div(y)?, false),
        BinaryOp::Mod => fit(x.checked_rem(y)?, false),
        BinaryOp::FloorDiv => fit(floor_div(x, y)?, false),
        BinaryOp::FloorMod => fit(floor_mod(x, y)?, false),
        BinaryOp::Index if !(0..y).contains(&x) => return None,
        BinaryOp::Multiple if x.checked_rem(y)? != 0 => return None,
        BinaryOp::Index | BinaryOp::Multiple => fit(x, false),
        BinaryOp::Min => fit(x.min(y), false),
        BinaryOp::Max => fit(x.max(y), false),
        BinaryOp::BitAnd => fit(x & y, false),
        BinaryOp::BitOr => fit(x | y, false),
        BinaryOp::BitXor => fit(x ^ y, false),
        BinaryOp::And => fit(i128::from(x != 0 && y != 0), false),
        BinaryOp::Or => fit(i128::from(x != 0 || y != 0), false),
    })
}

/// Returns the largest integer that is at most x / y; `None` for a division by zero.
pub fn floor_div(x: i128, y: i128) -> Option<i128> {
    let quotient = x.checked_div(y)?;
    // `checked_div` truncates towards zero, which is one above the floor for operands of different signs.
    let is_above = x.checked_rem(y)? != 0 && (x < 0) != (y < 0);
    Some(quotient - i128::from(is_above))
}

/// Returns the remainder of a division that rounds down; it has the sign of y. `None` for a division by zero.
pub fn floor_mod(x: i128, y: i128) -> Option<i128> {
    let rest = x.checked_rem(y)?;
    let is_other = rest != 0 && (rest < 0) != (y < 0);
    Some(if is_other { rest + y } else { rest })
}

/// Computes an operation on floats; `None` where it is not defined for floats.
pub fn float(op: BinaryOp, x: f32, y: f32) -> Option<f32> {
    Some(match op {
        BinaryOp::Add => x + y,
        BinaryOp::Sub => x - y,
        BinaryOp::Mul => x * y,
        BinaryOp::Div => x / y,
        // As `y < x ? y : x` in C: a NaN in `y` is ignored, a NaN in `x` is the result.
        BinaryOp::Min if y < x => y,
        BinaryOp::Max if y > x => y,
        BinaryOp::Min | BinaryOp::Max => x,
        _ => return None,
    })
}

impl BinaryOp {
    /// Returns whether the operation is defined for floats.
    pub const fn takes_floats(self) -> bool {
        matches!(
            self,
            BinaryOp::Add
                | BinaryOp::Sub
                | BinaryOp::Mul
                | BinaryOp::Div
                | BinaryOp::Min
                | BinaryOp::Max
        )
    }

    /// Returns whether its operands and its value are conditions.
    pub const fn is_logical(self) -> bool {
        matches!(self, BinaryOp::And | BinaryOp::Or)
    }

    /// Returns the type of the operation over operands of these types. A shift has the type of its left
    /// operand, unless that is an integer constant.
    pub fn operation_type(self, a: Option<ScalarType>, b: Option<ScalarType>) -> ScalarType {
        let found = match self {
            BinaryOp::And | BinaryOp::Or => ScalarType::INT,
            BinaryOp::Shl | BinaryOp::Shr => ScalarType::common(a.or(b), None),
            _ => ScalarType::common(a, b),
        };
        ScalarType {
            // An operation that floats do not have works on integers, whatever the launch passes.
            or_float: found.or_float && self.takes_floats(),
            ..found
        }
    }
}

/// Compares integers of a type.
pub fn compare_integers(dtype: DType, op: CompareOp, x: i128, y: i128) -> bool {
    op.holds(wrapped(dtype, x).cmp(&wrapped(dtype, y)))
}

/// Compares floats; with a NaN only `!=` holds.
pub fn compare_floats(op: CompareOp, x: f32, y: f32) -> bool {
    x.partial_cmp(&y)
        .map_or(op == CompareOp::Ne, |ordering| op.holds(ordering))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(dtype: DType, op: BinaryOp, x: i128, y: i128) -> Option<i128> {
        integer(dtype, op, x, y).map(|whole| whole.value)
    }

    #[test]
    fn doubles_are_integers_as_far_as_they_are_exact() {
        assert_eq!([whole(-3.0), whole(0.5)], [Some(-3), None]);
        assert_eq!(
            [1e19, -1e300, f64::INFINITY, f64::NAN].map(whole),
            [None; 4]
        );
    }

    #[test]
    fn integers_wrap_at_their_width() {
        use BinaryOp::*;
        assert_eq!(
            value(DType::Int, Add, i32::MAX.into(), 1),
            Some(i32::MIN.into())
        );
        assert_eq!(value(DType::UInt32, Add, u32::MAX.into(), 1), Some(0));
        assert_eq!(wrapped(DType::Int8, 200), -56);
        let top = value(DType::UInt64, Shl, 1, 63);
        assert_eq!(top, Some(1 << 63));
        assert_eq!(value(DType::UInt64, Sub, 1 << 63, 1), Some((1 << 63) - 1));
        assert_eq!(
            value(DType::UInt64, Shr, u64::MAX.into(), 27),
            Some((1 << 37) - 1)
        );
        assert_eq!(value(DType::Int64, Shr, -1, 27), Some(-1));
        assert_eq!(
            value(DType::UInt64, Mul, u64::MAX.into(), u64::MAX.into()),
            Some(1)
        );
        assert_eq!(
            value(DType::Int, Div, i32::MIN.into(), -1),
            Some(i32::MIN.into())
        );
        assert_eq!(value(DType::Int, Shl, 1, 32), None);
        assert_eq!(value(DType::Int, Mod, -7, 2), Some(-1));
        for (x, y, quotient, rest) in [
            (-7, 2, -4, 1),
            (7, -2, -4, -1),
            (-8, 2, -4, 0),
            (7, 2, 3, 1),
        ] {
            assert_eq!(value(DType::Int, FloorDiv, x, y), Some(quotient));
            assert_eq!(value(DType::Int, FloorMod, x, y), Some(rest));
        }
        assert_eq!(value(DType::Int, FloorDiv, 1, 0), None);
    }

    #[test]
    fn rounding_up_is_that_of_the_device_code() {
        use BinaryOp::*;
        assert_eq!(value(DType::Int, CeilDiv, 65, 64), Some(2));
        assert_eq!(value(DType::Int, CeilDiv, -100, 64), Some(0));
        assert_eq!(value(DType::Int, CeilDiv, -128, 64), Some(-1));
        assert_eq!(value(DType::Int, AlignUp, -100, 16), Some(-80));
        assert_eq!(value(DType::Int, AlignUp, 65, 16), Some(80));
        let end = integer(DType::Int, CeilDiv, i32::MAX.into(), 2);
        assert_eq!(
            end,
            Some(Whole {
                value: -(1 << 30),
                wraps: true
            })
        );
    }

    #[test]
    fn types_meet_as_in_c() {
        let meet = |a: DType, b: DType| {
            ScalarType::common(Some(ScalarType::of(a)), Some(ScalarType::of(b))).dtype
        };
        assert_eq!(meet(DType::UInt8, DType::UInt8), DType::Int);
        assert_eq!(meet(DType::Int, DType::UInt32), DType::UInt32);
        assert_eq!(meet(DType::UInt32, DType::Int64), DType::Int64);
        assert_eq!(meet(DType::Int64, DType::UInt64), DType::UInt64);
        assert_eq!(meet(DType::Half, DType::UInt64), DType::Float);
        let with_constant = ScalarType::common(None, Some(ScalarType::of(DType::UInt32)));
        assert_eq!(with_constant.dtype, DType::UInt32);
    }

    #[test]
    fn floats_are_cut_and_held() {
        assert_eq!(truncated(DType::Int, 2.5), 2);
        assert_eq!(truncated(DType::Int, -2.5), -2);
        assert_eq!(truncated(DType::Int, 3e9), i128::from(i32::MAX));
        assert_eq!(truncated(DType::UInt32, -3.0), 0);
        assert_eq!(truncated(DType::Int8, 200.0), -56);
        assert_eq!(truncated(DType::Int, f64::NAN), 0);
    }
}
