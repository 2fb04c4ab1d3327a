//! Parsing tokens into operations.
//!
//! An operation starts on a line of its own. It continues while brackets are open, or if the next line starts with a
//! token that cannot start an operation (`outs`, `:`, `->`, `,`, `attributes`).

mod parts;

use super::ast::{Module, Op, Operand, OperandKind};
use super::lexer::{Token, TokenKind, tokens};
use a2lint_source::text::Span;

/// Size limit of a text in bytes.
pub const MAX_BYTES: usize = 4 << 20;

/// Parses a file; `None` if it is too large.
pub fn parse(text: &str) -> Option<Module> {
    if text.len() > MAX_BYTES {
        return None;
    }
    let tokens = tokens(text);
    let mut parser = Parser {
        text,
        tokens: &tokens,
        at: 0,
        depth: 0,
        module: Module::default(),
    };
    parser.file();
    Some(parser.module)
}

struct Parser<'t> {
    text: &'t str,
    tokens: &'t [Token],
    at: usize,
    depth: usize,
    module: Module,
}

const fn punct(byte: u8) -> TokenKind {
    TokenKind::Punctuation(byte)
}

fn closer(kind: TokenKind) -> Option<TokenKind> {
    Some(match kind {
        TokenKind::Punctuation(b'(') => punct(b')'),
        TokenKind::Punctuation(b'[') => punct(b']'),
        TokenKind::Punctuation(b'{') => punct(b'}'),
        TokenKind::Punctuation(b'<') => punct(b'>'),
        _ => return None,
    })
}

impl<'t> Parser<'t> {
    fn kind(&self) -> Option<TokenKind> {
        self.tokens.get(self.at).map(|token| token.kind)
    }

    fn is(&self, byte: u8) -> bool {
        self.kind() == Some(punct(byte))
    }

