//! Reads and writes tensors in `.npy` files and `.npz` archives.
//!
//! NumPy has no bfloat16 and no 4-bit integers. The former are written as their bits in `uint16`, and read from
//! that or from the two opaque bytes that `ml_dtypes` writes; the latter are written as `int8`. Inputs of
//! `float64` are converted to float32, because the device has no doubles.

use std::io::{self, BufWriter, Cursor, Read, Seek, Write};
use std::path::{Path, PathBuf};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

use super::array::{Array, Values};
use a2lint_isa::DType;
use a2lint_machine::memory::Memory;
use a2lint_machine::number;
use a2lint_source::disk::{self, Named, Readable};

mod format;

use format::Header;

/// Why a file could not be read.
#[derive(Debug, thiserror::Error)]
pub enum NpyError {
    /// An error of the system or of the format.
    #[error("cannot read {path}: {cause}")]
    Read {
        /// The file.
        path: PathBuf,
        /// The cause.
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
        /// The arrays of the archive.
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

/// Reads the tensor with this name: a `.npy` file of at most `limit` bytes, or a member of a `.npz` archive.
pub fn read(path: &Path, name: &str, limit: u64) -> Result<Array, NpyError> {
    let (header, mut input) = open(path, name, limit)?;
    made_of(path, &header, decode(&header, &mut input))
}

/// Reads expected values with their shape. Doubles are kept.
pub fn read_values(path: &Path, name: &str, limit: u64) -> Result<(Vec<i64>, Values), NpyError> {
    let (header, mut input) = open(path, name, limit)?;
    if header.element() == Some(DOUBLE) {
        let values = made_of(path, &header, doubles(&header, &mut input).map(Some))?;
        return Ok((header.shape, Values::Doubles(values)));
    }
    let array = made_of(path, &header, decode(&header, &mut input))?;
    Ok((array.shape.clone(), Values::of(&array)))
}

fn made_of<T>(path: &Path, header: &Header, made: io::Result<Option<T>>) -> Result<T, NpyError> {
    let path = path.to_owned();
    match made {
        Ok(Some(made)) => Ok(made),
        Ok(None) => Err(NpyError::Type {
            path,
            dtype: header.descr.clone(),
        }),
        Err(cause) => Err(NpyError::Read { path, cause }),
    }
}

/// Opens a file or a member of an archive, and returns its header and a reader of what follows.
fn open(path: &Path, name: &str, limit: u64) -> Result<(Header, Box<dyn Read>), NpyError> {
    let failed = |cause| NpyError::Read {
        path: path.to_owned(),
        cause,
    };
    let file = disk::open(path, Readable::Regular).map_err(failed)?;
    let too_large = || NpyError::TooLarge {
        path: path.to_owned(),
        limit,
    };
    if file.length.is_some_and(|length| length > limit) {
        return Err(too_large());
    }
    let mut input: Box<dyn Read> = match is_archive(path) {
        true => {
            let bytes = unpacked(path, file.into_seekable(), name, limit)?;
            // A member may be far larger than its archive.
            if bytes.len() as u64 > limit {
                return Err(too_large());
            }
            Box::new(Cursor::new(bytes))
        }
        false => Box::new(file.into_seekable()),
    };
    let header = Header::read(&mut input).map_err(failed)?;
    Ok((header, input))
}

/// Returns the member of an archive with this name, or its only one; at most one byte more than `limit`.
fn unpacked(
    path: &Path,
    file: impl Read + Seek,
    name: &str,
    limit: u64,
) -> Result<Vec<u8>, NpyError> {
    let failed = |cause: io::Error| NpyError::Read {
        path: path.to_owned(),
        cause,
    };
    let mut archive = ZipArchive::new(file).map_err(|cause| failed(cause.into()))?;
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
        .take(limit.saturating_add(1))
        .read_to_end(&mut bytes)
        .map_err(failed)?;
    Ok(bytes)
}

/// Returns whether a path is that of a `.npz` archive.
pub fn is_archive(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "npz")
}

/// NumPy's name of doubles.
const DOUBLE: &str = "f8";

/// Reads an array; `None` if the device has no such elements.
fn decode(header: &Header, input: &mut dyn Read) -> io::Result<Option<Array>> {
    let dtype = match header.element() {
        Some("f2") => DType::Half,
        Some("f4" | DOUBLE) => DType::Float,
        Some("i1") => DType::Int8,
        Some("i2") => DType::Int16,
        Some("i4") => DType::Int,
        Some("i8") => DType::Int64,
        Some("u1") => DType::UInt8,
        Some("u2") => DType::UInt16,
        Some("u4") => DType::UInt32,
        Some("u8") => DType::UInt64,
        Some("b1") => DType::Bool,
        // The type that NumPy shows for bfloat16.
        Some("V2") => DType::BFloat16,
        _ => return Ok(None),
    };
    let bytes = match header.element() {
        Some(DOUBLE) => {
            let floats = doubles(header, input)?;
            let floats = floats.iter().map(|&double| double as f32);
            floats.flat_map(f32::to_le_bytes).collect()
        }
        _ => header.elements(input, dtype.bytes_of(1) as usize)?,
    };
    if let Some(byte) = bytes.iter().find(|&&byte| dtype == DType::Bool && byte > 1) {
        return Err(io::Error::other(format!("the byte {byte} is no bool")));
    }
    Ok(Some(Array {
        dtype,
        shape: header.shape.clone(),
        bytes: bytes.into(),
    }))
}

fn doubles(header: &Header, input: &mut dyn Read) -> io::Result<Vec<f64>> {
    let bytes = header.elements(input, size_of::<f64>())?;
    let (doubles, _) = bytes.as_chunks();
    Ok(doubles
        .iter()
        .map(|&bytes| f64::from_le_bytes(bytes))
        .collect())
}

/// A tensor to write.
#[derive(Clone, Copy, Debug)]
pub struct Written<'a> {
    /// The name of the tensor in an archive.
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
    disk::replace(path, &Named::ByUser, |file| {
        written(BufWriter::new(file), is_archive(path), tensors)
    })
}

