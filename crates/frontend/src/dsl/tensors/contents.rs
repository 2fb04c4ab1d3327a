//! Contents of tensors under conversions and arithmetic: exact or unknown.

use a2lint_ir::TensorInit;
use a2lint_isa::DType;
use a2lint_syntax::python::ast::BinaryOp;

/// Maximum power of two by which numbers are scaled to integers.
const MAX_SCALE: i32 = 60;

/// Returns whether a type represents a number without rounding.
pub(super) fn is_exact(value: f64, dtype: DType) -> bool {
    if !value.is_finite() {
        // Infinity and NaN exist in every float type.
        return dtype.is_float();
    }
    match format_of(dtype) {
        Some((precision, least, most)) => {
            if value == 0.0 {
                return true;
            }
            let exponent = value.abs().log2().floor() as i32;
            if exponent > most {
                return false;
            }
            // The weight of the last bit; below the smallest exponent, subnormal numbers share one.
            let unit = exponent.max(least) - (precision - 1);
            unit >= -1000 && (value / 2f64.powi(unit)).fract() == 0.0
        }
        None => value.fract() == 0.0 && is_in_range(value, dtype),
    }
}

/// Returns the precision in bits and the exponents of the smallest and largest normal number of a float type.
fn format_of(dtype: DType) -> Option<(i32, i32, i32)> {
    match dtype {
        DType::Half => Some((11, -14, 15)),
        DType::BFloat16 => Some((8, -126, 127)),
        DType::Float => Some((24, -126, 127)),
        _ => None,
    }
}

fn is_in_range(value: f64, dtype: DType) -> bool {
    let bits = dtype.bits() as i32;
    let (low, high) = match dtype {
        DType::Bool => (0.0, 1.0),
        _ if dtype.is_signed() => (-(2f64.powi(bits - 1)), 2f64.powi(bits - 1) - 1.0),
        _ => (0.0, 2f64.powi(bits) - 1.0),
    };
    // Beyond 2**53, f64 does not represent every 64-bit integer.
    low <= value && value <= high && value.abs() <= 2f64.powi(53)
}

/// Returns whether the numbers `start`, `start + step`, … are all exact in a type. `count` is their number.
fn are_exact(start: f64, step: f64, count: Option<i64>, dtype: DType) -> bool {
    let Some(count) = count else {
        return false;
    };
    let last = start + step * (count - 1).max(0) as f64;
    if !(start.is_finite() && step.is_finite() && last.is_finite()) {
        return false;
    }
    // Integers: the two ends decide, as the sequence is monotonic.
    let Some((precision, least, _)) = format_of(dtype) else {
        let whole = start.fract() == 0.0 && step.fract() == 0.0;
        return whole && is_in_range(start, dtype) && is_in_range(last, dtype);
    };
    // All numbers are multiples of one unit, and small enough multiples of it.
    let scale = (0..=MAX_SCALE).find(|&scale| {
        let by = 2f64.powi(scale);
        (start * by).fract() == 0.0 && (step * by).fract() == 0.0
    });
    scale.is_some_and(|scale| {
        let largest = start.abs().max(last.abs()) * 2f64.powi(scale);
        largest <= 2f64.powi(precision) && -scale >= least - precision && is_exact(last, dtype)
    })
}

/// Returns contents whose elements are exact in their type, and `Computed` for all others.
pub(super) fn checked(
    contents: TensorInit,
    dtype: Option<DType>,
    count: Option<i64>,
) -> TensorInit {
    let is_exact = match (contents, dtype) {
        (TensorInit::Full(value), Some(dtype)) => is_exact(value, dtype),
        (TensorInit::Arange, Some(dtype)) => are_exact(0.0, 1.0, count, dtype),
        (TensorInit::Steps(start, step), Some(dtype)) => are_exact(start, step, count, dtype),
        (TensorInit::Integers(low, high), Some(dtype)) => {
            low < high && is_exact(low as f64, dtype) && is_exact((high - 1) as f64, dtype)
        }
        // `None` may be a type that the device does not have, or an unknown one.
        (TensorInit::Full(_) | TensorInit::Arange | TensorInit::Steps(..), None) => false,
        (TensorInit::Integers(..), None) => false,
        _ => true,
    };
    if is_exact {
        contents
    } else {
        TensorInit::Computed
    }
}

