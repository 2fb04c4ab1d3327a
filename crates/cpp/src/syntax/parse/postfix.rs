//! What binds closest: names, calls, members, conversions by keyword, lambdas.

use std::sync::Arc;

use super::names::Meaning;
use super::path::Role;
use super::{MAX_CHAIN, Parser};
use crate::syntax::ast::{
    Capture, CaptureDefault, CastKind, Expr, ExprKind, Lambda, NoteKind, Type, TypeKind,
};
use crate::syntax::symbols as sym;
use crate::syntax::tokens::Kind;

/// A launch after its kernel.
pub(super) struct Launch {
    pub configuration: Vec<Expr>,
    pub arguments: Vec<Expr>,
}

impl Parser<'_> {
    /// Parses a primary expression and the calls, members and indices that follow it.
    pub(super) fn postfix(&mut self) -> Option<Expr> {
        let start = self.at;
        let mut found = self.primary()?;
        // Each part nests the expression by one, and the evaluator with it.
        for _ in 0..MAX_CHAIN {
            let token = self.peek();
            // Every postfix operator is punctuation; names and literals end the expression.
            if token.kind != Kind::Punct {
                return Some(found);
            }
            let inner = Box::new(found);
            let kind = match token.text {
                sym::OPEN => ExprKind::Call {
                    callee: inner,
                    arguments: self.arguments()?,
                },
                sym::SQUARE => ExprKind::Index(inner, self.indices()?),
                sym::DOT | sym::ARROW => {
                    self.bump()?;
                    ExprKind::Member {
                        object: inner,
                        is_arrow: token.text == sym::ARROW,
                        member: self.path(Role::Member)?,
                    }
                }
                sym::DOT_STAR | sym::ARROW_STAR => {
                    self.bump()?;
                    ExprKind::MemberPointer {
                        object: inner,
                        is_arrow: token.text == sym::ARROW_STAR,
                        member: Box::new(self.unary()?),
                    }
                }
                sym::PLUS_PLUS | sym::MINUS_MINUS => {
                    self.bump()?;
                    ExprKind::Step {
                        target: inner,
                        is_increment: token.text == sym::PLUS_PLUS,
                        is_prefix: false,
                    }
                }
                sym::SHIFT_LEFT if self.is_ahead(1, sym::LESS) => {
                    let launch = self.launch()?;
                    ExprKind::Launch {
                        callee: inner,
                        configuration: launch.configuration,
                        arguments: launch.arguments,
                    }
                }
                _ => return Some(*inner),
            };
            found = self.expr(start, kind);
        }
        self.deeper_note()
    }

    /// Says that something is too deep.
    pub(super) fn deeper_note<T>(&mut self) -> Option<T> {
        let span = self.span_here();
        self.notes.push(crate::syntax::ast::Note {
            span,
            kind: NoteKind::TooDeep,
        });
        self.fail()
    }

    /// Parses `(a, b...)`.
    pub(super) fn arguments(&mut self) -> Option<Vec<Expr>> {
        self.expect(sym::OPEN)?;
        let found = self.bracketed(|parser| parser.list(sym::CLOSE))?;
        self.expect(sym::CLOSE)?;
        Some(found)
    }

    fn indices(&mut self) -> Option<Vec<Expr>> {
        self.expect(sym::SQUARE)?;
        let found = self.bracketed(|parser| parser.list(sym::END_SQUARE))?;
        self.expect(sym::END_SQUARE)?;
        Some(found)
    }

    fn list(&mut self, close: sym::Sym) -> Option<Vec<Expr>> {
        let mut found = Vec::new();
        while !self.is(close) {
            let argument = self.argument()?;
            found.push(self.expanded_pack(argument)?);
            if !self.take(sym::COMMA) {
                break;
            }
        }
        Some(found)
    }

    /// Parses an argument of a call; an argument of a macro that no file defines may be a type.
    fn argument(&mut self) -> Option<Expr> {
        let start = self.at;
        if self.is_type_word() || self.is(sym::CONST) || self.is(sym::STRUCT) {
            let ty = self.attempt(|parser| {
                parser.type_id()?;
                // `int(x)` begins like a type and is a value: only a type that ends the argument is one.
                let is_end = matches!(parser.peek().text, sym::COMMA | sym::CLOSE);
                is_end.then_some(())
            });
            if ty.is_some() {
                let kind = ExprKind::Unknown("a type as an argument", Vec::new());
                return Some(self.expr(start, kind));
            }
        }
        self.deeper(Self::initialiser)
    }

    fn primary(&mut self) -> Option<Expr> {
        let start = self.at;
        let token = self.peek();
        match token.kind {
            Kind::Number | Kind::Char | Kind::String => return self.literal(),
            Kind::Word | Kind::Punct => {}
            _ => return self.fail(),
        }
        let kind = match token.text {
            sym::TRUE => ExprKind::Bool(true),
            sym::FALSE => ExprKind::Bool(false),
            sym::NULLPTR => ExprKind::Null,
            sym::THIS => ExprKind::This,
            sym::OPEN => return self.parenthesised(),
            sym::SQUARE => return self.lambda(),
            sym::STATIC_CAST => return self.keyword_cast(CastKind::Static),
            sym::REINTERPRET_CAST => return self.keyword_cast(CastKind::Reinterpret),
            sym::CONST_CAST => return self.keyword_cast(CastKind::Const),
            sym::DYNAMIC_CAST => return self.keyword_cast(CastKind::Dynamic),
            sym::DECLTYPE if self.is_decltype_scope() => return self.named(),
            sym::TYPENAME | sym::DECLTYPE => return self.typed_construction(),
            // `operator+(a, b)` and `::name` are names like others.
            sym::OPERATOR | sym::SCOPE => return self.named(),
            _ if self.is_type_word() => return self.typed_construction(),
            _ if self.is_name() => return self.named(),
            _ => return self.fail(),
        };
        self.bump()?;
        Some(self.expr(start, kind))
    }

    /// Parses a name, or the name of a type with values in braces.
    fn named(&mut self) -> Option<Expr> {
        let path = self.path(Role::Value)?;
        // `if (x) {`: a brace after a value begins a block.
        if self.is(sym::CURLY) && self.meaning_of(&path) != Some(Meaning::Value) {
            let ty = Type {
                span: path.span,
                kind: TypeKind::Path(path),
                is_const: false,
            };
            return self.braces(Some(ty));
        }
        Some(Self::path_expr(path))
    }

    /// Parses `float(x)`, `typename T::type(x)`, `int{}`.
    fn typed_construction(&mut self) -> Option<Expr> {
        let start = self.at;
        let Some(ty) = self.specifiers(true)?.ty else {
            return self.fail();
        };
        if self.is(sym::CURLY) {
            return self.braces(Some(ty));
        }
        if !self.is(sym::OPEN) {
            return self.fail();
        }
        let arguments = self.arguments()?;
        Some(self.expr(start, ExprKind::Construct(Box::new(ty), arguments)))
    }

    fn keyword_cast(&mut self, kind: CastKind) -> Option<Expr> {
        let start = self.at;
        self.bump()?;
        self.expect(sym::LESS)?;
        // The type ends at the next `>`, which is no comparison here.
        let before = std::mem::replace(&mut self.is_in_arguments, true);
        let ty = self.type_id()?;
        self.is_in_arguments = before;
        self.expect(sym::GREATER)?;
        self.expect(sym::OPEN)?;
        let value = self.bracketed(Self::expression)?;
        self.expect(sym::CLOSE)?;
        let kind = ExprKind::Cast(kind, Box::new(ty), Box::new(value));
        Some(self.expr(start, kind))
    }

    fn lambda(&mut self) -> Option<Expr> {
        let start = self.at;
        self.expect(sym::SQUARE)?;
        let (default, captures) = self.bracketed(Self::captures)?;
        self.expect(sym::END_SQUARE)?;
        // Captures and parameters are values in the body, whatever their names mean outside.
        self.names.open();
        for capture in &captures {
            let name = self.symbols.of(&capture.name);
            self.declare(name, Meaning::Value);
        }
        let template = match self.is(sym::LESS) {
            true => Some(self.template_header()?),
            false => None,
        };
        let mut parameters = Vec::new();
        if self.is(sym::OPEN) {
            // Names alone are types here.
            let bodies = std::mem::take(&mut self.bodies);
            parameters = self.bracketed(Self::parameters)?.variables;
            self.bodies = bodies;
        }
        for parameter in &parameters {
            let name = self.symbols.of(&parameter.name);
            self.declare(name, Meaning::Value);
        }
        let mut is_mutable = false;
        let mut returns = None;
        loop {
            let mut ignored = Vec::new();
            self.attributes(&mut ignored)?;
            match self.peek().text {
                sym::MUTABLE => is_mutable = true,
                sym::CONSTEXPR | sym::CONSTEVAL | sym::STATIC => {}
                sym::NOEXCEPT => {
                    self.bump()?;
                    if self.is(sym::OPEN) {
                        self.skip_group()?;
                    }
                    continue;
                }
                sym::ARROW => {
                    self.bump()?;
                    returns = Some(self.type_id()?);
                    continue;
                }
                _ => break,
            }
            self.bump()?;
        }
        let body = match self.is_outline {
            true => {
                self.skip_group()?;
                Vec::new()
            }
            false => self.body()?,
        };
        self.names.close();
        let lambda = Lambda {
            id: self.id(),
            default,
            captures,
            template,
            parameters,
            is_mutable,
            returns,
            body,
        };
        Some(self.expr(start, ExprKind::Lambda(Arc::new(lambda))))
    }

    fn captures(&mut self) -> Option<(CaptureDefault, Vec<Capture>)> {
        let mut default = CaptureDefault::None;
        let mut captures = Vec::new();
        while !self.is(sym::END_SQUARE) {
            // `[&]` captures all by reference, `[&x]` one variable.
            let is_last = self.is_ahead(1, sym::COMMA) || self.is_ahead(1, sym::END_SQUARE);
            match self.peek().text {
                sym::EQUAL if is_last => {
                    self.bump()?;
                    default = CaptureDefault::ByCopy;
                }
                sym::AMPERSAND if is_last => {
                    self.bump()?;
                    default = CaptureDefault::ByReference;
                }
                _ => captures.push(self.capture()?),
            }
            if !self.take(sym::COMMA) {
                break;
            }
        }
        Some((default, captures))
    }

    fn capture(&mut self) -> Option<Capture> {
        let is_copy = self.take(sym::STAR);
        if self.take(sym::THIS) {
            return Some(Capture {
                name: if is_copy { "*this" } else { "this" }.into(),
                by_reference: false,
                value: None,
            });
        }
        let by_reference = self.take(sym::AMPERSAND);
        self.take(sym::ELLIPSIS);
        let (name, _) = self.name()?;
        self.take(sym::ELLIPSIS);
        let value = match self.peek().text {
            sym::EQUAL => {
                self.bump()?;
                Some(self.initialiser()?)
            }
            sym::CURLY => Some(self.braces(None)?),
            _ => None,
        };
        Some(Capture {
            name: self.shared(name),
            by_reference,
            value,
        })
    }
}
