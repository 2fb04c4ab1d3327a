//! Python at trace time: the evaluation of its objects, functions and libraries. No Python code is run; every
//! evaluation costs steps of the tracer, which are bounded.
//!
//! The kind of the callee decides the meaning of a call (`calls`). Containers are shared and changed in place,
//! iterators produce items on request (`iterators`), and a `yield` evaluates the body of the `for` or `with` around it
//! (`generated`, `generators`). An exception propagates to its handler (`exceptions`). Classes, instances and
//! attributes follow Python's protocols (`classes`, `objects`, `attributes`, `overloads`).
//!
//! A known function of Python or of a library is a row of a table of functions; `native` lists the tables. A module
//! that is not known at all, and a function that no table has, give unknown values.
//!
//! # Invariant
//! A known value is the one that CPython computes: `tests/it/python/differential.rs` compares random programs,
//! fragments and snippets. A construct is exact or its value is unknown; ignoring a statement or a protocol is wrong.

pub(super) mod ambient;
mod argparse;
pub(super) mod arithmetic;
pub(super) mod attributes;
mod binding;
pub(super) mod builtins;
mod calls;
mod classes;
mod collections;
pub(super) mod containers;
mod decorators;
mod exceptions;
mod format;
mod functional;
mod functions;
pub(super) mod generated;
pub(super) mod generators;
mod introspection;
pub(super) mod iteration;
pub(super) mod iterators;
mod itertools;
pub(super) mod libraries;
pub(super) mod names;
pub(super) mod native;
pub(super) mod numbers;
pub(super) mod objects;
mod operators;
mod overloads;
mod patterns;
mod pytest;
mod sets;
mod text;
