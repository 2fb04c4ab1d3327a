//! Assumptions of proofs, beside preconditions.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Something that a proof assumes without checking it for a launch.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Assumption {
    /// The shape that all known launches give a tensor, as a clause: `x is [M, 64]`.
    Shape(String),
    /// That elements of a tensor which no lane stores keep their values, as a clause.
    Kept(String),
    /// That a tensor to which the kernel only adds has contents to begin with, as a clause.
    Started(String),
    /// That no two lanes add the same data to a tensor, as a clause.
    Summands(String),
    /// Any other assumption, as a clause.
    Other(String),
}

impl Assumption {
    /// Creates an assumption that is not about a shape.
    pub(super) fn other(clause: impl Into<String>) -> Assumption {
        Assumption::Other(clause.into())
    }

    /// Creates the assumption that a tensor keeps the elements that no lane stores.
    pub(super) fn kept(name: &str) -> Assumption {
        Assumption::Kept(format!(
            "elements of `{name}` that are not stored keep their values"
        ))
    }

    /// Creates the assumption that a tensor has contents before the kernel adds to it.
    pub(super) fn started(name: &str) -> Assumption {
        Assumption::Started(format!("`{name}` starts with defined contents"))
    }

    /// Creates the assumption that no two lanes add the same data to a tensor.
    pub(super) fn summands(name: &str) -> Assumption {
        Assumption::Summands(format!("lanes add different data to `{name}`"))
    }

    /// Returns the clause, if it is about the shape of a tensor.
    pub fn shape(&self) -> Option<&str> {
        match self {
            Assumption::Shape(text) => Some(text),
            _ => None,
        }
    }

    /// Returns the clause, if it belongs beside the preconditions: the reader has to agree to it.
    pub fn condition(&self) -> Option<&str> {
        match self {
            Assumption::Other(_) => None,
            others => Some(others.text()),
        }
    }

    /// Returns the clause.
    pub fn text(&self) -> &str {
        match self {
            Assumption::Shape(text)
            | Assumption::Kept(text)
            | Assumption::Started(text)
            | Assumption::Summands(text)
            | Assumption::Other(text) => text,
        }
    }
}

impl fmt::Display for Assumption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}
