//! What proofs take for granted.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What a proof takes for granted, beside the preconditions of its launches.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Assumption {
    /// The shape that all launches in sight give a tensor, as a clause: `x is [M, 64]`.
    Shape(String),
    /// Anything else, as a clause.
    Other(String),
}

impl Assumption {
    /// Whatever is no shape.
    pub(super) fn other(clause: impl Into<String>) -> Assumption {
        Assumption::Other(clause.into())
    }

    /// The clause, where it is about the shape of a tensor.
    pub fn shape(&self) -> Option<&str> {
        match self {
            Assumption::Shape(text) => Some(text),
            Assumption::Other(_) => None,
        }
    }

    /// The clause.
    pub fn text(&self) -> &str {
        let (Assumption::Shape(text) | Assumption::Other(text)) = self;
        text
    }
}

impl fmt::Display for Assumption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}
