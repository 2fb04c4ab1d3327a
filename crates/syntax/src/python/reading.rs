//! Incremental reading of a Python text: pieces that have not changed are not parsed again.

use std::borrow::Cow;

use rustc_hash::FxHashMap;
use tree_sitter::Tree;

use super::ast::{ErrorReason, File, SyntaxError};
use super::lower::lower;
use super::parse::{MAX_BYTES, Reader};
use super::pieces::pieces;
use super::shift::Shift;
use a2lint_source::text::{SourceText, Span};

/// The syntax of a text, and what reading its next version can reuse.
#[derive(Clone, Debug, Default)]
pub struct Syntax {
    /// The typed syntax.
    pub file: File,
    pieces: Vec<Piece>,
}

/// A part of the text that is parsed separately.
#[derive(Clone, Debug)]
struct Piece {
    span: Span,
    /// The parser's tree; `None` if the parser's budget was exhausted.
    tree: Option<Tree>,
    /// The lengths of the file's lists after this piece was added.
    ends: Extent,
}

/// The lengths of the lists of a [`File`].
#[derive(Clone, Copy, Debug, Default)]
struct Extent {
    body: usize,
    errors: usize,
    comments: usize,
}

impl Extent {
    fn of(file: &File) -> Extent {
        Extent {
            body: file.body.len(),
            errors: file.errors.len(),
            comments: file.comments.len(),
        }
    }
}

/// Parses one file. Never fails: errors are listed in [`File::errors`].
pub fn parse(source: &SourceText) -> File {
    Syntax::of(source).file
}

impl Syntax {
    /// Parses a text. Never fails: errors are listed in [`File::errors`].
    pub fn of(source: &SourceText) -> Syntax {
        read(source, &FxHashMap::default(), &Syntax::default())
    }

    /// Parses a text, reusing unchanged pieces of this syntax, which is that of the text `before`. The result equals
    /// that of [`of`](Self::of).
    pub fn again(&self, before: &SourceText, source: &SourceText) -> Syntax {
        let known = self.pieces.iter().enumerate();
        let known = known.map(|(at, piece)| (before.slice(piece.span), at));
        read(source, &known.collect(), self)
    }

    /// Drops the parser's trees, which take several times as much memory as the rest.
    pub fn without_trees(mut self) -> Syntax {
        self.pieces.iter_mut().for_each(|piece| piece.tree = None);
        self
    }

    /// Returns the syntax with the parser's trees, parsing again if they were dropped. `source` must start with the
    /// text.
    pub fn with_trees(&self, source: &SourceText) -> Cow<'_, Syntax> {
        if self.pieces.iter().any(|piece| piece.tree.is_some()) {
            return Cow::Borrowed(self);
        }
        let mut reader = Reader::new();
        let mut syntax = self.clone();
        for piece in &mut syntax.pieces {
            piece.tree = reader.read(source.slice(piece.span));
        }
        Cow::Owned(syntax)
    }

    /// Iterates over the parser's trees, with the spans of their texts.
    pub fn trees(&self) -> impl Iterator<Item = (Span, &Tree)> {
        let trees = self.pieces.iter();
        trees.filter_map(|piece| Some((piece.span, piece.tree.as_ref()?)))
    }

    /// Returns the span of the piece that contains an offset: a definition at the outermost level, or the code
    /// between two of them.
    pub fn piece_at(&self, offset: u32) -> Span {
        let after = self
            .pieces
            .partition_point(|piece| piece.span.start <= offset);
        let piece = after.checked_sub(1).and_then(|at| self.pieces.get(at));
        piece.map_or(Span::new(0, 0), |piece| piece.span)
    }

    /// Returns the first part of the text that was not parsed because of a limit.
    pub fn given_up(&self) -> Option<Span> {
        let mut errors = self.file.errors.iter();
        let error = errors.find(|error| error.reason == ErrorReason::TooCostly)?;
        Some(error.span)
    }

    /// Returns the part of the file that comes from a piece.
    fn part(&self, at: usize) -> File {
        let from = match at.checked_sub(1) {
            Some(before) => self.pieces[before].ends,
            None => Extent::default(),
        };
        let to = self.pieces[at].ends;
        File {
            body: self.file.body[from.body..to.body].to_vec(),
            errors: self.file.errors[from.errors..to.errors].to_vec(),
            comments: self.file.comments[from.comments..to.comments].to_vec(),
        }
    }

    fn push(&mut self, span: Span, tree: Option<Tree>, mut part: File) {
        self.file.body.append(&mut part.body);
        self.file.errors.append(&mut part.errors);
        self.file.comments.append(&mut part.comments);
        let ends = Extent::of(&self.file);
        self.pieces.push(Piece { span, tree, ends });
    }
}

