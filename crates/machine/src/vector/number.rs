//! Numbers of lanes: from bytes to the domain an operation computes in, and back.
//!
//! `f32` for float, half and bfloat16 arithmetic (half types are computed in f32 and rounded once,
//! to nearest even), `i32` for signed integers, `u32` for bit patterns and `f64` for conversions.
//! No path depends on the processor: conversions of the `half` crate give the same bits in
//! hardware and software, and computed NaNs are made canonical.

use super::lanes::MASK_LANES;
use super::rounding::Format;
use crate::memory::{Element, decode, encode};
use a2lint_isa::{DType, RoundMode};
use half::{bf16, f16, slice::HalfFloatSliceExt};

/// Number of lanes that are converted at once.
// At least one repeat, of up to 256 lanes, has to fit into a chunk.
pub(super) const CHUNK: usize = 1024;
/// Maximum number of bytes of the lanes of one repeat.
pub(super) const MAX_BYTES: usize = MASK_LANES * 4;

/// A type to compute in. Slices never exceed [`CHUNK`] lanes.
pub(super) trait Number: Copy + Default {
    /// Reads lanes of `dtype`.
    fn load(dtype: DType, bytes: &[u8], lanes: &mut [Self]);

    /// Writes lanes of `dtype`, rounding once; NaN becomes canonical. With `saturate`, half and
    /// bfloat16 overflow to their largest magnitude and NaN becomes 0.
    fn store(dtype: DType, lanes: &[Self], bytes: &mut [u8], saturate: bool);
}

impl Number for f32 {
    fn load(dtype: DType, bytes: &[u8], lanes: &mut [f32]) {
        match dtype {
            DType::Half => {
                let mut raw = [f16::ZERO; CHUNK];
                let raw = &mut raw[..lanes.len()];
                decode(bytes, raw);
                raw.convert_to_f32_slice(lanes);
            }
            DType::BFloat16 => {
                let mut raw = [bf16::ZERO; CHUNK];
                let raw = &mut raw[..lanes.len()];
                decode(bytes, raw);
                raw.convert_to_f32_slice(lanes);
            }
            _ => decode(bytes, lanes),
        }
    }

    fn store(dtype: DType, lanes: &[f32], bytes: &mut [u8], saturate: bool) {
        match dtype {
            DType::Half => {
                let mut raw = [f16::ZERO; CHUNK];
                let raw = &mut raw[..lanes.len()];
                raw.convert_from_f32_slice(lanes);
                match saturate {
                    true => u16::encode_with(raw, bytes, saturated_half),
                    false => u16::encode_with(raw, bytes, canonical_half),
                }
            }
            DType::BFloat16 => {
                let mut raw = [bf16::ZERO; CHUNK];
                let raw = &mut raw[..lanes.len()];
                raw.convert_from_f32_slice(lanes);
                match saturate {
                    true => u16::encode_with(raw, bytes, saturated_bfloat),
                    false => u16::encode_with(raw, bytes, canonical_bfloat),
                }
            }
            _ => u32::encode_with(lanes, bytes, canonical),
        }
    }
}

impl Number for i32 {
    fn load(dtype: DType, bytes: &[u8], lanes: &mut [i32]) {
        match dtype {
            DType::Int16 => i16::decode_with(bytes, lanes, |value| value.into()),
            _ => decode(bytes, lanes),
        }
    }

    fn store(dtype: DType, lanes: &[i32], bytes: &mut [u8], _saturate: bool) {
        match dtype {
            DType::Int16 => i16::encode_with(lanes, bytes, |value| value as i16),
            _ => encode(lanes, bytes),
        }
    }
}

impl Number for u32 {
    fn load(dtype: DType, bytes: &[u8], lanes: &mut [u32]) {
        match dtype.bits() {
            16 => u16::decode_with(bytes, lanes, |value| value.into()),
            _ => decode(bytes, lanes),
        }
    }

    fn store(dtype: DType, lanes: &[u32], bytes: &mut [u8], _saturate: bool) {
        match dtype.bits() {
            16 => u16::encode_with(lanes, bytes, |value| value as u16),
            _ => encode(lanes, bytes),
        }
    }
}

