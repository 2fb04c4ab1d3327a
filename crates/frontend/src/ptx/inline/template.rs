//! The text of an `asm` template, with the source of each byte.

use super::statement::Statement;
use super::tokens::Tokens;
use a2lint_source::text::{Slice, Span};

/// Replaces an unknown piece; it is a legal part of any word.
pub const UNKNOWN_PIECE: &str = "$unknown$";
/// Maximum depth of macros that expand to macros.
const MAX_DEPTH: u32 = 8;
/// Maximum size of a template; the rest is cut.
const MAX_BYTES: usize = 1 << 20;

/// An assembled template.
#[derive(Default)]
pub struct Template {
    pub text: String,
    /// For each byte, its source.
    origins: Vec<Span>,
}

/// String macros of the file: `#define KIND ".kind::f16"`.
pub trait StringMacros {
    /// Returns the tokens of the macro's value.
    fn value(&self, name: &str) -> Option<std::ops::Range<usize>>;
}

impl Template {
    pub fn new(tokens: &Tokens, statement: &Statement, macros: &dyn StringMacros) -> Self {
        let mut template = Template::default();
        template.pieces(
            tokens,
            statement,
            statement.template.clone(),
            macros,
            None,
            0,
        );
        template
    }

    /// Returns the source of a part of the text.
    pub fn source(&self, span: Span) -> Span {
        let bytes = &self.origins[span.range()];
        match (bytes.first(), bytes.last()) {
            (Some(first), Some(last)) => first.to(*last),
            _ => Span::default(),
        }
    }

    fn pieces(
        &mut self,
        tokens: &Tokens,
        statement: &Statement,
        range: std::ops::Range<usize>,
        macros: &dyn StringMacros,
        place: Option<Span>,
        depth: u32,
    ) {
        for at in range {
            if self.text.len() > MAX_BYTES {
                return;
            }
            // Text from a macro is attributed to the place where the macro is used.
            let span = place.unwrap_or(tokens.span(at));
            if tokens.is_string(at) {
                self.literal(tokens, statement, at, place);
            } else if tokens.is_word(at) {
                match macros.value(tokens.word(at)).filter(|_| depth < MAX_DEPTH) {
                    Some(value) => {
                        self.pieces(tokens, statement, value, macros, Some(span), depth + 1);
                    }
                    None => self.push(UNKNOWN_PIECE, span),
                }
            }
        }
    }

    fn push(&mut self, text: &str, origin: Span) {
        self.text.push_str(text);
        self.origins.extend(std::iter::repeat_n(origin, text.len()));
    }

    /// Adds a string literal. Text from a macro is attributed to the use of the macro.
    fn literal(&mut self, tokens: &Tokens, statement: &Statement, at: usize, place: Option<Span>) {
        let (body, start, raw) = body(tokens.word(at), tokens.span(at).start as usize);
        let mut rest = body.char_indices().peekable();
        while let Some((from, c)) = rest.next() {
            let mut text = c;
            if c == '\\' && !raw {
                text = match rest.next().map(|(_, escaped)| escaped) {
                    Some('n') => '\n',
                    Some('t') => '\t',
                    // An escaped line break continues the string.
                    Some('\n') | None => continue,
                    Some(escaped) => escaped,
                };
            }
            let mut end = rest.peek().map_or(body.len(), |(end, _)| *end);
            if text == '%'
                && let Some(&(_, after)) = rest.peek()
            {
                match after {
                    // `%%`, `%{`, `%|` and `%}` are escapes of the template language.
                    '%' | '{' | '}' | '|' => {
                        rest.next();
                        text = after;
                        end += 1;
                    }
                    '=' => {
                        // `%=` is a number that is unique to the statement; any number will do.
                        rest.next();
                        text = '0';
                        end += 1;
                    }
                    '[' => {
                        // `%[name]` refers to an operand by name.
                        if let Some(close) = body.part(end..).find(']') {
                            let name = body.part(end + 1..end + close);
                            end += close + 1;
                            while rest.next_if(|(at, _)| *at < end).is_some() {}
                            let number = number(tokens, statement, name);
                            let span = Span::new(start + from, start + end);
                            self.push(&number, place.unwrap_or(span));
                            continue;
                        }
                    }
                    _ => {}
                }
            }
            let span = Span::new(start + from, start + end);
            let mut buffer = [0; 4];
            self.push(text.encode_utf8(&mut buffer), place.unwrap_or(span));
        }
    }
}

/// Returns `%3` for the operand with this name.
fn number(tokens: &Tokens, statement: &Statement, name: &str) -> String {
    let named = |operand: &super::statement::Operand| {
        operand
            .name
            .is_some_and(|at| tokens.word(at) == name.trim())
    };
    match statement.operands.iter().position(named) {
        Some(at) => format!("%{at}"),
        None => format!("%{UNKNOWN_PIECE}"),
    }
}

/// Returns the contents of a literal, where they start, and whether it is a raw string.
fn body(literal: &str, start: usize) -> (&str, usize, bool) {
    if let Some(rest) = literal.strip_prefix("R\"")
        && let Some(open) = rest.find('(')
    {
        let close = rest.len().saturating_sub(open + 2);
        let inside = rest.get(open + 1..close).unwrap_or_default();
        return (inside, start + 2 + open + 1, true);
    }
    let inside = literal.strip_prefix('"').unwrap_or(literal);
    let inside = inside.strip_suffix('"').unwrap_or(inside);
    (inside, start + 1, false)
}
