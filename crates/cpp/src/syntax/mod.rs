//! From text to typed syntax.
//!
//! [`read`] preprocesses a file with all that it includes ([`preprocess`]) and parses the tokens ([`parse`]).

pub mod ast;
mod literals;
pub mod mistakes;
mod parse;
mod prelude;
mod preprocess;
mod symbols;
mod tokens;
pub mod walk;

use std::path::{Path, PathBuf};

use a2lint_project::Headers;
use a2lint_source::text::{SourceText, Span};

use self::ast::Unit;
pub use self::prelude::{Prelude, Reader};
pub use self::tokens::NOWHERE;

/// A file with the place where its spans start.
#[derive(Clone, Debug)]
pub struct Source {
    /// Its path: the name by which it is included only once.
    pub path: PathBuf,
    /// Its text.
    pub text: SourceText,
    /// Where its spans start.
    pub base: u32,
}

impl Source {
    /// Returns whether a place is in it.
    fn holds(&self, span: Span) -> bool {
        let end = u64::from(self.base) + self.text.as_str().len() as u64;
        self.base <= span.start && u64::from(span.start) <= end
    }
}

/// Finds the file that an include in a file means.
pub type Finder<'a> = dyn FnMut(&Path, &str) -> Option<Source> + 'a;

/// Macros and declarations that precede every file.
#[derive(Clone, Copy, Debug, Default)]
pub struct Settings<'a> {
    /// Macros that the compiler defines, with what they stand for.
    pub macros: &'a [(&'a str, &'a str)],
    /// Declarations that stand before the file. Their places are [`NOWHERE`].
    pub prelude: &'a str,
    /// Types that neither declares: `LocalTensor` is a template, `half` is none.
    pub types: &'a [&'a str],
    /// Class templates that neither declares.
    pub templates: &'a [&'a str],
    /// Function templates that neither declares.
    pub functions: &'a [&'a str],
}

/// Reads a translation unit.
pub fn read<'a>(source: Source, settings: &Settings<'_>, find: &'a mut Finder<'a>) -> Unit {
    Reader::default().read(source, settings, find)
}

/// Reads a file with the headers of its project.
pub fn read_file(headers: &Headers, path: &Path, settings: &Settings<'_>) -> Unit {
    let source = Source {
        path: path.to_owned(),
        text: headers.map.own.clone(),
        base: 0,
    };
    let mut find = |includer: &Path, name: &str| {
        let found = headers.included(includer, name)?;
        Some(Source {
            path: found.path.to_owned(),
            text: found.text.clone(),
            base: u32::try_from(found.base).ok()?,
        })
    };
    read(source, settings, &mut find)
}
