//! Error-tolerant parsing into typed syntax trees.

// A position that is not checked panics inside of a character: `text::Slice` takes any.
#![cfg_attr(not(test), warn(clippy::string_slice))]

pub mod cpp;
pub mod pto;
pub mod ptx;
pub mod python;
