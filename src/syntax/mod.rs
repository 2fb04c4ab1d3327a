//! Error-tolerant parsing into typed syntax trees.

pub mod cpp;
pub mod pto;
pub mod ptx;
pub mod python;
