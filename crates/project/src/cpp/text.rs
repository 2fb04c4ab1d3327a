//! A C++ file with its place among the files that it is compiled with.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::includes::includes;
use a2lint_source::text::SourceText;

/// Maximum number of bytes of the file that is being checked: others have offsets above.
pub const MAX_BYTES: usize = 1 << 20;

/// A C++ file.
pub struct CppText {
    text: SourceText,
    base: usize,
    includes: Arc<[String]>,
    /// Whether the text has a range of span offsets; `false` if no offsets were left.
    pub is_placed: bool,
}

impl CppText {
    /// Takes a text, whose spans start at `base`.
    pub fn of(text: SourceText, base: usize) -> CppText {
        CppText {
            includes: includes(text.as_str()),
            is_placed: true,
            text,
            base,
        }
    }

    /// Takes a text that cannot be given spans.
    pub fn unread(text: SourceText) -> CppText {
        CppText {
            includes: [].into(),
            is_placed: false,
            text,
            base: 0,
        }
    }

    /// Returns the text.
    pub fn text(&self) -> &SourceText {
        &self.text
    }

    /// Returns the offset at which its spans start.
    pub fn base(&self) -> usize {
        self.base
    }

    /// Returns the paths in its `#include "…"` lines.
    pub fn includes(&self) -> &[String] {
        &self.includes
    }
}

/// Assigns disjoint ranges of offsets to files, so that a span identifies its file. A file keeps its range as long as
/// its text fits, so that syntax of unchanged files stays valid.
pub struct Starts {
    next: usize,
    /// The start of each file's range, and the number of bytes of text that fit.
    known: HashMap<PathBuf, (usize, usize)>,
}

impl Default for Starts {
    fn default() -> Self {
        Starts {
            // The range below belongs to the file that is being checked, whose offsets start at 0.
            next: MAX_BYTES + 1,
            known: HashMap::new(),
        }
    }
}

impl Starts {
    /// Returns the start of the range of a file with this size; `None` if 32-bit offsets are exhausted.
    pub fn of(&mut self, path: &Path, bytes: usize) -> Option<usize> {
        if let Some(&(start, room)) = self.known.get(path)
            && bytes <= room
        {
            return Some(start);
        }
        // Twice the size, so that a file that is being edited can grow without being moved.
        let (start, room) = (self.next, 2 * bytes);
        let next = start.checked_add(room)?.checked_add(1)?;
        u32::try_from(next).ok()?;
        self.next = next;
        self.known.insert(path.to_owned(), (start, room));
        Some(start)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_of_files_never_meet() {
        let mut starts = Starts::default();
        let (one, other) = (Path::new("/p/one.h"), Path::new("/p/other.h"));
        let first = starts.of(one, 100).unwrap();
        assert!(first > MAX_BYTES);
        let second = starts.of(other, 10).unwrap();
        assert!(second > first + 200);
        assert_eq!(starts.of(one, 200), Some(first));
        let moved = starts.of(one, 201).unwrap();
        assert!(moved > second + 20);
        assert_eq!(starts.of(other, 0), Some(second));
        // Offsets have 32 bits.
        assert_eq!(starts.of(Path::new("/p/huge.h"), 1 << 31), None);
        assert!(starts.of(Path::new("/p/next.h"), 10).is_some());
    }
}
