//! Python as it is evaluated while kernels are traced: what its objects, its functions and its
//! libraries mean. Nothing of it is run; all of it counts the tracer's steps.

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
