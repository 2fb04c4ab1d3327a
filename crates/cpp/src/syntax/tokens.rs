//! Text to tokens of the preprocessor: comments and line splices are gone, spans name places in the text as written.

use super::symbols::{Sym, Symbols};
use a2lint_source::text::Span;

/// The place of tokens that are in no file: those of the prelude and of macros that the compiler defines.
pub const NOWHERE: Span = Span {
    start: u32::MAX,
    end: u32::MAX,
};

/// A token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// Its kind.
    pub kind: Kind,
    /// Whether blanks stand before it, a line break included.
    pub is_spaced: bool,
    /// Whether it is the first of its line.
    pub starts_line: bool,
    /// Whether it names a macro that was being expanded when it was read: it is never expanded again.
    pub is_final: bool,
    /// Its spelling.
    pub text: Sym,
    /// Its place.
    pub span: Span,
}

/// The kinds of tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An identifier or keyword.
    Word,
    /// A preprocessing number.
    Number,
    /// A character literal, with prefix and suffix.
    Char,
    /// A string literal, with prefix and suffix.
    String,
    /// An operator or bracket.
    Punct,
    /// Any other character.
    Other,
    /// Nothing: the operand of `##` that is empty.
    Nothing,
    /// The end of a file or of an argument.
    End,
}

/// Operators, the longest first for each first character.
const PUNCTUATION: &[&str] = &[
    "...", "->*", "<<=", ">>=", "<=>", "##", "::", "->", ".*", "+=", "-=", "*=", "/=", "%=", "^=",
    "&=", "|=", "<<", ">>", "==", "!=", "<=", ">=", "&&", "||", "++", "--", "(", ")", "{", "}",
    "[", "]", ";", ",", ".", ":", "?", "+", "-", "*", "/", "%", "^", "&", "|", "~", "!", "=", "<",
    ">", "#",
];

/// Returns the tokens of a text whose spans start at `base`; `None` for a text that belongs to no file.
pub fn tokens(text: &str, base: Option<u32>, symbols: &mut Symbols) -> Vec<Token> {
    let spliced = Spliced::of(text);
    let mut lexer = Lexer {
        original: text,
        text: spliced.text.as_deref().unwrap_or(text),
        splices: &spliced.splices,
        base,
        symbols,
        at: 0,
        is_spaced: false,
        starts_line: true,
        // A token of code has about four bytes; growing the list would copy it several times.
        tokens: Vec::with_capacity(text.len() / 4),
    };
    while lexer.step() {}
    lexer.tokens
}

/// A text whose lines that end with `\` are joined.
struct Spliced {
    /// The joined text, where it differs.
    text: Option<String>,
    /// The places at which a splice was removed from the joined text, each with the number of bytes removed up to
    /// there.
    splices: Vec<(u32, u32)>,
}

impl Spliced {
    fn of(text: &str) -> Spliced {
        let mut joined = String::new();
        let mut splices = Vec::new();
        let mut from = 0;
        let mut left_out = 0;
        for at in memchr::memchr_iter(b'\\', text.as_bytes()) {
            if at < from {
                continue;
            }
            let rest = text.as_bytes()[at + 1..].iter();
            let blanks = rest
                // GCC and Clang allow blanks after the backslash, and files may end lines with CR LF.
                .take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r'))
                .count();
            if text.as_bytes().get(at + 1 + blanks) != Some(&b'\n') {
                continue;
            }
            let end = at + blanks + 2;
            joined.push_str(text.get(from..at).unwrap_or_default());
            left_out += end - at;
            splices.push((joined.len() as u32, left_out as u32));
            from = end;
        }
        if splices.is_empty() {
            return Spliced {
                text: None,
                splices,
            };
        }
        joined.push_str(text.get(from..).unwrap_or_default());
        Spliced {
            text: Some(joined),
            splices,
        }
    }
}

struct Lexer<'t> {
    original: &'t str,
    text: &'t str,
    splices: &'t [(u32, u32)],
    base: Option<u32>,
    symbols: &'t mut Symbols,
    at: usize,
    is_spaced: bool,
    starts_line: bool,
    tokens: Vec<Token>,
}

