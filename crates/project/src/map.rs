//! The texts of several files in one space of spans.

use std::fmt;
use std::path::{Path, PathBuf};

use a2lint_source::text::{Slice, SourceText, Span};

/// The texts that a file is checked with, in one space of spans: its own starts at 0, and each other text at a base
/// of its own.
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    /// The text of the checked file.
    pub own: SourceText,
    /// The text that spans are looked up in. For Python, it is the concatenation of all texts. For C++, it is the
    /// file's own text alone: other files keep their bases from one check to the next, with gaps between them.
    pub source: SourceText,
    /// Bounds because of which related files were not read, as clauses for the user.
    pub not_read: Vec<String>,
    others: Vec<OtherFile>,
    /// The path of the checked file; `None` if it is read alone.
    path: Option<PathBuf>,
    /// The folder to which paths for people are relative.
    here: Option<PathBuf>,
}

/// A file that another one is checked with.
#[derive(Clone, Debug)]
struct OtherFile {
    path: PathBuf,
    text: SourceText,
    /// The offset at which its spans start.
    base: usize,
}

/// A line of a file, counted from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The path of the file for people; `None` for the checked file.
    pub file: Option<String>,
    /// The number of the line.
    pub number: usize,
}

impl Line {
    /// Formats the line within a sentence: `line 12`, or `common/tiles.py:12` in another file.
    pub fn words(&self) -> String {
        match self.file {
            None => format!("line {self}"),
            Some(_) => self.to_string(),
        }
    }
}

/// Formats the line alone: `12`, or `common/tiles.py:12` in another file.
impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.file {
            None => write!(f, "{}", self.number),
            Some(file) => write!(f, "{file}:{}", self.number),
        }
    }
}

/// A place in another file than the one that is being checked.
#[derive(Clone, Debug)]
pub struct Place<'m> {
    /// The absolute path of the file.
    pub path: &'m Path,
    /// The path for people.
    pub shown: String,
    /// The text of the file.
    pub text: &'m SourceText,
    /// The span in that text.
    pub span: Span,
}

impl SourceMap {
    /// Creates the source map of a file alone.
    pub fn alone(source: &SourceText) -> SourceMap {
        SourceMap {
            own: source.clone(),
            source: source.clone(),
            ..SourceMap::default()
        }
    }

    /// Creates the source map of a file with others, whose texts are appended, each on a new line.
    pub(crate) fn joined(
        own: &SourceText,
        others: impl Iterator<Item = (PathBuf, SourceText)>,
        (path, here): (&Path, &Path),
    ) -> SourceMap {
        let mut source = own.as_str().to_owned();
        let others = others.map(|(path, text)| {
            source.push('\n');
            let base = source.len();
            source.push_str(text.as_str());
            OtherFile { path, text, base }
        });
        let others = others.collect();
        SourceMap {
            own: own.clone(),
            source: SourceText::new(source),
            others,
            path: Some(path.to_owned()),
            here: Some(here.to_owned()),
            not_read: Vec::new(),
        }
    }

    /// Creates the source map of a file with others that have bases already.
    pub(crate) fn apart(
        own: &SourceText,
        others: impl Iterator<Item = (PathBuf, SourceText, usize)>,
        (path, here): (&Path, &Path),
    ) -> SourceMap {
        let others = others.map(|(path, text, base)| OtherFile { path, text, base });
        SourceMap {
            own: own.clone(),
            source: own.clone().with_lines_past_the_end(),
            others: others.collect(),
            path: Some(path.to_owned()),
            here: Some(here.to_owned()),
            not_read: Vec::new(),
        }
    }

    /// Iterates over the texts of all files, each with the offset at which its spans start; the checked file is first.
    pub fn placed(&self) -> impl Iterator<Item = (usize, &SourceText)> {
        let others = self.others.iter().map(|file| (file.base, &file.text));
        std::iter::once((0, &self.own)).chain(others)
    }

    /// Returns whether a span lies in the checked file.
    pub fn is_own(&self, span: Span) -> bool {
        span.end as usize <= self.own.as_str().len()
    }

