//! Short programs that look for what an evaluator gets wrong, by subject. Each is held against CPython.

mod classes;
mod containers;
mod control;
mod functions;
mod libraries;
mod members;
mod scopes;
mod text;
mod unknown;

/// The programs of each subject.
pub const SNIPPETS: &[&[&str]] = &[
    classes::SNIPPETS,
    containers::SNIPPETS,
    control::SNIPPETS,
    functions::SNIPPETS,
    libraries::SNIPPETS,
    members::SNIPPETS,
    scopes::SNIPPETS,
    text::SNIPPETS,
    unknown::SNIPPETS,
];