    fn text(&self, span: Span) -> &'t str {
        self.text.get(span.range()).unwrap_or("")
    }

    fn word(&self) -> Option<&'t str> {
        let token = self.tokens.get(self.at)?;
        (token.kind == TokenKind::Word).then(|| self.text(token.span))
    }

    fn span(&self) -> Span {
        match self.tokens.get(self.at).or(self.tokens.last()) {
            Some(token) => token.span,
            None => Span::default(),
        }
    }

    fn error(&mut self) {
        let span = self.span();
        if self.module.errors.last() != Some(&span) {
            self.module.errors.push(span);
        }
    }

    fn file(&mut self) {
        while let Some(kind) = self.kind() {
            match kind {
                TokenKind::Punctuation(b'}') if self.depth > 0 => {
                    self.depth -= 1;
                    self.at += 1;
                }
                TokenKind::Punctuation(b';') => self.at += 1,
                TokenKind::Label => self.skip_label(),
                // `#alias = ...` and `!alias = ...`.
                TokenKind::Punctuation(b'#' | b'!') => self.skip_line(),
                TokenKind::Value | TokenKind::Word | TokenKind::String => self.op(),
                _ => {
                    self.error();
                    self.skip_line();
                }
            }
        }
    }

    /// Skips `^bb0(%a: T):`.
    fn skip_label(&mut self) {
        self.at += 1;
        if self.is(b'(') {
            self.balanced();
        }
        if self.is(b':') {
            self.at += 1;
        }
    }

    fn skip_line(&mut self) {
        self.at += 1;
        while self.tokens.get(self.at).is_some_and(|token| !token.first) {
            self.at += 1;
        }
    }

    /// Skips a bracket and everything up to its closing bracket. If that is missing, skipping ends at the next line
    /// that certainly starts an operation.
    fn balanced(&mut self) {
        let Some(close) = self.kind().and_then(closer) else {
            return;
        };
        let mut open = vec![close];
        self.at += 1;
        while let Some(kind) = self.kind() {
            if open.last() == Some(&kind) {
                open.pop();
            } else if let Some(close) = closer(kind) {
                open.push(close);
            } else if self.at_new_op() {
                return self.error();
            }
            self.at += 1;
            if open.is_empty() {
                return;
            }
        }
        self.error();
    }

    /// Returns whether the current token starts a line that can only be a new operation.
    fn at_new_op(&self) -> bool {
        let Some(token) = self.tokens.get(self.at).filter(|token| token.first) else {
            return false;
        };
        match token.kind {
            TokenKind::Value => {
                let rest = self.tokens[self.at + 1..].iter();
                let next = rest.take_while(|token| !token.first).find(|token| {
                    !matches!(token.kind, TokenKind::Value | TokenKind::Punctuation(b','))
                });
                next.is_some_and(|token| token.kind == punct(b'='))
            }
            TokenKind::Word => self.text(token.span).contains('.'),
            _ => false,
        }
    }

    fn op(&mut self) {
        let start = self.span();
        let mut op = Op {
            depth: self.depth,
            ..Op::default()
        };
        if self.kind() == Some(TokenKind::Value) {
            self.results(&mut op);
        }
        match self.kind() {
            Some(TokenKind::Word | TokenKind::String) => {
                op.name = self.span();
                self.at += 1;
            }
            _ => {
                self.error();
                self.skip_rest();
                return;
            }
        }
        let before = self.at;
        self.rest(&mut op);
        let last = self.at.max(before).saturating_sub(1);
        op.span = start.to(self.tokens[last.min(self.tokens.len() - 1)].span);
        self.module.ops.push(op);
    }

    /// Skips the rest of a line that could not be parsed.
    fn skip_rest(&mut self) {
        while self.tokens.get(self.at).is_some_and(|token| !token.first) {
            self.at += 1;
        }
    }

    fn results(&mut self, op: &mut Op) {
        loop {
            if self.kind() == Some(TokenKind::Value) {
                op.results.push(self.span());
                self.at += 1;
                // `%r:2 = ...` declares two results under one name.
                if self.is(b':') {
                    self.at += 2;
                }
            }
            match self.kind() {
                Some(TokenKind::Punctuation(b',')) => self.at += 1,
                Some(TokenKind::Punctuation(b'=')) => {
                    self.at += 1;
                    return;
                }
                _ => return,
            }
        }
    }

    /// Returns whether the current token starts the next operation.
    fn ended(&self) -> bool {
        let Some(token) = self.tokens.get(self.at) else {
            return true;
        };
        if matches!(token.kind, TokenKind::Punctuation(b'}' | b';')) {
            return true;
        }
        if !token.first {
            return false;
        }
        let goes_on = match token.kind {
            TokenKind::Word => matches!(
                self.text(token.span),
                "ins" | "outs" | "attributes" | "to" | "step" | "iter_args" | "else"
            ),
            TokenKind::Arrow => true,
            TokenKind::Punctuation(byte) => {
                matches!(byte, b':' | b',' | b'{' | b'(' | b'=' | b'<' | b'[')
            }
            _ => false,
        };
        !goes_on && !self.line_hangs()
    }

    /// Returns whether the previous token requires a continuation.
    fn line_hangs(&self) -> bool {
        let before = self.at.checked_sub(1).and_then(|at| self.tokens.get(at));
        before.is_some_and(|token| {
            matches!(
                token.kind,
                TokenKind::Arrow | TokenKind::Punctuation(b',' | b':' | b'=')
            )
        }) && !self.at_new_op()
    }

    fn rest(&mut self, op: &mut Op) {
        while !self.ended() {
            match self.kind() {
                Some(TokenKind::Word) => self.keyword(op),
                Some(TokenKind::Punctuation(b':')) => {
                    self.at += 1;
                    self.types(op);
                }
                Some(TokenKind::Arrow) => {
                    self.at += 1;
                    op.arrow = true;
                    op.result_types = self.type_list();
                }
                Some(TokenKind::Punctuation(b'{')) => {
                    if self.opens_region() {
                        self.at += 1;
                        self.depth += 1;
                        return;
                    }
                    self.attributes(op);
                }
                Some(TokenKind::Punctuation(b'(')) => {
                    let group = self.group();
                    op.operands.extend(group.operands);
                    op.types.extend(group.types);
                }
                Some(TokenKind::Punctuation(b'<')) => self.balanced(),
                Some(TokenKind::Punctuation(b',' | b'=')) => self.at += 1,
                Some(_) => match self.operand() {
                    Some(operand) => op.operands.push(operand),
                    None => {
                        self.error();
                        self.at += 1;
                    }
                },
                None => return,
            }
        }
    }

    /// Returns whether the current brace opens a region: it is the last token of its line.
    fn opens_region(&self) -> bool {
        self.tokens.get(self.at + 1).is_none_or(|token| token.first)
    }

    /// Parses `ins(`, `outs(`, `key = value`, or a word as an operand.
    fn keyword(&mut self, op: &mut Op) {
        let span = self.span();
        let next = self.tokens.get(self.at + 1).map(|token| token.kind);
        match (self.word().unwrap_or(""), next) {
            ("ins", Some(TokenKind::Punctuation(b'('))) => {
                self.at += 1;
                op.ins = Some(self.group());
            }
            ("outs", Some(TokenKind::Punctuation(b'('))) => {
                self.at += 1;
                op.outs = Some(self.group());
            }
            (_, Some(TokenKind::Punctuation(b'='))) => {
                self.at += 2;
                let value = self.operand().map(|operand| operand.span);
                op.attributes.push((span, value.unwrap_or(span)));
            }
            _ => {
                self.at += 1;
                op.operands.push(Operand {
                    span,
                    head: span,
                    kind: OperandKind::Other,
                });
            }
        }
    }
}
