//! The source map: which files belong to a text, their texts in one space of spans, and the way from a span to a
//! file and a place in it.
//!
//! A file names others by imports ([`Modules`], of Python) or headers ([`Headers`], of C++). [`Files`] reads each of
//! them once and writes down what was asked, so that a cache knows what a result depends on. Nothing but `disk` opens
//! a file: [`Files`] is given functions that read and list. What a name means that is no file is not known here: a
//! front end tells its facades and libraries by a function, [`IsLibrary`].

// A position that is not checked panics inside of a character: `text::Slice` takes any.
#![cfg_attr(not(test), warn(clippy::string_slice))]

mod cpp;
mod disk;
mod files;
mod map;
mod python;
mod store;

pub use cpp::{CppText, Headers, Included};
pub use disk::{Projects, files, marked, of};
pub use files::{Files, Project, Question};
pub use map::{Place, SourceMap};
pub use python::{Found, IsLibrary, Modules, PythonModule, PythonText};
pub use store::{Listing, Reading};