/// The type of conversions. Every source is exact but for 64-bit integers of more than 53 bits, which are
/// rounded to odd, so that rounding them again to fewer bits is still correct. Stores expect a value that was
/// rounded to the format; integers saturate and NaN becomes 0, as in the conversions of the device.
impl Number for f64 {
    fn load(dtype: DType, bytes: &[u8], lanes: &mut [f64]) {
        match dtype {
            DType::Float => f32::decode_with(bytes, lanes, |value| value.into()),
            DType::Half | DType::BFloat16 => {
                let mut single = [0.0_f32; CHUNK];
                let single = &mut single[..lanes.len()];
                f32::load(dtype, bytes, single);
                lanes
                    .iter_mut()
                    .zip(single)
                    .for_each(|(lane, &mut value)| *lane = value.into());
            }
            DType::Int4 => load_nibbles(bytes, lanes),
            DType::Int8 => i8::decode_with(bytes, lanes, |value| value.into()),
            DType::UInt8 | DType::Bool => u8::decode_with(bytes, lanes, |value| value.into()),
            DType::Int16 => i16::decode_with(bytes, lanes, |value| value.into()),
            DType::UInt16 => u16::decode_with(bytes, lanes, |value| value.into()),
            DType::Int => i32::decode_with(bytes, lanes, |value| value.into()),
            DType::UInt32 => u32::decode_with(bytes, lanes, |value| value.into()),
            DType::Int64 => i64::decode_with(bytes, lanes, |value| {
                odd_rounded(value.unsigned_abs()).copysign(value as f64)
            }),
            DType::UInt64 => u64::decode_with(bytes, lanes, odd_rounded),
        }
    }

    fn store(dtype: DType, lanes: &[f64], bytes: &mut [u8], saturate: bool) {
        match dtype {
            DType::Float => u32::encode_with(lanes, bytes, |lane| canonical(lane as f32)),
            DType::Half | DType::BFloat16 => {
                let mut single = [0.0_f32; CHUNK];
                let single = &mut single[..lanes.len()];
                single
                    .iter_mut()
                    .zip(lanes)
                    .for_each(|(value, &lane)| *value = lane as f32);
                f32::store(dtype, single, bytes, saturate);
            }
            DType::Int4 => store_nibbles(lanes, bytes),
            DType::Int8 => i8::encode_with(lanes, bytes, |value| value as i8),
            DType::UInt8 | DType::Bool => u8::encode_with(lanes, bytes, |value| value as u8),
            DType::Int16 => i16::encode_with(lanes, bytes, |value| value as i16),
            DType::UInt16 => u16::encode_with(lanes, bytes, |value| value as u16),
            DType::Int => i32::encode_with(lanes, bytes, |value| value as i32),
            DType::UInt32 => u32::encode_with(lanes, bytes, |value| value as u32),
            DType::Int64 => i64::encode_with(lanes, bytes, |value| value as i64),
            DType::UInt64 => u64::encode_with(lanes, bytes, |value| value as u64),
        }
    }
}

/// Returns the bits of a scalar operand in the element type: floats are rounded to nearest even, integers
/// truncated and saturated. Scalars have types of 2 or 4 bytes.
pub(super) fn scalar_bits(dtype: DType, value: f64) -> u32 {
    // The `half` crate rounds doubles to f32 first, or drops their low bits.
    let to_format = |format: Format| format.round(value, RoundMode::ToEven);
    let rounded = Format::of(dtype).map_or(value, to_format) as f32;
    match dtype {
        DType::Half => canonical_half(f16::from_f32(rounded)).into(),
        DType::BFloat16 => canonical_bfloat(bf16::from_f32(rounded)).into(),
        DType::Float => canonical(rounded),
        DType::Int16 => u32::from(value as i16 as u16),
        DType::UInt16 => u32::from(value as u16),
        DType::UInt32 => value as u32,
        _ => value as i32 as u32,
    }
}

/// Returns a scalar operand, converted to the element type, in the type to compute in.
pub(super) fn scalar<T: Number>(dtype: DType, value: f64) -> T {
    let mut lane = [T::default()];
    T::load(dtype, &scalar_bits(dtype, value).to_le_bytes(), &mut lane);
    lane[0]
}

/// Decodes two lanes from each byte, the first from the low half.
fn load_nibbles(bytes: &[u8], lanes: &mut [f64]) {
    for (index, lane) in lanes.iter_mut().enumerate() {
        let high = bytes[index / 2] << (4 - index % 2 * 4);
        *lane = f64::from(high as i8 >> 4);
    }
}

fn store_nibbles(lanes: &[f64], bytes: &mut [u8]) {
    for (pair, byte) in lanes.chunks(2).zip(bytes) {
        // The cast alone would saturate at eight bits.
        let nibble = |lane: f64| lane.clamp(-8.0, 7.0) as i8 as u8 & 0x0F;
        let high = pair.get(1).map_or(0, |&lane| nibble(lane));
        *byte = nibble(pair[0]) | high << 4;
    }
}

