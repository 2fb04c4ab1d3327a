//! Tensors in `.npy` files.
//!
//! NumPy has no bfloat16 and no 4-bit integers: the former are kept as their bits in `uint16`, the
//! latter as `int8`. `float64` is read as float32, since the device has no doubles.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use half::f16;
use npyz::{AutoSerialize, Deserialize, NpyFile, Order, Serialize, TypeChar, WriterBuilder};

use crate::isa::DType;
use crate::machine::memory::{Element, Memory};
use crate::machine::{BoundGlobal, number};

/// A tensor: row-major, little-endian.
#[derive(Clone, Debug, PartialEq)]
pub struct Array {
    /// Element type.
    pub dtype: DType,
    /// Extents.
    pub shape: Vec<i64>,
    /// Contents.
    pub bytes: Vec<u8>,
}

impl Array {
    /// The same bits as elements of `dtype` where NumPy has no such type: bfloat16 in `uint16`.
    pub fn into_type(self, dtype: DType) -> Array {
        match (self.dtype, dtype) {
            (DType::UInt16, DType::BFloat16) => Array { dtype, ..self },
            _ => self,
        }
    }
}

/// Why a file could not be read.
#[derive(Debug, thiserror::Error)]
pub enum NpyError {
    /// The system, or the format.
    #[error("cannot read {path}: {cause}")]
    Read {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        cause: io::Error,
    },
    /// An element type that the device does not have.
    #[error("{path}: elements of type {dtype}, which kernels do not take")]
    Type {
        /// The file.
        path: PathBuf,
        /// NumPy's name.
        dtype: String,
    },
    /// More bytes than allowed.
    #[error("{path}: more than {limit} bytes; --max-memory allows more")]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// The limit.
        limit: u64,
    },
}

/// Reads a file of at most `limit` bytes.
pub fn read(path: &Path, limit: u64) -> Result<Array, NpyError> {
    let failed = |cause| NpyError::Read {
        path: path.to_owned(),
        cause,
    };
    let file = File::open(path).map_err(failed)?;
    let size = file.metadata().map_err(failed)?.len();
    if size > limit {
        let path = path.to_owned();
        return Err(NpyError::TooLarge { path, limit });
    }
    let npy = NpyFile::new(BufReader::new(file)).map_err(failed)?;
    decode(npy).map_err(failed)?.ok_or_else(|| NpyError::Type {
        path: path.to_owned(),
        dtype: type_name(path),
    })
}

/// NumPy's name for the elements of a file.
fn type_name(path: &Path) -> String {
    let npy = File::open(path).and_then(NpyFile::new);
    npy.map_or_else(|_| "unknown".to_owned(), |npy| npy.dtype().descr())
}

/// The array; `None` where the device has no such elements.
fn decode<R: Read>(npy: NpyFile<R>) -> io::Result<Option<Array>> {
    let npyz::DType::Plain(plain) = npy.dtype() else {
        return Ok(None);
    };
    let array = match (plain.type_char(), plain.size_field()) {
        (TypeChar::Float, 2) => elements::<f16, _>(npy, DType::Half, |v| v),
        (TypeChar::Float, 4) => elements::<f32, _>(npy, DType::Float, |v| v),
        (TypeChar::Float, 8) => elements(npy, DType::Float, |v: f64| v as f32),
        (TypeChar::Int, 1) => elements::<i8, _>(npy, DType::Int8, |v| v),
        (TypeChar::Int, 2) => elements::<i16, _>(npy, DType::Int16, |v| v),
        (TypeChar::Int, 4) => elements::<i32, _>(npy, DType::Int, |v| v),
        (TypeChar::Int, 8) => elements::<i64, _>(npy, DType::Int64, |v| v),
        (TypeChar::Uint, 1) => elements::<u8, _>(npy, DType::UInt8, |v| v),
        (TypeChar::Uint, 2) => elements::<u16, _>(npy, DType::UInt16, |v| v),
        (TypeChar::Uint, 4) => elements::<u32, _>(npy, DType::UInt32, |v| v),
        (TypeChar::Uint, 8) => elements::<u64, _>(npy, DType::UInt64, |v| v),
        (TypeChar::Bool, 1) => elements(npy, DType::Bool, |v: bool| u8::from(v)),
        _ => return Ok(None),
    };
    array.map(Some)
}

fn elements<T: Deserialize, E: Element + Copy>(
    npy: NpyFile<impl Read>,
    dtype: DType,
    convert: impl Fn(T) -> E,
) -> io::Result<Array> {
    let shape: Vec<i64> = npy.shape().iter().map(|&extent| extent as i64).collect();
    let is_columns_first = npy.order() == Order::Fortran;
    let mut values = Vec::new();
    for value in npy.data::<T>().map_err(io::Error::other)? {
        values.push(convert(value?));
    }
    if is_columns_first {
        values = rows_first(&values, &shape);
    }
    let mut bytes = vec![0; values.len() * E::BYTES];
    for (value, bytes) in values.iter().zip(bytes.chunks_exact_mut(E::BYTES)) {
        value.to_bytes(bytes);
    }
    Ok(Array {
        dtype,
        shape,
        bytes,
    })
}

