//! Finds the comments and statements of a text from its characters alone.

use a2lint_source::language::Language;
use a2lint_source::text::{Slice, SourceText, Span};

/// Returns whether statements end with their line (unless a bracket is open) rather than with `;` or `{`.
fn ends_with_line(language: Language) -> bool {
    matches!(language, Language::Easyasc | Language::Mlir | Language::Pto)
}

/// Returns whether the language has block comments and preprocessor lines.
fn is_c(language: Language) -> bool {
    matches!(language, Language::Cpp | Language::Cuda)
}

/// Statements that cannot start inside brackets. If a line starts so, an open bracket was never closed.
const PYTHON_FRESH_STARTS: [&str; 6] = ["def ", "class ", "return ", "import ", "with ", "while "];

/// Comments and statements of a text.
#[derive(Debug)]
pub struct Layout {
    /// The language of the text.
    pub language: Language,
    /// Line comments, from their sign to the end of the line.
    pub comments: Vec<Span>,
    /// String literals and block comments.
    pub quoted: Vec<Span>,
    /// Statements from their first to their last character, headers of blocks without the block.
    pub statements: Vec<Span>,
}

impl Layout {
    /// Reads a text.
    pub fn of(text: &str, language: Language) -> Layout {
        let mut scanner = Scanner {
            text,
            bytes: text.as_bytes(),
            at: 0,
            depth: 0,
            statement: None,
            layout: Layout {
                language,
                comments: Vec::new(),
                quoted: Vec::new(),
                statements: Vec::new(),
            },
        };
        scanner.run();
        scanner.layout
    }

    /// Returns the statement that a comment belongs to: the one around it, else the last one that ends on its
    /// line, else the next one. Decorators belong to the definition that follows.
    pub fn statement_of(&self, source: &SourceText, comment: Span) -> Span {
        let next = self
            .statements
            .partition_point(|statement| statement.end <= comment.start);
        let line = source.line_index(comment.start);
        let on_line = |span: &&Span| source.line_index(span.end) == line;
        let before = next.checked_sub(1).and_then(|at| self.statements.get(at));
        let around = self
            .statements
            .get(next)
            .filter(|statement| statement.start <= comment.start);
        match (around, before.filter(on_line)) {
            (Some(around), _) => *around,
            (None, Some(before)) => *before,
            (None, None) => self.decorated(source, next).unwrap_or(comment),
        }
    }

    fn decorated(&self, source: &SourceText, first: usize) -> Option<Span> {
        let statements = self.statements.get(first..)?;
        let is_decorator = |span: &&Span| source.slice(**span).starts_with('@');
        let decorators = match self.language {
            Language::Easyasc => statements.iter().take_while(is_decorator).count(),
            _ => 0,
        };
        let last = statements.get(decorators).or(statements.last())?;
        Some(statements[0].to(*last))
    }
}

struct Scanner<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    /// Number of open brackets.
    depth: usize,
    /// Start and end of the statement that is being read.
    statement: Option<(usize, usize)>,
    layout: Layout,
}

