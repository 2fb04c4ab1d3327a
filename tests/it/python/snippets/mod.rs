//! Short programs on features that evaluators often get wrong, by subject. Each is compared with CPython.

mod classes;
mod containers;
mod control;
mod exact;
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
    exact::SNIPPETS,
    functions::SNIPPETS,
    libraries::SNIPPETS,
    members::SNIPPETS,
    scopes::SNIPPETS,
    text::SNIPPETS,
    unknown::SNIPPETS,
];
