//! AscendC kernels: objects and calls of the device API in C++ sources, traced into programs.
//!
//! - The prelude (`prelude.h`) declares what is plain text: enumerations, parameter structs, constants, and every
//!   function
//!   with its overloads, default arguments and conversions. A function without a body is an instruction.
//! - `matmul.h` implements Matmul objects in C++: their settings are members, and `IterateAll` is one
//!   instruction.
//! - [`library`] gives a meaning to those, and to the types that have objects with a state: pipes, queues, buffers,
//!   tensors. Each is a value of the evaluator ([`objects`]).
//! - [`kernels`] finds the entries of a file and how they are started.
//!
//! # Where to start reading
//! `trace` in `trace.rs` goes from a file to its programs. A call of the API arrives at `AscendC::call` or `method`
//! (`library.rs`); `vector`, `cube`, `moves.rs`, `sync.rs` and `pipe.rs` turn it into instructions, with arguments read
//! through `cx.rs` and emitted through `emission.rs`. `host` evaluates code of the host for its launches (`started` in
//! `host/mod.rs`, with its own library), and `host::add` binds them to programs; `instances.rs` lists the instances of
//! an entry, and `project` reads the declarations of the operator's host code.
//!
//! # Invariants
//! - What is not modelled makes what it receives unknown, at a named place.
//! - State lives in cells of the evaluator alone, which go back to former states where control of the program asks
//!   for it.
//! - The launches of host code contain only numbers that the sources determine: no number comes from outside or may
//!   change (`host` tests).
//! - Values agree with NumPy (`tests/ascendc/golden`), words are those of AscendC and sound kernels have no finding
//!   (`tests/it/ascendc_words.rs`).
//!
//! # What it can miss
//! Library functions with hidden buffers are not modelled (`docs/ascendc.md`), nor is the memory that Matmul objects
//! use on the cube. Queues hand out and take back buffers in order; any other order is unknown.

// A position that is not checked panics inside of a character: `text::Slice` takes any.
#![cfg_attr(not(test), warn(clippy::string_slice))]

mod addresses;
mod cube;
mod cx;
mod effects;
mod elements;
mod emission;
mod fields;
mod given;
mod havoc;
mod host;
mod instances;
mod kernels;
mod library;
mod moves;
mod names;
mod numbers;
mod objects;
mod pipe;
mod prelude;
mod project;
mod sync;
mod tensor_methods;
mod tensors;
mod trace;
mod types;
mod vector;

pub use kernels::may_have as may_have_kernels;
pub use project::{KERNELS, is_of_project};
pub use trace::{concerns, trace};
