//! What linear arithmetic shows of the places that accesses touch.

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
