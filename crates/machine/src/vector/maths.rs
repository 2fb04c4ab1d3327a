//! Elementary functions in a fixed order of operations: the same bits on every machine.
//!
//! Computed in double precision and rounded once to single. Bits of silicon are not modelled: results agree with
//! the device within a tolerance (`docs/simulator.md`).

use super::lanes::MASK_LANES;
use super::number::{MAX_BYTES, Number};
use a2lint_isa::DType;
use std::ops::{Add, Div, Mul, Sub};

/// The arithmetic of float instructions: single precision as on the device, or double precision as the
/// reference for rounding errors.
pub(super) trait Real:
    Number
    + PartialOrd
    + From<f32>
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
{
    fn exp(self) -> Self;
    fn ln(self) -> Self;
    fn abs(self) -> Self;
    fn sqrt(self) -> Self;
    fn rsqrt(self) -> Self;
    /// Returns the larger number; NaN if either is.
    fn max(self, other: Self) -> Self;
    /// Returns the smaller number; NaN if either is.
    fn min(self, other: Self) -> Self;
    /// Rounds to an element type, if this arithmetic rounds.
    fn round(dtype: DType, lanes: &mut [Self], saturate: bool);
}

impl Real for f32 {
    #[inline(always)]
    fn exp(self) -> f32 {
        exp(self)
    }

    #[inline(always)]
    fn ln(self) -> f32 {
        ln(self)
    }

    #[inline(always)]
    fn abs(self) -> f32 {
        self.abs()
    }

    #[inline(always)]
    fn sqrt(self) -> f32 {
        self.sqrt()
    }

    #[inline(always)]
    fn rsqrt(self) -> f32 {
        rsqrt(self)
    }

    #[inline(always)]
    fn max(self, other: f32) -> f32 {
        max(self, other)
    }

    #[inline(always)]
    fn min(self, other: f32) -> f32 {
        min(self, other)
    }

    fn round(dtype: DType, lanes: &mut [f32], saturate: bool) {
        let mut bytes = [0; MAX_BYTES];
        for lanes in lanes.chunks_mut(MASK_LANES) {
            f32::store(dtype, lanes, &mut bytes, saturate);
            f32::load(dtype, &bytes, lanes);
        }
    }
}

impl Real for f64 {
    fn exp(self) -> f64 {
        libm::exp(self)
    }

    fn ln(self) -> f64 {
        libm::log(self)
    }

    #[inline(always)]
    fn abs(self) -> f64 {
        self.abs()
    }

    #[inline(always)]
    fn sqrt(self) -> f64 {
        self.sqrt()
    }

    #[inline(always)]
    fn rsqrt(self) -> f64 {
        1.0 / self.sqrt()
    }

    #[inline(always)]
    fn max(self, other: f64) -> f64 {
        match self.is_nan() || other.is_nan() {
            true => f64::NAN,
            false => f64::max(self, other),
        }
    }

    #[inline(always)]
    fn min(self, other: f64) -> f64 {
        match self.is_nan() || other.is_nan() {
            true => f64::NAN,
            false => f64::min(self, other),
        }
    }

    // Results of the reference are never rounded.
    fn round(_: DType, _: &mut [f64], _: bool) {}
}

/// Returns e^x, within 0.5001 units in the last place.
///
/// x = k·ln 2 + r with |r| ≤ ln 2 / 2; e^r by its Taylor polynomial of degree 10, whose remainder
/// is below 10⁻¹²; 2^k from exponent bits. Straight-line code, so loops over it vectorise.
#[inline(always)]
pub(super) fn exp(x: f32) -> f32 {
    /// Adding it rounds to an integer, which is then in the lowest bits.
    const SHIFT: f64 = 1.5 * (1_u64 << 52) as f64;
    const EXPONENT_BIAS: u64 = 1023;
    // Beyond these bounds the result is 0 or infinity in any case.
    let wide = f64::from(x).clamp(-110.0, 90.0);
    let shifted = wide * std::f64::consts::LOG2_E + SHIFT;
    let reduced = wide - (shifted - SHIFT) * std::f64::consts::LN_2;
    // The shift drops all but the lowest bits, which hold the integer, and leaves exponent bits.
    let power = shifted.to_bits().wrapping_add(EXPONENT_BIAS) << 52;
    (exp_near_zero(reduced) * f64::from_bits(power)) as f32
}

