//! C++ files, which refer to others by `#include "…"`.

mod headers;
mod includes;
mod text;

pub use headers::{Headers, Included};
pub(crate) use includes::includes;
pub use text::CppText;
pub(crate) use text::Starts;
