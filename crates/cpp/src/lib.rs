//! C++ as far as kernels are written in it: a translation unit is preprocessed, parsed and evaluated at trace time.
//!
//! - [`syntax`] turns the texts of a translation unit into typed syntax: the preprocessor expands macros and includes,
//!   a parser by recursive descent reads what is left, and spans name places in the texts as they are written. What
//!   precedes every file is read once (`syntax::Prelude`), and again for a file whose macros or names it uses; a
//!   `syntax::Reader` keeps the tokens of texts for further units of the same files.
//! - `eval` evaluates functions over that syntax. What is known when the kernel is compiled is computed with C++'s
//!   types; what parameters or data decide becomes a scalar of the program, and control over it becomes control of the
//!   program ([`a2lint_ir::build`]).
//! - A `Library` gives meaning to names that the sources do not define: types, functions and constants of a device API.
//!   This crate knows none.
//!
//! # Invariants
//! - A value is exactly what C++ makes of it, or unknown at a named place.
//! - Nothing here panics or recurses without a bound on text that is not C++.

// A position that is not checked panics inside of a character: `text::Slice` takes any.
#![cfg_attr(not(test), warn(clippy::string_slice))]

pub mod eval;
pub mod library;
pub mod syntax;
