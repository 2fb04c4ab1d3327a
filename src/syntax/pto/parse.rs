//! Tokens to operations.
//!
//! An operation starts on a line of its own and goes on while brackets are open or the next line
//! starts with what cannot start one (`outs`, `:`, `->`, `,`, `attributes`).

use super::lexer::{Token, TokenKind, tokens};
use crate::text::Span;

/// Texts above this size are refused.
pub const MAX_BYTES: usize = 4 << 20;

/// A file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Module {
    /// Operations of any dialect, in order; those in regions follow the one that holds them.
    pub ops: Vec<Op>,
    /// Places that make no sense.
    pub errors: Vec<Span>,
}

/// An operation or directive.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Op {
    /// The whole of it.
    pub span: Span,
    /// `%a, %b =`.
    pub results: Vec<Span>,
    /// Its name, quotes included in the generic form.
    pub name: Span,
    /// Operands outside of `ins` and `outs`.
    pub operands: Vec<Operand>,
    /// `ins(...)`.
    pub ins: Option<Group>,
    /// `outs(...)`.
    pub outs: Option<Group>,
    /// `key = value` outside of braces, and entries of `{...}`.
    pub attributes: Vec<(Span, Span)>,
    /// Types before `->`.
    pub types: Vec<TypeText>,
    /// Types behind `->`.
    pub result_types: Vec<TypeText>,
    /// Whether there was a `->`.
    pub arrow: bool,
    /// Regions around it.
    pub depth: usize,
}

/// `ins(%a, %b : T, T)`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Group {
    /// Parentheses included.
    pub span: Span,
    /// Before the colon.
    pub operands: Vec<Operand>,
    /// Behind it.
    pub types: Vec<TypeText>,
}

/// An operand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Operand {
    /// Its place, indices included.
    pub span: Span,
    /// The name or number.
    pub head: Span,
    /// What it is.
    pub kind: OperandKind,
}

/// Kinds of operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OperandKind {
    /// `%v`, `%v[i, j]`.
    Value,
    /// `@tile(0x1000)`.
    Symbol,
    /// A literal.
    Number,
    /// A word, string or attribute.
    Other,
}

/// A type as written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TypeText {
    /// Its place.
    pub span: Span,
}

/// Reads a file; `None` where it is too large.
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

    /// `^bb0(%a: T):`.
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

    /// Passes a bracket and everything up to the one that closes it. A missing one ends at the next
    /// line that starts an operation.
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

    /// Whether a line starts here that can only be an operation of its own.
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

    /// The rest of a line that makes no sense.
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
                // `%r:2 = ...`
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

    /// Whether the token starts the next operation.
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

    /// Whether the token before asks for more.
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

    /// A brace behind which a new line starts, or nothing.
    fn opens_region(&self) -> bool {
        self.tokens.get(self.at + 1).is_none_or(|token| token.first)
    }

    /// `ins(`, `outs(`, `key = value`, or a word as an operand.
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

    /// `(%a, %b {k = v} : T, T)`.
    fn group(&mut self) -> Group {
        let start = self.span();
        self.at += 1;
        let mut group = Group::default();
        let mut scratch = Op::default();
        loop {
            match self.kind() {
                Some(TokenKind::Punctuation(b')')) => {
                    group.span = start.to(self.span());
                    self.at += 1;
                    return group;
                }
                Some(TokenKind::Punctuation(b':')) => {
                    self.at += 1;
                    group.types.extend(self.types_until_close());
                }
                // `iter_args(%x = %y)` names two values.
                Some(TokenKind::Punctuation(b',' | b'=')) => self.at += 1,
                Some(TokenKind::Punctuation(b'{')) => self.attributes(&mut scratch),
                Some(_) if !self.at_new_op() => match self.operand() {
                    Some(operand) => group.operands.push(operand),
                    None => {
                        self.error();
                        self.at += 1;
                    }
                },
                _ => {
                    self.error();
                    group.span = start;
                    return group;
                }
            }
        }
    }

    fn operand(&mut self) -> Option<Operand> {
        let head = self.span();
        let kind = match self.kind()? {
            TokenKind::Value => OperandKind::Value,
            TokenKind::Symbol => OperandKind::Symbol,
            TokenKind::Number => OperandKind::Number,
            TokenKind::Word | TokenKind::String => OperandKind::Other,
            TokenKind::Punctuation(b'#' | b'!') => {
                self.at += 1;
                OperandKind::Other
            }
            TokenKind::Punctuation(b'[') => {
                self.balanced();
                let last = self.tokens[self.at.saturating_sub(1)].span;
                return Some(Operand {
                    span: head.to(last),
                    head,
                    kind: OperandKind::Other,
                });
            }
            _ => return None,
        };
        if self.at < self.tokens.len() {
            self.at += 1;
        }
        let mut span = head;
        while let Some(TokenKind::Punctuation(byte)) = self.kind() {
            let extends = match byte {
                b'[' => kind == OperandKind::Value,
                b'(' => kind == OperandKind::Symbol,
                b'<' => kind == OperandKind::Other,
                _ => false,
            };
            if !extends || self.tokens[self.at].first {
                break;
            }
            self.balanced();
            span = head.to(self.tokens[self.at.saturating_sub(1)].span);
        }
        Some(Operand { span, head, kind })
    }

    /// `{k = v, flag}`.
    fn attributes(&mut self, op: &mut Op) {
        let start = self.at;
        self.balanced();
        let end = self.at;
        self.at = start + 1;
        while self.at + 1 < end {
            let key = self.span();
            if self.kind() == Some(TokenKind::Word)
                && self.tokens.get(self.at + 1).map(|token| token.kind) == Some(punct(b'='))
            {
                self.at += 2;
                let from = self.at;
                let value = self.operand().map(|operand| operand.span);
                op.attributes.push((key, value.unwrap_or(key)));
                self.at = self.at.max(from);
            } else {
                self.at += 1;
            }
        }
        self.at = end;
    }

    /// Types behind a colon: a list, or a signature.
    fn types(&mut self, op: &mut Op) {
        op.types.extend(self.type_list());
    }

    /// `(T, T)` or `T, T`.
    fn type_list(&mut self) -> Vec<TypeText> {
        if self.is(b'(') {
            self.at += 1;
            let list = self.types_until_close();
            if self.is(b')') {
                self.at += 1;
            } else {
                self.error();
            }
            return list;
        }
        let mut list = Vec::new();
        loop {
            list.extend(self.one_type());
            if !self.is(b',') {
                return list;
            }
            self.at += 1;
        }
    }

    fn types_until_close(&mut self) -> Vec<TypeText> {
        let mut list = Vec::new();
        while let Some(kind) = self.kind() {
            match kind {
                TokenKind::Punctuation(b')') => break,
                TokenKind::Punctuation(b',') => self.at += 1,
                _ if self.at_new_op() => break,
                _ => match self.one_type() {
                    Some(ty) => list.push(ty),
                    None => {
                        self.error();
                        self.at += 1;
                    }
                },
            }
        }
        list
    }

    /// `!pto.tile<...>`, `f32`, `memref<...>`, `(T) -> T`.
    fn one_type(&mut self) -> Option<TypeText> {
        let start = self.span();
        if self.is(b'!') {
            self.at += 1;
        }
        match self.kind()? {
            TokenKind::Word => self.at += 1,
            TokenKind::Punctuation(b'(') => self.balanced(),
            _ => return None,
        }
        if self.is(b'<') {
            self.balanced();
        }
        let last = self.tokens[self.at.saturating_sub(1)].span;
        Some(TypeText {
            span: start.to(last),
        })
    }
}
