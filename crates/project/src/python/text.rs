//! A Python file with its syntax, parsed once for all files that import it.

use super::imports::{Import, imports_of};
use a2lint_source::text::SourceText;
use a2lint_syntax::python::Syntax;

/// A Python file that has been parsed.
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

    /// Wraps a text that has been parsed into `syntax`.
    pub fn with(text: SourceText, syntax: Syntax) -> PythonText {
        let syntax = syntax.without_trees();
        let imports = imports_of(&syntax.file.body);
        PythonText {
            text,
            syntax,
            imports,
        }
    }

    /// Returns the text.
    pub fn text(&self) -> &SourceText {
        &self.text
    }

    /// Returns the syntax, without the parser's trees.
    pub fn syntax(&self) -> &Syntax {
        &self.syntax
    }

    /// Returns the imports.
    pub(crate) fn imports(&self) -> &[Import] {
        &self.imports
    }

    /// Returns the imports as a string, which is equal for equal imports.
    pub(crate) fn imports_text(&self) -> String {
        format!("{:?}", self.imports)
    }
}
