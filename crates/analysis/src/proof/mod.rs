//! Proofs about the places that accesses touch, by linear arithmetic.

mod apart;
mod cover;
mod pair;
mod places;
mod products;
mod system;

pub use apart::{Apart, AtLeast, Meeting};
pub use cover::{Cover, Stores};
pub use pair::Relation;
pub use places::{Extent, Place, Places, Workers};
