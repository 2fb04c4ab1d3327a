//! Where text for people goes: its colours and its width.

use std::borrow::Cow;

use super::paint::cleaned;
use super::{Paint, fit};

/// A terminal, or whatever takes lines of any length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Page {
    /// Colours.
    pub paint: Paint,
    /// Columns of a line; nothing where lines may be as long as they like.
    pub columns: Option<usize>,
}

impl Page {
    /// Text without colours, in lines of any length.
    pub const PLAIN: Page = Page {
        paint: Paint::Plain,
        columns: None,
    };

    /// How many columns may be used, `most` where there is no limit.
    pub fn columns_or(self, most: usize) -> usize {
        self.columns.map_or(most, |columns| columns.min(most))
    }

    /// Replaces what a terminal would obey and is not ours. Everything that is written goes through this.
    pub fn clean(self, text: &str) -> Cow<'_, str> {
        cleaned(text, self.paint)
    }

    /// Breaks lines that are too long, at words.
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
