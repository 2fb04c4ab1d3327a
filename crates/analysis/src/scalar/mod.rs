//! What scalars are, wherever they are used: linear expressions over parameters, device queries and
//! loop iterations, with intervals and residue classes for what is not linear.
//!
//! A symbol stands for a number that does not change while the statement that uses it executes.
//! What an assignment or a loop changes gets new symbols, so that facts once known of a symbol stay
//! true: they need not be taken back, other than what a branch has assumed.

mod combinations;
mod congruence;
mod contract;
mod growth;
mod interval;
mod linear;
mod polynomial;
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
pub use state::{Number, State};
pub use symbols::{Meaning, Symbols};
pub use walk::{Given, Pass, Visitor, walk, walk_for_growth, walk_under, walk_within};
