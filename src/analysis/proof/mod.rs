//! What linear arithmetic shows of the places that accesses touch.

mod apart;
mod places;
mod system;

pub use apart::{Apart, Relation};
pub use places::{Extent, Place, Places};
