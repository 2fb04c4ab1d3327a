//! Models the selections of mask instructions, independently of any source language.

mod element;
pub mod gather;
pub mod instruction_descriptor;
pub mod mma_form;
mod target;
pub mod tile_select;
pub mod zero_column;

pub use element::Element;
pub use target::{Target, Targets, Verdict};