/// Returns the contents after a conversion of `count` elements.
pub(super) fn converted(
    contents: TensorInit,
    from: Option<DType>,
    to: Option<DType>,
    count: Option<i64>,
) -> TensorInit {
    use TensorInit as T;
    // The same known type: nothing is rounded.
    if from.is_some() && from == to {
        return contents;
    }
    let Some(to) = to else {
        return match contents {
            T::Empty => contents,
            // Without a type, later results cannot be computed.
            _ => T::Computed,
        };
    };
    match contents {
        T::Empty | T::Computed | T::Any => contents,
        T::Full(value) => {
            // `None` as source type means a 64-bit float or an unknown type; small whole numbers are the same in all
            // of them.
            let exact = match from {
                Some(from) => is_exact(value, from),
                None => value.fract() == 0.0 && value.abs() <= 2f64.powi(11),
            };
            match (exact, to) {
                (false, _) => T::Computed,
                (true, DType::Bool) => T::Full(f64::from(value != 0.0)),
                (true, to) if to.is_float() => T::Full(value),
                // Conversion to an integer truncates.
                (true, to) => match value.is_finite() && is_in_range(value.trunc(), to) {
                    true => T::Full(value.trunc()),
                    false => T::Computed,
                },
            }
        }
        // Bools of a sequence differ by position.
        T::Arange | T::Steps(..) | T::Integers(..) if to == DType::Bool => T::Computed,
        T::Arange | T::Steps(..) => match from {
            Some(from) if checked(contents, Some(from), count) == contents => {
                checked(contents, Some(to), count)
            }
            _ => T::Computed,
        },
        T::Integers(..) => match from {
            Some(_) => checked(contents, Some(to), count),
            None => T::Computed,
        },
        // Random contents are described by their distribution, which rounding hardly changes; as integers they would
        // be another distribution.
        T::Normal | T::NormalOf(..) | T::Uniform | T::UniformIn(..) => match to.is_float() {
            true => contents,
            false => T::Computed,
        },
    }
}

/// Returns the contents of `count` elements after arithmetic with a number. `dtype` is the type of the result.
pub(super) fn scaled(
    op: BinaryOp,
    contents: TensorInit,
    number: f64,
    is_left: bool,
    (dtype, count): (Option<DType>, Option<i64>),
) -> TensorInit {
    use TensorInit as T;
    // Infinity times zero is NaN, so the results may differ by element.
    if !number.is_finite() {
        return T::Computed;
    }
    let of = |value: f64| match op {
        BinaryOp::Add => Some(value + number),
        BinaryOp::Mul => Some(value * number),
        BinaryOp::Sub if is_left => Some(value - number),
        BinaryOp::Sub => Some(number - value),
        BinaryOp::Div if is_left && number != 0.0 => Some(value / number),
        _ => None,
    };
    let is_float = dtype.is_some_and(DType::is_float);
    // A linear function maps the ends of an interval to the ends of its image.
    let between = |low: f64, high: f64| {
        let ends = of(low).zip(of(high)).filter(|_| is_float);
        ends.map(|(a, b)| T::UniformIn(a.min(b), a.max(b)))
    };
    // The deviation is scaled by the linear function, whatever its offset.
    let normal = |mean: f64, deviation: f64| {
        let ends = of(mean).zip(of(mean + deviation)).filter(|_| is_float);
        ends.map(|(mean, one)| T::NormalOf(mean, (one - mean).abs()))
    };
    let steps = |start: f64, step: f64| {
        let ends = of(start).zip(of(start + step));
        ends.map(|(a, b)| T::Steps(a, b - a))
    };
    let result = match contents {
        T::Full(value) => of(value).map(T::Full),
        T::Uniform => between(0.0, 1.0),
        T::UniformIn(low, high) => between(low, high),
        T::Arange => steps(0.0, 1.0),
        T::Steps(start, step) => steps(start, step),
        T::Normal => normal(0.0, 1.0),
        T::NormalOf(mean, deviation) => normal(mean, deviation),
        // Bounds of integers are half-open, so only a shift keeps their form.
        T::Integers(low, high) if !is_float && number.fract() == 0.0 => {
            let moved = |bound: i64| bound.checked_add(number as i64);
            match op {
                BinaryOp::Add => moved(low).zip(moved(high)).map(|(a, b)| T::Integers(a, b)),
                BinaryOp::Sub if is_left => {
                    let by = |bound: i64| bound.checked_sub(number as i64);
                    by(low).zip(by(high)).map(|(a, b)| T::Integers(a, b))
                }
                _ => None,
            }
        }
        T::Empty => Some(contents),
        _ => None,
    };
    let result = result.unwrap_or(T::Computed);
    // A number that the type rounds gives results that the formula above does not describe.
    let is_exact = dtype.is_some_and(|dtype| is_exact(number, dtype)) || is_random(contents);
    match is_exact {
        true => checked(result, dtype, count),
        false if result == T::Empty => result,
        false => T::Computed,
    }
}

