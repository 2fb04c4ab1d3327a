//! Other files of the project: those that a file imports, and those that import it.
//!
//! Nothing here touches the file system: [`Files`] is given functions that read and list.

mod files;
mod resolve;
mod store;
mod unit;

pub use files::{Files, Project, Question};
pub use store::{Listing, Reading, Source};
pub use unit::Unit;
pub(super) use unit::{Found, Loading};
