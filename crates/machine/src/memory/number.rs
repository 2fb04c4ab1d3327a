//! Elements of any type as doubles.

use half::{bf16, f16};

use super::Memory;
use a2lint_isa::DType;

/// Returns the element at a byte address as a double; `bit` is where a 4-bit integer starts in its byte (0 or
/// 4).
pub fn number(memory: &Memory, dtype: DType, address: usize, bit: i64) -> f64 {
    match dtype {
        DType::Half => memory.get::<f16>(address).to_f64(),
        DType::BFloat16 => memory.get::<bf16>(address).to_f64(),
        DType::Float => f64::from(memory.get::<f32>(address)),
        DType::Int => f64::from(memory.get::<i32>(address)),
        DType::Int8 => f64::from(memory.get::<i8>(address)),
        DType::Int16 => f64::from(memory.get::<i16>(address)),
        DType::Int64 => memory.get::<i64>(address) as f64,
        DType::UInt8 | DType::Bool => f64::from(memory.get::<u8>(address)),
        DType::UInt16 => f64::from(memory.get::<u16>(address)),
        DType::UInt32 => f64::from(memory.get::<u32>(address)),
        DType::UInt64 => memory.get::<u64>(address) as f64,
        DType::Int4 => {
            let byte = memory.get::<u8>(address);
            let nibble = if bit == 0 { byte << 4 } else { byte };
            f64::from(nibble as i8 >> 4)
        }
    }
}
