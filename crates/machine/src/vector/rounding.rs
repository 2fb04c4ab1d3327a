//! Rounding to a narrower format under the modes of `cast`.

use a2lint_isa::{DType, RoundMode};

/// A binary floating-point format.
#[derive(Clone, Copy, Debug)]
pub(super) struct Format {
    /// Significant bits, the implicit one included.
    precision: i32,
    /// The smallest normal number.
    smallest_normal: f64,
    /// The largest finite number.
    largest: f64,
}

impl Format {
    /// Returns the format of a floating-point element type.
    pub(super) fn of(dtype: DType) -> Option<Format> {
        let (precision, smallest_normal, largest) = match dtype {
            DType::Half => (
                11,
                f64::from(half::f16::MIN_POSITIVE),
                f64::from(half::f16::MAX),
            ),
            DType::BFloat16 => (
                8,
                f64::from(half::bf16::MIN_POSITIVE),
                f64::from(half::bf16::MAX),
            ),
            DType::Float => (24, f64::from(f32::MIN_POSITIVE), f64::from(f32::MAX)),
            _ => return None,
        };
        Some(Format {
            precision,
            smallest_normal,
            largest,
        })
    }

    /// Rounds to this format. Overflow gives infinity or the largest number, depending on the direction of
    /// the mode.
    #[inline(always)]
    pub(super) fn round(&self, x: f64, mode: RoundMode) -> f64 {
        // Below the smallest normal number, steps keep its spacing: subnormal results.
        let binade = power_of_two_below(x.abs()).max(self.smallest_normal);
        let shift = power_of_two(self.precision - 1);
        // Powers of two: both scalings are exact.
        let steps = x.abs() / binade * shift;
        let rounded = round_magnitude(steps, x.is_sign_negative(), mode) * (binade / shift);
        let bounded = match rounded > self.largest {
            true => self.overflow(x.is_sign_negative(), mode),
            false => rounded,
        };
        match x.abs() < f64::INFINITY {
            true => bounded.copysign(x),
            false => x,
        }
    }

    fn overflow(&self, negative: bool, mode: RoundMode) -> f64 {
        match mode {
            RoundMode::Trunc | RoundMode::Odd => self.largest,
            RoundMode::Floor if !negative => self.largest,
            RoundMode::Ceil if negative => self.largest,
            _ => f64::INFINITY,
        }
    }
}

/// Rounds to an integer.
#[inline(always)]
pub(super) fn round_to_integer(x: f64, mode: RoundMode) -> f64 {
    match x.abs() < EXACT_LIMIT {
        true => round_magnitude(x.abs(), x.is_sign_negative(), mode).copysign(x),
        false => x,
    }
}

/// From here on every double is an integer.
const EXACT_LIMIT: f64 = (1_u64 << 52) as f64;

/// Rounds a magnitude below [`EXACT_LIMIT`] to an integer; `negative` is the sign of the number.
#[inline(always)]
fn round_magnitude(magnitude: f64, negative: bool, mode: RoundMode) -> f64 {
    // Adding 2^52 leaves no bits for a fraction, so the sum is rounded to nearest even.
    let nearest = magnitude + EXACT_LIMIT - EXACT_LIMIT;
    let floor = if nearest > magnitude {
        nearest - 1.0
    } else {
        nearest
    };
    let rest = magnitude - floor;
    let up = match mode {
        RoundMode::None | RoundMode::ToEven => return nearest,
        RoundMode::AwayFromZero => rest >= 0.5,
        RoundMode::Floor => negative && rest > 0.0,
        RoundMode::Ceil => !negative && rest > 0.0,
        RoundMode::Trunc => false,
        // Bit 0 of the sum is that of the integer.
        RoundMode::Odd => rest > 0.0 && (floor + EXACT_LIMIT).to_bits() & 1 == 0,
    };
    if up { floor + 1.0 } else { floor }
}

/// Returns the highest power of two that is not above a normal magnitude; 0 for 0 and subnormals.
#[inline(always)]
fn power_of_two_below(magnitude: f64) -> f64 {
    const EXPONENT: u64 = 0x7FF << 52;
    f64::from_bits(magnitude.to_bits() & EXPONENT)
}

#[inline(always)]
fn power_of_two(exponent: i32) -> f64 {
    f64::from_bits(((1023 + exponent) as u64) << 52)
}

#[cfg(test)]
mod tests {
    use super::*;
    use RoundMode::{AwayFromZero, Ceil, Floor, Odd, ToEven, Trunc};

    fn half(x: f64, mode: RoundMode) -> f64 {
        Format::of(DType::Half).unwrap().round(x, mode)
    }

    #[test]
    fn ties_of_half() {
        let (one, unit) = (1.0, 2.0_f64.powi(-10));
        let tie = one + unit / 2.0;
        assert_eq!(
            (half(tie, ToEven), half(tie, AwayFromZero)),
            (one, one + unit)
        );
        assert_eq!((half(tie, Floor), half(-tie, Floor)), (one, -one - unit));
        assert_eq!((half(tie, Ceil), half(-tie, Ceil)), (one + unit, -one));
        assert_eq!((half(tie, Trunc), half(-tie, Trunc)), (one, -one));
        assert_eq!(
            (half(tie, Odd), half(one + 1.5 * unit, Odd)),
            (one + unit, one + unit)
        );
    }

    #[test]
    fn subnormals_and_zero_of_half() {
        let least = 2.0_f64.powi(-24);
        assert_eq!(
            (half(least / 2.0, ToEven), half(least / 2.0, AwayFromZero)),
            (0.0, least)
        );
        assert_eq!(
            (half(least / 4.0, Ceil), half(least / 4.0, Odd)),
            (least, least)
        );
        assert!(half(-least / 4.0, ToEven).is_sign_negative());
        assert!(half(-0.0, Ceil).is_sign_negative());
    }

    #[test]
    fn overflow_follows_the_direction() {
        let top = 65504.0;
        assert_eq!(
            (half(65519.9, ToEven), half(65520.0, ToEven)),
            (top, f64::INFINITY)
        );
        assert_eq!(
            (half(1e9, Trunc), half(1e9, Floor), half(1e9, Odd)),
            (top, top, top)
        );
        assert_eq!(
            (half(-1e9, Floor), half(-1e9, Ceil)),
            (f64::NEG_INFINITY, -top)
        );
        assert_eq!(half(f64::INFINITY, Trunc), f64::INFINITY);
        assert!(half(f64::NAN, ToEven).is_nan());
    }

    #[test]
    fn integers_round_on_ties() {
        let all =
            |x| [ToEven, AwayFromZero, Floor, Ceil, Trunc].map(|mode| round_to_integer(x, mode));
        assert_eq!(all(2.5), [2.0, 3.0, 2.0, 3.0, 2.0]);
        assert_eq!(all(-3.5), [-4.0, -4.0, -4.0, -3.0, -3.0]);
        assert_eq!(all(1e300), [1e300; 5]);
    }
}
