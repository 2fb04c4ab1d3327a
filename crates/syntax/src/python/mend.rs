//! Repair of Python texts in which one mistake swallows what follows.
//!
//! - A bracket that is never closed makes the parser read everything after it as one expression.
//! - If no statement can end at a line break, the grammar skips it like a space: after `a =`, it reads on in the next
//!   line, without an error.
//!
//! The statement at fault is replaced by a placeholder, and the text is parsed again.

use super::flat::{Flat, Node};
use super::parse::Reader;
use super::scan::Scan;
use a2lint_source::text::{Slice, Span};

/// A repaired tree.
pub(super) struct Mended {
    /// The tree of the text with placeholders.
    pub tree: Flat,
    /// The spans of the placeholders, in source order.
    pub masked: Vec<Span>,
}

/// Number of times that a text is parsed again. A round rarely uncovers more than the next one repairs.
const ROUNDS: usize = 4;
/// The placeholder of a statement.
const STATEMENT: &str = "0";
/// The placeholder of the head of a statement with a block.
const HEAD: &str = "if 0:";
/// The placeholder of the head of a definition, which may follow decorators.
const DEFINITION: &str = "def _():";
/// Keywords that start the head of a block.
const HEAD_WORDS: &[&str] = &[
    "elif", "else", "except", "for", "if", "try", "while", "with",
];
/// Keywords that start a definition, or in the case of `async` may.
const DEFINITION_WORDS: &[&str] = &["async", "class", "def"];

/// Replaces statements that swallow others, and parses again; `None` if there are no such statements.
pub(super) fn mend(tree: &Flat, text: &str, reader: &mut Reader) -> Option<Mended> {
    let mut bad = match tree.root().has_error() {
        true => unclosed(text),
        false => Vec::new(),
    };
    if bad.is_empty() {
        bad = torn(tree, text);
    }
    if bad.is_empty() {
        return None;
    }
    let original = text;
    let mut text = text.to_owned();
    let mut masked = Vec::new();
    let mut mended = None;
    for _ in 0..ROUNDS {
        text = blanked(&text, &bad);
        masked.extend(bad.iter().map(|statement| statement.span));
        let tree = mended.insert(Flat::new(&reader.read(&text)?, original));
        bad = torn(tree, &text);
        if bad.is_empty() {
            break;
        }
    }
    masked.sort();
    masked.dedup_by_key(|mask| mask.start);
    let tree = mended?;
    Some(Mended { tree, masked })
}

/// Returns `text` with placeholders for the statements `bad`, which must be in source order.
fn blanked(text: &str, bad: &[Statement]) -> String {
    let mut blanked = String::with_capacity(text.len());
    for statement in bad {
        let range = statement.span.range();
        blanked.push_str(text.part(blanked.len()..range.start));
        blanked.push_str(&placeholder(text.part(range), statement.is_head));
    }
    blanked.push_str(text.part(blanked.len()..));
    blanked
}

/// Returns a placeholder with as many bytes as `text` and the same line breaks.
fn placeholder(text: &str, is_head: bool) -> String {
    let word = match is_head {
        true if starts_with_word(text, DEFINITION_WORDS) => DEFINITION,
        true => HEAD,
        false => STATEMENT,
    };
    // The text may be too short for its placeholder (`if(`).
    let word = if word.len() <= text.len() {
        word
    } else {
        STATEMENT
    };
    let rest = text.bytes().skip(word.len());
    let blanks = rest.map(|byte| if byte == b'\n' { '\n' } else { ' ' });
    word.chars().chain(blanks).collect()
}

/// Returns whether a statement starts with a keyword that opens a block or a definition.
pub(super) fn starts_like_head(code: &str) -> bool {
    starts_with_word(code, HEAD_WORDS) || starts_with_word(code, DEFINITION_WORDS)
}

fn starts_with_word(code: &str, words: &[&str]) -> bool {
    let word = code.split(|c: char| !c.is_alphanumeric()).next();
    word.is_some_and(|word| words.contains(&word))
}

/// A statement of the text.
#[derive(Clone, Copy, Default)]
struct Statement {
    /// The span from the first character to the end of the last line read so far.
    span: Span,
    indent: usize,
    /// Whether the line starts like the head of a block.
    may_be_head: bool,
    /// Whether the line also ends like the head of a block.
    is_head: bool,
}

/// Returns the statements in which a bracket is not closed, judged by the indentation of the next lines.
fn unclosed(text: &str) -> Vec<Statement> {
    let mut found = Vec::new();
    let mut scan = Scan::default();
    let mut open = Statement::default();
    for line in lines(text) {
        if !scan.in_string() && line.has_code() {
            if scan.depth > 0 && line.starts_statement(&open) {
                found.push(open);
                scan.close_all();
            }
            if scan.depth == 0 && !scan.continued {
                open = line.statement();
            }
        }
        scan.line(line.text.as_bytes());
        open.span.end = open.span.end.max(line.end() as u32);
        open.is_head |= open.may_be_head && line.ends_head();
    }
    if scan.depth > 0 && !scan.in_string() {
        found.push(open);
    }
    found
}

/// A line of the text.
struct Line<'t> {
    /// Offset of the line in the text.
    start: usize,
    /// The line including its line break.
    text: &'t str,
}

