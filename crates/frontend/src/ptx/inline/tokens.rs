//! Tokens of C++: enough to find `asm` statements anywhere, also in macros and around broken code.

use std::ops::Range;

use a2lint_source::text::{Slice, Span};

/// Maximum number of tokens in a list of template parameters or arguments.
pub const MAX_ANGLES: usize = 60;

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A name or keyword.
    Word,
    /// A number, with its suffix.
    Number,
    /// A string literal, quotes and prefix included.
    String,
    /// A character literal.
    Character,
    /// One character of punctuation.
    Mark(u8),
    /// `#word` at the start of a line; continuation lines belong to it.
    Directive {
        /// One past the last byte of the line.
        end: u32,
    },
}

/// A token.
#[derive(Clone, Copy, Debug)]
pub struct Token {
    pub kind: Kind,
    pub span: Span,
}

/// The tokens of a text.
pub struct Tokens<'t> {
    pub text: &'t str,
    list: Vec<Token>,
    /// For each bracket, the index of its partner.
    partners: Vec<Option<u32>>,
}

impl<'t> Tokens<'t> {
    pub fn new(text: &'t str) -> Self {
        let list = Lexer { text, at: 0 }.run();
        let partners = partners(&list);
        Self {
            text,
            list,
            partners,
        }
    }

    pub fn len(&self) -> usize {
        self.list.len()
    }

    pub fn get(&self, at: usize) -> Option<Token> {
        self.list.get(at).copied()
    }

    pub fn span(&self, at: usize) -> Span {
        self.get(at).map_or(Span::default(), |token| token.span)
    }

    /// Returns the text of a token; empty past the end.
    pub fn word(&self, at: usize) -> &'t str {
        self.text.get(self.span(at).range()).unwrap_or_default()
    }

    /// Returns whether a token is this punctuation character.
    pub fn is(&self, at: usize, mark: u8) -> bool {
        self.get(at)
            .is_some_and(|token| token.kind == Kind::Mark(mark))
    }

    /// Returns the name before template arguments that end at `at`, or the name at `at`.
    pub fn before_angles(&self, at: usize) -> Option<usize> {
        let mut depth = 0i32;
        for here in (at.saturating_sub(MAX_ANGLES)..=at).rev() {
            depth += i32::from(self.is(here, b'>')) - i32::from(self.is(here, b'<'));
            if depth == 0 {
                let name = here.checked_sub(usize::from(here < at))?;
                return self.is_word(name).then_some(name);
            }
        }
        None
    }

    pub fn is_word(&self, at: usize) -> bool {
        self.get(at).is_some_and(|token| token.kind == Kind::Word)
    }

    pub fn is_string(&self, at: usize) -> bool {
        self.get(at).is_some_and(|token| token.kind == Kind::String)
    }

    /// Returns the partner of the bracket at `at`.
    pub fn partner(&self, at: usize) -> Option<usize> {
        Some((*self.partners.get(at)?)? as usize)
    }

    /// Returns the span of a range of tokens.
    pub fn source(&self, range: Range<usize>) -> Span {
        match range.is_empty() {
            true => Span::default(),
            false => self.span(range.start).to(self.span(range.end - 1)),
        }
    }
}

/// Matches brackets; unmatched ones have no partner.
fn partners(list: &[Token]) -> Vec<Option<u32>> {
    let mut found = vec![None; list.len()];
    let mut open: Vec<(u8, usize)> = Vec::new();
    for (at, token) in list.iter().enumerate() {
        let closing = match token.kind {
            Kind::Mark(b'(') => b')',
            Kind::Mark(b'[') => b']',
            Kind::Mark(b'{') => b'}',
            Kind::Mark(mark @ (b')' | b']' | b'}')) => {
                // A closing bracket also ends the unmatched brackets inside of its pair, as in broken code.
                if let Some(depth) = open.iter().rposition(|&(wanted, _)| wanted == mark) {
                    let (_, partner) = open[depth];
                    open.truncate(depth);
                    found[at] = Some(partner as u32);
                    found[partner] = Some(at as u32);
                }
                continue;
            }
            _ => continue,
        };
        open.push((closing, at));
    }
    found
}

struct Lexer<'t> {
    text: &'t str,
    at: usize,
}

