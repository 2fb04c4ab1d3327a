//! The lexer of PTO assembly and MLIR.

use a2lint_source::text::Span;

/// A token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// The span in the text.
    pub span: Span,
    /// The kind of token.
    pub kind: TokenKind,
    /// Whether it is the first token of its line.
    pub first: bool,
}

/// Kinds of tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// `%name`, `%0#1`.
    Value,
    /// `@name`.
    Symbol,
    /// `pto.tsel`, `.arg`, `ins`.
    Word,
    /// `16`, `0x1000`, `-1.5e3`.
    Number,
    /// `"..."`.
    String,
    /// `^bb0`.
    Label,
    /// `->`.
    Arrow,
    /// Any other character.
    Punctuation(u8),
}

/// Splits a text into tokens. Comments (`//`, and `#` before a space or at the start of a line) are skipped.
pub fn tokens(text: &str) -> Vec<Token> {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(text.len() / 4);
    let mut at = 0;
    let mut first = true;
    while let Some(&byte) = bytes.get(at) {
        let start = at;
        let kind = match byte {
            b'\n' => {
                first = true;
                at += 1;
                continue;
            }
            b' ' | b'\t' | b'\r' => {
                at += 1;
                continue;
            }
            b'/' if bytes.get(at + 1) == Some(&b'/') => {
                at = line_end(bytes, at);
                continue;
            }
            b'#' if is_comment(bytes, at, first) => {
                at = line_end(bytes, at);
                continue;
            }
            b'%' | b'@' | b'^' => {
                at = name_end(bytes, at + 1);
                if byte == b'%' && bytes.get(at) == Some(&b'#') {
                    at = name_end(bytes, at + 1);
                }
                match byte {
                    b'%' => TokenKind::Value,
                    b'@' => TokenKind::Symbol,
                    _ => TokenKind::Label,
                }
            }
            b'"' => {
                at = string_end(bytes, at);
                TokenKind::String
            }
            b'-' if bytes.get(at + 1) == Some(&b'>') => {
                at += 2;
                TokenKind::Arrow
            }
            b'0'..=b'9' => {
                at = number_end(bytes, at);
                TokenKind::Number
            }
            b'-' if bytes.get(at + 1).is_some_and(u8::is_ascii_digit) => {
                at = number_end(bytes, at + 1);
                TokenKind::Number
            }
            b'.' if bytes.get(at + 1).is_some_and(u8::is_ascii_alphabetic) => {
                at = name_end(bytes, at + 1);
                TokenKind::Word
            }
            byte if byte.is_ascii_alphabetic() || byte == b'_' => {
                at = name_end(bytes, at);
                TokenKind::Word
            }
            byte => {
                at += 1;
                // The continuation bytes of a UTF-8 character belong to this token.
                while bytes.get(at).is_some_and(|byte| byte & 0xC0 == 0x80) {
                    at += 1;
                }
                TokenKind::Punctuation(byte)
            }
        };
        out.push(Token {
            span: Span::new(start, at),
            kind,
            first,
        });
        first = false;
    }
    out
}

fn line_end(bytes: &[u8], at: usize) -> usize {
    at + bytes[at..]
        .iter()
        .take_while(|&&byte| byte != b'\n')
        .count()
}

/// Returns whether `#` starts a comment. `#pto<cmp lt>` and `#name = ...` are attributes.
fn is_comment(bytes: &[u8], at: usize, first: bool) -> bool {
    let end = name_end(bytes, at + 1);
    if end == at + 1 {
        return true;
    }
    let mut rest = bytes[end..].iter().copied();
    let next = rest.find(|byte| !matches!(byte, b' ' | b'\t'));
    first && bytes.get(end) != Some(&b'<') && next != Some(b'=')
}

fn name_end(bytes: &[u8], from: usize) -> usize {
    let rest = bytes.get(from..).unwrap_or_default().iter();
    let is_part = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'$');
    from + rest.take_while(is_part).count()
}

/// Returns the end of a number: digits with a fraction and an exponent, or hexadecimal digits. In `16x32xf32` the `x`
/// ends the number.
fn number_end(bytes: &[u8], from: usize) -> usize {
    let digits = |from: usize, is: fn(&u8) -> bool| {
        let rest = bytes.get(from..).unwrap_or_default().iter();
        from + rest.take_while(|byte| is(byte)).count()
    };
    if bytes[from..].starts_with(b"0x") {
        let end = digits(from + 2, u8::is_ascii_hexdigit);
        if end > from + 2 {
            return end;
        }
    }
    let mut end = digits(from, u8::is_ascii_digit);
    if bytes.get(end) == Some(&b'.') {
        end = digits(end + 1, u8::is_ascii_digit);
    }
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        let exponent = digits(end + 1 + sign, u8::is_ascii_digit);
        if exponent > end + 1 + sign {
            end = exponent;
        }
    }
    end
}

fn string_end(bytes: &[u8], at: usize) -> usize {
    let mut end = at + 1;
    while let Some(&byte) = bytes.get(end) {
        match byte {
            b'\\' => end += 2,
            b'\n' => return end,
            b'"' => return end + 1,
            _ => end += 1,
        }
    }
    bytes.len()
}
