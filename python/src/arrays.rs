//! NumPy's arrays as bytes, without a copy.

use a2lint::isa::DType;
use a2lint::run::{Array, Values};
use bytes::Bytes;
use numpy::{PyArray1, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::prelude::*;

use crate::value_error;

/// A tensor as Python gives it: type by name, extents, and its bytes, row by row.
pub type Given<'py> = (String, Vec<i64>, Bound<'py, PyArray1<u8>>);

/// Keeps an array of Python alive while its bytes are looked at.
struct Owner {
    array: Option<Py<PyArray1<u8>>>,
    start: *const u8,
    length: usize,
}

// SAFETY: the pointer is to memory that the array owns, which nobody frees while `array` is held; it is
// only read.
unsafe impl Send for Owner {}
// SAFETY: as above.
unsafe impl Sync for Owner {}

impl AsRef<[u8]> for Owner {
    fn as_ref(&self) -> &[u8] {
        // SAFETY: `start` and `length` are those of a contiguous array of bytes that is alive. Who writes
        // to an array while a kernel runs on it gets what NumPy promises then: nothing.
        unsafe { std::slice::from_raw_parts(self.start, self.length) }
    }
}

impl Drop for Owner {
    fn drop(&mut self) {
        if let Some(array) = self.array.take() {
            Python::attach(|_| drop(array));
        }
    }
}

/// The bytes of an array, shared with it.
pub fn shared(array: &Bound<PyArray1<u8>>) -> PyResult<Bytes> {
    if !array.is_c_contiguous() {
        return Err(value_error("the bytes of a tensor have to be contiguous"));
    }
    let length = array.len();
    if length == 0 {
        return Ok(Bytes::new());
    }
    Ok(Bytes::from_owner(Owner {
        array: Some(array.clone().unbind()),
        start: array.data().cast_const(),
        length,
    }))
}

/// A tensor for a run.
pub fn array((dtype, shape, bytes): &Given) -> PyResult<Array> {
    let known = DType::from_name(dtype);
    Ok(Array {
        dtype: known.ok_or_else(|| value_error(format!("`{dtype}` is no element type")))?,
        shape: shape.clone(),
        bytes: shared(bytes)?,
    })
}

/// Values that results are compared with.
pub fn values(given: &Given) -> PyResult<Values> {
    if given.0 != "double" {
        return Ok(Values::of(&array(given)?));
    }
    let bytes = shared(&given.2)?;
    let doubles = bytes.chunks_exact(8);
    let double = |bytes: &[u8]| f64::from_le_bytes(bytes.try_into().expect("eight bytes"));
    Ok(Values::Doubles(doubles.map(double).collect()))
}