    /// Replaces `line N` by file and line, for lines of the concatenation that belong to another file.
    pub fn in_words(&self, text: &str) -> String {
        let own_lines = self.own.line_index(self.own.as_str().len() as u32) + 1;
        let mut words = String::new();
        let mut rest = text;
        while let Some(at) = rest.find("line ") {
            let (before, after) = rest.split_at(at + "line ".len());
            let digits = after
                .find(|c: char| !c.is_ascii_digit())
                .unwrap_or(after.len());
            let line = after.part(..digits).parse::<usize>().ok();
            let line = line.filter(|line| *line > own_lines);
            let span = line.and_then(|line| self.span_of_line(line));
            match span.and_then(|span| self.place(span)) {
                Some(place) => {
                    words.push_str(before.strip_suffix("line ").unwrap_or(before));
                    words.push_str(&place);
                }
                None => {
                    words.push_str(before);
                    words.push_str(after.part(..digits));
                }
            }
            rest = after.part(digits..);
        }
        words.push_str(rest);
        words
    }

    /// Returns the file and the line of a line of the concatenation that belongs to another file.
    pub fn place_of_line(&self, line: usize) -> Option<(String, usize)> {
        let own_lines = self.own.line_index(self.own.as_str().len() as u32) + 1;
        let span = self.span_of_line(line).filter(|_| line > own_lines)?;
        let found = self.elsewhere(span)?;
        Some((found.shown, found.text.line_index(found.span.start) + 1))
    }

    /// Returns the span of a line of the concatenation.
    fn span_of_line(&self, line: usize) -> Option<Span> {
        let past = || self.source.offset_past_the_end(line);
        let span = self.source.line_span(line.checked_sub(1)?);
        span.or_else(|| past().map(|at| Span { start: at, end: at }))
    }

    /// Returns the text of a span in any of the files.
    pub fn text_of(&self, span: Span) -> &str {
        let (text, span) = match self.is_own(span) {
            true => (&self.own, span),
            false => match self.elsewhere(span) {
                Some(place) => (place.text, place.span),
                None => return "",
            },
        };
        text.as_str().get(span.range()).unwrap_or_default()
    }

    /// Returns file and line of a span in another file, such as `common/tiles.py:12`.
    pub fn place(&self, span: Span) -> Option<String> {
        let line = self.line(span);
        line.file.is_some().then(|| line.to_string())
    }

    /// Returns the line on which a span starts.
    pub fn line(&self, span: Span) -> Line {
        match self.elsewhere(span) {
            Some(found) => Line {
                number: found.text.line_index(found.span.start) + 1,
                file: Some(found.shown),
            },
            None => Line {
                number: self.own.line_index(span.start) + 1,
                file: None,
            },
        }
    }

    /// Returns the first and the last line of a span in a file, counted from 1; `None` if the span is in another file.
    /// `file` is the end of the path, such as `tiles.py`; without one, the checked file is meant.
    pub fn lines_in(&self, file: Option<&Path>, span: Span) -> Option<[usize; 2]> {
        let other = self.elsewhere(span);
        let path = other
            .as_ref()
            .map_or(self.path.as_deref(), |it| Some(it.path));
        let is_meant = match file {
            Some(file) => path.is_some_and(|path| path.ends_with(file)),
            None => other.is_none(),
        };
        let (text, span) = other.map_or((&self.own, span), |it| (it.text, it.span));
        let lines = [span.start, span.end].map(|at| text.line_index(at) + 1);
        is_meant.then_some(lines)
    }

