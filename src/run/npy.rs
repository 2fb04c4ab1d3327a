//! Tensors in `.npy` files.
//!
//! NumPy has no bfloat16 and no 4-bit integers: the former are written as their bits in `uint16`, and
//! read from those as from the two opaque bytes that `ml_dtypes` writes; the latter are `int8`.
//! `float64` is read as float32 where it is an input, since the device has no doubles.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Cursor, Read, Write};
use std::path::{Path, PathBuf};

use half::f16;
use npyz::{
    AutoSerialize, Deserialize, FixedSizeBytes, NpyFile, Order, Serialize, TypeChar, WriterBuilder,
};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

use super::array::{Array, Values};
use crate::isa::DType;
use crate::machine::memory::{Element, Memory};
use crate::machine::number;

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
    /// An archive without the tensor.
    #[error("{path}: no array `{name}`; it has {has}")]
    NoMember {
        /// The archive.
        path: PathBuf,
        /// The name.
        name: String,
        /// What is there.
        has: String,
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

/// Reads the tensor of this name: a `.npy` file of at most `limit` bytes, or a member of a `.npz`.
pub fn read(path: &Path, name: &str, limit: u64) -> Result<Array, NpyError> {
    let (npy, dtype) = open(path, name, limit)?;
    made_of(path, dtype, decode(npy))
}

/// The same for values that are compared with: their shape, doubles as they are.
pub fn read_values(path: &Path, name: &str, limit: u64) -> Result<(Vec<i64>, Values), NpyError> {
    let (npy, dtype) = open(path, name, limit)?;
    if is_double(&npy) {
        return made_of(path, dtype, doubles(npy).map(Some));
    }
    let array = made_of(path, dtype, decode(npy))?;
    Ok((array.shape.clone(), Values::of(&array)))
}

fn is_double<R: Read>(npy: &NpyFile<R>) -> bool {
    let dtype = npy.dtype();
    let npyz::DType::Plain(plain) = dtype else {
        return false;
    };
    (plain.type_char(), plain.size_field()) == (TypeChar::Float, 8)
}

fn made_of<T>(path: &Path, dtype: String, made: io::Result<Option<T>>) -> Result<T, NpyError> {
    let path = path.to_owned();
    match made {
        Ok(Some(made)) => Ok(made),
        Ok(None) => Err(NpyError::Type { path, dtype }),
        Err(cause) => Err(NpyError::Read { path, cause }),
    }
}

/// A file, or a member of an archive, with NumPy's name for its elements.
fn open(path: &Path, name: &str, limit: u64) -> Result<(NpyFile<Box<dyn Read>>, String), NpyError> {
    let failed = |cause| NpyError::Read {
        path: path.to_owned(),
        cause,
    };
    let file = File::open(path).map_err(failed)?;
    let too_large = || NpyError::TooLarge {
        path: path.to_owned(),
        limit,
    };
    if file.metadata().map_err(failed)?.len() > limit {
        return Err(too_large());
    }
    let input: Box<dyn Read> = match is_archive(path) {
        true => {
            let bytes = unpacked(path, file, name, limit)?;
            // What is packed may be far larger than its file.
            if bytes.len() as u64 > limit {
                return Err(too_large());
            }
            Box::new(Cursor::new(bytes))
        }
        false => Box::new(BufReader::new(file)),
    };
    let npy = NpyFile::new(input).map_err(failed)?;
    let dtype = npy.dtype().descr();
    Ok((npy, dtype))
}

/// The member of an archive that has this name, or the only one; at most one byte above `limit`.
fn unpacked(path: &Path, file: File, name: &str, limit: u64) -> Result<Vec<u8>, NpyError> {
    let failed = |cause: io::Error| NpyError::Read {
        path: path.to_owned(),
        cause,
    };
    let mut archive =
        ZipArchive::new(BufReader::new(file)).map_err(|cause| failed(cause.into()))?;
    let names = archive.file_names();
    let names: Vec<String> = names
        .filter_map(|name| Some(name.strip_suffix(".npy")?.to_owned()))
        .collect();
    let name = match &names[..] {
        [only] => only.as_str(),
        _ => name,
    };
    if !names.iter().any(|member| member == name) {
        return Err(NpyError::NoMember {
            path: path.to_owned(),
            name: name.to_owned(),
            has: names.join(", "),
        });
    }
    let member = archive.by_name(&format!("{name}.npy"));
    let member = member.map_err(|cause| failed(cause.into()))?;
    let mut bytes = Vec::new();
    member
        .take(limit + 1)
        .read_to_end(&mut bytes)
        .map_err(failed)?;
    Ok(bytes)
}

/// Whether a path is that of a `.npz` archive.
pub fn is_archive(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "npz")
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
        // What NumPy makes of bfloat16.
        (TypeChar::RawData, 2) => elements(npy, DType::BFloat16, |v: FixedSizeBytes<2>| {
            u16::from_le_bytes(v.into())
        }),
        _ => return Ok(None),
    };
    array.map(Some)
}

/// Shape and elements of a file of doubles.
fn doubles(npy: NpyFile<impl Read>) -> io::Result<(Vec<i64>, Values)> {
    let (shape, values) = in_rows(npy, |value: f64| value)?;
    Ok((shape, Values::Doubles(values)))
}

fn elements<T: Deserialize, E: Element + Copy>(
    npy: NpyFile<impl Read>,
    dtype: DType,
    convert: impl Fn(T) -> E,
) -> io::Result<Array> {
    let (shape, values) = in_rows(npy, convert)?;
    let mut bytes = vec![0; values.len() * E::BYTES];
    for (value, bytes) in values.iter().zip(bytes.chunks_exact_mut(E::BYTES)) {
        value.to_bytes(bytes);
    }
    Ok(Array {
        dtype,
        shape,
        bytes: bytes.into(),
    })
}