/// Elements in row-major order, from those in column-major order.
fn rows_first<E: Copy>(values: &[E], shape: &[i64]) -> Vec<E> {
    let place = |mut index: usize| {
        let mut at = 0;
        let mut stride = values.len();
        for &extent in shape.iter().rev() {
            stride /= extent as usize;
            at += index % extent as usize * stride;
            index /= extent as usize;
        }
        at
    };
    (0..values.len())
        .map(|index| values[place(index)])
        .collect()
}

/// Writes a tensor.
pub fn write(path: &Path, global: &BoundGlobal, memory: &Memory) -> io::Result<()> {
    let file = BufWriter::new(File::create(path)?);
    encode(file, global, memory)
}

fn encode(out: impl Write, global: &BoundGlobal, memory: &Memory) -> io::Result<()> {
    match global.dtype {
        DType::Half => put::<f16>(out, global, memory),
        DType::Float => put::<f32>(out, global, memory),
        DType::Int => put::<i32>(out, global, memory),
        DType::Int8 => put::<i8>(out, global, memory),
        DType::Int16 => put::<i16>(out, global, memory),
        DType::Int64 => put::<i64>(out, global, memory),
        DType::UInt8 => put::<u8>(out, global, memory),
        DType::UInt16 | DType::BFloat16 => put::<u16>(out, global, memory),
        DType::UInt32 => put::<u32>(out, global, memory),
        DType::UInt64 => put::<u64>(out, global, memory),
        DType::Bool => {
            let bytes = memory.bytes(0..memory.capacity());
            emit(out, &global.shape, bytes.iter().map(|&byte| byte != 0))
        }
        DType::Int4 => {
            let elements = global.shape.iter().product::<i64>() as usize;
            let nibble = |index: usize| {
                let bit = index as i64 % 2 * 4;
                number(memory, DType::Int4, index / 2, bit) as i8
            };
            emit(out, &global.shape, (0..elements).map(nibble))
        }
    }
}

fn put<E: Element + Serialize + AutoSerialize>(
    out: impl Write,
    global: &BoundGlobal,
    memory: &Memory,
) -> io::Result<()> {
    let bytes = memory.bytes(0..memory.capacity());
    emit(
        out,
        &global.shape,
        bytes.chunks_exact(E::BYTES).map(E::from_bytes),
    )
}

fn emit<T: Serialize + AutoSerialize>(
    mut out: impl Write,
    shape: &[i64],
    values: impl Iterator<Item = T>,
) -> io::Result<()> {
    let shape: Vec<u64> = shape.iter().map(|&extent| extent as u64).collect();
    let options = npyz::WriteOptions::new().default_dtype().shape(&shape);
    let mut writer = options.writer(&mut out).begin_nd()?;
    writer.extend(values)?;
    writer.finish()?;
    out.flush()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::TensorInit;
    use crate::machine::{Contents, generate};

    fn tensor(dtype: DType, shape: &[i64]) -> (BoundGlobal, Memory) {
        let elements = shape.iter().product::<i64>();
        let bytes = generate(TensorInit::Arange, 0, dtype, elements as usize);
        let global = BoundGlobal {
            name: "x".to_owned(),
            dtype,
            shape: shape.to_vec(),
            bytes: bytes.len(),
            contents: Contents::Undefined,
        };
        (global, Memory::from_bytes(bytes))
    }

    fn round_trip(dtype: DType) -> (Vec<u8>, Array) {
        let (global, memory) = tensor(dtype, &[2, 3]);
        let mut file = Vec::new();
        encode(&mut file, &global, &memory).unwrap();
        let array = decode(NpyFile::new(&file[..]).unwrap()).unwrap().unwrap();
        assert_eq!(array.shape, [2, 3]);
        (memory.bytes(0..memory.capacity()).to_vec(), array)
    }

    #[test]
    fn every_type_comes_back() {
        for &dtype in DType::ALL {
            let (bytes, array) = round_trip(dtype);
            match dtype {
                DType::BFloat16 => assert_eq!(array.dtype, DType::UInt16),
                DType::Int4 => {
                    let expected = (DType::Int8, vec![0, 1, 2, 3, 4, 5]);
                    assert_eq!((array.dtype, array.bytes), expected);
                    continue;
                }
                _ => assert_eq!(array.dtype, dtype),
            }
            assert_eq!(array.bytes, bytes, "{dtype}");
        }
    }

    #[test]
    fn columns_first_becomes_rows_first() {
        assert_eq!(rows_first(&[0, 3, 1, 4, 2, 5], &[2, 3]), [0, 1, 2, 3, 4, 5]);
    }
}
