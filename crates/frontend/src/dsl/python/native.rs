//! Known functions of Python and of its libraries.

use std::fmt;

use super::super::emit::Arguments;
use super::super::tracer::{Eval, Tracer};
use super::super::value::Value;
use a2lint_source::text::Span;

/// The source positions of a call.
#[derive(Clone, Copy)]
pub struct Site {
    /// The whole call.
    pub span: Span,
    /// The callee.
    pub name: Span,
    /// The object whose method is called; the whole call if there is none.
    pub receiver: Span,
}

impl Site {
    /// Returns the position of a call that no source text spells.
    pub fn at(span: Span) -> Site {
        Site {
            span,
            name: span,
            receiver: span,
        }
    }
}

/// Evaluates a call of the function.
pub type Call = for<'t, 'a> fn(&'t mut Tracer<'a>, &Arguments<'a>, Site) -> Eval<Value<'a>>;

/// A function of a library.
pub struct Native {
    /// The module; empty for builtins.
    pub module: &'static str,
    pub name: &'static str,
    pub call: Call,
}

impl Native {
    /// Returns whether the function is Python's `range`.
    pub fn is_range(&self) -> bool {
        (self.module, self.name) == ("", "range")
    }
}

impl PartialEq for Native {
    fn eq(&self, other: &Native) -> bool {
        // Rows are static, so identity is equality.
        std::ptr::eq(self, other)
    }
}

impl fmt::Debug for Native {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.module, self.name)
    }
}

/// Every known function, by subject.
const TABLES: &[&[Native]] = &[
    super::argparse::TABLE,
    super::builtins::TABLE,
    super::classes::TABLE,
    super::collections::TABLE,
    super::decorators::TABLE,
    super::functional::TABLE,
    super::introspection::TABLE,
    super::iteration::TABLE,
    super::itertools::TABLE,
    super::numbers::TABLE,
    super::operators::TABLE,
    super::super::tensors::FACTORIES,
    super::super::tensors::FUNCTIONS,
    super::super::tensors::METHODS,
];

/// Returns the function of a module with this name.
pub fn find(module: &str, name: &str) -> Option<&'static Native> {
    let mut all = TABLES.iter().copied().flatten();
    all.find(|native| native.name == name && native.module == module)
}

/// Returns the names of the known functions of a module.
pub fn names(module: &str) -> impl Iterator<Item = &'static str> {
    let all = TABLES.iter().copied().flatten();
    all.filter(move |native| native.module == module)
        .map(|native| native.name)
}

/// Accessors for functions of libraries.
impl<'a> Arguments<'a> {
    /// Returns the positional argument at an index.
    pub fn at(&self, at: usize) -> Option<&Value<'a>> {
        self.positional.get(at).map(|(value, _)| value)
    }

    /// Returns the value of a keyword.
    pub fn keyword(&self, name: &str) -> Option<&Value<'a>> {
        let mut keywords = self.keywords.iter();
        let found = keywords.find(|(keyword, _, _)| keyword == name);
        found.map(|(_, value, _)| value)
    }

    /// Returns the values of the positional arguments.
    pub fn plain(&self) -> Vec<Value<'a>> {
        self.positional
            .iter()
            .map(|(value, _)| value.clone())
            .collect()
    }

    /// Makes positional arguments.
    pub fn of(values: impl IntoIterator<Item = Value<'a>>, span: Span) -> Arguments<'a> {
        Arguments {
            positional: values.into_iter().map(|value| (value, span)).collect(),
            ..Arguments::default()
        }
    }
}