fn written(mut file: impl Write + Seek, is_archive: bool, tensors: &[Written]) -> io::Result<()> {
    if !is_archive {
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

fn encode(mut out: impl Write, tensor: &Written) -> io::Result<()> {
    let memory = tensor.memory;
    let bytes = memory.bytes(0..memory.capacity());
    out.write_all(&format::header(name(tensor.dtype), tensor.shape))?;
    match tensor.dtype {
        DType::Bool => {
            let bools: Vec<u8> = bytes.iter().map(|&byte| u8::from(byte != 0)).collect();
            out.write_all(&bools)?;
        }
        DType::Int4 => out.write_all(&nibbles(tensor))?,
        _ => out.write_all(bytes)?,
    }
    out.flush()
}

/// Returns NumPy's name of the type that elements are written as.
fn name(dtype: DType) -> &'static str {
    match dtype {
        DType::Half => "<f2",
        DType::Float => "<f4",
        DType::Int => "<i4",
        DType::Int8 | DType::Int4 => "|i1",
        DType::Int16 => "<i2",
        DType::Int64 => "<i8",
        DType::UInt8 => "|u1",
        DType::UInt16 | DType::BFloat16 => "<u2",
        DType::UInt32 => "<u4",
        DType::UInt64 => "<u8",
        DType::Bool => "|b1",
    }
}

/// Returns a byte for each 4-bit integer.
fn nibbles(tensor: &Written) -> Vec<u8> {
    let elements = tensor.shape.iter().product::<i64>() as usize;
    let nibble = |index: usize| {
        let bit = index as i64 % 2 * 4;
        number(tensor.memory, DType::Int4, index / 2, bit) as i8 as u8
    };
    (0..elements).map(nibble).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use a2lint_ir::TensorInit;
    use a2lint_machine::generate;

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
        let mut input = &file[..];
        let header = Header::read(&mut input).unwrap();
        let array = decode(&header, &mut input).unwrap().unwrap();
        assert_eq!(array.shape, [2, 3]);
        (bytes, array)
    }

    #[test]
    fn every_type_comes_back() {
        for dtype in DType::ALL {
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
        // What the system says is passed on.
        let error = read(folder.path(), "x", 1 << 20).unwrap_err().to_string();
        assert!(!error.contains("not a .npy file"), "{error}");
    }
}
