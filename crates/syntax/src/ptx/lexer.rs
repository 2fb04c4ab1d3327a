//! The lexer of PTX.

use super::operand::integer;
use a2lint_source::text::Span;

/// A token.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub kind: Kind,
    pub span: Span,
    /// Whether it is the first token of its line.
    pub starts_line: bool,
}

/// Kinds of tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// `mov`, `%r1`, `$L__BB0_2`, and `%0` of inline assembly.
    Name,
    /// `.b64`, `.cta_group::1`; one colon is a common slip for two.
    Dotted,
    /// An integer or a float.
    Number,
    /// `"…"`.
    Text,
    /// Punctuation of one or two characters.
    Mark,
    /// What no PTX contains, a quote or comment that is not closed among others.
    Wrong,
}

/// Splits a text into tokens, without comments and the lines that preprocessors leave (`# 12 "file.cu"`).
pub(super) fn tokens(text: &str) -> Vec<Token> {
    let mut lexer = Lexer {
        bytes: text.as_bytes(),
        at: 0,
    };
    let mut found = Vec::with_capacity(text.len() / 4);
    let mut starts_line = true;
    while let Some(&byte) = lexer.bytes.get(lexer.at) {
        let start = lexer.at;
        if let Some(kind) = lexer.token(byte) {
            let span = Span::new(start, lexer.at);
            found.push(Token {
                kind,
                span,
                starts_line,
            });
            starts_line = false;
        } else {
            starts_line |= lexer.bytes[start..lexer.at].contains(&b'\n');
        }
    }
    found
}

struct Lexer<'t> {
    bytes: &'t [u8],
    at: usize,
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$')
}

impl Lexer<'_> {
    fn rest(&self) -> &[u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    fn take(&mut self, is_part: impl Fn(u8) -> bool) {
        self.at += self
            .rest()
            .iter()
            .take_while(|&&byte| is_part(byte))
            .count();
    }

    /// Reads a token, or a gap between tokens.
    fn token(&mut self, byte: u8) -> Option<Kind> {
        match (byte, self.bytes.get(self.at + 1)) {
            (b'/', Some(b'*')) => {
                let end = memchr::memmem::find(&self.bytes[self.at + 2..], b"*/");
                self.at = end.map_or(self.bytes.len(), |end| self.at + end + 4);
                return end.is_none().then_some(Kind::Wrong);
            }
            (b'#', _) | (b'/', Some(b'/')) => {
                self.take(|byte| byte != b'\n');
                return None;
            }
            (b'.', Some(&next)) if is_word(next) => return Some(self.dotted()),
            (b'|', Some(b'|')) | (b'&', Some(b'&')) => self.at += 2,
            (b'=' | b'!' | b'<' | b'>', Some(b'=')) => self.at += 2,
            (b'<', Some(b'<')) | (b'>', Some(b'>')) => self.at += 2,
            (b'"', _) => return Some(self.text()),
            (b'0'..=b'9', _) => return Some(self.number()),
            (b'%', _) => {
                self.at += 1;
                self.take(is_word);
                return Some(Kind::Name);
            }
            (byte, _) if is_word(byte) => {
                self.take(is_word);
                return Some(Kind::Name);
            }
            (byte, _) if byte.is_ascii_whitespace() || byte == b'\x0b' => {
                self.take(|byte| byte.is_ascii_whitespace() || byte == b'\x0b');
                return None;
            }
            (byte, _) if byte.is_ascii_punctuation() => self.at += 1,
            // A whole run, so that it ends between characters.
            _ => {
                self.at += 1;
                self.take(|byte| !byte.is_ascii());
                return Some(Kind::Wrong);
            }
        }
        Some(Kind::Mark)
    }

    fn dotted(&mut self) -> Kind {
        self.at += 1;
        loop {
            self.take(is_word);
            match self.rest() {
                [b':', b':', next, ..] if is_word(*next) => self.at += 2,
                [b':', next, ..] if is_word(*next) => self.at += 1,
                _ => return Kind::Dotted,
            }
        }
    }

    fn text(&mut self) -> Kind {
        self.at += 1;
        loop {
            self.take(|byte| !matches!(byte, b'"' | b'\\' | b'\n'));
            match self.rest() {
                [b'"', ..] => {
                    self.at += 1;
                    return Kind::Text;
                }
                [b'\\', next, ..] if *next != b'\n' => self.at += 2,
                [b'\\', ..] => self.at += 1,
                _ => return Kind::Wrong,
            }
        }
    }

    fn number(&mut self) -> Kind {
        let start = self.at;
        self.take(|byte| is_word(byte) || byte == b'.');
        let is_hexadecimal = self.bytes[start..].starts_with(b"0x");
        let has_exponent = matches!(self.bytes[self.at - 1], b'e' | b'E') && !is_hexadecimal;
        if has_exponent && matches!(self.rest(), [b'+' | b'-', ..]) {
            self.at += 1;
            self.take(|byte| byte.is_ascii_digit());
        }
        let text = std::str::from_utf8(&self.bytes[start..self.at]).unwrap_or_default();
        let is_bits = |prefix: [&str; 2], digits: usize| {
            let rest = prefix.iter().find_map(|it| text.strip_prefix(it));
            rest.is_some_and(|it| it.len() == digits && it.bytes().all(|it| it.is_ascii_hexdigit()))
        };
        let is_float = is_bits(["0f", "0F"], 8) || is_bits(["0d", "0D"], 16);
        match is_float || integer(text).is_some() || text.parse::<f64>().is_ok() {
            true => Kind::Number,
            false => Kind::Wrong,
        }
    }
}
