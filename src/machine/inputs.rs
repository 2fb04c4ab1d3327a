//! Contents of global tensors at the start of a run.
//!
//! Random values come from SplitMix64 and exact arithmetic alone, so they are the same on every
//! machine.

use half::{bf16, f16};

use super::launch::{BoundGlobal, Contents};
use super::memory::Memory;
use crate::ir::TensorInit;
use crate::isa::DType;

/// The memory of a tensor as a launch finds it.
pub fn memory(global: &BoundGlobal) -> Memory {
    match &global.contents {
        Contents::Undefined | Contents::Generated(TensorInit::Empty, _) => {
            Memory::new(global.bytes)
        }
        Contents::Bytes(bytes) => Memory::from_bytes(bytes.to_vec()),
        Contents::Generated(init, stream) => {
            let elements = global.shape.iter().product::<i64>() as usize;
            Memory::from_bytes(generate(*init, *stream, global.dtype, elements))
        }
    }
}

/// The bytes of `elements` generated values.
pub fn generate(init: TensorInit, stream: u64, dtype: DType, elements: usize) -> Vec<u8> {
    let mut random = Random::new(stream);
    let mut bytes = Vec::with_capacity(dtype.bytes_of(elements as i64) as usize);
    let mut values = (0..elements).map(|index| match init {
        TensorInit::Normal => random.normal(),
        TensorInit::Uniform => random.uniform(),
        TensorInit::Full(value) => value,
        TensorInit::Arange => index as f64,
        TensorInit::Integers(low, high) => random.integer(low, high) as f64,
        TensorInit::Empty => 0.0,
    });
    if dtype == DType::Int4 {
        while let Some(low) = values.next() {
            let high = values.next().unwrap_or(0.0);
            bytes.push((low as i8 as u8 & 15) | (high as i8 as u8) << 4);
        }
        return bytes;
    }
    for value in values {
        push(&mut bytes, dtype, value);
    }
    bytes
}

/// Appends a value in its element type, rounded to nearest or saturated.
pub fn push(bytes: &mut Vec<u8>, dtype: DType, value: f64) {
    match dtype {
        DType::Half => bytes.extend(f16::from_f32(value as f32).to_le_bytes()),
        DType::BFloat16 => bytes.extend(bf16::from_f32(value as f32).to_le_bytes()),
        DType::Float => bytes.extend((value as f32).to_le_bytes()),
        DType::Int => bytes.extend((value as i32).to_le_bytes()),
        DType::Int8 | DType::Int4 => bytes.extend((value as i8).to_le_bytes()),
        DType::Int16 => bytes.extend((value as i16).to_le_bytes()),
        DType::Int64 => bytes.extend((value as i64).to_le_bytes()),
        DType::UInt8 => bytes.extend((value as u8).to_le_bytes()),
        DType::UInt16 => bytes.extend((value as u16).to_le_bytes()),
        DType::UInt32 => bytes.extend((value as u32).to_le_bytes()),
        DType::UInt64 => bytes.extend((value as u64).to_le_bytes()),
        DType::Bool => bytes.push((value != 0.0) as u8),
    }
}

/// SplitMix64.
struct Random(u64);

impl Random {
    fn new(stream: u64) -> Random {
        Random(stream.wrapping_mul(0xD134_2543_DE82_EF95) ^ 0x0A2A_2A2A)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut bits = self.0;
        bits = (bits ^ bits >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ bits >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        bits ^ bits >> 31
    }

    /// Uniform in [0, 1), a multiple of 2⁻²⁴.
    fn uniform(&mut self) -> f64 {
        (self.next() >> 40) as f64 / f64::from(1 << 24)
    }

    /// Close to a standard normal: twelve 16-bit uniforms have variance 1 when summed.
    fn normal(&mut self) -> f64 {
        let mut sum = 0;
        for _ in 0..3 {
            let bits = self.next();
            sum += (0..4)
                .map(|part| (bits >> (16 * part)) & 0xFFFF)
                .sum::<u64>();
        }
        (sum as f64 + 6.0) / 65536.0 - 6.0
    }

    /// Uniform in [low, high).
    fn integer(&mut self, low: i64, high: i64) -> i64 {
        let width = high.saturating_sub(low).max(1) as u64;
        low.wrapping_add((self.next() % width) as i64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn normal_values_have_mean_zero_and_variance_one() {
        let mut random = Random::new(7);
        let values: Vec<f64> = (0..20_000).map(|_| random.normal()).collect();
        let mean = values.iter().sum::<f64>() / 20_000.0;
        let variance = values.iter().map(|value| value * value).sum::<f64>() / 20_000.0;
        assert!(mean.abs() < 0.03 && (variance - 1.0).abs() < 0.03);
    }

    #[test]
    fn four_bit_integers_share_bytes() {
        assert_eq!(
            generate(TensorInit::Arange, 0, DType::Int4, 3),
            [0x10, 0x02]
        );
        assert_eq!(generate(TensorInit::Full(-1.0), 0, DType::Int4, 2), [0xFF]);
    }

    #[test]
    fn streams_differ_and_repeat() {
        let values = |stream| generate(TensorInit::Uniform, stream, DType::Float, 8);
        assert_eq!(values(1), values(1));
        assert_ne!(values(1), values(2));
    }
}
