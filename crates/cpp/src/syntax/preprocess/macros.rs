//! Definitions of macros.

use crate::syntax::symbols::{
    self as sym, CLOSE, COMMA, ELLIPSIS, HASH, HASH_HASH, OPEN, Sym, VA_ARGS, VA_OPT,
};
use crate::syntax::tokens::{Kind, Token};

/// A macro.
#[derive(Debug)]
pub(super) struct Macro {
    /// Parameters of one like a function, the variadic one included.
    pub parameters: Option<Vec<Sym>>,
    /// Whether the last parameter takes the rest of the arguments.
    pub is_variadic: bool,
    /// Its replacement list.
    pub body: Vec<Part>,
}

/// A part of what a macro stands for.
#[derive(Clone, Debug)]
pub(super) struct Part {
    /// Its kind.
    pub piece: Piece,
    /// Whether `##` joins it with the next.
    pub joins: bool,
}

/// The kinds of parts of a replacement list.
#[derive(Clone, Debug)]
pub(super) enum Piece {
    /// A token.
    Token(Token),
    /// A parameter, at this token.
    Parameter(usize, Token),
    /// `#parameter`
    Text(usize, Token),
    /// `__VA_OPT__(…)`
    Optional(Vec<Part>, Token),
    /// `#__VA_OPT__(…)`
    OptionalText(Vec<Part>, Token),
}

/// Why a definition is not one.
pub(super) type Fault = &'static str;

impl Macro {
    /// Reads what follows the name in a definition.
    pub fn of(tokens: &[Token]) -> Result<Macro, Fault> {
        let mut parameters = None;
        let mut is_variadic = false;
        let mut body = tokens;
        if let Some(first) = tokens.first()
            && first.text == OPEN
            && first.kind == Kind::Punct
            && !first.is_spaced
        {
            let (found, variadic, rest) = read_parameters(&tokens[1..])?;
            (parameters, is_variadic, body) = (Some(found), variadic, rest);
        }
        let reader = Reader {
            parameters: parameters.as_deref(),
            is_variadic,
        };
        Ok(Macro {
            body: reader.parts(body)?,
            parameters,
            is_variadic,
        })
    }
}

fn read_parameters(tokens: &[Token]) -> Result<(Vec<Sym>, bool, &[Token]), Fault> {
    const FAULT: Fault = "the parameters of a macro are not a list of names";
    let mut names = Vec::new();
    let mut at = 0;
    if tokens.first().is_some_and(|it| it.text == CLOSE) {
        return Ok((names, false, &tokens[1..]));
    }
    loop {
        let token = tokens.get(at).ok_or(FAULT)?;
        let next = tokens.get(at + 1).ok_or(FAULT)?;
        if token.text == ELLIPSIS {
            names.push(VA_ARGS);
            return match next.text == CLOSE {
                true => Ok((names, true, &tokens[at + 2..])),
                false => Err(FAULT),
            };
        }
        if token.kind != Kind::Word || names.contains(&token.text) {
            return Err(FAULT);
        }
        names.push(token.text);
        match next.text {
            CLOSE => return Ok((names, false, &tokens[at + 2..])),
            COMMA => at += 2,
            // GNU's `name...`
            ELLIPSIS if tokens.get(at + 2).is_some_and(|it| it.text == CLOSE) => {
                return Ok((names, true, &tokens[at + 3..]));
            }
            _ => return Err(FAULT),
        }
    }
}

struct Reader<'p> {
    parameters: Option<&'p [Sym]>,
    is_variadic: bool,
}

impl Reader<'_> {
    fn parameter(&self, token: &Token) -> Option<usize> {
        let is_word = token.kind == Kind::Word;
        let names = self.parameters.filter(|_| is_word)?;
        names.iter().position(|&name| name == token.text)
    }

    fn parts(&self, tokens: &[Token]) -> Result<Vec<Part>, Fault> {
        let mut parts: Vec<Part> = Vec::new();
        let mut at = 0;
        while let Some(token) = tokens.get(at) {
            at += 1;
            if token.text == HASH_HASH {
                match parts.last_mut() {
                    Some(last) if at < tokens.len() => last.joins = true,
                    _ => return Err("`##` stands at an end of a macro"),
                }
                continue;
            }
            let piece = if token.text == HASH && self.parameters.is_some() {
                let next = tokens.get(at);
                at += 1;
                let next = next.ok_or("`#` is not followed by a parameter")?;
                match self.parameter(next) {
                    Some(parameter) => Piece::Text(parameter, *token),
                    None if self.is_optional(next) => {
                        let (parts, end) = self.optional(tokens, at)?;
                        at = end;
                        Piece::OptionalText(parts, *token)
                    }
                    None => return Err("`#` is not followed by a parameter"),
                }
            } else if self.is_optional(token) {
                let (parts, end) = self.optional(tokens, at)?;
                at = end;
                Piece::Optional(parts, *token)
            } else if let Some(parameter) = self.parameter(token) {
                Piece::Parameter(parameter, *token)
            } else {
                Piece::Token(*token)
            };
            parts.push(Part {
                piece,
                joins: false,
            });
        }
        Ok(parts)
    }

    fn is_optional(&self, token: &Token) -> bool {
        token.text == VA_OPT && self.is_variadic
    }

    /// Returns the parts inside the parentheses at `at`, and the index after them.
    fn optional(&self, tokens: &[Token], at: usize) -> Result<(Vec<Part>, usize), Fault> {
        const FAULT: Fault = "`__VA_OPT__` needs parentheses";
        if tokens.get(at).is_none_or(|it| it.text != sym::OPEN) {
            return Err(FAULT);
        }
        let mut depth = 0usize;
        for (offset, token) in tokens[at..].iter().enumerate() {
            match token.text {
                OPEN => depth += 1,
                CLOSE if depth == 1 => {
                    let end = at + offset;
                    // Nested ones are not allowed, so that this does not go deeper than one step.
                    let inside = &tokens[at + 1..end];
                    if inside.iter().any(|it| it.text == VA_OPT) {
                        return Err("`__VA_OPT__` stands in another one");
                    }
                    return Ok((self.parts(inside)?, end + 1));
                }
                CLOSE => depth -= 1,
                _ => {}
            }
        }
        Err(FAULT)
    }
}