/// Rounds to 53 bits so that any lost bit sets the last bit that is kept.
fn odd_rounded(magnitude: u64) -> f64 {
    // 64 − 53 bits are too many for a double.
    let spare = 11_u32.saturating_sub(magnitude.leading_zeros());
    let kept = magnitude >> spare;
    let sticky = u64::from(kept << spare != magnitude);
    ((kept | sticky) << spare) as f64
}

/// Returns the bits of a float; NaN becomes the quiet one without sign and payload.
///
/// In integers, because processors disagree about the bits of a computed NaN and compilers take
/// them as arbitrary: a choice between two NaNs may be optimised away.
#[inline(always)]
pub(super) fn canonical(value: f32) -> u32 {
    let bits = value.to_bits();
    match bits & 0x7FFF_FFFF > 0x7F80_0000 {
        true => 0x7FC0_0000,
        false => bits,
    }
}

#[inline(always)]
fn canonical_half(value: f16) -> u16 {
    let bits = value.to_bits();
    match bits & 0x7FFF > 0x7C00 {
        true => 0x7E00,
        false => bits,
    }
}

#[inline(always)]
fn canonical_bfloat(value: bf16) -> u16 {
    let bits = value.to_bits();
    match bits & 0x7FFF > 0x7F80 {
        true => 0x7FC0,
        false => bits,
    }
}

fn saturated_half(value: f16) -> u16 {
    let sign = value.to_bits() & 0x8000;
    match () {
        _ if value.is_nan() => 0,
        _ if value.is_infinite() => sign | f16::MAX.to_bits(),
        _ => value.to_bits(),
    }
}

fn saturated_bfloat(value: bf16) -> u16 {
    let sign = value.to_bits() & 0x8000;
    match () {
        _ if value.is_nan() => 0,
        _ if value.is_infinite() => sign | bf16::MAX.to_bits(),
        _ => value.to_bits(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The bulk conversions may run in hardware; the `const` ones never do.
    #[test]
    fn bulk_half_conversions_are_the_software_ones() {
        for start in (0..=u16::MAX).step_by(256) {
            let halves: Vec<f16> = (start..=start + 255).map(f16::from_bits).collect();
            let mut wide = [0.0_f32; 256];
            halves.convert_to_f32_slice(&mut wide);
            for (half, wide) in halves.iter().zip(wide) {
                assert_eq!(wide.to_bits(), half.to_f32_const().to_bits());
            }
        }
        let mut narrow = [f16::ZERO; 256];
        for high in 0..=u16::MAX {
            let low = u32::from(high).wrapping_mul(0x9E37) & 0xFFF0;
            let floats: [f32; 256] = std::array::from_fn(|index| {
                f32::from_bits(u32::from(high) << 16 | (low + index as u32 * 257) & 0xFFFF)
            });
            narrow.convert_from_f32_slice(&floats);
            for (float, narrow) in floats.iter().zip(narrow) {
                assert_eq!(
                    narrow.to_bits(),
                    f16::from_f32_const(*float).to_bits(),
                    "{float:e}"
                );
            }
        }
    }

    #[test]
    fn scalars_round_once() {
        // Just above the tie between 1 and 1 + 2^-10; f32 would fall onto the tie.
        let value = 1.0 + 2.0_f64.powi(-11) + 2.0_f64.powi(-40);
        assert_eq!(scalar::<f32>(DType::Half, value), 1.0 + 2.0_f32.powi(-10));
        assert_eq!(scalar::<i32>(DType::Int16, 1e9), 32767);
        assert_eq!(scalar::<i32>(DType::Int, -0.5), 0);
    }

    #[test]
    fn odd_rounding_keeps_a_trace_of_lost_bits() {
        let loaded = |dtype, bytes: [u8; 8]| {
            let mut lanes = [0.0_f64];
            f64::load(dtype, &bytes, &mut lanes);
            lanes[0]
        };
        let signed = |value: i64| loaded(DType::Int64, value.to_le_bytes());
        let unsigned = |value: u64| loaded(DType::UInt64, value.to_le_bytes());
        let odd = ((1_u64 << 60) + (1 << 8)) as f64;
        assert_eq!(signed(i64::MIN), -(2.0_f64.powi(63)));
        assert_eq!([signed((1 << 60) + 1), unsigned((1 << 60) + 1)], [odd, odd]);
        assert_eq!(signed(-(1 << 60) - 1), -odd);
        assert_eq!([signed(-12345), signed(0)], [-12345.0, 0.0]);
        assert_eq!(unsigned(u64::MAX), ((1_u64 << 53) - 1) as f64 * 2048.0);
    }
}
