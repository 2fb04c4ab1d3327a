//! Encoding and rounding for the model, in the slow and obvious way.

use a2lint::isa::{DType, RoundMode};

/// A number of any element type, without rounding.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    Float(f64),
    Int(i128),
}

impl Value {
    pub fn float(self) -> f64 {
        match self {
            Value::Float(x) => x,
            Value::Int(x) => x as f64,
        }
    }

    fn negative(self) -> bool {
        match self {
            Value::Float(x) => x.is_sign_negative(),
            Value::Int(x) => x < 0,
        }
    }

    /// Compares the magnitude with a double that is not negative.
    fn magnitude_cmp(self, other: f64) -> std::cmp::Ordering {
        match self {
            Value::Float(x) => x.abs().partial_cmp(&other).unwrap(),
            Value::Int(x) if other.fract() == 0.0 => x.abs().cmp(&(other as i128)),
            Value::Int(x) => (x.abs() as f64).partial_cmp(&other).unwrap(),
        }
    }
}

/// Returns the numbers of exponent bits and fraction bits of a floating-point type.
fn layout(dtype: DType) -> Option<(u32, u32)> {
    match dtype {
        DType::Half => Some((5, 10)),
        DType::BFloat16 => Some((8, 7)),
        DType::Float => Some((8, 23)),
        _ => None,
    }
}

/// Returns the magnitude of a pattern without its sign. The pattern of infinity counts as the next power of two.
fn magnitude(dtype: DType, pattern: u64) -> f64 {
    let (exponent_bits, fraction_bits) = layout(dtype).unwrap();
    let exponent = (pattern >> fraction_bits) as i32;
    let fraction = (pattern & ((1 << fraction_bits) - 1)) as f64;
    let bias = (1 << (exponent_bits - 1)) - 1;
    let implicit = if exponent == 0 {
        0.0
    } else {
        2.0_f64.powi(fraction_bits as i32)
    };
    (implicit + fraction) * 2.0_f64.powi(exponent.max(1) - bias - fraction_bits as i32)
}

fn infinity(dtype: DType) -> u64 {
    let (exponent_bits, fraction_bits) = layout(dtype).unwrap();
    ((1 << exponent_bits) - 1) << fraction_bits
}

/// Decodes a bit pattern.
pub fn decode(dtype: DType, pattern: u64) -> Value {
    let width = dtype.bits() as u32;
    if layout(dtype).is_some() {
        let sign = if pattern >> (width - 1) & 1 == 1 {
            -1.0
        } else {
            1.0
        };
        let rest = pattern & ((1 << (width - 1)) - 1);
        return Value::Float(match rest.cmp(&infinity(dtype)) {
            std::cmp::Ordering::Less => sign * magnitude(dtype, rest),
            std::cmp::Ordering::Equal => sign * f64::INFINITY,
            std::cmp::Ordering::Greater => f64::NAN,
        });
    }
    let negative = dtype.is_signed() && pattern >> (width - 1) & 1 == 1;
    Value::Int(i128::from(pattern) - if negative { 1_i128 << width } else { 0 })
}

/// Rounds to a type and returns the bit pattern. Floats overflow by IEEE 754, unless saturating; integers saturate,
/// and NaN becomes 0; computed NaNs have the quiet default pattern.
pub fn encode(dtype: DType, value: Value, mode: RoundMode, saturate: bool) -> u64 {
    match layout(dtype) {
        Some(_) => encode_float(dtype, value, mode, saturate),
        None => encode_int(dtype, value, mode),
    }
}

fn encode_float(dtype: DType, value: Value, mode: RoundMode, saturate: bool) -> u64 {
    let (_, fraction_bits) = layout(dtype).unwrap();
    let saturate = saturate && dtype != DType::Float;
    let top = infinity(dtype);
    let sign = if value.negative() {
        1 << (dtype.bits() - 1)
    } else {
        0
    };
    if value.float().is_nan() {
        return if saturate {
            0
        } else {
            top | 1 << (fraction_bits - 1)
        };
    }
    let rounded = match value {
        Value::Float(x) if x.is_infinite() => top,
        _ => round_magnitude(dtype, value, mode),
    };
    sign | if saturate {
        rounded.min(top - 1)
    } else {
        rounded
    }
}

fn round_magnitude(dtype: DType, value: Value, mode: RoundMode) -> u64 {
    let (mut low, mut high) = (0, infinity(dtype));
    while high - low > 1 {
        let middle = (low + high) / 2;
        match value.magnitude_cmp(magnitude(dtype, middle)).is_ge() {
            true => low = middle,
            false => high = middle,
        }
    }
    if value.magnitude_cmp(magnitude(dtype, low)).is_eq() {
        return low;
    }
    let tie = (magnitude(dtype, low) + magnitude(dtype, high)) / 2.0;
    let against_tie = value.magnitude_cmp(tie);
    let up = match mode {
        RoundMode::None | RoundMode::ToEven => {
            against_tie.is_gt() || against_tie.is_eq() && high % 2 == 0
        }
        RoundMode::AwayFromZero => against_tie.is_ge(),
        RoundMode::Floor => value.negative(),
        RoundMode::Ceil => !value.negative(),
        RoundMode::Trunc => false,
        RoundMode::Odd => high % 2 == 1,
    };
    if up { high } else { low }
}

/// Rounds to a whole number.
pub fn to_whole(x: f64, mode: RoundMode) -> f64 {
    match mode {
        RoundMode::None | RoundMode::ToEven => x.round_ties_even(),
        RoundMode::AwayFromZero => x.round(),
        RoundMode::Floor => x.floor(),
        RoundMode::Ceil => x.ceil(),
        RoundMode::Trunc => x.trunc(),
        RoundMode::Odd => panic!("no integer conversion rounds to odd"),
    }
}

fn encode_int(dtype: DType, value: Value, mode: RoundMode) -> u64 {
    let width = dtype.bits() as u32;
    let (low, high) = match dtype.is_signed() {
        true => (-(1_i128 << (width - 1)), (1_i128 << (width - 1)) - 1),
        false => (0, (1_i128 << width) - 1),
    };
    let whole = match value {
        Value::Int(x) => x,
        Value::Float(x) if x.is_nan() => 0,
        Value::Float(x) => to_whole(x, mode) as i128,
    };
    whole.clamp(low, high) as u64 & (u64::MAX >> (64 - width))
}
