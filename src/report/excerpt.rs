//! The lines that a finding shows.
//!
//! Most sources are shown as they are. Where a labelled line is too long for any terminal, or
//! holds characters that a terminal would obey, an excerpt is built: long lines are cut around
//! their labels and unprintable characters replaced. Line and column numbers stay those of the
//! source.

use std::borrow::Cow;
use std::ops::Range;

use codespan_reporting::files::{Error, Files};

use super::paint::is_unprintable;
use crate::text::{SourceText, Span};

/// Columns that a source line may take.
const MAX_COLUMNS: usize = 160;
/// Columns that stay in front of the first label of a line that is cut.
const LEAD: usize = 40;

/// A source, or the part of it that some labels touch, as the terminal shows it.
pub struct Excerpt<'a> {
    path: &'a str,
    source: &'a SourceText,
    /// 0-based number of the first shown line.
    first_line: usize,
    text: Cow<'a, str>,
    /// The shown lines, or nothing where the whole source is shown.
    lines: Vec<ShownLine>,
}

/// One line of an excerpt.
struct ShownLine {
    /// Where it starts in the excerpt.
    start: usize,
    /// The bytes of the source it shows.
    kept: Span,
    /// Bytes of the ellipsis in front.
    lead: usize,
}

impl<'a> Excerpt<'a> {
    /// What to show for labels at these spans, which must lie on character borders.
    pub fn new(path: &'a str, source: &'a SourceText, spans: &[Span]) -> Self {
        let lines = |span: &Span| [source.line_index(span.start), source.line_index(span.end)];
        let first = spans.iter().flat_map(lines).min().unwrap_or(0);
        let last = spans.iter().flat_map(lines).max().unwrap_or(0);
        let mut excerpt = Excerpt {
            path,
            source,
            first_line: 0,
            text: Cow::Borrowed(source.as_str()),
            lines: Vec::new(),
        };
        if (first..=last).any(|line| needs_care(source, line)) {
            excerpt.first_line = first;
            excerpt.build(first..last + 1, spans);
        }
        excerpt
    }

    fn build(&mut self, range: Range<usize>, spans: &[Span]) {
        let mut text = String::new();
        for line in range {
            let whole = self.source.line_span(line).unwrap_or_default();
            let kept = window(self.source, whole, spans);
            let lead = if kept.start > whole.start { "…" } else { "" };
            self.lines.push(ShownLine {
                start: text.len(),
                kept,
                lead: lead.len(),
            });
            text.push_str(lead);
            text.extend(self.source.slice(kept).chars().map(shown));
            text.push_str(if kept.end < whole.end { "…\n" } else { "\n" });
        }
        self.text = Cow::Owned(text);
    }

    /// The range of a span of the source in the shown text.
    pub fn range(&self, span: Span) -> Range<usize> {
        self.position(span.start)..self.position(span.end)
    }

    fn position(&self, offset: u32) -> usize {
        if self.lines.is_empty() {
            return offset as usize;
        }
        let line = self.source.line_index(offset) - self.first_line;
        let shown_line = &self.lines[line.min(self.lines.len() - 1)];
        let kept = shown_line.kept;
        let before = Span {
            start: kept.start,
            end: offset.clamp(kept.start, kept.end),
        };
        let width: usize = self
            .source
            .slice(before)
            .chars()
            .map(|c| shown(c).len_utf8())
            .sum();
        shown_line.start + shown_line.lead + width
    }

    /// The offset in the source of a place in the shown text.
    fn origin(&self, line_index: usize, byte_index: usize) -> u32 {
        let Some(line) = self.lines.get(line_index) else {
            return byte_index as u32;
        };
        let mut place = line.start + line.lead;
        let inside = self.source.slice(line.kept).char_indices().find(|(_, c)| {
            let here = place;
            place += shown(*c).len_utf8();
            here >= byte_index
        });
        inside.map_or(line.kept.end, |(at, _)| line.kept.start + at as u32)
    }
}

/// Whether a line cannot be shown as it is.
fn needs_care(source: &SourceText, line: usize) -> bool {
    let text = source.slice(source.line_span(line).unwrap_or_default());
    text.len() > MAX_COLUMNS && text.chars().count() > MAX_COLUMNS || text.contains(is_unprintable)
}

/// The character that a terminal shows for one of the source.
fn shown(c: char) -> char {
    if is_unprintable(c) { '\u{fffd}' } else { c }
}

/// The part of a line that is kept: all of it, or a window from a little before its first label.
fn window(source: &SourceText, line: Span, spans: &[Span]) -> Span {
    let text = source.slice(line);
    let first_label = spans
        .iter()
        .flat_map(|span| [span.start, span.end])
        .filter(|&offset| line.touches(offset))
        .min()
        .unwrap_or(line.start);
    let label_column = source
        .slice(Span {
            end: first_label,
            ..line
        })
        .chars()
        .count();
    let columns = text.chars().count();
    if columns <= MAX_COLUMNS {
        return line;
    }
    let first = match label_column + LEAD < MAX_COLUMNS {
        true => 0,
        false => (label_column - LEAD).min(columns - MAX_COLUMNS),
    };
    let at = |column: usize| {
        let byte = text
            .char_indices()
            .nth(column)
            .map_or(text.len(), |(at, _)| at);
        line.start + byte as u32
    };
    Span {
        start: at(first),
        end: at(first + MAX_COLUMNS),
    }
}

impl<'a> Files<'a> for Excerpt<'_> {
    type FileId = ();
    type Name = &'a str;
    type Source = &'a str;

    fn name(&'a self, (): ()) -> Result<&'a str, Error> {
        Ok(self.path)
    }

    fn source(&'a self, (): ()) -> Result<&'a str, Error> {
        Ok(&self.text)
    }

    fn line_index(&'a self, (): (), byte_index: usize) -> Result<usize, Error> {
        Ok(match self.lines.is_empty() {
            true => self.source.line_index(byte_index as u32),
            false => self.lines.partition_point(|line| line.start <= byte_index) - 1,
        })
    }

    fn line_number(&'a self, (): (), line_index: usize) -> Result<usize, Error> {
        Ok(self.first_line + line_index + 1)
    }

    fn column_number(&'a self, (): (), line_index: usize, byte: usize) -> Result<usize, Error> {
        Ok(self
            .source
            .line_column(self.origin(line_index, byte))
            .column)
    }

    fn line_range(&'a self, (): (), line_index: usize) -> Result<Range<usize>, Error> {
        if self.lines.is_empty() {
            let max = self.source.line_count() - 1;
            let given = line_index;
            let span = self.source.line_span(line_index);
            return Ok(span.ok_or(Error::LineTooLarge { given, max })?.range());
        }
        let (given, max) = (line_index, self.lines.len() - 1);
        let line = self.lines.get(line_index);
        let start = line.ok_or(Error::LineTooLarge { given, max })?.start;
        let next = self.lines.get(line_index + 1);
        Ok(start..next.map_or(self.text.len(), |next| next.start))
    }
}
