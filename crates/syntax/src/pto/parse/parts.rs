//! Parsing of the parts of an operation: groups of operands, attributes, types.

use super::super::ast::{Group, Op, Operand, OperandKind, TypeText};
use super::super::lexer::TokenKind;
use super::{Parser, punct};

impl Parser<'_> {
    /// Parses `(%a, %b {k = v} : T, T)`.
    pub(super) fn group(&mut self) -> Group {
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
                // `iter_args(%x = %y)` contains two values.
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

    pub(super) fn operand(&mut self) -> Option<Operand> {
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

    /// Parses `{k = v, flag}`. Flags are dropped.
    pub(super) fn attributes(&mut self, op: &mut Op) {
        // Finds the closing brace first, so that a malformed entry cannot leave the braces.
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

    /// Parses the types after a colon: a list, or a signature.
    pub(super) fn types(&mut self, op: &mut Op) {
        op.types.extend(self.type_list());
    }

    /// Parses `(T, T)` or `T, T`.
    pub(super) fn type_list(&mut self) -> Vec<TypeText> {
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

    /// Parses one type: `!pto.tile<...>`, `f32`, `memref<...>`, `(T) -> T`.
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
