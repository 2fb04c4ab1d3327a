//! Source text and byte spans; lines and columns are computed for output only.

use std::ops::{Bound, Range, RangeBounds};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// A half-open range of byte offsets into one source text.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// Returns the span of `start..end`, both in bytes.
    pub fn new(start: usize, end: usize) -> Self {
        Self {
            start: start as u32,
            end: end as u32,
        }
    }

    /// Returns the smallest span that contains both.
    pub fn to(self, other: Span) -> Span {
        Span {
            start: self.start.min(other.start),
            end: self.end.max(other.end),
        }
    }

    /// Returns whether `offset` lies inside or directly after the span (where a cursor after the last byte is).
    pub fn touches(self, offset: u32) -> bool {
        self.start <= offset && offset <= self.end
    }

    /// Returns the span as a range of `usize`, for slicing.
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// A position for people: both numbers start at 1, columns count Unicode code points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LineColumn {
    /// Line, 1-based.
    pub line: usize,
    /// Column in code points, 1-based.
    pub column: usize,
}

/// The text of a file with an index of its lines. Clones share the text.
#[derive(Clone, Debug)]
pub struct SourceText {
    text: Arc<str>,
    line_starts: Arc<[u32]>,
    /// Whether offsets past the end have lines of their own.
    has_lines_past_the_end: bool,
}

/// The error for bytes that are not UTF-8.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotUtf8 {
    /// Offset of the first offending byte in the file, a byte order mark included.
    pub offset: usize,
}

impl Default for SourceText {
    fn default() -> Self {
        SourceText::new("")
    }
}

impl SourceText {
    /// Decodes the bytes of a file. A UTF-8 byte order mark is dropped: all offsets, here and in reports, count from
    /// the byte after it.
    pub fn decode(bytes: Vec<u8>) -> Result<Self, NotUtf8> {
        let text = String::from_utf8(bytes).map_err(|error| NotUtf8 {
            offset: error.utf8_error().valid_up_to(),
        })?;
        Ok(Self::new(text.strip_prefix('\u{feff}').unwrap_or(&text)))
    }

    /// Indexes `text`, which must be smaller than 4 GiB, since offsets have 32 bits.
    ///
    /// A carriage return without a line feed ends a line in Python, in C++ and in editors. It is replaced by a line
    /// feed, so that later code knows one kind of line end; offsets do not change.
    pub fn new(text: impl Into<Arc<str>>) -> Self {
        let text = with_line_feeds(text.into());
        let breaks = memchr::memchr_iter(b'\n', text.as_bytes());
        let line_starts = std::iter::once(0)
            .chain(breaks.map(|at| at as u32 + 1))
            .collect();
        Self {
            text,
            line_starts,
            has_lines_past_the_end: false,
        }
    }

    /// Gives every offset past the end a line of its own, so that texts with the number of a line can speak of other
    /// files whose spans start there. A source map replaces such numbers by the files and lines that they mean.
    pub fn with_lines_past_the_end(self) -> SourceText {
        SourceText {
            has_lines_past_the_end: true,
            ..self
        }
    }

    /// Returns the offset past the end that has a line number of its own.
    pub fn offset_past_the_end(&self, line: usize) -> Option<u32> {
        let past = line.checked_sub(self.line_count() + 1)?;
        let offset = u32::try_from(self.text.len() + 1 + past).ok()?;
        self.has_lines_past_the_end.then_some(offset)
    }

    /// Returns the whole text.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns the text of `span`; empty if the span does not fall on character boundaries.
    pub fn slice(&self, span: Span) -> &str {
        self.text.get(span.range()).unwrap_or("")
    }

    /// Returns the number of lines; a text that ends in a newline has an empty last line.
    pub fn line_count(&self) -> usize {
        self.line_starts.len()
    }

    /// Returns the 0-based index of the line that contains `offset`.
    pub fn line_index(&self, offset: u32) -> usize {
        self.line_starts.partition_point(|&start| start <= offset) - 1
    }

    /// Returns the span of a 0-based line without its line break; `None` past the end.
    pub fn line_span(&self, line: usize) -> Option<Span> {
        let start = *self.line_starts.get(line)?;
        let end = match self.line_starts.get(line + 1) {
            Some(&next) => next - 1,
            None => self.text.len() as u32,
        };
        let text = self.text.get(start as usize..end as usize)?;
        let end = start + text.strip_suffix('\r').unwrap_or(text).len() as u32;
        Some(Span { start, end })
    }

