//! C++ files, which refer to others by `#include "…"`.

mod headers;
mod includes;
mod text;
mod tree;

pub use headers::{Headers, Included, Search, including};
pub(crate) use includes::includes;
pub(crate) use text::Starts;
pub use text::{CppText, MAX_BYTES};
pub(crate) use tree::Tree;
pub use tree::{defined, folded_name};
