//! Colours, and text that cannot play tricks on a terminal.

use std::borrow::Cow;

use anstyle::{AnsiColor, Style};

use crate::finding::Severity;

/// Whether text is coloured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paint {
    /// No escape sequences.
    Plain,
    /// ANSI colours.
    Coloured,
}

impl Paint {
    fn with(self, style: Style, text: &str) -> String {
        match self {
            Paint::Plain => text.to_owned(),
            Paint::Coloured => format!("{style}{text}{style:#}"),
        }
    }

    /// Headings.
    pub fn bold(self, text: &str) -> String {
        self.with(Style::new().bold(), text)
    }

    /// What stands back.
    pub fn dim(self, text: &str) -> String {
        self.with(Style::new().dimmed(), text)
    }

    /// Source code in prose.
    pub fn code(self, text: &str) -> String {
        self.with(AnsiColor::Cyan.on_default(), text)
    }

    /// Good news.
    pub fn good(self, text: &str) -> String {
        self.with(AnsiColor::Green.on_default().bold(), text)
    }

    /// Text in the colour of a severity.
    pub fn severity(self, severity: Severity, text: &str) -> String {
        let colour = match severity {
            Severity::Info => AnsiColor::Green,
            Severity::Warning => AnsiColor::Yellow,
            Severity::Error => AnsiColor::Red,
        };
        self.with(colour.on_default().bold(), text)
    }
}

/// Whether a terminal would obey a character instead of showing it: control characters, and the
/// ones that turn the direction of writing.
pub(super) fn is_unprintable(c: char) -> bool {
    (c.is_control() && c != '\t')
        || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

/// One line of text with every unprintable character replaced.
pub fn printable(text: &str) -> Cow<'_, str> {
    if text.contains(is_unprintable) {
        let safe = |c| match c {
            '\n' => ' ',
            c if is_unprintable(c) => '\u{fffd}',
            c => c,
        };
        Cow::Owned(text.chars().map(safe).collect())
    } else {
        Cow::Borrowed(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escape_sequences_are_shown_not_obeyed() {
        assert_eq!(printable("a\x1b[2Jb\nc"), "a\u{fffd}[2Jb c");
        assert!(matches!(printable("汉字"), Cow::Borrowed(_)));
    }
}
