//! AscendC kernels: objects and calls of the device API in C++ sources, traced into programs.
//!
//! The crate is new. It is the `Library` of AscendC for `a2lint-cpp`: it gives meaning to the types, functions and
//! constants that kernel sources use and do not define, and it finds kernels and their launches.
//!
//! # What it must not know
//! Analyses and rules. What follows a program asks `Program::toolchain`, never whether the kernel was C++.
//!
//! # Where to start reading
//! Until kernels are traced here, `GatherMask` calls of AscendC are read by `a2lint_frontend::ascendc`, which makes
//! `gather::Unit`s for the rules of the group `gather_mask`.
//!
//! # Invariants
//! - An instruction is a row of `a2lint-isa`: the API's names are spelled here, what a call does is not.
//! - An object or a call that is not understood leaves unknown contents and a named place, never a guess.
