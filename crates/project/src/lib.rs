//! The source map: which files belong to a text, their texts in one space of spans, and the way from a span to a file
//! and a place in it.
//!
//! A file refers to others by imports ([`Modules`], of Python) or includes ([`Headers`], of C++). [`Files`] reads
//! each of them once for all checks, and records the questions of a check, so that a cache knows what its result
//! depends on.
//!
//! # Modules
//! - `files`, `store`: `Files` is given functions that read and list, and shares parsed texts. `Files::recording`
//!   records each `Question` of a check. Questions are as narrow as possible: a text; whether a file exists; the
//!   names in a folder; the imports or includes by name; that a text does not mention a file. So an edit of a kernel
//!   invalidates that kernel and the files that read it, but not the 400 files that only asked whether it launches
//!   their kernels.
//! - `map`: `SourceMap` puts texts one after the other, so that a span names a place in any of them.
//! - `python`: imports of a module and the files that import it. `cpp`: headers by `#include "…"`, and, where a file
//!   has templates, the files next to and above it that include it; an index of the C++ files by name and by the names
//!   that they define, built in one walk (`cpp/tree.rs`).
//! - `disk`: the project of a path: the nearest folder above it with a mark (`.git`, `a2lint.toml` and others), or
//!   the folder that the user works in; the only functions here that read a disk.
//!
//! # What it must not know
//! Programs, and names of the DSLs: a front end distinguishes packages of DSLs and libraries by a function,
//! [`IsLibrary`].
//!
//! # Where to start reading
//! `Modules::read` and `Reader::follow` in `python/modules.rs`; `Headers::of` in `cpp/headers.rs`;
//! `Files::recording`; `Projects::of`.
//!
//! # Invariants
//! - Nothing outside of the project is read, nor hidden files or git's own (`modules_are_files_inside_of_the_root`,
//!   `what_is_hidden_is_not_read`; `hostile_neighbours_are_survived` in `tests/it/projects.rs`;
//!   `nothing_outside_of_the_project_is_read` in `tests/it/cpp_projects.rs`).
//! - Spans of two files never overlap (`places_of_files_never_meet`,
//!   `texts_that_are_joined_stand_on_lines_of_their_own`).
//! - Every question of a check is recorded: `Store`, which answers, is private to this crate, and a new kind of
//!   question needs a variant of `Question` (`what_other_files_say_matters`,
//!   `headers_and_those_who_include_them_matter` in `crates/lint/src/cache/tests.rs`).
//! - A project of many files is read once (`a_project_of_many_files_is_read_once` in `tests/it/projects.rs`).
//!
//! # What it can miss
//! A Python file is evaluated with at most 200 files of 4 MiB together, and 20 of 400 files are read for their
//! launches; a folder that nothing marks as a project is searched for headers in at most 1,024 folders; a C++ file is
//! compiled with at most 48 headers of 1 MiB together, and 16 of 400 files are searched for instances. What a bound
//! leaves out is listed in `SourceMap::not_read` and reported (`bounds_of_imports_are_named` in
//! `tests/it/project_bounds.rs`, `bounds_of_includes_are_shown` in `tests/it/cpp_projects.rs`).

// A position that is not checked panics inside of a character: `text::Slice` takes any.
#![cfg_attr(not(test), warn(clippy::string_slice))]

mod cpp;
mod disk;
mod files;
mod map;
mod python;
mod store;

pub use cpp::{CppText, Headers, Included, MAX_BYTES, Search, defined, folded_name, including};
pub use disk::{Projects, files, marked, of};
pub use files::{Files, Project, Question};
pub use map::{Line, Place, SourceMap};
pub use python::{Found, IsLibrary, Modules, PythonModule, PythonText};
pub use store::{Folder, Listing, Reading};
