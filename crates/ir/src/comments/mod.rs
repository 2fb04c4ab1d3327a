//! What comments above a kernel say of its launches: `a2lint: launch(…)`, `assume(…)`, `shapes(…)`.
//!
//! Comments start with `#` or `//`, whatever the language is; a front end says where they are.

pub mod contracts;
pub mod launches;
