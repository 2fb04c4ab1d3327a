//! Error-tolerant parsing into typed syntax trees.

pub mod python;
