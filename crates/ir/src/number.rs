//! Defines numbers that are known when a kernel is compiled.

use std::fmt;

/// A number: integers are exact, floats are doubles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// An integer, or a truth.
    Int(i128),
    /// A float.
    Float(f64),
}

impl Number {
    /// Returns the number as a double, rounded to nearest if it is not exact.
    pub fn as_float(self) -> f64 {
        match self {
            Number::Int(value) => value as f64,
            Number::Float(value) => value,
        }
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Number::Int(value) => write!(f, "{value}"),
            Number::Float(value) => write!(f, "{value:?}"),
        }
    }
}