fn is_random(contents: TensorInit) -> bool {
    use TensorInit as T;
    matches!(
        contents,
        T::Normal | T::NormalOf(..) | T::Uniform | T::UniformIn(..)
    )
}

/// Returns the contents with every element negated.
pub(super) fn negated(contents: TensorInit) -> TensorInit {
    use TensorInit as T;
    match contents {
        T::Normal | T::Empty => contents,
        T::NormalOf(mean, deviation) => T::NormalOf(-mean, deviation),
        T::Full(value) => T::Full(-value),
        T::UniformIn(low, high) => T::UniformIn(-high, -low),
        _ => T::Computed,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_exact_or_not() {
        for (value, dtype) in [
            (2048.0, DType::Half),
            (0.5, DType::Half),
            (65504.0, DType::Half),
            (2f64.powi(-24), DType::Float),
            (-128.0, DType::Int8),
            (255.0, DType::UInt8),
        ] {
            assert!(is_exact(value, dtype), "{value} {dtype:?}");
        }
        for (value, dtype) in [
            (2049.0, DType::Half),
            (0.1, DType::Float),
            (65536.0, DType::Half),
            (257.0, DType::BFloat16),
            (128.0, DType::Int8),
            (0.5, DType::Int),
            (-1.0, DType::UInt16),
        ] {
            assert!(!is_exact(value, dtype), "{value} {dtype:?}");
        }
    }

    #[test]
    fn conversions_keep_what_they_do_not_round() {
        use TensorInit as T;
        let (float, half, int) = (Some(DType::Float), Some(DType::Half), Some(DType::Int));
        assert_eq!(converted(T::Full(0.5), float, half, None), T::Full(0.5));
        assert_eq!(converted(T::Full(0.1), float, half, None), T::Computed);
        assert_eq!(converted(T::Full(-1.5), float, int, None), T::Full(-1.0));
        assert_eq!(
            converted(T::Full(-1.5), float, Some(DType::UInt8), None),
            T::Computed
        );
        assert_eq!(converted(T::Arange, int, half, Some(2049)), T::Arange);
        assert_eq!(converted(T::Arange, int, half, Some(2050)), T::Computed);
        assert_eq!(converted(T::Normal, float, int, None), T::Computed);
        assert_eq!(converted(T::Empty, float, None, None), T::Empty);
    }

    #[test]
    fn arithmetic_keeps_what_it_does_not_round() {
        use TensorInit as T;
        let float = (Some(DType::Float), Some(64));
        let by = |op, number, contents| scaled(op, contents, number, true, float);
        assert_eq!(
            by(BinaryOp::Div, 64.0, T::Arange),
            T::Steps(0.0, 1.0 / 64.0)
        );
        assert_eq!(by(BinaryOp::Mul, 0.1, T::Arange), T::Computed);
        assert_eq!(by(BinaryOp::Add, 1.0, T::Full(0.5)), T::Full(1.5));
        assert_eq!(by(BinaryOp::Mul, 3.0, T::Normal), T::NormalOf(0.0, 3.0));
        let int = (Some(DType::Int), Some(64));
        assert_eq!(
            scaled(BinaryOp::Add, T::Integers(0, 4), 2.0, true, int),
            T::Integers(2, 6)
        );
        assert_eq!(
            scaled(BinaryOp::Mul, T::Integers(0, 4), 2.0, true, int),
            T::Computed
        );
    }
}
