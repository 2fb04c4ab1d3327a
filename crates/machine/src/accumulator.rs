//! Numbers that the cube unit accumulates.

use std::ops::Range;

use half::slice::HalfFloatSliceExt;
use half::{bf16, f16};

use super::memory::{Element, Memory, decode, number};
use a2lint_isa::DType;

/// A number that the cube unit accumulates.
pub trait Accumulator: Copy + Default + Element {
    /// `self + a * b`, the product rounded before the sum.
    fn multiply_add(self, a: Self, b: Self) -> Self;

    /// The number with one representation for all NaNs.
    fn canonical(self) -> Self;

    /// Reads elements of `dtype` from a range of bytes; `halves` is scratch space.
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

/// Exact arithmetic, as far as double precision goes.
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
            let exact = memory.exactly(at, dtype);
            *value = exact.map_or_else(|| number(memory, dtype, at, 0), |exact| exact.value);
        }
    }
}

impl Accumulator for i32 {
    #[inline(always)]
    fn multiply_add(self, a: i32, b: i32) -> i32 {
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
