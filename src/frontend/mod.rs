//! Languages in, programs out.

pub mod easyasc;
