//! Fitting lines to the width of a terminal.
//!
//! A broken line continues below the start of its text: below the second column of a table of two, below the text
//! after `= help:`, next to the gutter of a source line. Colours continue on the next line.

use a2lint_source::text::Slice;
use textwrap::core::{Word, display_width};
use textwrap::{Options, WordSeparator, WordSplitter, WrapAlgorithm};

/// Minimum number of columns; narrower terminals are treated as this wide.
const LEAST: usize = 20;
/// The separator between the gutter of a source line and the line.
const GUTTER: &str = " │";
/// The characters, besides spaces, that connect a label with its source.
const MARKS: &str = "│^-─╰╭╮╯'";
/// Width that a label needs before it is moved to a line of its own.
const LABEL: usize = 32;
/// Maximum length in bytes of quoted code that is not broken.
const CODE: usize = 40;

/// Breaks every line with more columns, between words.
pub fn lines(text: &str, columns: usize) -> String {
    each(text, columns, wrapped)
}

/// Cuts every line with more columns.
pub fn cut_lines(text: &str, columns: usize) -> String {
    each(text, columns, cut)
}

fn each(text: &str, columns: usize, shorten: impl Fn(&str, usize) -> String) -> String {
    let columns = columns.max(LEAST);
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let (line, end) = match line.strip_suffix('\n') {
            Some(line) => (line, "\n"),
            None => (line, ""),
        };
        match display_width(line) > columns {
            true => out.push_str(&shorten(&without_blanks(line), columns)),
            false => out.push_str(line),
        }
        out.push_str(end);
    }
    out
}

/// Breaks one line.
fn wrapped(line: &str, columns: usize) -> String {
    let visible = plain(line);
    let gutter = visible.find(GUTTER).map(|at| at + GUTTER.len());
    let is_gutter = |end: usize| {
        let before = visible.part(..end - GUTTER.len()).trim();
        before.chars().all(|c| c.is_ascii_digit())
    };
    // A gutter with a line number starts a source line, which is cut: if it was broken, the marks below it would
    // point to other columns. A gutter without a number starts a line of marks and labels, whose text may be broken.
    match gutter.filter(|&end| is_gutter(end)) {
        Some(_)
            if visible
                .trim_start()
                .starts_with(|c: char| c.is_ascii_digit()) =>
        {
            cut(line, columns)
        }
        Some(end) => label(line, &visible, end, columns),
        None => filled(line, hanging(&visible, columns), columns),
    }
}

/// Breaks a text; all lines but the first are indented by `hanging` spaces.
pub fn filled(line: &str, hanging: usize, columns: usize) -> String {
    let indent = " ".repeat(hanging);
    textwrap::wrap(line, options(columns).subsequent_indent(&indent)).join("\n")
}

fn options(columns: usize) -> Options<'static> {
    Options::new(columns)
        .word_separator(WordSeparator::Custom(words))
        .word_splitter(WordSplitter::NoHyphenation)
        .wrap_algorithm(WrapAlgorithm::FirstFit)
}

/// Splits a text into words. Code in backticks is one word unless it is long.
fn words(text: &str) -> Box<dyn Iterator<Item = Word<'_>> + '_> {
    let mut rest = text;
    Box::new(std::iter::from_fn(move || {
        let length = word_length(rest);
        let (word, after) = rest.split_at(length);
        rest = after;
        (length > 0).then(|| Word::from(word))
    }))
}

/// Returns the length in bytes of the first word and the spaces after it.
fn word_length(text: &str) -> usize {
    let mut end = 0;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        end = at + c.len_utf8();
        if c == '`'
            && let Some(length) = text.part(end..).find('`').filter(|&it| it <= CODE)
        {
            while chars.next_if(|it| it.0 <= end + length).is_some() {}
            end += length + 1;
        } else if c == ' ' && chars.peek().is_none_or(|it| it.1 != ' ') {
            return end;
        }
    }
    end
}

