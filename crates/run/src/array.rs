//! Tensors outside of the machine: arrays of inputs, outputs and expected values.

use bytes::Bytes;

use a2lint_ir::Number;
use a2lint_ir::arithmetic::wrapped;
use a2lint_isa::DType;
use a2lint_machine::memory::Memory;
use a2lint_machine::{number, push};

/// A tensor in row-major order and little-endian bytes.
#[derive(Clone, Debug, PartialEq)]
pub struct Array {
    /// Element type.
    pub dtype: DType,
    /// Extents.
    pub shape: Vec<i64>,
    /// Contents.
    pub bytes: Bytes,
}

impl Array {
    /// Returns the array with one axis, its elements in row-major order.
    pub fn flat(self) -> Array {
        Array {
            shape: vec![self.shape.iter().product()],
            ..self
        }
    }

    /// Reinterprets the bits as elements of `dtype` if NumPy lacks that type: bfloat16 is stored as `uint16`.
    pub fn into_type(self, dtype: DType) -> Array {
        match (self.dtype, dtype) {
            (DType::UInt16, DType::BFloat16) => Array { dtype, ..self },
            _ => self,
        }
    }

    /// Converts the values to elements of `dtype`. Floats are rounded, integers keep their lowest bits.
    pub fn converted(self, dtype: DType) -> Array {
        let array = self.into_type(dtype);
        if array.dtype == dtype || dtype == DType::Int4 {
            return array;
        }
        let values = Values::of(&array);
        let mut bytes = Vec::with_capacity(values.len() * dtype.bytes_of(1) as usize);
        for index in 0..values.len() {
            match values.get(index) {
                Number::Int(value) if dtype.is_float() => push(&mut bytes, dtype, value as f64),
                Number::Int(value) => {
                    let width = dtype.bytes_of(1) as usize;
                    bytes.extend(&wrapped(dtype, value).to_le_bytes()[..width]);
                }
                Number::Float(value) => push(&mut bytes, dtype, value),
            }
        }
        Array {
            dtype,
            shape: array.shape,
            bytes: bytes.into(),
        }
    }

    /// Formats type and shape: `float [64, 8]`.
    pub fn describe(&self) -> String {
        describe(self.dtype, &self.shape)
    }
}

/// Formats type and shape: `float [64, 8]`.
pub fn describe(dtype: DType, shape: &[i64]) -> String {
    format!("{dtype} {shape:?}")
}

/// Expected values. Doubles are separate, because the device has no such type.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// Doubles.
    Doubles(Vec<f64>),
    /// Elements of a type of the device.
    Elements(DType, Memory, usize),
}

impl Values {
    /// Returns the elements of an array.
    pub fn of(array: &Array) -> Values {
        let elements = array.shape.iter().product::<i64>() as usize;
        let memory = Memory::from_bytes(array.bytes.to_vec());
        Values::Elements(array.dtype, memory, elements)
    }

    /// Returns the number of elements.
    pub fn len(&self) -> usize {
        match self {
            Values::Doubles(values) => values.len(),
            Values::Elements(_, _, elements) => *elements,
        }
    }

    /// Returns whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the number at a flat index.
    pub fn get(&self, index: usize) -> Number {
        match self {
            Values::Doubles(values) => Number::Float(values[index]),
            Values::Elements(dtype, memory, _) => exact(memory, *dtype, index),
        }
    }

    /// Reinterprets the bits as elements of `dtype` if NumPy lacks that type.
    pub fn into_type(self, dtype: DType) -> Values {
        match self {
            Values::Elements(DType::UInt16, memory, elements) if dtype == DType::BFloat16 => {
                Values::Elements(dtype, memory, elements)
            }
            values => values,
        }
    }
}

/// Returns the element at a flat index of a memory.
pub fn exact(memory: &Memory, dtype: DType, index: usize) -> Number {
    let bit = index * dtype.bits() as usize;
    let address = bit / 8;
    match dtype {
        DType::Int64 => Number::Int(memory.get::<i64>(address).into()),
        DType::UInt64 => Number::Int(memory.get::<u64>(address).into()),
        _ => {
            let value = number(memory, dtype, address, (bit % 8) as i64);
            match dtype.is_float() {
                true => Number::Float(value),
                false => Number::Int(value as i128),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn array(dtype: DType, bytes: Vec<u8>, elements: i64) -> Array {
        Array {
            dtype,
            shape: vec![elements],
            bytes: bytes.into(),
        }
    }

    #[test]
    fn values_are_converted_and_bits_are_kept() {
        let halves = array(
            DType::Float,
            [1.5_f32, -2.0].map(f32::to_le_bytes).concat(),
            2,
        );
        let halves = halves.converted(DType::Half);
        assert_eq!(&halves.bytes[..], [0x00, 0x3E, 0x00, 0xC0]);
        let bits = array(DType::UInt16, vec![0x80, 0x3F], 1).converted(DType::BFloat16);
        assert_eq!(
            (bits.dtype, &bits.bytes[..]),
            (DType::BFloat16, &[0x80, 0x3F][..])
        );
        let large = array(DType::Int64, i64::MAX.to_le_bytes().to_vec(), 1);
        assert_eq!(Values::of(&large).get(0), Number::Int(i64::MAX.into()));
        assert_eq!(&large.converted(DType::Int).bytes[..], [0xFF; 4]);
    }
}
