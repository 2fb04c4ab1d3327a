//! The results of instructions for one lane.

use a2lint::isa::{CompareMode, DType, Opcode, RoundMode};
use a2lint::machine::VectorCall;

/// Returns the rounding mode for the conversion of a scalar to the element type.
pub fn scalar_mode(dtype: DType) -> RoundMode {
    if dtype.is_float() {
        RoundMode::ToEven
    } else {
        RoundMode::Trunc
    }
}

pub fn float(opcode: Opcode, x: &[f32], scalar: f32) -> f32 {
    use Opcode::*;
    let a = x[0];
    let b = x.get(1).copied().unwrap_or(scalar);
    match opcode {
        Add | Adds => a + b,
        Sub => a - b,
        Mul | Muls => a * b,
        Div => a / b,
        Vmax | Vmaxs => extreme(true, &[a, b]),
        Vmin | Vmins => extreme(false, &[a, b]),
        Relu => extreme(true, &[a, 0.0]),
        Abs => a.abs(),
        Rec => 1.0 / a,
        Sqrt => a.sqrt(),
        Rsqrt => (1.0 / f64::from(a).sqrt()) as f32,
        Lrelu => {
            if a >= 0.0 {
                a
            } else {
                a * scalar
            }
        }
        Axpy => a + b * scalar,
        MulAddDst => a + b * x[2],
        MulAdd => a * b + x[2],
        MulAddRelu => extreme(true, &[a * b + x[2], 0.0]),
        AddRelu => extreme(true, &[a + b, 0.0]),
        SubRelu => extreme(true, &[a - b, 0.0]),
        other => unreachable!("{other:?}"),
    }
}

/// Returns the maximum or minimum. NaN takes precedence, and +0 is larger than -0.
pub fn extreme(largest: bool, values: &[f32]) -> f32 {
    if values.iter().any(|value| value.is_nan()) {
        return f32::NAN;
    }
    let ordered = values.iter().copied();
    match largest {
        true => ordered.max_by(f32::total_cmp).unwrap(),
        false => ordered.min_by(f32::total_cmp).unwrap(),
    }
}

/// Evaluates a comparison. NaN is unordered and compares false, even as unequal.
pub fn holds(mode: CompareMode, a: f64, b: f64) -> bool {
    let Some(order) = a.partial_cmp(&b) else {
        return false;
    };
    match mode {
        CompareMode::Lt => order.is_lt(),
        CompareMode::Gt => order.is_gt(),
        CompareMode::Ge => order.is_ge(),
        CompareMode::Le => order.is_le(),
        CompareMode::Eq => order.is_eq(),
        CompareMode::Ne => order.is_ne(),
    }
}

/// Shifts a bit pattern bit by bit.
pub fn shift(call: &VectorCall, dtype: DType, pattern: u64) -> u64 {
    let (width, by) = (dtype.bits(), call.integers[0]);
    let sign = if dtype.is_signed() {
        pattern >> (width - 1) & 1
    } else {
        0
    };
    let bit = |index: i64| match index {
        _ if index < 0 => 0,
        _ if index >= width => sign,
        _ => pattern >> index & 1,
    };
    let moved = |distance: i64| {
        (0..width)
            .map(|index| bit(index + distance) << index)
            .sum::<u64>()
    };
    match call.opcode {
        Opcode::ShiftLs => moved(-by),
        _ => {
            let round = call.switch && dtype.is_signed() && by > 0;
            (moved(by) + if round { bit(by - 1) } else { 0 }) & (u64::MAX >> (64 - width))
        }
    }
}