/// Removes spaces at the end of a line, also before escape sequences.
fn without_blanks(line: &str) -> String {
    let is_text = |&(_, c, is_visible): &(usize, char, bool)| is_visible && c != ' ';
    let end = pieces(line).filter(is_text).map(|it| it.0).last();
    let kept = pieces(line).filter(|&(at, c, _)| Some(at) <= end || c != ' ');
    kept.map(|it| it.1).collect()
}

/// Returns the column at which a text continues: below the start of the text after its lead.
fn hanging(visible: &str, columns: usize) -> usize {
    let space = visible.len() - visible.trim_start().len();
    let text = visible.part(space..);
    let bullet = ["= ", "* ", "- "]
        .iter()
        .find(|it| text.starts_with(**it))
        .map_or(0, |it| it.len());
    let after = text.part(bullet..);
    let word = after.find(' ').unwrap_or(0);
    let gap = after.part(word..).len() - after.part(word..).trim_start().len();
    let lead = match after.part(..word) {
        head if bullet > 0 && head.ends_with(':') => display_width(head) + 1,
        head if space > 0 && gap > 1 => display_width(head) + gap,
        _ if bullet > 0 => 0,
        _ => 2,
    };
    (space + bullet + lead).min(columns / 2)
}

/// Breaks the label of a source line, which consists of marks and a text.
fn label(line: &str, visible: &str, gutter: usize, columns: usize) -> String {
    let marks = visible
        .part(gutter..)
        .find(|c: char| c != ' ' && !MARKS.contains(c));
    let Some(start) = marks.map(|at| gutter + at) else {
        return cut(line, columns);
    };
    let (before, text) = split_visible(line, visible.part(..start).chars().count());
    let column = display_width(visible.part(..start));
    let wanted = display_width(visible.part(start..)).min(LABEL);
    let is_below = column + wanted > columns;
    let column = column
        .min(columns.saturating_sub(wanted))
        .max(display_width(visible.part(..gutter)) + 1);
    let lead = display_width(visible.part(..gutter));
    let options = options((columns - column).max(LEAST / 2));
    let next = format!(
        "\n{}{}",
        visible.part(..gutter),
        " ".repeat(column.saturating_sub(lead))
    );
    let colour = last_colour(before);
    let (reset, next) = match colour.is_empty() {
        true => ("", next),
        false => ("\x1b[0m", next + colour),
    };
    let texts = textwrap::wrap(text, options).join(&format!("{reset}{next}"));
    match is_below {
        true => format!("{}{reset}{next}{texts}", without_blanks(before)),
        false => format!("{before}{texts}"),
    }
}

/// Returns the escape sequence that colours the end of a text; empty if it is not coloured.
fn last_colour(text: &str) -> &str {
    let last = text.rfind("\x1b[").map(|at| text.part(at..));
    let sequence = last.and_then(|it| it.find('m').map(|end| it.part(..=end)));
    sequence.filter(|it| *it != "\x1b[0m").unwrap_or("")
}

/// Splits a line after a number of visible characters.
fn split_visible(line: &str, characters: usize) -> (&str, &str) {
    let mut seen = 0;
    for (at, _, is_visible) in pieces(line) {
        if is_visible && seen == characters {
            return line.split_at(at);
        }
        seen += usize::from(is_visible);
    }
    (line, "")
}

/// Cuts one line.
pub fn cut(line: &str, columns: usize) -> String {
    if display_width(line) <= columns {
        return line.to_owned();
    }
    let mut out = String::new();
    let mut width = 0;
    let mut is_cut = false;
    for (_, c, is_visible) in pieces(line) {
        if !is_visible {
            // Sequences that end colours and links are kept after the cut.
            out.push(c);
            continue;
        }
        let own = unicode_width::UnicodeWidthChar::width(c).unwrap_or(0);
        if !is_cut && width + own < columns {
            out.push(c);
            width += own;
        } else if !is_cut {
            out.push('…');
            is_cut = true;
        }
    }
    out
}

/// Returns the text without escape sequences.
fn plain(line: &str) -> String {
    let visible = pieces(line).filter(|piece| piece.2);
    visible.map(|piece| piece.1).collect()
}

