//! The check of a file, repairs, configuration, baselines and the cache.

// A position that is not checked panics inside of a character: `text::Slice` takes any.
#![cfg_attr(not(test), warn(clippy::string_slice))]

pub mod baseline;
pub mod cache;
pub mod check;
pub mod config;
pub mod repair;
