//! A C++ file with its syntax, parsed once for all files that include it, when it is first asked for: kernels of
//! AscendC need the texts alone.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use self_cell::self_cell;

use super::includes::includes;
use a2lint_source::text::SourceText;
use a2lint_syntax::cpp::{self, Unit};

self_cell!(
    struct Read {
        owner: SourceText,
        #[covariant]
        dependent: Unit,
    }
);

/// A C++ file with its syntax.
pub struct CppText {
    text: SourceText,
    /// The syntax, once it was asked for; `None` if the text is too large or too broken.
    read: OnceLock<Option<Read>>,
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
            read: OnceLock::new(),
            base,
        }
    }

    /// Creates a file without syntax, for a text that cannot be given spans.
    pub fn unread(text: SourceText) -> CppText {
        CppText {
            includes: [].into(),
            is_placed: false,
            text,
            read: OnceLock::from(None),
            base: 0,
        }
    }

    /// Returns the text.
    pub fn text(&self) -> &SourceText {
        &self.text
    }

    /// Returns the syntax; `None` if the text is too large or too broken.
    pub fn unit(&self) -> Option<&Unit<'_>> {
        let read = self.read.get_or_init(|| {
            let tree = cpp::parse_tree(self.text.as_str())?;
            // The unit refers to the text that it is kept with.
            Some(Read::new(self.text.clone(), |text| {
                cpp::lower_at(&tree, text.as_str(), self.base)
            }))
        });
        read.as_ref().map(Read::borrow_dependent)
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
            next: cpp::MAX_BYTES + 1,
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
        assert!(first > cpp::MAX_BYTES);
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

    #[test]
    fn a_text_that_is_not_read_has_nothing_in_it() {
        let text = || SourceText::new("#include \"a.h\"\nint x;");
        let read = CppText::of(text(), 100);
        assert_eq!(read.includes(), ["a.h"]);
        let unit = read.unit().expect("it is C++");
        assert_eq!((unit.items.len(), unit.items[1].span.start), (2, 115));
        assert!(CppText::unread(text()).unit().is_none());
    }
}