impl Scanner<'_> {
    fn run(&mut self) {
        let language = self.layout.language;
        while let Some(&byte) = self.bytes.get(self.at) {
            match byte {
                b'#' if language == Language::Easyasc => self.comment(),
                b'/' if language != Language::Easyasc && self.rest().starts_with(b"//") => {
                    self.comment()
                }
                b'/' if is_c(language) && self.rest().starts_with(b"/*") => self.block_comment(),
                b'"' | b'\'' if self.opens_text() => self.text_literal(byte),
                // A backslash continues the line or escapes the next character; CRLF counts as one character.
                b'\\' if self.rest().starts_with(b"\\\r\n") => self.at += 3,
                b'\\' => self.at += 2,
                b'\n' => self.newline(),
                byte if byte.is_ascii_whitespace() => self.at += 1,
                byte => self.code(byte),
            }
        }
        self.end_statement();
    }

    fn rest(&self) -> &[u8] {
        &self.bytes[self.at..]
    }

    /// Returns whether a quote starts a literal. The apostrophe of a number (`1'000`) does not.
    fn opens_text(&self) -> bool {
        let inside_number = self.at > 0 && self.bytes[self.at - 1].is_ascii_digit();
        self.layout.language == Language::Easyasc || self.bytes[self.at] == b'"' || !inside_number
    }

    fn comment(&mut self) {
        let length = self.rest().iter().position(|&byte| byte == b'\n');
        let end = length.map_or(self.bytes.len(), |length| self.at + length);
        let text = self.text.part(self.at..end);
        let span = Span::new(self.at, self.at + text.trim_end().len());
        self.layout.comments.push(span);
        self.at = end;
    }

    fn block_comment(&mut self) {
        let length = self.text.part(self.at + 2..).find("*/");
        let end = length.map_or(self.bytes.len(), |length| self.at + length + 4);
        self.layout.quoted.push(Span::new(self.at, end));
        self.at = end;
    }

    fn text_literal(&mut self, quote: u8) {
        let start = self.at;
        let triple = [quote; 3];
        let is_triple =
            self.layout.language == Language::Easyasc && self.rest().starts_with(&triple);
        self.at += if is_triple { 3 } else { 1 };
        while let Some(&byte) = self.bytes.get(self.at) {
            match byte {
                b'\\' => self.at += 1,
                b'\n' if !is_triple => break,
                _ if is_triple && self.rest().starts_with(&triple) => {
                    self.at += 3;
                    break;
                }
                _ if !is_triple && byte == quote => {
                    self.at += 1;
                    break;
                }
                _ => {}
            }
            self.at += 1;
        }
        self.at = self.at.min(self.bytes.len());
        self.layout.quoted.push(Span::new(start, self.at));
        self.extend(start, self.at);
    }

    fn newline(&mut self) {
        self.at += 1;
        let language = self.layout.language;
        if ends_with_line(language) && (self.depth == 0 || self.starts_afresh()) {
            self.end_statement();
        }
        // A preprocessor line is a statement without a terminator.
        if is_c(language)
            && self
                .statement
                .is_some_and(|(start, _)| self.bytes[start] == b'#')
        {
            self.end_statement();
        }
    }

    fn starts_afresh(&self) -> bool {
        let line = self.text.get(self.at..).unwrap_or("");
        let line = line.trim_start_matches([' ', '\t']);
        let mut starts = PYTHON_FRESH_STARTS.iter();
        self.layout.language == Language::Easyasc && starts.any(|start| line.starts_with(start))
    }

    fn code(&mut self, byte: u8) {
        let ends_with_line = ends_with_line(self.layout.language);
        match byte {
            b'{' | b'}' if self.is_block_brace(byte) => return self.terminate(),
            b';' if self.depth == 0 && !ends_with_line => return self.terminate(),
            b'(' | b'[' => self.depth += 1,
            b')' | b']' => self.depth = self.depth.saturating_sub(1),
            b'{' if self.layout.language != Language::Mlir => self.depth += 1,
            b'}' if self.layout.language != Language::Mlir => {
                self.depth = self.depth.saturating_sub(1)
            }
            _ => {}
        }
        let start = self.at;
        self.at += 1;
        self.extend(start, self.at);
    }

    /// Returns whether the brace here delimits a block rather than values or operands. A closing brace at the start of
    /// a line ends a function, even with brackets left open in it.
    fn is_block_brace(&self, byte: u8) -> bool {
        if ends_with_line(self.layout.language) {
            return false;
        }
        let starts_line = self.at == 0 || self.bytes[self.at - 1] == b'\n';
        let text = self
            .statement
            .map_or("", |(start, end)| self.text.part(start..end));
        match byte {
            b'}' => self.depth == 0 || starts_line,
            _ if text.is_empty() => true,
            _ if self.layout.language == Language::Ptx => text.starts_with('.'),
            _ => self.depth == 0 && !text.ends_with(['=', ',', '{']),
        }
    }

    /// Ends the statement at a terminator, which is skipped.
    fn terminate(&mut self) {
        self.end_statement();
        self.at += 1;
    }

    fn extend(&mut self, start: usize, end: usize) {
        let first = self.statement.map_or(start, |(first, _)| first);
        self.statement = Some((first, end));
    }

    fn end_statement(&mut self) {
        self.depth = 0;
        if let Some((start, end)) = self.statement.take() {
            self.layout.statements.push(Span::new(start, end));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn statements(text: &str, language: Language) -> Vec<String> {
        let source = SourceText::new(text);
        let layout = Layout::of(text, language);
        let slice = |span: &Span| source.slice(*span).to_owned();
        layout.statements.iter().map(slice).collect()
    }

    #[test]
    fn python_statements_follow_lines_and_brackets() {
        let text = "a = 1\nb = (\n  2,\n)\nif x:  # c\n    d\n\"\"\"doc\n# no\n\"\"\"\ne \\\n f\n";
        assert_eq!(
            statements(text, Language::Easyasc),
            [
                "a = 1",
                "b = (\n  2,\n)",
                "if x:",
                "d",
                "\"\"\"doc\n# no\n\"\"\"",
                "e \\\n f"
            ]
        );
    }

    #[test]
    fn c_statements_follow_semicolons_and_braces() {
        let text =
            "#define A(x) x \\\n + 1\nvoid f(int a) { g(a); int b[] = {1, 2}; }\n/* ; */ h();";
        assert_eq!(
            statements(text, Language::Cpp),
            [
                "#define A(x) x \\\n + 1",
                "void f(int a)",
                "g(a)",
                "int b[] = {1, 2}",
                "h()"
            ]
        );
    }

    #[test]
    fn unfinished_texts_are_read_to_their_end() {
        for text in [
            "'abc",
            "\"\"\"abc",
            "a \\",
            "(((",
            "/* x",
            "x = '\\",
            "汉'字",
            "\\汉",
        ] {
            for language in [
                Language::Easyasc,
                Language::Cpp,
                Language::Ptx,
                Language::Mlir,
            ] {
                Layout::of(text, language);
            }
        }
    }
}