    /// Returns the place of a span in another file; `None` if the span is in none.
    pub fn elsewhere(&self, span: Span) -> Option<Place<'_>> {
        let file = &self.others[self.other_at(span)?];
        let here = self.here.as_ref();
        let shown = here.and_then(|here| file.path.strip_prefix(here).ok());
        let end = (span.end as usize).min(file.base + file.text.as_str().len());
        Some(Place {
            path: &file.path,
            shown: shown.unwrap_or(&file.path).display().to_string(),
            text: &file.text,
            span: Span::new(span.start as usize - file.base, end - file.base),
        })
    }

    /// Returns the index of the other file that contains a span.
    pub(crate) fn other_at(&self, span: Span) -> Option<usize> {
        let start = span.start as usize;
        let is_in =
            |file: &OtherFile| file.base <= start && start <= file.base + file.text.as_str().len();
        self.others.iter().position(is_in)
    }

    /// Returns the base of another file, by index.
    pub(crate) fn base(&self, other: usize) -> usize {
        self.others[other].base
    }

    /// Returns the path of the checked file; `None` if it is read alone.
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// Returns another file by its path, and the offset at which its spans start.
    pub fn other(&self, path: &Path) -> Option<(&SourceText, usize)> {
        let mut others = self.others.iter();
        let found = others.find(|file| file.path == path)?;
        Some((&found.text, found.base))
    }

    /// Returns whether the map contains another file.
    pub fn holds(&self, path: &Path) -> bool {
        self.others().any(|other| other == path)
    }

    /// Iterates over the paths of the other files, in the order in which they were read.
    pub fn others(&self) -> impl Iterator<Item = &Path> {
        self.others.iter().map(|file| file.path.as_path())
    }

    /// Iterates over the texts of the other files, in the same order.
    pub fn texts(&self) -> impl Iterator<Item = &SourceText> {
        self.others.iter().map(|file| &file.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn others() -> [(PathBuf, SourceText); 2] {
        let other = |path: &str, text: &str| (PathBuf::from(path), SourceText::new(text));
        [other("/p/a.py", "a\nb"), other("/q/c.py", "c")]
    }

    #[test]
    fn texts_that_are_joined_stand_on_lines_of_their_own() {
        let map = SourceMap::joined(
            &SourceText::new("own"),
            others().into_iter(),
            (Path::new("/p/own.py"), Path::new("/p")),
        );
        assert_eq!(map.source.as_str(), "own\na\nb\nc");
        assert!(map.is_own(Span::new(0, 3)) && map.elsewhere(Span::new(0, 3)).is_none());
        let place = map.elsewhere(Span::new(6, 7)).expect("a place");
        assert_eq!(
            (place.shown.as_str(), place.span),
            ("a.py", Span::new(2, 3))
        );
        assert_eq!(map.place(Span::new(8, 9)).as_deref(), Some("/q/c.py:1"));
        assert_eq!(map.in_words("line 1, line 3"), "line 1, a.py:2");
        let lines = [Span::new(0, 3), Span::new(6, 7)].map(|span| map.line(span).words());
        assert_eq!(lines, ["line 1", "a.py:2"]);
        let lines_in = |file: &str, span| map.lines_in(Some(Path::new(file)), span);
        assert_eq!(map.lines_in(None, Span::new(0, 3)), Some([1, 1]));
        assert_eq!(map.lines_in(None, Span::new(4, 7)), None);
        assert_eq!(lines_in("own.py", Span::new(0, 3)), Some([1, 1]));
        assert_eq!(lines_in("p/a.py", Span::new(4, 7)), Some([1, 2]));
        assert_eq!(lines_in("c.py", Span::new(4, 7)), None);
    }

    #[test]
    fn texts_with_a_base_may_have_room_between_them() {
        let placed = others().into_iter().zip([100, 200]);
        let placed = placed.map(|((path, text), base)| (path, text, base));
        let paths = (Path::new("/p/own.cpp"), Path::new("/p"));
        let map = SourceMap::apart(&SourceText::new("own"), placed, paths);
        assert_eq!(map.source.as_str(), "own");
        assert_eq!(map.place(Span::new(102, 103)).as_deref(), Some("a.py:2"));
        assert_eq!(map.place(Span::new(150, 151)), None);
        let line = map.source.line_column(102).line;
        let text = format!("line 1 and line {line}");
        assert_eq!(map.in_words(&text), "line 1 and a.py:2");
        assert!(map.holds(Path::new("/q/c.py")));
    }
}