/// Reads a text; `known` maps the texts of the pieces of `before` to their indices.
fn read(source: &SourceText, known: &FxHashMap<&str, usize>, before: &Syntax) -> Syntax {
    let mut syntax = Syntax::default();
    let text = source.as_str();
    if text.len() > MAX_BYTES {
        syntax.file = refused(Span::new(0, text.len()));
        return syntax;
    }
    let mut reader = None;
    for span in pieces(text) {
        if let Some(&at) = known.get(source.slice(span)) {
            let old = &before.pieces[at];
            let mut part = before.part(at);
            match span.start.wrapping_sub(old.span.start) {
                0 => {}
                by => part.shift(by),
            }
            syntax.push(span, old.tree.clone(), part);
            continue;
        }
        let reader = reader.get_or_insert_with(Reader::new);
        let tree = reader.read(source.slice(span));
        let part = match &tree {
            Some(tree) => lower(tree, source.slice(span), span.start, reader),
            None => refused(span),
        };
        syntax.push(span, tree, part);
    }
    syntax
}

/// Creates the file of a text that exceeds a limit.
fn refused(span: Span) -> File {
    let reason = ErrorReason::TooCostly;
    File {
        errors: vec![SyntaxError { span, reason }],
        ..File::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Parses a text as one piece.
    fn whole(source: &SourceText) -> File {
        let mut reader = Reader::new();
        let tree = reader.read(source.as_str()).expect("within budget");
        lower(&tree, source.as_str(), 0, &mut reader)
    }

    fn kernels() -> impl Iterator<Item = SourceText> {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/kernels");
        let files = std::fs::read_dir(folder).expect("a folder");
        let paths = files.filter_map(|file| Some(file.ok()?.path()));
        let sources = paths.filter(|path| path.extension().is_some_and(|it| it == "py"));
        sources.map(|path| SourceText::new(std::fs::read_to_string(path).expect("a text")))
    }

    #[test]
    fn pieces_come_to_the_same_as_the_whole() {
        let mut count = 0;
        for source in kernels() {
            let syntax = Syntax::of(&source);
            assert!(syntax.pieces.len() > 1);
            assert_eq!(syntax.file, whole(&source));
            count += 1;
        }
        assert!(count > 10, "{count}");
    }

    #[test]
    fn what_is_known_is_moved_and_the_rest_is_read() {
        for source in kernels() {
            let syntax = Syntax::of(&source);
            let text = source.as_str();
            for (at, new) in [
                (0, "# 变\n"),
                (text.len() / 2, "("),
                (text.len(), "x = 1\n"),
            ] {
                let at = (at..)
                    .find(|&at| text.is_char_boundary(at))
                    .expect("the end");
                let changed = SourceText::new(format!("{}{new}{}", &text[..at], &text[at..]));
                let again = syntax.again(&source, &changed);
                assert_eq!(again.file, Syntax::of(&changed).file);
                let back = again.again(&changed, &source);
                assert_eq!(back.file, syntax.file);
            }
        }
    }

    #[test]
    fn an_open_bracket_costs_its_own_definition_alone() {
        let source = SourceText::new("def f():\n    g(\n\ndef h():\n    return 1\n");
        let file = parse(&source);
        assert_eq!(file.body.len(), 2);
        let place = source.as_str().find("def h").expect("it is there") as u32;
        assert!(file.errors.iter().all(|error| error.span.end <= place));
    }
}
