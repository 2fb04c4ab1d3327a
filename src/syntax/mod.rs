//! Error-tolerant parsing into typed syntax trees.

pub mod ptx;
pub mod python;
