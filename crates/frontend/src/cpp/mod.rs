//! Shared parts of the readers of mask instructions in C++: constants, names, templates, and the walk through a
//! function.
//!
//! A file is read with those of its project that it is compiled with (`a2lint_project::Headers`). `collect` brings what
//! is compiled together into an `Environment`: names at file level by namespace. A name with two definitions (for two
//! builds) has no known value. `evaluate` is what a compiler knows of constants and types, `classes` of classes with
//! their specialisations and bases, `functions` of functions; `members` finds the members that are written once, with a
//! constant.
//!
//! `instances` searches a translation unit for the instances that it makes of its templates: explicit instantiations,
//! also through macros; calls with arguments that are given, deduced (`deduce`) or left to defaults; variables of
//! class templates. A function of a template is walked once for each instance, and so is a function to which a
//! visible call passes numbers (`calls`); each is a kernel of its own, named with its arguments.
//!
//! `walk` goes through the statements of a function, and a `Dialect` adds what AscendC or PTO mean by a call.
//!
//! # What it can miss
//! Calls that several overloads may mean, and branches of `if constexpr` that are not decided here, make no instance. A
//! template without an instance is walked with its parameters unknown and is reported as not analysed. Conditions of
//! the preprocessor are decided where they ask for macros that files in sight surely define (`preprocessor`), or that
//! say for which product is compiled (`products`); of any other condition both sides are read. Evaluation is bounded in
//! depth and work (`tests/it/cpp_constants.rs`, `tests/it/cpp_projects.rs`).

mod arguments;
mod arithmetic;
mod calls;
mod classes;
mod collect;
mod deduce;
mod dialect;
mod environment;
mod evaluate;
mod functions;
mod instance;
mod instances;
mod members;
mod preprocessor;
mod products;
mod statements;
mod traits;
mod walk;

pub use dialect::{Call, ClassFacts, Dialect, Role, Site};
pub use environment::{Binding, Entity, Environment};
pub use members::{declared, mentions};
pub use walk::{Sources, folders, root, walk};
