//! A file in Python with its syntax, read once for all that import it.

use super::imports::{Import, imports_of};
use a2lint_source::text::SourceText;
use a2lint_syntax::python::Syntax;

/// A file in Python that was read and parsed.
pub struct PythonText {
    text: SourceText,
    syntax: Syntax,
    imports: Vec<Import>,
}

impl PythonText {
    /// Parses a text.
    pub fn of(text: SourceText) -> PythonText {
        let syntax = Syntax::of(&text);
        PythonText::with(text, syntax)
    }

    /// A text that was parsed.
    pub fn with(text: SourceText, syntax: Syntax) -> PythonText {
        let syntax = syntax.without_trees();
        let imports = imports_of(&syntax.file.body);
        PythonText {
            text,
            syntax,
            imports,
        }
    }

    /// The text.
    pub fn text(&self) -> &SourceText {
        &self.text
    }

    /// What it comes to, without the parser's trees.
    pub fn syntax(&self) -> &Syntax {
        &self.syntax
    }

    /// Its imports.
    pub(crate) fn imports(&self) -> &[Import] {
        &self.imports
    }

    /// Its imports, as a text: equal texts import the same.
    pub(crate) fn imports_text(&self) -> String {
        format!("{:?}", self.imports)
    }
}
