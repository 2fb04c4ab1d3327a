//! The embedded A2 machine.

mod vector_call;

pub use vector_call::{VectorCall, VectorLength, VectorOperand};
