//! Scalars as linear expressions over parameters, device queries and loop iterations, with intervals and
//! residue classes for what is not linear.
//!
//! A symbol represents a number that is constant while the statement that uses it executes. Assignments and
//! loops create new symbols for what they change, so facts about a symbol stay true, and are never retracted;
//! only assumptions of a branch are.

mod combinations;
mod congruence;
mod contract;
mod growth;
mod interval;
mod linear;
mod polynomial;
mod start;
mod state;
mod symbols;
#[cfg(test)]
mod tests;
mod walk;

pub use combinations::{Proved, Unlisted, Wanted};
pub use congruence::{Congruence, gcd};
pub use interval::Interval;
pub use linear::{Linear, Symbol};
pub use polynomial::Polynomial;
pub use start::Start;
pub use state::{Number, State};
pub use symbols::{Meaning, Symbols};
pub use walk::{Given, Pass, Visitor, walk, walk_for_growth, walk_under, walk_within};
