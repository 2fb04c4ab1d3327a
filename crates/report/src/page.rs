//! The destination of text for people: its colours and its width.

use std::borrow::Cow;

use super::paint::cleaned;
use super::{Paint, fit};

/// A destination of text: a terminal with its width, or a file or pipe, where lines may have any length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Page {
    /// The colours.
    pub paint: Paint,
    /// The number of columns of a line; `None` if it is unlimited.
    pub columns: Option<usize>,
}

impl Page {
    /// A destination without colours and with unlimited lines.
    pub const PLAIN: Page = Page {
        paint: Paint::Plain,
        columns: None,
    };

    /// Returns the number of columns, at most `most`.
    pub fn columns_or(self, most: usize) -> usize {
        self.columns.map_or(most, |columns| columns.min(most))
    }

    /// Replaces unprintable characters and escape sequences that are not a2lint's own. Applied to everything that is
    /// written.
    pub fn clean(self, text: &str) -> Cow<'_, str> {
        cleaned(text, self.paint)
    }

    /// Breaks lines that are too long, between words.
    pub fn fit(self, text: String) -> String {
        match self.columns {
            Some(columns) => fit::lines(&text, columns),
            None => text,
        }
    }

    /// Cuts lines that are too long.
    pub fn cut(self, text: String) -> String {
        match self.columns {
            Some(columns) => fit::cut_lines(&text, columns),
            None => text,
        }
    }
}
