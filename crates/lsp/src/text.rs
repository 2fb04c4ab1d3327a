//! Editable text, and positions as editors count them.

use ropey::{Rope, RopeSlice};
use tower_lsp::ls_types::{Position, PositionEncodingKind, Range};

use a2lint_source::text::Span;

/// The unit in which the protocol's positions count characters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Encoding {
    /// Bytes.
    Utf8,
    /// UTF-16 code units, which every client must support.
    #[default]
    Utf16,
    /// Code points.
    Utf32,
}

impl Encoding {
    /// Chooses UTF-8 if the client offers it, else the first known offer, else UTF-16.
    pub fn negotiated(offers: Option<&[PositionEncodingKind]>) -> Encoding {
        let offers = offers.unwrap_or_default();
        let known = [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32];
        let found = known.into_iter().find(|one| offers.contains(&one.kind()));
        found.unwrap_or_default()
    }

    /// Returns the name of the encoding in the protocol.
    pub fn kind(self) -> PositionEncodingKind {
        match self {
            Encoding::Utf8 => PositionEncodingKind::UTF8,
            Encoding::Utf16 => PositionEncodingKind::UTF16,
            Encoding::Utf32 => PositionEncodingKind::UTF32,
        }
    }

    /// Returns the length of a text in units.
    pub fn width(self, text: &str) -> usize {
        match self {
            Encoding::Utf8 => text.len(),
            Encoding::Utf16 => text.encode_utf16().count(),
            Encoding::Utf32 => text.chars().count(),
        }
    }

    /// Returns the number of characters before a unit of a line. A unit inside of a character counts as its start.
    fn chars_before(self, line: RopeSlice, unit: usize) -> usize {
        match self {
            Encoding::Utf8 => line.byte_to_char(unit.min(line.len_bytes())),
            Encoding::Utf16 => line.utf16_cu_to_char(unit.min(line.len_utf16_cu())),
            Encoding::Utf32 => unit.min(line.len_chars()),
        }
    }

    /// Returns the number of units before a character of a line.
    fn units_before(self, line: RopeSlice, char: usize) -> usize {
        match self {
            Encoding::Utf8 => line.char_to_byte(char),
            Encoding::Utf16 => line.char_to_utf16_cu(char),
            Encoding::Utf32 => char,
        }
    }
}

/// A text with the encoding of its positions. Cloning is cheap.
#[derive(Clone, Debug)]
pub struct Text {
    rope: Rope,
    encoding: Encoding,
}

impl Text {
    /// Creates the text of a document.
    pub fn new(text: &str, encoding: Encoding) -> Text {
        Text {
            rope: Rope::from_str(text),
            encoding,
        }
    }

    /// Returns the unit of positions.
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// Returns the byte offset of a position. Positions after the end of a line are clamped to its end, those after
    /// the last line to the end of the text.
    pub fn offset(&self, position: Position) -> usize {
        let line = position.line as usize;
        if line >= self.rope.len_lines() {
            return self.rope.len_bytes();
        }
        let slice = self.rope.line(line);
        let char = self
            .encoding
            .chars_before(slice, position.character as usize)
            .min(chars_without_break(slice));
        self.rope.char_to_byte(self.rope.line_to_char(line) + char)
    }

    /// Returns the position of a byte offset.
    pub fn position(&self, offset: usize) -> Position {
        let offset = offset.min(self.rope.len_bytes());
        let line = self.rope.byte_to_line(offset);
        let slice = self.rope.line(line);
        let char = slice.byte_to_char(offset - self.rope.line_to_byte(line));
        let character = self.encoding.units_before(slice, char);
        Position::new(line as u32, character as u32)
    }

    /// Returns the range of a span.
    pub fn range(&self, span: Span) -> Range {
        Range::new(
            self.position(span.start as usize),
            self.position(span.end as usize),
        )
    }

    /// Returns the span of a range, whose ends may be in either order.
    pub fn span(&self, range: Range) -> Span {
        let (a, b) = (self.offset(range.start), self.offset(range.end));
        Span::new(a.min(b), a.max(b))
    }

    /// Replaces the bytes of a span.
    pub fn replace(&mut self, span: Span, new: &str) {
        let start = self.rope.byte_to_char(span.start as usize);
        let end = self.rope.byte_to_char(span.end as usize);
        self.rope.remove(start..end);
        self.rope.insert(start, new);
    }

    /// Returns the whole text as a string.
    pub fn contents(&self) -> String {
        self.rope.to_string()
    }
}

/// Returns the number of characters of a line without its line break.
fn chars_without_break(line: RopeSlice) -> usize {
    let mut chars = line.len_chars();
    while chars > 0 && matches!(line.char(chars - 1), '\n' | '\r') {
        chars -= 1;
    }
    chars
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "ab\r\n汉🙂c\rlast";

    #[test]
    fn positions_count_what_was_agreed_on() {
        // After the emoji: 1 + 1 code points, 1 + 2 code units, 3 + 4 bytes.
        for (encoding, character) in [
            (Encoding::Utf32, 2),
            (Encoding::Utf16, 3),
            (Encoding::Utf8, 7),
        ] {
            let text = Text::new(TEXT, encoding);
            let position = Position::new(1, character);
            assert_eq!(text.offset(position), 4 + 7, "{encoding:?}");
            assert_eq!(text.position(4 + 7), position, "{encoding:?}");
        }
    }

    #[test]
    fn every_border_goes_there_and_back() {
        for encoding in [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32] {
            let text = Text::new(TEXT, encoding);
            let borders = TEXT.char_indices().map(|(at, _)| at).chain([TEXT.len()]);
            // Between \r and \n there is no place.
            for at in borders.filter(|&at| at != 3) {
                assert_eq!(text.offset(text.position(at)), at, "{encoding:?} {at}");
            }
        }
    }

    #[test]
    fn what_lies_outside_is_taken_to_the_border() {
        let text = Text::new(TEXT, Encoding::Utf16);
        assert_eq!(text.offset(Position::new(0, 99)), 2);
        assert_eq!(text.offset(Position::new(99, 0)), TEXT.len());
        assert_eq!(text.position(999), Position::new(2, 4));
        // Inside of the emoji.
        assert_eq!(text.offset(Position::new(1, 2)), 4 + 3);
        let turned = Range::new(Position::new(1, 1), Position::new(0, 1));
        assert_eq!(text.span(turned), Span::new(1, 7));
    }

    #[test]
    fn edits_count_bytes() {
        let mut text = Text::new("α\nβγ\n", Encoding::Utf16);
        text.replace(Span::new(3, 5), "xyz\nb");
        assert_eq!(text.contents(), "α\nxyz\nbγ\n");
    }

    #[test]
    fn utf8_is_chosen_where_it_is_offered() {
        let offers = [PositionEncodingKind::UTF16, PositionEncodingKind::UTF8];
        assert_eq!(Encoding::negotiated(Some(&offers)), Encoding::Utf8);
        assert_eq!(Encoding::negotiated(Some(&offers[..1])), Encoding::Utf16);
        let only = [PositionEncodingKind::UTF32];
        assert_eq!(Encoding::negotiated(Some(&only)), Encoding::Utf32);
        assert_eq!(Encoding::negotiated(None), Encoding::Utf16);
    }
}