impl Lexer<'_> {
    fn run(mut self) -> Vec<Token> {
        let mut found = Vec::new();
        let mut line_start = true;
        while let Some(&byte) = self.text.as_bytes().get(self.at) {
            let start = self.at;
            let kind = match byte {
                b'\n' => {
                    line_start = true;
                    self.at += 1;
                    continue;
                }
                byte if byte.is_ascii_whitespace() || byte == b'\\' => {
                    self.at += 1;
                    // A continued line is still the same line.
                    if byte == b'\\' {
                        self.skip_line_break();
                    }
                    continue;
                }
                b'/' if self.starts_with("//") => {
                    self.at = self.find("\n").unwrap_or(self.text.len());
                    continue;
                }
                b'/' if self.starts_with("/*") => {
                    self.at += 2;
                    self.at = self.find("*/").map_or(self.text.len(), |end| end + 2);
                    continue;
                }
                b'#' if line_start => self.directive(),
                b'"' => self.string(),
                b'R' if self.starts_with("R\"") => self.raw_string(),
                b'\'' => self.quoted(b'\'', Kind::Character),
                b'0'..=b'9' => self.number(),
                byte if is_word(byte) => self.take(is_word, Kind::Word),
                byte => {
                    self.at += 1;
                    Kind::Mark(byte)
                }
            };
            line_start = false;
            found.push(Token {
                kind,
                span: Span::new(start, self.at),
            });
        }
        found
    }

    fn starts_with(&self, prefix: &str) -> bool {
        self.text.as_bytes()[self.at..].starts_with(prefix.as_bytes())
    }

    fn find(&self, needle: &str) -> Option<usize> {
        let rest = self.text.as_bytes().get(self.at..)?;
        memchr::memmem::find(rest, needle.as_bytes()).map(|found| self.at + found)
    }

    fn skip_line_break(&mut self) {
        if self.starts_with("\r\n") {
            self.at += 2;
        } else if self.starts_with("\n") {
            self.at += 1;
        }
    }

    fn take(&mut self, part: impl Fn(u8) -> bool, kind: Kind) -> Kind {
        let rest = &self.text.as_bytes()[self.at..];
        self.at += rest.iter().take_while(|&&byte| part(byte)).count().max(1);
        kind
    }

    fn number(&mut self) -> Kind {
        self.take(
            |byte| is_word(byte) || matches!(byte, b'.' | b'\''),
            Kind::Number,
        )
    }

    /// Reads `#` and its word. The directive ends at the first line break without a backslash.
    fn directive(&mut self) -> Kind {
        let bytes = self.text.as_bytes();
        let mut end = self.at;
        while let Some(length) = memchr::memchr(b'\n', &bytes[end..]) {
            let line = bytes[end..end + length].trim_ascii_end();
            end += length;
            if !line.ends_with(b"\\") {
                break;
            }
            end += 1;
        }
        if memchr::memchr(b'\n', &bytes[end..]).is_none() && !bytes[end..].starts_with(b"\n") {
            end = bytes.len();
        }
        self.at += 1;
        let blank = |byte: u8| byte == b' ' || byte == b'\t';
        let rest = &bytes[self.at..];
        self.at += rest.iter().take_while(|&&byte| blank(byte)).count();
        let rest = &bytes[self.at..];
        self.at += rest.iter().take_while(|&&byte| is_word(byte)).count();
        Kind::Directive { end: end as u32 }
    }

    fn string(&mut self) -> Kind {
        self.quoted(b'"', Kind::String)
    }

    /// Reads to the closing quote, or to the end of the line at the latest.
    fn quoted(&mut self, quote: u8, kind: Kind) -> Kind {
        let bytes = self.text.as_bytes();
        self.at += 1;
        while let Some(&byte) = bytes.get(self.at) {
            match byte {
                b'\\' => self.at += 1,
                b'\n' => return kind,
                _ => {}
            }
            self.at += 1;
            if byte == quote {
                return kind;
            }
            if byte == b'\\' {
                // The escaped character may have several bytes.
                while self.at < bytes.len() && !self.text.is_char_boundary(self.at) {
                    self.at += 1;
                }
            }
        }
        self.at = bytes.len();
        kind
    }

    fn raw_string(&mut self) -> Kind {
        // The standard limits the delimiter to 16 characters.
        let rest = self.text.part(self.at..);
        let delimiter = rest.find('(').filter(|&open| open <= 18);
        let end = delimiter.and_then(|open| {
            let close = format!("){}\"", rest.part(2..open));
            Some(rest.find(&close)? + close.len())
        });
        self.at += end.unwrap_or(1);
        match end {
            Some(_) => Kind::String,
            None => Kind::Word,
        }
    }
}

// Bytes of other alphabets are letters of identifiers.
fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_typed_texts_end() {
        for text in [
            "asm(\"mov\\",
            "'\\",
            "\"\\行",
            "\"行\\",
            "#define X \\",
            "R\"",
            "R\"x(",
            "/*",
            "//",
            "\\",
            "0x",
        ] {
            let tokens = Tokens::new(text);
            let ends = (0..tokens.len()).map(|at| tokens.span(at).end as usize);
            assert!(ends.max() <= Some(text.len()), "{text}");
        }
    }
}
