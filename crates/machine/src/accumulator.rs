//! The types in which the cube unit accumulates.

use std::ops::Range;

use half::slice::HalfFloatSliceExt;
use half::{bf16, f16};

use super::memory::{Element, Memory, decode, number};
use a2lint_isa::DType;

/// A type in which the cube unit accumulates.
pub trait Accumulator: Copy + Default + Element {
    /// Returns `self + a * b`, with the product rounded before the sum.
    fn multiply_add(self, a: Self, b: Self) -> Self;

    /// Returns the number with one representation for all NaNs.
    fn canonical(self) -> Self;

    /// Decodes the elements of `dtype` in a range of bytes; `halves` is scratch space for half precision.
    fn load(
        memory: &Memory,
        dtype: DType,
        range: Range<usize>,
        out: &mut [Self],
        halves: &mut Vec<f16>,
    );
}

impl Accumulator for f32 {
    #[inline(always)]
    fn multiply_add(self, a: f32, b: f32) -> f32 {
        // Not `mul_add`: the product is rounded before the sum, and a fused operation would give other bits.
        self + a * b
    }

    #[inline(always)]
    fn canonical(self) -> f32 {
        if self.is_nan() { f32::NAN } else { self }
    }

    fn load(
        memory: &Memory,
        dtype: DType,
        range: Range<usize>,
        out: &mut [f32],
        halves: &mut Vec<f16>,
    ) {
        let bytes = memory.bytes(range);
        match dtype {
            DType::Half => {
                // Whole slices, since their conversion uses wide registers where the processor has them.
                halves.resize(out.len(), f16::ZERO);
                decode(bytes, halves);
                halves.convert_to_f32_slice(out);
            }
            DType::BFloat16 => {
                for (value, raw) in out.iter_mut().zip(bytes.as_chunks::<2>().0) {
                    *value = bf16::from_le_bytes(*raw).to_f32();
                }
            }
            _ => decode(bytes, out),
        }
    }
}

/// The reference for `numerics`: double precision, whose own rounding error is small beside that of f32.
impl Accumulator for f64 {
    #[inline(always)]
    fn multiply_add(self, a: f64, b: f64) -> f64 {
        self + a * b
    }

    fn canonical(self) -> f64 {
        self
    }

    fn load(
        memory: &Memory,
        dtype: DType,
        range: Range<usize>,
        out: &mut [f64],
        _halves: &mut Vec<f16>,
    ) {
        let size = dtype.bytes_of(1) as usize;
        for (value, at) in out.iter_mut().zip(range.step_by(size)) {
            // Without a recorded exact value, the element itself is exact.
            let exact = memory.exactly(at, dtype);
            *value = exact.map_or_else(|| number(memory, dtype, at, 0), |exact| exact.value);
        }
    }
}

impl Accumulator for i32 {
    #[inline(always)]
    fn multiply_add(self, a: i32, b: i32) -> i32 {
        // Sums of int32 wrap; plain operators would panic on overflow in a debug build.
        self.wrapping_add(a.wrapping_mul(b))
    }

    #[inline(always)]
    fn canonical(self) -> i32 {
        self
    }

    fn load(
        memory: &Memory,
        dtype: DType,
        range: Range<usize>,
        out: &mut [i32],
        _halves: &mut Vec<f16>,
    ) {
        let bytes = memory.bytes(range);
        match dtype {
            DType::Int4 => {
                // The element with the even index is in the low nibble; the shifts extend its sign.
                for (pair, &byte) in out.chunks_mut(2).zip(bytes) {
                    pair[0] = i32::from((byte << 4) as i8 >> 4);
                    if let Some(high) = pair.get_mut(1) {
                        *high = i32::from(byte as i8 >> 4);
                    }
                }
            }
            DType::Int8 => {
                for (value, &byte) in out.iter_mut().zip(bytes) {
                    *value = i32::from(byte as i8);
                }
            }
            _ => decode(bytes, out),
        }
    }
}