/// Iterates over the characters with their offsets, and whether each is visible, rather than part of an escape
/// sequence.
fn pieces(line: &str) -> impl Iterator<Item = (usize, char, bool)> {
    let mut state = Escape::None;
    line.char_indices().map(move |(at, c)| {
        let before = state;
        state = state.after(c);
        let is_visible = before == Escape::None && state == Escape::None;
        (at, c, is_visible)
    })
}

/// The state of parsing an escape sequence.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Escape {
    /// Outside of a sequence.
    None,
    /// After `ESC`.
    Start,
    /// In a control sequence (colours).
    Control,
    /// In an operating system command (links).
    Command,
    /// After the `ESC` that ends a command.
    End,
}

impl Escape {
    fn after(self, c: char) -> Escape {
        match (self, c) {
            (Escape::None, '\x1b') => Escape::Start,
            (Escape::None, _) | (Escape::End, _) => Escape::None,
            (Escape::Start, '[') => Escape::Control,
            (Escape::Start, ']') => Escape::Command,
            (Escape::Start, _) => Escape::None,
            (Escape::Control, '\x40'..='\x7e') => Escape::None,
            (Escape::Command, '\x07') => Escape::None,
            (Escape::Command, '\x1b') => Escape::End,
            (state, _) => state,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_goes_on_below_its_own_beginning() {
        let cases = [
            (
                "error[x]: the quick brown fox jumps over it",
                "error[x]: the quick brown fox\n  jumps over it",
            ),
            (
                "  = help: the quick brown fox jumps",
                "  = help: the quick brown fox\n          jumps",
            ),
            (
                "  replayed   the quick brown fox jumps",
                "  replayed   the quick brown\n             fox jumps",
            ),
            ("short", "short"),
        ];
        for (text, expected) in cases {
            assert_eq!(lines(text, 30), expected);
        }
    }

    #[test]
    fn labels_go_on_beside_the_gutter() {
        let text = "   │     ^^^ the quick brown fox jumps over the dog\n";
        let expected = "   │     ^^^ the quick brown fox jumps over\n   │         the dog\n";
        assert_eq!(lines(text, 46), expected);
        let right = "   │                       ---- the quick brown fox jumps over\n";
        let expected = "   │                       ----\n   │  the quick brown fox jumps over\n";
        assert_eq!(lines(right, 36), expected);
    }

    #[test]
    fn code_stays_together() {
        let text = "write `ub <<= ws[0:64, 0:8]` there";

        assert_eq!(lines(text, 26), "write\n  `ub <<= ws[0:64, 0:8]`\n  there");
    }

    #[test]
    fn blanks_at_the_end_take_no_room() {
        assert_eq!(
            lines("   │ -------------------   \n", 24),
            "   │ -------------------\n"
        );
    }

    #[test]
    fn source_lines_are_cut() {
        assert_eq!(
            lines("12 │ abcdefghijklmnopqrstuvwxyz\n", 20),
            "12 │ abcdefghijklmn…\n"
        );
        assert_eq!(cut("汉字汉字汉字", 8), "汉字汉…");
    }

    #[test]
    fn colours_and_links_take_no_room_and_end() {
        let red = "\x1b[31mred\x1b[0m";
        assert_eq!(lines(red, 20), red);
        assert_eq!(cut("\x1b[31mabcdef\x1b[0m", 4), "\x1b[31mabc…\x1b[0m");
        let link = "\x1b]8;;https://example.org/a/long/address\x1b\\name\x1b]8;;\x1b\\ and text";
        assert_eq!(lines(link, 20), link);
    }

    #[test]
    fn no_line_is_longer_whatever_it_holds() {
        let word = "x".repeat(90);
        for text in [
            &word,
            "   │ ^ 汉字汉字汉字汉字汉字汉字汉字汉字",
            "  = help:",
            " │ ^^^^^^^^^^^^^^^^^^^^^^^^^^",
        ] {
            for line in lines(text, 24).lines() {
                assert!(display_width(line) <= 24, "{line}");
            }
        }
    }
}
