//! Source excerpts for findings.
//!
//! Most sources are shown as they are. If a labelled line is too long for any terminal, or contains characters that a
//! terminal would interpret, an excerpt is built: long lines are cut around their labels, and unprintable characters
//! are replaced. Line and column numbers are still those of the source.

use std::borrow::Cow;
use std::ops::Range;

use codespan_reporting::files::{Error, Files};
use unicode_width::UnicodeWidthChar;

use a2lint_source::text::{Slice, SourceText, Span, character_at, is_unprintable};

/// Maximum number of columns of a source line.
const MAX_COLUMNS: usize = 160;
/// Minimum number of columns of a source line, however narrow the terminal is.
const LEAST_COLUMNS: usize = 20;
/// Maximum column of the first label before a line is cut on the left.
const LEAD: usize = 40;
/// Width of a tab in columns.
const TAB: usize = 4;
/// Number of columns between the line number and the line.
const GUTTER: usize = 3;
/// Number of columns that a label over several lines takes on the left.
const MARGIN: usize = 3;

/// A source text as the terminal shows it: all of it, or the lines that some labels touch.
pub struct Excerpt<'a> {
    path: &'a str,
    source: &'a SourceText,
    /// 0-based index of the first shown line.
    first_line: usize,
    text: Cow<'a, str>,
    /// The shown lines; empty if the whole source is shown.
    lines: Vec<ShownLine>,
}

/// One line of an excerpt.
struct ShownLine {
    /// Offset of the line in the excerpt.
    start: usize,
    /// The part of the source that is shown.
    kept: Span,
    /// Length in bytes of the ellipsis before it.
    lead: usize,
}

impl<'a> Excerpt<'a> {
    /// Creates the excerpt for labels at these spans, which must start and end at character boundaries.
    pub fn new(path: &'a str, source: &'a SourceText, spans: &[Span], page: Option<usize>) -> Self {
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
        let columns = columns(page, last, spans, source);
        if (first..=last).any(|line| needs_care(source, line, columns)) {
            excerpt.first_line = first;
            excerpt.build(first..last + 1, spans, columns);
        }
        excerpt
    }

    fn build(&mut self, range: Range<usize>, spans: &[Span], columns: usize) {
        let mut text = String::new();
        for line in range {
            let whole = self.source.line_span(line).unwrap_or_default();
            let kept = window(self.source, whole, spans, columns);
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

    /// Returns the range in the shown text of a span of the source.
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

    /// Returns the offset in the source of an offset in the shown text.
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

/// Returns the number of columns for source lines, next to line numbers and the margins of labels over several lines.
fn columns(page: Option<usize>, last: usize, spans: &[Span], source: &SourceText) -> usize {
    let Some(page) = page else {
        return MAX_COLUMNS;
    };
    let is_long = |span: &&Span| source.line_index(span.start) != source.line_index(span.end);
    let margins = MARGIN * spans.iter().filter(is_long).count();
    let gutter = (last + 1).to_string().len() + GUTTER;
    let left = page.saturating_sub(gutter + margins);
    left.clamp(LEAST_COLUMNS, MAX_COLUMNS)
}

/// Returns whether a line is too long or contains unprintable characters, so that it cannot be shown unchanged.
fn needs_care(source: &SourceText, line: usize, columns: usize) -> bool {
    let text = source.slice(source.line_span(line).unwrap_or_default());
    at_column(text, columns) < text.len() || text.contains(is_unprintable)
}

/// Returns the width of a text in columns.
fn text_width(text: &str) -> usize {
    text.chars().map(char_width).sum()
}

fn char_width(c: char) -> usize {
    match c {
        '\t' => TAB,
        c => shown(c).width().unwrap_or(0),
    }
}

/// Returns the character that is shown for a character of the source.
fn shown(c: char) -> char {
    if is_unprintable(c) { '\u{fffd}' } else { c }
}

/// Returns the part of a line to be shown: all of it, or a window that starts a little before its first label.
fn window(source: &SourceText, line: Span, spans: &[Span], columns: usize) -> Span {
    if at_column(source.slice(line), columns) == source.slice(line).len() {
        return line;
    }
    let line = near_label(source, line, spans);
    let text = source.slice(line);
    let inside = |offset: u32| offset.clamp(line.start, line.end);
    let on_line = spans
        .iter()
        .filter(|span| span.start <= line.end && line.start <= span.end);
    let label = on_line
        .map(|span| (inside(span.start), inside(span.end)))
        .min();
    let (start, end) = label.unwrap_or((line.start, line.start));
    let before = |offset: u32| {
        text_width(source.slice(Span {
            end: offset,
            ..line
        }))
    };
    // Both ends may need a column for an ellipsis.
    let room = columns - 2;
    let skipped = match before(end) <= room || before(start) <= LEAD.min(room / 3) {
        true => 0,
        false => {
            let most = text_width(text) - room;
            (before(start) - LEAD.min(room / 3)).min(most)
        }
    };
    let first = at_column(text, skipped);
    let length = at_column(text.part(first..), room);
    let start = line.start + first as u32;
    Span {
        start,
        end: start + length as u32,
    }
}

/// Returns the part of a line around its first label, within which a window is determined. A line may have a megabyte
/// and a finding for every few bytes of it, so measuring whole lines would take quadratic time.
fn near_label(source: &SourceText, line: Span, spans: &[Span]) -> Span {
    const FAR: u32 = 4 << 10;
    let on_line = spans
        .iter()
        .filter(|span| span.start <= line.end && line.start <= span.end);
    let label = on_line.map(|span| span.start.max(line.start)).min();
    let label = label.unwrap_or(line.start);
    let border = |offset: u32| character_at(source.as_str(), offset as usize) as u32;
    Span {
        start: border(label.saturating_sub(FAR).max(line.start)),
        end: border(label.saturating_add(FAR).min(line.end)),
    }
}

/// Returns the offset after as many characters as fit into `columns`.
fn at_column(text: &str, columns: usize) -> usize {
    let mut seen = 0;
    let over = text.char_indices().find(|&(_, c)| {
        seen += char_width(c);
        seen > columns
    });
    over.map_or(text.len(), |(at, _)| at)
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
