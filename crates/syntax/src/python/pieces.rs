//! Splits a file into pieces that are parsed separately: each definition at the outermost level, and the code between
//! definitions.
//!
//! An edit changes one piece, and a mistake damages one: a bracket that is never closed cannot swallow the
//! definitions after it.

use super::scan::Scan;
use a2lint_source::text::{Slice, Span};

/// The kinds of lines without indentation, and of pieces.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Decorators whose definition has not started yet.
    Decorators,
    /// A definition.
    Definition,
    /// Anything else.
    Others,
}

/// Splits a text into pieces, in order and without gaps. If the text is valid Python, each piece is, and the
/// statements of the pieces are those of the text.
pub(super) fn pieces(text: &str) -> Vec<Span> {
    let mut cutter = Cutter::default();
    let mut at = 0;
    let breaks = memchr::memchr_iter(b'\n', text.as_bytes());
    for next in breaks.map(|at| at + 1).chain([text.len()]) {
        let line = text.part(at..next);
        if let Some(kind) = started(line) {
            cutter.statement(kind, at);
        }
        cutter.scan.line(line.as_bytes());
        at = next;
    }
    let ends = cutter.cuts.iter().skip(1).copied().chain([at]);
    let pieces = cutter.cuts.iter().zip(ends);
    pieces.map(|(&start, end)| Span::new(start, end)).collect()
}

/// Returns the kind of line; `None` if it is indented or has no code that could start a statement.
fn started(line: &str) -> Option<Kind> {
    let first = *line.as_bytes().first()?;
    match first {
        b' ' | b'\t' | b'\x0c' | b'\r' | b'\n' | b'#' | b')' | b']' | b'}' => None,
        b'@' => Some(Kind::Decorators),
        _ => match opens_definition(line) {
            true => Some(Kind::Definition),
            false => Some(Kind::Others),
        },
    }
}

/// Returns whether a line starts with keywords that cannot continue an expression.
fn opens_definition(line: &str) -> bool {
    let mut words = line.split_ascii_whitespace();
    match words.next() {
        Some("async") => words.next() == Some("def"),
        first => matches!(first, Some("def" | "class")),
    }
}

struct Cutter {
    scan: Scan,
    /// The offsets at which pieces start.
    cuts: Vec<usize>,
    /// The kind of the last piece.
    kind: Kind,
    /// Inside of an open bracket, the offset of the first of the preceding lines that look like decorators.
    decorated: Option<usize>,
}

impl Default for Cutter {
    fn default() -> Self {
        Cutter {
            scan: Scan::default(),
            cuts: vec![0],
            kind: Kind::Others,
            decorated: None,
        }
    }
}

impl Cutter {
    /// Processes a line that has no indentation.
    fn statement(&mut self, kind: Kind, at: usize) {
        // Such a line continues a string or the line before.
        if self.scan.in_string() || self.scan.continued {
            return;
        }
        match self.scan.depth {
            0 => self.outside(kind, at),
            _ => self.inside(kind, at),
        }
    }

    fn outside(&mut self, kind: Kind, at: usize) {
        let goes_on = match self.kind {
            Kind::Decorators => kind != Kind::Others,
            Kind::Definition => false,
            Kind::Others => kind == Kind::Others,
        };
        if !goes_on {
            self.cut(at);
        }
        self.kind = kind;
        self.decorated = None;
    }

    /// Processes a line inside of an open bracket. A definition cannot start there, so the bracket was never closed.
    fn inside(&mut self, kind: Kind, at: usize) {
        match kind {
            // A matrix product may continue with `@`, so the cut is made only once a definition follows.
            Kind::Decorators => {
                self.decorated.get_or_insert(at);
            }
            Kind::Definition => {
                if self.kind != Kind::Decorators {
                    self.cut(self.decorated.unwrap_or(at));
                }
                self.kind = Kind::Definition;
                self.decorated = None;
                self.scan.close_all();
            }
            Kind::Others => self.decorated = None,
        }
    }

    /// Starts a piece at an offset; the first piece starts at 0 without it.
    fn cut(&mut self, at: usize) {
        if at > 0 {
            self.cuts.push(at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(text: &str) -> Vec<&str> {
        pieces(text).iter().map(|it| &text[it.range()]).collect()
    }

    #[test]
    fn definitions_stand_alone() {
        let expected = [
            "import a\nx = [\n1,\n]\n\n",
            "@k(\n  1\n)\n# why\n@m\ndef f():\n    x\n\n    y\n# behind\n",
            "async def g(): pass\n",
            "class A:\n    def f(): pass\n",
            "if x:\n  1\nelse:\n  2\ndefault = 1",
        ];
        assert_eq!(cut(&expected.concat()), expected);
        assert_eq!(cut(""), [""]);
        assert_eq!(cut("def f(): pass"), ["def f(): pass"]);
    }

    #[test]
    fn strings_brackets_and_backslashes_hide_definitions() {
        for text in [
            "x = '''\ndef f():\n'''\n",
            "x = 1 + \\\ndef\n",
            "x = (1,\n@ y,\nz)\n",
            "x = f(\ndef_x=1,\nclass_=2)\n",
            "x = [y\nasync for y in z]\n",
        ] {
            assert_eq!(cut(text), [text]);
        }
    }

    #[test]
    fn a_definition_ends_what_is_open() {
        let expected = [
            "x = f(1,\n",
            "@k\n@l\ndef f():\n    g(\n",
            "def g(): pass\n",
        ];
        assert_eq!(cut(&expected.concat()), expected);
        let decorator = "@kernel(\ndef f():\n    pass\n";
        assert_eq!(cut(decorator), [decorator]);
    }
}