/// Returns the Taylor polynomial of e^r in Estrin's order.
#[inline(always)]
fn exp_near_zero(r: f64) -> f64 {
    const C: [f64; 11] = inverse_factorials();
    let (r2, pair) = (r * r, |low: usize| C[low] + C[low + 1] * r);
    let (r4, low, middle) = (r2 * r2, pair(0) + pair(2) * r2, pair(4) + pair(6) * r2);
    low + (middle + (pair(8) + C[10] * r2) * r4) * r4
}

const fn inverse_factorials() -> [f64; 11] {
    let mut table = [1.0; 11];
    let mut factorial = 1.0;
    let mut index = 1;
    while index < table.len() {
        factorial *= index as f64;
        table[index] = 1.0 / factorial;
        index += 1;
    }
    table
}

/// Returns the natural logarithm.
pub(super) fn ln(x: f32) -> f32 {
    libm::log(x.into()) as f32
}

/// Returns 1 / √x, rounded once.
#[inline(always)]
pub(super) fn rsqrt(x: f32) -> f32 {
    (1.0 / f64::from(x).sqrt()) as f32
}

/// Returns the larger number; NaN if either is, and +0 over −0.
#[inline(always)]
pub(super) fn max(a: f32, b: f32) -> f32 {
    let larger = if a > b { a } else { b };
    chosen(a, b, larger, a.to_bits() & b.to_bits())
}

/// Returns the smaller number; NaN if either is, and −0 under +0.
#[inline(always)]
pub(super) fn min(a: f32, b: f32) -> f32 {
    let smaller = if a < b { a } else { b };
    chosen(a, b, smaller, a.to_bits() | b.to_bits())
}

/// Returns `different` if two numbers differ, else the bits `same`; NaN if either is. Written as selects, not
/// branches: which number is chosen is unpredictable, and loops over selects vectorise.
#[inline(always)]
fn chosen(a: f32, b: f32, different: f32, same: u32) -> f32 {
    let number = if a == b {
        f32::from_bits(same)
    } else {
        different
    };
    let is_unordered = a.is_nan() | b.is_nan();
    if is_unordered { f32::NAN } else { number }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Distance in units in the last place of single precision from a double-precision value.
    fn ulps(value: f32, exact: f64) -> f64 {
        let unit =
            f64::from(f32::from_bits((exact as f32).to_bits() + 1)) - f64::from(exact as f32);
        ((f64::from(value) - exact) / unit).abs()
    }

    /// Every 97th float whose exponential is finite and not zero.
    #[test]
    fn exp_is_within_one_unit_of_a_double_precision_reference() {
        let mut worst = 0.0_f64;
        for bits in (0..=u32::MAX).step_by(97) {
            let x = f32::from_bits(bits);
            if (-103.0..88.7).contains(&x) {
                worst = worst.max(ulps(exp(x), libm::exp(x.into())));
            }
        }
        assert!(worst < 0.5001, "{worst}");
    }

    #[test]
    fn exp_at_the_edges() {
        assert_eq!((exp(0.0), exp(-0.0)), (1.0, 1.0));
        assert_eq!(
            (exp(89.0), exp(f32::INFINITY)),
            (f32::INFINITY, f32::INFINITY)
        );
        assert_eq!((exp(-104.0), exp(f32::NEG_INFINITY)), (0.0, 0.0));
        assert_eq!(exp(-103.0), f32::from_bits(1));
        assert!(exp(f32::NAN).is_nan());
    }

    #[test]
    fn extremes_propagate_nan_and_order_zeros() {
        assert!(max(f32::NAN, 1.0).is_nan() && min(1.0, f32::NAN).is_nan());
        assert_eq!(max(-0.0, 0.0).to_bits(), 0);
        assert_eq!(min(0.0, -0.0).to_bits(), 1 << 31);
        assert_eq!((max(-1.0, -1.0), min(2.0, 3.0)), (-1.0, 2.0));
    }
}