fn lines(text: &str) -> impl Iterator<Item = Line<'_>> {
    let mut start = 0;
    text.split_inclusive('\n').map(move |text| {
        let line = Line { start, text };
        start += text.len();
        line
    })
}

impl Line<'_> {
    fn code(&self) -> &str {
        self.text.trim()
    }

    fn has_code(&self) -> bool {
        !self.code().is_empty() && !self.code().starts_with('#')
    }

    fn indent(&self) -> usize {
        self.text.len() - self.text.trim_start().len()
    }

    /// Returns the offset of the first character that is not white space.
    fn first(&self) -> usize {
        self.start + self.indent()
    }

    /// Returns the offset after the last character that is not white space.
    fn end(&self) -> usize {
        self.start + self.text.trim_end().len()
    }

    fn statement(&self) -> Statement {
        Statement {
            span: Span::new(self.first(), self.end()),
            indent: self.indent(),
            may_be_head: starts_like_head(self.code()),
            is_head: false,
        }
    }

    /// Returns whether the line starts a statement of its own, although a bracket is open: it is indented no further
    /// than the open statement, or the open statement is a complete head.
    fn starts_statement(&self, open: &Statement) -> bool {
        let closes = self.code().starts_with([')', ']', '}']);
        !closes && (self.indent() <= open.indent || open.is_head)
    }

    fn ends_head(&self) -> bool {
        let code = self.code().split('#').next().unwrap_or("");
        code.trim_end().ends_with(':')
    }
}

/// Returns lines that the parser continued on the next one without a bracket or backslash. Of overlapping ones, the
/// first is kept.
fn torn(tree: &Flat, text: &str) -> Vec<Statement> {
    let mut found = read_on(tree, text);
    found.sort_by_key(|statement| statement.span);
    found.dedup_by(|next, before| next.span.start < before.span.end);
    found
}

fn read_on(tree: &Flat, text: &str) -> Vec<Statement> {
    let mut found = Vec::new();
    let mut next = Some(tree.root());
    while let Some(node) = next {
        let logical = logical_line(node);
        if let Some(logical) = &logical {
            found.extend(pieces(text, logical.span));
        }
        let is_simple = logical.is_some_and(|logical| !logical.has_block);
        next = match is_simple {
            true => node.behind(),
            false => node.following(),
        };
    }
    found
}

/// A node that Python requires to be one logical line: a simple statement, or the head of a compound one.
struct Logical {
    span: Span,
    has_block: bool,
}

fn logical_line(node: Node) -> Option<Logical> {
    let kind = node.kind();
    let is_line = match kind {
        "decorated_definition" => false,
        "elif_clause" | "except_clause" => true,
        _ => kind.ends_with("_statement") || kind.ends_with("_definition"),
    };
    if !is_line || !node.is_named() {
        return None;
    }
    let block = node.children().find(|child| child.kind() == "block");
    let end = block.map_or(node.end_byte(), |block| block.start_byte());
    Some(Logical {
        span: Span::new(node.start_byte(), end),
        has_block: block.is_some(),
    })
}

/// Returns the logical lines in `span` except for the last one, which may be correct.
fn pieces(text: &str, span: Span) -> Vec<Statement> {
    let text = text.get(span.range()).unwrap_or("").trim_end();
    if !text.contains('\n') {
        return Vec::new();
    }
    let mut pieces = Vec::new();
    let mut scan = Scan::default();
    let mut open: Option<Span> = None;
    for line in lines(text) {
        if line.has_code() {
            if scan.may_end() {
                pieces.extend(open.take());
            }
            let start = open.map_or(line.first(), |open| open.range().start);
            open = Some(Span::new(start, line.end()));
        }
        scan.line(line.text.as_bytes());
    }
    let statement = |piece: Span| Statement {
        span: Span::new(
            span.range().start + piece.range().start,
            span.range().start + piece.range().end,
        ),
        ..Statement::default()
    };
    pieces.into_iter().map(statement).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_unclosed_statements_are_blanked() {
        let text = "a = f(\n  1,\n)\nb = g(x,\n  # 汉\nc = \"(\" # (\n\nfor i in h(:\n  d\n";
        let blanked = blanked(text, &unclosed(text));
        assert_eq!(blanked.len(), text.len());
        let lines: Vec<_> = blanked.lines().map(str::trim_end).collect();
        let expected = [
            "a = f(",
            "  1,",
            ")",
            "0",
            "",
            "c = \"(\" # (",
            "",
            "if 0:",
            "  d",
        ];
        assert_eq!(lines, expected);
    }

    #[test]
    fn strings_and_closed_brackets_are_left_alone() {
        let text = "a = '''(\n(\n'''\nb = f(\n  1)\nc = 'it\\'s ('\n";
        assert!(unclosed(text).is_empty());
    }

    #[test]
    fn logical_lines() {
        let spans = |text: &str| -> Vec<_> {
            let pieces = pieces(text, Span::new(0, text.len())).into_iter();
            pieces.map(|piece| piece.span).collect()
        };
        assert_eq!(spans("a =\nb = \\\n  c"), [Span::new(0, 3)]);
        assert_eq!(
            spans("a = (\n1)\n+ # x\n# y\n  b"),
            [Span::new(0, 8), Span::new(9, 14)]
        );
        assert!(spans("a = (\n1) + '''\n''' + 'a\\\nb'").is_empty());
    }
}