/// Shape and elements, row by row.
fn in_rows<T: Deserialize, E: Copy>(
    npy: NpyFile<impl Read>,
    convert: impl Fn(T) -> E,
) -> io::Result<(Vec<i64>, Vec<E>)> {
    let shape: Vec<i64> = npy.shape().iter().map(|&extent| extent as i64).collect();
    let is_columns_first = npy.order() == Order::Fortran;
    let mut values = Vec::new();
    for value in npy.data::<T>().map_err(io::Error::other)? {
        values.push(convert(value?));
    }
    if is_columns_first {
        values = rows_first(&values, &shape);
    }
    Ok((shape, values))
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

/// A tensor that is written.
#[derive(Clone, Copy, Debug)]
pub struct Written<'a> {
    /// Its name in an archive.
    pub name: &'a str,
    /// Element type.
    pub dtype: DType,
    /// Extents.
    pub shape: &'a [i64],
    /// Contents.
    pub memory: &'a Memory,
}

/// Writes tensors: all of them to a `.npz` archive, or one to a `.npy` file.
pub fn write(path: &Path, tensors: &[Written]) -> io::Result<()> {
    let mut file = BufWriter::new(File::create(path)?);
    if !is_archive(path) {
        return tensors
            .iter()
            .try_for_each(|tensor| encode(&mut file, tensor));
    }
    let mut archive = ZipWriter::new(file);
    for tensor in tensors {
        let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
        let options = options.large_file(tensor.memory.capacity() as u64 >> 31 > 0);
        archive.start_file(format!("{}.npy", tensor.name), options)?;
        encode(&mut archive, tensor)?;
    }
    archive.finish()?.flush()
}

fn encode(out: impl Write, tensor: &Written) -> io::Result<()> {
    let memory = tensor.memory;
    match tensor.dtype {
        DType::Half => put::<f16>(out, tensor),
        DType::Float => put::<f32>(out, tensor),
        DType::Int => put::<i32>(out, tensor),
        DType::Int8 => put::<i8>(out, tensor),
        DType::Int16 => put::<i16>(out, tensor),
        DType::Int64 => put::<i64>(out, tensor),
        DType::UInt8 => put::<u8>(out, tensor),
        DType::UInt16 | DType::BFloat16 => put::<u16>(out, tensor),
        DType::UInt32 => put::<u32>(out, tensor),
        DType::UInt64 => put::<u64>(out, tensor),
        DType::Bool => {
            let bytes = memory.bytes(0..memory.capacity());
            emit(out, tensor.shape, bytes.iter().map(|&byte| byte != 0))
        }
        DType::Int4 => {
            let elements = tensor.shape.iter().product::<i64>() as usize;
            let nibble = |index: usize| {
                let bit = index as i64 % 2 * 4;
                number(memory, DType::Int4, index / 2, bit) as i8
            };
            emit(out, tensor.shape, (0..elements).map(nibble))
        }
    }
}

fn put<E: Element + Serialize + AutoSerialize>(
    out: impl Write,
    tensor: &Written,
) -> io::Result<()> {
    let bytes = tensor.memory.bytes(0..tensor.memory.capacity());
    emit(
        out,
        tensor.shape,
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
    use crate::machine::generate;

    fn round_trip(dtype: DType) -> (Vec<u8>, Array) {
        let bytes = generate(TensorInit::Arange, 0, dtype, 6);
        let memory = Memory::from_bytes(bytes.clone());
        let mut file = Vec::new();
        let tensor = Written {
            name: "x",
            dtype,
            shape: &[2, 3],
            memory: &memory,
        };
        encode(&mut file, &tensor).unwrap();
        let array = decode(NpyFile::new(&file[..]).unwrap()).unwrap().unwrap();
        assert_eq!(array.shape, [2, 3]);
        (bytes, array)
    }

    #[test]
    fn every_type_comes_back() {
        for &dtype in DType::ALL {
            let (bytes, array) = round_trip(dtype);
            match dtype {
                DType::BFloat16 => assert_eq!(array.dtype, DType::UInt16),
                DType::Int4 => {
                    let expected = (DType::Int8, vec![0, 1, 2, 3, 4, 5]);
                    assert_eq!((array.dtype, array.bytes.to_vec()), expected);
                    continue;
                }
                _ => assert_eq!(array.dtype, dtype),
            }
            assert_eq!(array.bytes, bytes, "{dtype}");
        }
    }

    #[test]
    fn archives_have_members_by_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("both.npz");
        let memories = [1_u8, 2].map(|value| Memory::from_bytes(vec![value; 6]));
        let tensor = |name, memory| Written {
            name,
            dtype: DType::UInt8,
            shape: &[6],
            memory,
        };
        write(
            &path,
            &[tensor("x", &memories[0]), tensor("y", &memories[1])],
        )
        .unwrap();
        assert_eq!(&read(&path, "y", 1000).unwrap().bytes[..], [2; 6]);
        let error = read(&path, "z", 1000).unwrap_err().to_string();
        assert!(error.ends_with("no array `z`; it has x, y"), "{error}");
        let error = read(&path, "x", 300).unwrap_err().to_string();
        assert!(error.contains("more than 300 bytes"), "{error}");
        let error = read(Path::new("/proc/self/status"), "x", 1000).unwrap_err();
        assert!(matches!(error, NpyError::Read { .. }), "{error}");
    }

    #[test]
    fn columns_first_becomes_rows_first() {
        assert_eq!(rows_first(&[0, 3, 1, 4, 2, 5], &[2, 3]), [0, 1, 2, 3, 4, 5]);
    }
}
