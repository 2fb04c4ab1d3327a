//! NumPy's arrays as bytes.

use a2lint::isa::DType;
use a2lint::run::{Array, Values};
use bytes::Bytes;
use numpy::{PyArray1, PyArrayMethods};
use pyo3::prelude::*;

use crate::value_error;

/// A tensor as Python gives it: type by name, extents, and its bytes, row by row.
pub type Given<'py> = (String, Vec<i64>, Bound<'py, PyArray1<u8>>);

/// A copy of the bytes of an array.
///
/// What NumPy owns may be written, resized or freed by any other Python thread while a kernel runs without the
/// lock of the interpreter, so nothing of it is borrowed.
fn copied(array: &Bound<PyArray1<u8>>) -> PyResult<Bytes> {
    match array.to_vec() {
        Ok(bytes) => Ok(Bytes::from(bytes)),
        Err(_) => Err(value_error("the bytes of a tensor have to be contiguous")),
    }
}

/// A tensor for a run.
pub fn array((dtype, shape, bytes): &Given) -> PyResult<Array> {
    let known = DType::from_name(dtype);
    Ok(Array {
        dtype: known.ok_or_else(|| value_error(format!("`{dtype}` is no element type")))?,
        shape: shape.clone(),
        bytes: copied(bytes)?,
    })
}

/// Values that results are compared with.
pub fn values(given: &Given) -> PyResult<Values> {
    if given.0 != "double" {
        return Ok(Values::of(&array(given)?));
    }
    let bytes = copied(&given.2)?;
    let doubles = bytes.chunks_exact(8);
    let double = |bytes: &[u8]| f64::from_le_bytes(bytes.try_into().expect("eight bytes"));
    Ok(Values::Doubles(doubles.map(double).collect()))
}
