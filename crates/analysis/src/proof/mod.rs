//! What linear arithmetic shows of the places that accesses touch.
//!
//! - `places`: where an access is, as linear expressions, with what is known of the numbers in them.
//! - `disjointness`: whether accesses touch nothing in common or stay inside of their tensors. Each question is a
//!   system of inequalities for the contrary, which has to be refuted.
//! - `pair`: two accesses of different times or lanes. Each number that may differ between them has two unknowns;
//!   parameters have one. Minimum and maximum are split into cases.
//! - `cover`: whether stores reach every element of a tensor, as a chain of such questions along each axis.
//! - `upper_bounds`, `search`, `polynomials`: upper bounds of products of numbers that are not constant, and of values
//!   that depend on the path.
//! - `one_row_cover`: as `cover`, by polynomials, for tensors with one axis, and for several loops and stores in turn.
//! - `products`: lemmas about products of two numbers that are not constant, and quotients.
//! - `system`: Fourier-Motzkin elimination over integers.
//!
//! # Invariant
//! Nothing possible is excluded (`nothing_possible_is_excluded`, `integers_are_not_fractions`). What takes more than
//! its fuel is not decided, which leaves a property open and never proves it.

mod cover;
mod disjointness;
mod one_row_cover;
mod pair;
mod places;
mod polynomials;
mod products;
mod search;
mod system;
mod upper_bounds;

pub use cover::{Cover, Stores};
pub use disjointness::{AtLeast, Disjointness, Meeting};
pub use one_row_cover::{StoredKind, StoredPart, StoredRow};
pub use pair::Relation;
pub use places::{Extent, Place, Places};
