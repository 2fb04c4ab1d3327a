//! Tree to typed syntax.
//!
//! Recursion is bounded by [`MAX_DEPTH`], in the tree that is read and thereby in the tree that is
//! built: whoever walks, clones or drops a [`File`] may recurse.

use smallvec::SmallVec;
use tree_sitter::Tree;
use unicode_normalization::UnicodeNormalization;

use super::ast::*;
use super::flat::{Flat, Node};
use super::indent::misplaced;
use super::literal;
use super::mend::mend;
use super::parse::Reader;
use super::shift::Shift;
use a2lint_source::text::Span;

mod expressions;
mod patterns;
mod statements;

/// Expressions and statements nested deeper than this become errors.
pub const MAX_DEPTH: usize = 200;

/// Children of one node.
type Nodes<'t> = SmallVec<[Node<'t>; 8]>;

/// Lowers the tree of a text that starts at `base` of its file. Linear in the size of the tree.
///
/// Where a statement swallows others (an unclosed bracket, a value that is missing at the end of a
/// line), the text is parsed once more without it, so that the mistake costs no more than that.
pub(super) fn lower(tree: &Tree, text: &str, base: u32, reader: &mut Reader) -> File {
    let flat = Flat::new(tree, text);
    let mut file = match mend(&flat, text, reader) {
        Some(mended) => lower_masked(&mended.tree, text, &mended.masked),
        None => lower_masked(&flat, text, &[]),
    };
    if base > 0 {
        file.shift(base);
    }
    file
}

/// Lowers a tree of `text` in which placeholders stand at `masked`.
fn lower_masked(tree: &Flat, text: &str, masked: &[Span]) -> File {
    let mut lowering = Lowering {
        text,
        masked,
        depth: 0,
        yields: false,
        class: String::new(),
        errors: Vec::new(),
    };
    let body = lowering.statements(tree.root());
    let comments = lowering.survey(tree);
    let mut errors = lowering.errors;
    errors.extend(masked.iter().map(|&span| SyntaxError {
        span,
        reason: ErrorReason::Unparsed,
    }));
    errors.extend(misplaced(text));
    errors.sort_by_key(|error| (error.span.start, std::cmp::Reverse(error.span.end)));
    errors.dedup();
    File {
        body,
        errors,
        comments,
    }
}

/// State of one lowering.
struct Lowering<'s> {
    text: &'s str,
    masked: &'s [Span],
    depth: usize,
    /// Whether the function being read has a `yield`.
    yields: bool,
    /// The name of the innermost class around; empty outside of classes.
    class: String,
    errors: Vec<SyntaxError>,
}

impl Lowering<'_> {
    /// Comments of the tree; notes what does not parse on the way.
    fn survey(&mut self, tree: &Flat) -> Vec<Comment> {
        let mut comments = Vec::new();
        for node in tree.nodes() {
            if node.kind() == "comment" {
                comments.push(self.comment(node));
            } else if node.has_error() {
                self.note_broken(node);
            }
        }
        comments
    }

    fn comment(&self, node: Node) -> Comment {
        let text = self.slice(node).trim_end_matches('\r');
        let start = node.start_byte();
        Comment {
            span: Span::new(start, start + text.len()),
            text: text.to_owned(),
        }
    }

    /// Notes a node that tree-sitter marked. A root that failed as a whole is left to its parts.
    fn note_broken(&mut self, node: Node) {
        if node.is_missing() {
            self.error(node, ErrorReason::Missing(node.kind().to_owned()));
        } else if node.is_error() && !node.is_root() {
            self.error(node, ErrorReason::Unparsed);
        }
    }

    fn error(&mut self, node: Node, reason: ErrorReason) {
        let span = span(node);
        self.errors.push(SyntaxError { span, reason });
    }

    /// Runs `read` one level deeper; `None` beyond [`MAX_DEPTH`].
    fn nested<T>(&mut self, node: Node, read: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if self.depth == MAX_DEPTH {
            self.error(node, ErrorReason::TooDeep);
            return None;
        }
        self.depth += 1;
        let value = read(self);
        self.depth -= 1;
        Some(value)
    }

    fn slice(&self, node: Node) -> &str {
        self.text.get(node.byte_range()).unwrap_or("")
    }

    fn name(&self, node: Node) -> Name {
        Name {
            text: self.identifier(node),
            span: span(node),
        }
    }

    /// A name that Python leaves as it is written: a keyword of a call.
    fn plain_name(&self, node: Node) -> Name {
        Name {
            text: identifier(self.slice(node)),
            span: span(node),
        }
    }

    /// An identifier as Python compiles it: normalised, and `_C__x` for `__x` inside of the class `C`.
    fn identifier(&self, node: Node) -> String {
        let text = identifier(self.slice(node));
        mangled(&self.class, &text).unwrap_or(text)
    }

    /// A dotted name as Python reads it, without the blanks that may stand around the dots.
    fn dotted(&self, node: Node) -> String {
        let blank = |c: char| c.is_whitespace() || c == '\\';
        identifier(&self.slice(node).replace(blank, ""))
    }
}

/// An identifier as Python compares it: after NFKC normalisation.
fn identifier(text: &str) -> String {
    match text.is_ascii() {
        true => text.to_owned(),
        false => text.nfkc().collect(),
    }
}

/// What a class makes of one of its private names, `_C__x` of `__x`; `None` where it leaves the name as it is.
pub fn mangled(class: &str, name: &str) -> Option<String> {
    let class = class.trim_start_matches('_');
    let is_private = name.starts_with("__") && !name.ends_with("__") && !name.contains('.');
    (is_private && !class.is_empty()).then(|| format!("_{class}{name}"))
}

fn span(node: Node) -> Span {
    Span::new(node.start_byte(), node.end_byte())
}

/// Children without trivia.
fn children(node: Node<'_>) -> Nodes<'_> {
    let all = node.children();
    all.filter(|child| !child.is_trivia()).collect()
}

/// Children that are not tokens, errors among them.
fn operands(node: Node<'_>) -> Nodes<'_> {
    let all = node.children();
    all.filter(|child| child.is_named() && !child.is_trivia())
        .collect()
}

/// Children in one field.
fn in_field<'t>(node: Node<'t>, field: &str) -> Nodes<'t> {
    let all = node.children();
    all.filter(|child| child.is_in_field(field) && !child.is_trivia())
        .collect()
}

/// Whether one of the node's own parts is broken or missing.
fn is_damaged(node: Node) -> bool {
    node.has_error() && node.children().any(|child| is_broken(&child))
}

fn is_broken(node: &Node) -> bool {
    node.is_error() || node.is_missing()
}

#[cfg(test)]
mod tests;
