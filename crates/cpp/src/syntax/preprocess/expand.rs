//! Expansion of macros, as GCC does it: a stack of replacement lists, on which a macro is not expanded again while its
//! own list is on the stack.

use std::sync::Arc;

use super::macros::{Macro, Part, Piece};
use super::{Definition, Fault, Preprocessor};
use crate::syntax::symbols::{CLOSE, COMMA, DEFINED, HASH, OPEN, Sym};
use crate::syntax::tokens::{Kind, NOWHERE, Token, tokens};
use a2lint_source::text::Span;

/// Maximum nesting of argument expansions.
const MAX_DEPTH: usize = 100;

/// Tokens that are read before those of the file.
pub(super) struct Context {
    tokens: Vec<Token>,
    at: usize,
    /// The macro that they are the replacement of.
    owner: Option<Sym>,
    /// Whether nothing after them is read: they are an argument.
    is_argument: bool,
}

/// The purposes for which a token is read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Reading {
    /// To be passed on.
    Free,
    /// As a part of an argument: files end there.
    Argument,
}

/// An argument of a macro.
#[derive(Default)]
struct Argument {
    tokens: Vec<Token>,
    expanded: Option<Vec<Token>>,
    /// Whether it is the variadic one and not even a comma stands for it.
    is_absent: bool,
}

pub(super) const END: Token = Token {
    kind: Kind::End,
    is_spaced: false,
    starts_line: false,
    is_final: false,
    text: Sym(0),
    span: NOWHERE,
};

