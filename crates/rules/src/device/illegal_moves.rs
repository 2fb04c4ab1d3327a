//! Moves between memories that A2 has no data path for, from the notes of the front end.

use crate::Facts;
use a2lint_ir::{Note, NoteKind, OriginId, View};
use a2lint_isa::Position;
use a2lint_source::text::Span;

/// A `dst <<= src` without a data path. A position of `None` is GM.
pub(crate) struct IllegalMove<'a> {
    pub dst: Option<Position>,
    pub src: Option<Position>,
    pub dst_text: &'a str,
    pub src_text: &'a str,
    pub dst_view: &'a View,
    pub src_view: &'a View,
    /// The statement.
    pub span: Span,
    pub origin: OriginId,
}

impl<'a> IllegalMove<'a> {
    fn of(note: &'a Note) -> Option<Self> {
        let NoteKind::IllegalMove {
            dst,
            src,
            dst_text,
            src_text,
            views,
        } = &note.kind
        else {
            return None;
        };
        let [dst_view, src_view] = views.as_ref();
        Some(IllegalMove {
            dst: *dst,
            src: *src,
            dst_text,
            src_text,
            dst_view,
            src_view,
            span: note.span,
            origin: note.origin,
        })
    }

    /// Returns the memories, destination first; `None` is GM.
    pub fn path(&self) -> (Option<Position>, Option<Position>) {
        (self.dst, self.src)
    }

    /// Formats the message.
    pub fn message(&self) -> String {
        let (from, to) = (memory(self.src), memory(self.dst));
        format!(
            "A2 has no data path from {from} to {to}: `{}` cannot receive `{}`",
            self.dst_text, self.src_text
        )
    }
}

/// Returns the illegal moves of a kernel.
pub(crate) fn illegal_moves<'a>(facts: &Facts<'a>) -> impl Iterator<Item = IllegalMove<'a>> {
    facts.program.notes.iter().filter_map(IllegalMove::of)
}

fn memory(position: Option<Position>) -> &'static str {
    position.map_or("GM", Position::name)
}
