//! Lowering of a tree to typed syntax.
//!
//! The depth of recursion is limited by [`MAX_DEPTH`], which also limits the depth of the resulting [`File`]: code
//! that walks, clones or drops one may recurse.

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

/// Nesting depth beyond which expressions and statements become errors.
pub const MAX_DEPTH: usize = 200;

/// A list of nodes, mostly the children of one node.
type Nodes<'t> = SmallVec<[Node<'t>; 8]>;

/// Lowers the tree of a text that starts at offset `base` of its file, in time linear in the size of the tree.
///
/// If a statement swallows others (an unclosed bracket, a value missing at the end of a line), the text is parsed
/// again without it, so that the others are kept.
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

/// Lowers a tree of `text` in which the spans `masked` were replaced by placeholders.
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

/// The state of a lowering.
struct Lowering<'s> {
    text: &'s str,
    masked: &'s [Span],
    depth: usize,
    /// Whether the current function contains a `yield` so far.
    yields: bool,
    /// The name of the innermost enclosing class; empty outside of classes.
    class: String,
    errors: Vec<SyntaxError>,
}

impl Lowering<'_> {
    /// Returns the comments of the tree, and records its errors in the same walk.
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

    /// Records an error node or a missing token. An error node at the root is skipped, since its parts are recorded.
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

    /// Runs `read` one level deeper; `None` at [`MAX_DEPTH`].
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

    /// Reads a name that Python does not mangle: a keyword of a call.
    fn plain_name(&self, node: Node) -> Name {
        Name {
            text: identifier(self.slice(node)),
            span: span(node),
        }
    }

    /// Returns an identifier as Python compiles it: normalised, and with `__x` inside of class `C` mangled to
    /// `_C__x`.
    fn identifier(&self, node: Node) -> String {
        let text = identifier(self.slice(node));
        mangled(&self.class, &text).unwrap_or(text)
    }

    /// Returns a dotted name without the white space that is allowed around the dots.
    fn dotted(&self, node: Node) -> String {
        let blank = |c: char| c.is_whitespace() || c == '\\';
        identifier(&self.slice(node).replace(blank, ""))
    }
}

/// Normalises an identifier (NFKC), as Python does before it compares names.
fn identifier(text: &str) -> String {
    match text.is_ascii() {
        true => text.to_owned(),
        false => text.nfkc().collect(),
    }
}

/// Returns the mangled form of a private name (`_C__x` for `__x` in class `C`); `None` if the name is not private.
pub fn mangled(class: &str, name: &str) -> Option<String> {
    let class = class.trim_start_matches('_');
    let is_private = name.starts_with("__") && !name.ends_with("__") && !name.contains('.');
    (is_private && !class.is_empty()).then(|| format!("_{class}{name}"))
}

fn span(node: Node) -> Span {
    Span::new(node.start_byte(), node.end_byte())
}

/// Returns the children except for trivia.
fn children(node: Node<'_>) -> Nodes<'_> {
    let all = node.children();
    all.filter(|child| !child.is_trivia()).collect()
}

/// Returns the children that are no tokens, error nodes included.
fn operands(node: Node<'_>) -> Nodes<'_> {
    let all = node.children();
    all.filter(|child| child.is_named() && !child.is_trivia())
        .collect()
}

/// Returns the children in one field.
fn in_field<'t>(node: Node<'t>, field: &str) -> Nodes<'t> {
    let all = node.children();
    all.filter(|child| child.is_in_field(field) && !child.is_trivia())
        .collect()
}

/// Returns whether a child of the node is an error node or missing.
fn is_damaged(node: Node) -> bool {
    node.has_error() && node.children().any(|child| is_broken(&child))
}

fn is_broken(node: &Node) -> bool {
    node.is_error() || node.is_missing()
}

#[cfg(test)]
mod tests;