impl Preprocessor<'_> {
    /// Returns the next token after macro expansion; at the end, one of kind `End`.
    pub(super) fn next(&mut self) -> Token {
        loop {
            let mut token = self.read(Reading::Free);
            // Macros can expand to exponentially long texts, so the work is bounded, not only the depth.
            if !self.spend(1, token.span) {
                return END;
            }
            if token.kind != Kind::Word || token.is_final {
                return token;
            }
            let Some(definition) = self.macros.get(&token.text).cloned() else {
                return token;
            };
            if self.disabled.contains(&token.text) {
                // The standard paints such a name for good: it is not expanded later either, outside of its own
                // replacement.
                token.is_final = true;
                return token;
            }
            if !self.enter(token, &definition) {
                return token;
            }
        }
    }

    /// Returns the next token before macro expansion.
    fn read(&mut self, reading: Reading) -> Token {
        while let Some(context) = self.contexts.last_mut() {
            if let Some(&token) = context.tokens.get(context.at) {
                context.at += 1;
                return token;
            }
            // An argument is expanded on its own: the tokens after the call must not become part of it.
            if context.is_argument {
                return END;
            }
            self.leave();
        }
        let token = self.file_token(reading);
        match self.split_suffix(token) {
            Some(parts) => {
                // The suffix is read again as a token, so that it is expanded like any other name.
                self.push(parts, None);
                self.read(reading)
            }
            None => token,
        }
    }

    /// Splits a literal from a macro name that touches it: in `"%"PRId64`, the name is no suffix of the literal.
    fn split_suffix(&mut self, token: Token) -> Option<Vec<Token>> {
        if token.kind != Kind::String {
            return None;
        }
        let text = self.symbols.name(token.text);
        let (literal, suffix) = text.split_at(text.rfind('"')? + 1);
        let suffix = self.symbols.known(suffix).filter(|_| !suffix.is_empty())?;
        if !self.macros.contains_key(&suffix) {
            return None;
        }
        let literal = self.symbols.of(literal);
        let word = Token {
            kind: Kind::Word,
            text: suffix,
            is_spaced: false,
            starts_line: false,
            ..token
        };
        Some(vec![
            Token {
                text: literal,
                ..token
            },
            word,
        ])
    }

    /// Lets go of the topmost replacement list, so that its macro may be expanded again.
    fn leave(&mut self) {
        let left = self.contexts.pop().and_then(|it| it.owner);
        let below = self.contexts.last().and_then(|it| it.owner);
        if let Some(owner) = left
            // A macro may have pushed several lists; it stays disabled until the last of them is read.
            && below != left
        {
            self.disabled.remove(&owner);
        }
    }

    /// Returns whether a parenthesis opens next; replacement lists that are read to their end are left.
    fn opens(&mut self) -> bool {
        while let Some(context) = self.contexts.last() {
            if let Some(token) = context.tokens.get(context.at) {
                return token.text == OPEN && token.kind == Kind::Punct;
            }
            if context.is_argument {
                return false;
            }
            self.leave();
        }
        self.file_opens()
    }

    fn push(&mut self, tokens: Vec<Token>, owner: Option<Sym>) {
        if owner.is_some() {
            self.disabled.extend(owner);
        }
        self.contexts.push(Context {
            tokens,
            at: 0,
            owner,
            is_argument: false,
        });
    }

    /// Puts what a macro stands for before what is read next. Returns whether it does: one like a function needs its
    /// arguments.
    fn enter(&mut self, name: Token, definition: &Definition) -> bool {
        let Definition::Written(written) = definition else {
            let token = self.built_in(name, definition);
            self.push(vec![token], None);
            return true;
        };
        let mut span = name.span;
        let mut arguments = Vec::new();
        if let Some(parameters) = &written.parameters {
            // The name of a macro like a function is only that where no parenthesis follows.
            if !self.opens() {
                return false;
            }
            let Some((found, close)) = self.arguments(written, parameters.len()) else {
                self.fault(name.span, "the arguments of a macro do not end");
                return false;
            };
            if !accepts(written, &found) {
                self.fault(name.span, "a macro has another number of arguments");
                return false;
            }
            arguments = found;
            // The variadic argument may be left out with its comma.
            if arguments.len() < parameters.len() {
                arguments.push(Argument::default());
            }
            let is_absent = match arguments.len() {
                1 => arguments[0].tokens.is_empty(),
                _ => parameters.len() != close.given,
            };
            if let Some(last) = arguments.last_mut() {
                last.is_absent = written.is_variadic && is_absent;
            }
            span = self.join(span, close.span);
        }
        if self.depth > MAX_DEPTH {
            self.too_deep(name.span);
            return false;
        }
        let mut tokens = self.substitute(&written.body, written, &mut arguments, span);
        tokens.retain(|token| token.kind != Kind::Nothing);
        if let Some(first) = tokens.first_mut() {
            // The spaces before the name are those of what replaces it: `#` and diagnostics show them.
            first.is_spaced = name.is_spaced;
            first.starts_line = name.starts_line;
        }
        self.spend(tokens.len(), span);
        self.push(tokens, Some(name.text));
        true
    }

    /// Reads the arguments after the name of a macro; returns them with the closing parenthesis.
    fn arguments(&mut self, written: &Arc<Macro>, most: usize) -> Option<(Vec<Argument>, Close)> {
        self.read(Reading::Argument);
        let mut arguments = vec![Argument::default()];
        let mut depth = 0usize;
        loop {
            let mut token = self.read(Reading::Argument);
            if !self.spend(1, token.span) {
                return None;
            }
            match token.kind {
                Kind::End => return None,
                Kind::Word if self.disabled.contains(&token.text) => token.is_final = true,
                Kind::Punct => match token.text {
                    OPEN => depth += 1,
                    CLOSE if depth == 0 => {
                        let close = Close {
                            span: token.span,
                            given: arguments.len(),
                        };
                        return Some((arguments, close));
                    }
                    CLOSE => depth -= 1,
                    // All further commas belong to the variadic argument.
                    COMMA if depth == 0 && !(written.is_variadic && arguments.len() == most) => {
                        arguments.push(Argument::default());
                        continue;
                    }
                    _ => {}
                },
                _ => {}
            }
            // A `#` at the start of a line in an argument is no directive in the replacement.
            token.starts_line = false;
            if let Some(last) = arguments.last_mut() {
                last.tokens.push(token);
            }
        }
    }

    /// Expands tokens on their own.
    pub(super) fn expanded(&mut self, tokens: Vec<Token>) -> Vec<Token> {
        self.expanded_with(tokens, false)
    }

    /// Expands tokens on their own. In a condition, what `defined` asks for stays as it is, also where a macro asks.
    pub(super) fn expanded_with(&mut self, tokens: Vec<Token>, is_condition: bool) -> Vec<Token> {
        // Most arguments hold nothing to expand.
        let is_macro =
            |token: &Token| token.kind == Kind::Word && self.macros.contains_key(&token.text);
        if !tokens.iter().any(is_macro) {
            return tokens;
        }
        self.depth += 1;
        self.contexts.push(Context {
            tokens,
            at: 0,
            owner: None,
            is_argument: true,
        });
        let mut found = Vec::new();
        loop {
            let token = self.next();
            if token.kind == Kind::End {
                break;
            }
            found.push(token);
            // `defined X` tests the name itself, which expansion would replace.
            if is_condition && token.text == DEFINED {
                let next = self.read(Reading::Argument);
                found.push(next);
                if next.text == OPEN {
                    found.push(self.read(Reading::Argument));
                }
                found.retain(|token| token.kind != Kind::End);
            }
        }
        // The bound on work may end it early.
        while self.contexts.last().is_some_and(|it| !it.is_argument) {
            self.leave();
        }
        self.contexts.pop();
        self.depth -= 1;
        found
    }

    fn substitute(
        &mut self,
        parts: &[Part],
        written: &Macro,
        arguments: &mut [Argument],
        span: Span,
    ) -> Vec<Token> {
        let mut out: Vec<Token> = Vec::new();
        let mut is_joined = false;
        for part in parts {
            // Operands of `##` are not expanded before they are joined.
            let is_operand = is_joined || part.joins;
            let last = arguments.len().saturating_sub(1);
            let mut list = match &part.piece {
                Piece::Token(token) => vec![Token { span, ..*token }],
                Piece::Parameter(number, token) => {
                    let argument = &mut arguments[*number];
                    let is_after_comma = out.last().is_some_and(|it| it.text == COMMA);
                    if written.is_variadic && *number == last && is_joined && is_after_comma {
                        // GNU's `, ## __VA_ARGS__`: the comma goes with an absent argument.
                        match argument.is_absent {
                            true => drop(out.pop()),
                            false => is_joined = false,
                        }
                    }
                    let tokens = match is_operand {
                        true => argument.tokens.clone(),
                        false => self.expanded_argument(argument),
                    };
                    first_as(tokens, token)
                }
                Piece::Text(number, token) => {
                    let tokens = arguments[*number].tokens.clone();
                    vec![self.text_of(&tokens, token, span)]
                }
                Piece::Optional(parts, token) => {
                    let tokens = self.optional(parts, written, arguments, span);
                    first_as(tokens, token)
                }
                Piece::OptionalText(parts, token) => {
                    let tokens = self.optional(parts, written, arguments, span);
                    vec![self.text_of(&tokens, token, span)]
                }
            };
            if !self.spend(list.len(), span) {
                return out;
            }
            // `##` with an empty argument leaves the other operand: a placeholder takes the place of nothing.
            if is_operand && list.is_empty() {
                list.push(Token {
                    kind: Kind::Nothing,
                    ..END
                });
            }
            match out.pop() {
                Some(left) if is_joined => {
                    let right = list.remove(0);
                    self.paste(left, right, span, &mut out);
                }
                left => out.extend(left),
            }
            out.extend(list);
            is_joined = part.joins;
        }
        out
    }

    fn expanded_argument(&mut self, argument: &mut Argument) -> Vec<Token> {
        // A parameter may occur many times, and its expansion is the same each time.
        if argument.expanded.is_none() {
            argument.expanded = Some(self.expanded(argument.tokens.clone()));
        }
        argument.expanded.clone().unwrap_or_default()
    }

    /// Returns the replacement of `__VA_OPT__(…)`: nothing if the variadic argument expands to nothing.
    fn optional(
        &mut self,
        parts: &[Part],
        written: &Macro,
        arguments: &mut [Argument],
        span: Span,
    ) -> Vec<Token> {
        let is_there = match arguments.last_mut() {
            Some(last) => !self.expanded_argument(last).is_empty(),
            None => false,
        };
        match is_there {
            true => self.substitute(parts, written, arguments, span),
            false => Vec::new(),
        }
    }

    /// Applies `#`: returns the spelling of tokens as a string literal.
    fn text_of(&mut self, tokens: &[Token], at: &Token, span: Span) -> Token {
        let mut text = String::from("\"");
        for (number, token) in tokens.iter().enumerate() {
            // Any space between tokens becomes one blank.
            if token.is_spaced && number > 0 {
                text.push(' ');
            }
            let spelling = self.symbols.text(token.text);
            match token.kind {
                Kind::String | Kind::Char => {
                    for character in spelling.chars() {
                        if matches!(character, '"' | '\\') {
                            text.push('\\');
                        }
                        text.push(character);
                    }
                }
                _ => text.push_str(spelling),
            }
        }
        text.push('"');
        self.spend(text.len() / 8, span);
        Token {
            kind: Kind::String,
            text: self.symbols.of(&text),
            span,
            is_spaced: at.is_spaced,
            ..END
        }
    }

    /// Applies `##`: joins two tokens into one; keeps both if the result is no token.
    fn paste(&mut self, left: Token, right: Token, span: Span, out: &mut Vec<Token>) {
        match (left.kind, right.kind) {
            (_, Kind::Nothing) => return out.push(left),
            (Kind::Nothing, _) => return out.push(right),
            _ => {}
        }
        let text = [self.symbols.text(left.text), self.symbols.text(right.text)].concat();
        self.spend(text.len() / 8, span);
        let found = tokens(&text, None, self.symbols);
        let is_split = found
            .first()
            .is_some_and(|&it| self.split_suffix(it).is_some());
        match found[..] {
            // The token must span the whole text: a comment yields no token, and text after one would be lost.
            [token] if !is_split && self.symbols.text(token.text).len() == text.len() => {
                out.push(Token {
                    span,
                    is_spaced: left.is_spaced,
                    starts_line: false,
                    ..token
                })
            }
            _ => {
                self.fault(span, "`##` does not make a token");
                out.push(left);
                out.push(right);
            }
        }
    }

    fn built_in(&mut self, name: Token, definition: &Definition) -> Token {
        let (kind, text) = match definition {
            Definition::Line => (Kind::Number, self.line(name.span).to_string()),
            Definition::File => (Kind::String, format!("{:?}", self.file_name())),
            _ => {
                self.counter += 1;
                (Kind::Number, (self.counter - 1).to_string())
            }
        };
        Token {
            kind,
            text: self.symbols.of(&text),
            ..name
        }
    }

    pub(super) fn fault(&mut self, span: Span, fault: Fault) {
        self.note(span, crate::syntax::ast::NoteKind::Preprocessor(fault));
    }
}

/// Where arguments end, and how many are written.
struct Close {
    span: Span,
    given: usize,
}

/// Returns whether a macro accepts this number of arguments.
fn accepts(written: &Macro, arguments: &[Argument]) -> bool {
    let most = written.parameters.as_ref().map_or(0, Vec::len);
    match arguments.len() {
        count if count == most => true,
        1 if most == 0 => arguments[0].tokens.is_empty(),
        count => written.is_variadic && count + 1 == most,
    }
}

/// Tokens with the first spaced as another one.
fn first_as(mut tokens: Vec<Token>, other: &Token) -> Vec<Token> {
    if let Some(first) = tokens.first_mut() {
        first.is_spaced = other.is_spaced;
        first.starts_line = false;
    }
    tokens
}

/// Returns whether a token is `#` at the start of a line.
pub(super) fn is_directive(token: &Token) -> bool {
    token.starts_line && token.text == HASH && token.kind == Kind::Punct
}
