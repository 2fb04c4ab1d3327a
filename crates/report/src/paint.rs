//! Colours, and text that is safe to print on a terminal.

use std::borrow::Cow;

use anstyle::{AnsiColor, Style};

use a2lint_ir::finding::Severity;
use a2lint_source::text::{Slice, is_unprintable};

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

    /// Styles a heading.
    pub fn bold(self, text: &str) -> String {
        self.with(Style::new().bold(), text)
    }

    /// Styles text of minor importance.
    pub fn dim(self, text: &str) -> String {
        self.with(Style::new().dimmed(), text)
    }

    /// Styles source code in prose.
    pub fn code(self, text: &str) -> String {
        self.with(AnsiColor::Cyan.on_default(), text)
    }

    /// Styles a good result.
    pub fn good(self, text: &str) -> String {
        self.with(AnsiColor::Green.on_default().bold(), text)
    }

    /// Styles text in the colour of a severity.
    pub fn severity(self, severity: Severity, text: &str) -> String {
        let colour = match severity {
            Severity::Info => AnsiColor::Green,
            Severity::Warning => AnsiColor::Yellow,
            Severity::Error => AnsiColor::Red,
        };
        self.with(colour.on_default().bold(), text)
    }
}

/// Replaces unprintable characters in a text, and line ends by spaces.
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

/// Replaces unprintable characters in a text, except for line ends.
pub fn printable_lines(text: &str) -> Cow<'_, str> {
    cleaned(text, Paint::Plain)
}

/// Replaces unprintable characters in a text, except for line ends and, if it is coloured, the escape sequences of
/// a2lint's own colours and links.
pub(super) fn cleaned(text: &str, paint: Paint) -> Cow<'_, str> {
    if !text.contains(|c| is_unprintable(c) && c != '\n') {
        return Cow::Borrowed(text);
    }
    let mut clean = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let length = match c {
            '\n' => 1,
            '\r' if rest.starts_with("\r\n") => 2,
            '\x1b' if paint == Paint::Coloured => sequence(rest).unwrap_or(0),
            c if is_unprintable(c) => 0,
            c => c.len_utf8(),
        };
        match length {
            0 => clean.push('\u{fffd}'),
            length => clean.push_str(rest.part(..length)),
        }
        rest = rest.part(length.max(c.len_utf8())..);
    }
    Cow::Owned(clean)
}

/// Returns the length of an escape sequence of a2lint's own at the start of a text: `ESC [ 1 ; 31 m`, or one that
/// opens or closes a link.
fn sequence(text: &str) -> Option<usize> {
    let length = |rest: &str| text.len() - rest.len();
    if let Some(rest) = text.strip_prefix("\x1b[") {
        let rest = rest.trim_start_matches(|c: char| c.is_ascii_digit() || c == ';');
        return rest.strip_prefix('m').map(length);
    }
    let (address, rest) = text.strip_prefix("\x1b]8;;")?.split_once("\x1b\\")?;
    (!address.contains(is_unprintable)).then(|| length(rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escape_sequences_are_shown_not_obeyed() {
        assert_eq!(printable("a\x1b[2Jb\nc"), "a\u{fffd}[2Jb c");
        assert!(matches!(printable("汉字"), Cow::Borrowed(_)));
        for c in
            "\r\u{85}\u{9b}\u{ad}\u{200b}\u{200e}\u{2028}\u{2029}\u{2066}\u{feff}\u{e0041}".chars()
        {
            assert_eq!(printable(&format!("a{c}b")), "a\u{fffd}b", "{c:?}");
        }
    }

    #[test]
    fn only_our_own_sequences_go_out() {
        let link = "\x1b]8;;https://example.org\x1b\\rule\x1b]8;;\x1b\\";
        let ours = format!("a\r\n\x1b[1;31mb\x1b[0m {link}\n");
        assert_eq!(cleaned(&ours, Paint::Coloured), ours);
        let plain = "a\r\n\u{fffd}[1;31mb\u{fffd}[0m ";
        assert!(cleaned(&ours, Paint::Plain).starts_with(plain));
        for theirs in [
            "\x1b[2J",
            "\x1b]0;x\x07",
            "\x1b]8;;\u{7}\x1b\\",
            "\r",
            "\u{9b}2J",
            "\x1b[",
        ] {
            let clean = cleaned(theirs, Paint::Coloured);
            assert!(!clean.contains(is_unprintable), "{theirs:?}: {clean:?}");
        }
    }
}
