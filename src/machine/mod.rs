//! The embedded A2 machine.

pub mod memory;
pub mod vector;
mod vector_call;

pub use vector_call::{VectorCall, VectorLength, VectorOperand};