    /// Returns line and column of a byte offset; offsets past the end count as the end, unless they have lines of
    /// their own.
    pub fn line_column(&self, offset: u32) -> LineColumn {
        let past = (offset as usize).checked_sub(self.text.len() + 1);
        if let Some(past) = past.filter(|_| self.has_lines_past_the_end) {
            return LineColumn {
                line: self.line_count() + 1 + past,
                column: 1,
            };
        }
        let offset = offset.min(self.text.len() as u32);
        let line = self.line_index(offset);
        let start = self.line_starts[line] as usize;
        let column = self
            .text
            .part(start..)
            .char_indices()
            .take_while(|(at, _)| start + at < offset as usize)
            .count();
        LineColumn {
            line: line + 1,
            column: column + 1,
        }
    }
}

/// Replaces each carriage return without a line feed by a line feed.
fn with_line_feeds(text: Arc<str>) -> Arc<str> {
    let is_alone = |&at: &usize| text.as_bytes().get(at + 1) != Some(&b'\n');
    let mut alone = memchr::memchr_iter(b'\r', text.as_bytes()).filter(is_alone);
    let Some(first) = alone.next() else {
        return text;
    };
    let mut changed = String::with_capacity(text.len());
    let mut kept = 0;
    for at in std::iter::once(first).chain(alone) {
        changed.push_str(text.part(kept..at));
        changed.push('\n');
        kept = at + 1;
    }
    changed.push_str(text.part(kept..));
    changed.into()
}

/// Slicing of a text by byte offsets that may be invalid, because they come from another version of the text, a text
/// with placeholders, or a client.
///
/// Indexing panics if an offset lies inside of a character or beyond the end; `clippy::string_slice` keeps it out of
/// this crate.
pub trait Slice {
    /// Returns the text of a byte range. An offset inside of a character counts as the character's start and one
    /// beyond the end as the end, so neighbouring parts neither overlap nor leave a gap. A range that ends before it
    /// starts is empty.
    fn part(&self, range: impl RangeBounds<usize>) -> &str;
}

impl Slice for str {
    fn part(&self, range: impl RangeBounds<usize>) -> &str {
        let start = match range.start_bound() {
            Bound::Included(&at) => at,
            Bound::Excluded(&at) => at.saturating_add(1),
            Bound::Unbounded => 0,
        };
        let end = match range.end_bound() {
            Bound::Included(&at) => at.saturating_add(1),
            Bound::Excluded(&at) => at,
            Bound::Unbounded => self.len(),
        };
        let (start, end) = (character_at(self, start), character_at(self, end));
        self.get(start..end).unwrap_or("")
    }
}

/// Returns the last character boundary at or before an offset; the end of the text for larger offsets.
pub fn character_at(text: &str, offset: usize) -> usize {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}

/// Returns whether a character must not be printed as it is: control characters, line and paragraph separators, changes
/// of writing direction, and invisible characters, in which text can be hidden (`Default_Ignorable_Code_Point` of
/// Unicode and the format characters around it).
pub fn is_unprintable(c: char) -> bool {
    (c.is_control() && c != '\t')
        || matches!(c,
            '\u{ad}' | '\u{34f}' | '\u{600}'..='\u{605}' | '\u{61c}' | '\u{6dd}' | '\u{70f}'
            | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}'
            | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_order_mark_is_dropped_and_bad_bytes_are_named() {
        let source = SourceText::decode(b"\xef\xbb\xbfab".to_vec()).unwrap();
        assert_eq!(source.as_str(), "ab");
        let error = SourceText::decode(b"\xef\xbb\xbfa\xff".to_vec()).unwrap_err();
        assert_eq!(error, NotUtf8 { offset: 4 });
    }

    #[test]
    fn a_carriage_return_alone_ends_a_line() {
        let source = SourceText::new("a\rb\r\nc\r\rd\r");
        assert_eq!(source.as_str(), "a\nb\r\nc\n\nd\n");
        assert_eq!(source.line_count(), 6);
        assert_eq!(source.line_column(8), LineColumn { line: 5, column: 1 });
    }

    #[test]
    fn parts_begin_and_end_between_characters() {
        let text = "a汉🙂e\u{301}z";
        for at in 0..text.len() + 3 {
            assert_eq!(
                format!("{}{}", text.part(..at), text.part(at..)),
                text,
                "{at}"
            );
            for end in 0..text.len() + 3 {
                let part = text.part(at..end);
                assert!(text.contains(part) && part.len() <= end.saturating_sub(at) + 3);
            }
        }
        assert_eq!(text.part(2..5), "汉");
        assert_eq!(text.part(1..=3), "汉");
        let (late, early) = (5, 2);
        assert_eq!(text.part(late..early), "");
    }

    #[test]
    fn columns_count_code_points() {
        let source = SourceText::new("ab\n汉字x\r\nz");
        assert_eq!(source.line_count(), 3);
        assert_eq!(source.line_column(9), LineColumn { line: 2, column: 3 });
        assert_eq!(source.slice(source.line_span(1).unwrap()), "汉字x");
        assert_eq!(source.line_column(99), LineColumn { line: 3, column: 2 });
    }
}