impl Lexer<'_> {
    /// Returns the offset in the text before line splices were removed.
    fn written(&self, at: usize) -> usize {
        let before = self
            .splices
            .partition_point(|&(place, _)| place as usize <= at);
        let left_out = before.checked_sub(1).map_or(0, |it| self.splices[it].1);
        at + left_out as usize
    }

    /// Returns the offset in the original text of the end at `end`; a line splice directly after it is excluded.
    fn written_end(&self, end: usize) -> usize {
        end.checked_sub(1).map_or(0, |last| self.written(last) + 1)
    }

    fn byte(&self, ahead: usize) -> u8 {
        let bytes = self.text.as_bytes();
        bytes.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn count(&self, from: usize, is_part: impl Fn(u8) -> bool) -> usize {
        let rest = self.text.as_bytes().get(from..).unwrap_or_default();
        rest.iter().take_while(|&&byte| is_part(byte)).count()
    }

    /// Reads one token, or the space and comments between tokens. Returns `false` at the end of the text.
    fn step(&mut self) -> bool {
        if self.at >= self.text.len() {
            return false;
        }
        match (self.byte(0), self.byte(1)) {
            (b'\n', _) => {
                self.at += 1;
                self.is_spaced = true;
                self.starts_line = true;
            }
            (b' ' | b'\t' | b'\r' | 0x0b | 0x0c, _) => {
                self.at += 1;
                self.is_spaced = true;
            }
            (b'/', b'/') => {
                self.at += self.count(self.at, |byte| byte != b'\n');
                self.is_spaced = true;
            }
            (b'/', b'*') => {
                let rest = self.text.as_bytes().get(self.at + 2..).unwrap_or_default();
                let end = memchr::memmem::find(rest, b"*/");
                // An unterminated comment extends to the end of the file, as in compilers.
                self.at = end.map_or(self.text.len(), |end| self.at + 2 + end + 2);
                self.is_spaced = true;
            }
            (b'"', _) => self.string(0),
            (b'\'', _) => self.quoted(0, b'\'', Kind::Char),
            (first, second)
                if first.is_ascii_digit() || (first == b'.' && second.is_ascii_digit()) =>
            {
                self.number()
            }
            (first, _) if is_word(first) => self.word(),
            _ => self.punctuation(),
        }
        true
    }

    fn push(&mut self, kind: Kind, end: usize) {
        let text = self.text.get(self.at..end).unwrap_or_default();
        let text = self.symbols.of(text);
        self.push_as(kind, end, text);
    }

    fn push_as(&mut self, kind: Kind, end: usize, text: Sym) {
        let span = match self.base {
            Some(base) => Span {
                start: base.saturating_add(self.written(self.at) as u32),
                end: base.saturating_add(self.written_end(end) as u32),
            },
            None => NOWHERE,
        };
        self.tokens.push(Token {
            kind,
            is_spaced: self.is_spaced,
            starts_line: self.starts_line,
            is_final: false,
            text,
            span,
        });
        self.is_spaced = false;
        self.starts_line = false;
        self.at = end;
    }

    fn word(&mut self) {
        let end = self.at + self.count(self.at, is_word);
        let word = self.text.get(self.at..end).unwrap_or_default();
        let next = self.text.as_bytes().get(end);
        let prefix = end - self.at;
        match next {
            // A word that touches a quote may be its prefix; `R` makes the string raw.
            Some(b'"') if matches!(word, "R" | "LR" | "uR" | "UR" | "u8R") => {
                self.raw_string(prefix)
            }
            Some(b'"') if matches!(word, "L" | "u" | "U" | "u8") => self.string(prefix),
            Some(b'\'') if matches!(word, "L" | "u" | "U" | "u8") => {
                self.quoted(prefix, b'\'', Kind::Char)
            }
            _ => self.push(Kind::Word, end),
        }
    }

    fn number(&mut self) {
        let bytes = self.text.as_bytes();
        let mut end = self.at + 1;
        while let Some(&byte) = bytes.get(end) {
            let last = bytes[end - 1];
            let next = bytes.get(end + 1).copied().unwrap_or(0);
            let goes_on = match byte {
                // A preprocessing number takes signs after an exponent only: `1+2` is three tokens.
                b'+' | b'-' => matches!(last, b'e' | b'E' | b'p' | b'P'),
                b'\'' => next.is_ascii_alphanumeric() || next == b'_',
                b'.' => true,
                byte => is_word(byte),
            };
            if !goes_on {
                break;
            }
            end += 1;
        }
        self.push(Kind::Number, end);
    }

    fn string(&mut self, prefix: usize) {
        self.quoted(prefix, b'"', Kind::String);
    }

    /// Reads a literal up to its closing quote, at most to the end of the line.
    fn quoted(&mut self, prefix: usize, quote: u8, kind: Kind) {
        let bytes = self.text.as_bytes();
        let mut end = self.at + prefix + 1;
        while let Some(&byte) = bytes.get(end) {
            match byte {
                b'\\' if bytes.get(end + 1).is_some_and(|&next| next != b'\n') => end += 2,
                b'\n' => return self.lone_quote(prefix),
                byte if byte == quote => {
                    end += 1;
                    // A suffix is an identifier.
                    let suffix = match bytes.get(end).is_some_and(u8::is_ascii_digit) {
                        true => 0,
                        false => self.count(end, is_word),
                    };
                    return self.push(kind, end + suffix);
                }
                _ => end += 1,
            }
        }
        self.lone_quote(prefix);
    }

    /// Reads a quote that is not closed on its line as a token of one character.
    fn lone_quote(&mut self, prefix: usize) {
        if prefix > 0 {
            self.push(Kind::Word, self.at + prefix);
        }
        self.push(Kind::Other, self.at + 1);
    }

    /// Reads a raw string from the text before line splices were removed, since they do not count in it.
    fn raw_string(&mut self, prefix: usize) {
        let start = self.written(self.at);
        let quote = self.written(self.at + prefix);
        let rest = self
            .original
            .as_bytes()
            .get(quote + 1..)
            .unwrap_or_default();
        let open = rest.iter().position(|&byte| byte == b'(');
        // The standard allows delimiters of at most 16 characters.
        let Some(open) = open.filter(|&open| open <= 16) else {
            return self.string(prefix);
        };
        let mut close = vec![b')'];
        close.extend(&rest[..open]);
        close.push(b'"');
        let Some(found) = memchr::memmem::find(&rest[open..], &close) else {
            return self.lone_quote(prefix);
        };
        let end = quote + 1 + open + found + close.len();
        let text = self.original.get(start..end).unwrap_or_default();
        let text = self.symbols.of(text);
        let mut here = self.at + prefix;
        // Positions in the joined text are smaller by the splices inside of the literal.
        while here < self.text.len() && self.written(here) < end {
            here += 1;
        }
        self.push_as(Kind::String, here, text);
    }

    fn punctuation(&mut self) {
        let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
        // `<::` is `<` and `::` in C++, unless `:` or `>` follows: `[:` is not written today.
        let found = PUNCTUATION
            .iter()
            .find(|it| rest.starts_with(it.as_bytes()));
        match found {
            Some(found) => self.push(Kind::Punct, self.at + found.len()),
            None => self.push(Kind::Other, self.at + 1),
        }
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<(Kind, String, u32, u32)> {
        let mut symbols = Symbols::default();
        let tokens = tokens(text, Some(0), &mut symbols);
        let shown = tokens.iter().map(|token| {
            let text = symbols.text(token.text).to_owned();
            (token.kind, text, token.span.start, token.span.end)
        });
        shown.collect()
    }

    fn texts(text: &str) -> Vec<String> {
        read(text).into_iter().map(|it| it.1).collect()
    }

    #[test]
    fn operators_are_the_longest_that_fit() {
        assert_eq!(
            texts("a<<=b>>c->*d...e.*f"),
            [
                "a", "<<=", "b", ">>", "c", "->*", "d", "...", "e", ".*", "f"
            ]
        );
        assert_eq!(texts("a+++b"), ["a", "++", "+", "b"]);
    }

    #[test]
    fn numbers_take_signs_after_exponents_and_quotes_between_digits() {
        assert_eq!(
            texts("1e+5f 0x1p-3 1'000u .5 1.f 0xe+1"),
            ["1e+5f", "0x1p-3", "1'000u", ".5", "1.f", "0xe+1"]
        );
    }

    #[test]
    fn splices_join_lines_and_places_stay_those_of_the_text() {
        let found = read("ab\\\ncd \\\n + 1");
        assert_eq!(found[0], (Kind::Word, "abcd".into(), 0, 6));
        assert_eq!(found[1], (Kind::Punct, "+".into(), 10, 11));
    }

    #[test]
    fn comments_and_literals() {
        assert_eq!(
            texts("a/* // */b // c\n\"x\\\"//\" 'y' u8\"z\"_k"),
            ["a", "b", "\"x\\\"//\"", "'y'", "u8\"z\"_k"]
        );
        assert_eq!(texts("R\"d(a\\\n)\" )d\" x"), ["R\"d(a\\\n)\" )d\"", "x"]);
        assert_eq!(texts("don't\n x"), ["don", "'", "t", "x"]);
    }
}
