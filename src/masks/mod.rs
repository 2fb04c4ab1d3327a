//! What mask instructions select: pure models, free of any source language.

pub mod instruction_descriptor;
pub mod zero_column;
