//! Names with qualifiers and template arguments.

use super::Parser;
use super::names::Meaning;
use crate::syntax::ast::{Expr, ExprKind, Path, Segment, TemplateArgument};
use crate::syntax::symbols::{self as sym, Sym};
use crate::syntax::tokens::Kind;

/// The positions in which a name is parsed, which decide what `<` after it means.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// A type: `<` opens arguments unless the name is a value.
    Type,
    /// An expression.
    Value,
    /// The member of an object.
    Member,
    /// The name of a declaration: `operator` and `~` may follow.
    Declared,
}

impl Parser<'_> {
    /// Parses a name with qualifiers.
    pub(super) fn path(&mut self, role: Role) -> Option<Path> {
        let start = self.at;
        let is_absolute = self.take(sym::SCOPE);
        let mut segments = Vec::new();
        loop {
            let is_template = self.take(sym::TEMPLATE);
            let is_qualified = !segments.is_empty() || is_absolute;
            segments.push(match self.is(sym::DECLTYPE) && !is_qualified {
                true => self.decltype_segment()?,
                false => self.segment(role, is_template, is_qualified)?,
            });
            if !self.is(sym::SCOPE) || self.is_ahead(1, sym::STAR) {
                break;
            }
            self.bump()?;
        }
        Some(Path {
            span: self.span_from(start),
            is_absolute,
            segments,
        })
    }

    /// Parses `decltype(x)` before `::` or as a base class.
    fn decltype_segment(&mut self) -> Option<Segment> {
        let start = self.at;
        self.bump()?;
        self.expect(sym::OPEN)?;
        let of = self.bracketed(Self::expression)?;
        self.expect(sym::CLOSE)?;
        Some(Segment {
            name: "decltype".into(),
            span: self.span_from(start),
            arguments: None,
            decltype: Some(Box::new(of)),
        })
    }

    /// Returns whether `decltype(…)::` follows.
    pub(super) fn is_decltype_scope(&mut self) -> bool {
        let found = self.look(|parser| {
            parser.expect(sym::DECLTYPE)?;
            parser.skip_group()?;
            parser.is(sym::SCOPE).then_some(())
        });
        found.is_some()
    }

    fn segment(&mut self, role: Role, is_template: bool, is_qualified: bool) -> Option<Segment> {
        let start = self.at;
        if self.is(sym::OPERATOR) {
            return self.operator_name();
        }
        if self.is(sym::TILDE) {
            self.bump()?;
            let (name, _) = self.name()?;
            let text = format!("~{}", self.symbols.text(name));
            let arguments = None;
            return Some(Segment {
                name: text.as_str().into(),
                span: self.span_from(start),
                arguments,
                decltype: None,
            });
        }
        let (name, span) = self.name()?;
        let arguments = match self.is(sym::LESS) {
            true => self.template_arguments(name, role, is_template, is_qualified)?,
            false => None,
        };
        Some(Segment {
            name: self.shared(name),
            span,
            arguments,
            decltype: None,
        })
    }

    /// Parses `operator+`, `operator()` or `operator T`.
    fn operator_name(&mut self) -> Option<Segment> {
        let start = self.at;
        self.bump()?;
        let mut name = String::from("operator");
        let token = self.peek();
        match token.text {
            sym::OPEN | sym::SQUARE if token.kind == Kind::Punct => {
                self.bump()?;
                let close = self.bump()?;
                name.push_str(self.symbols.text(token.text));
                name.push_str(self.symbols.text(close.text));
            }
            sym::GREATER if token.is_glued => {
                self.bump()?;
                self.bump()?;
                name.push_str(">>");
            }
            sym::NEW | sym::DELETE => {
                self.bump()?;
                name.push(' ');
                name.push_str(self.symbols.text(token.text));
                if self.take(sym::SQUARE) {
                    self.expect(sym::END_SQUARE)?;
                    name.push_str("[]");
                }
            }
            _ if token.kind == Kind::Punct => {
                self.bump()?;
                name.push_str(self.symbols.text(token.text));
            }
            _ if token.kind == Kind::String => {
                // `operator""_km`
                self.bump()?;
                name.push_str(self.symbols.text(token.text));
                if self.is_name() {
                    let (suffix, _) = self.name()?;
                    name.push_str(self.symbols.text(suffix));
                }
            }
            _ => {
                let from = self.at;
                self.conversion_type()?;
                for token in &self.tokens[from..self.at] {
                    name.push(' ');
                    name.push_str(self.symbols.text(token.text));
                }
            }
        }
        let span = self.span_from(start);
        // `operator()<T>`: a template that is named with its arguments.
        let arguments = match self.is(sym::LESS) {
            true => self.attempt(Self::argument_list),
            false => None,
        };
        Some(Segment {
            name: name.as_str().into(),
            span,
            arguments,
            decltype: None,
        })
    }

    /// Parses template arguments after a name. The inner `None` means that `<` compares.
    fn template_arguments(
        &mut self,
        name: Sym,
        role: Role,
        is_template: bool,
        is_qualified: bool,
    ) -> Option<Option<Vec<TemplateArgument>>> {
        // The result of an earlier attempt: without it, nested `<` would be tried exponentially often.
        if self.no_templates.contains(&self.at) {
            return Some(None);
        }
        let meaning = match is_qualified || role == Role::Member {
            true => self.names.anywhere(name),
            false => self
                .names
                .meaning(name)
                .or_else(|| self.names.anywhere(name)),
        };
        let is_sure =
            is_template || matches!(meaning, Some(Meaning::Template | Meaning::FunctionTemplate));
        // A member of a class template is unknown here; a value is compared.
        if !is_sure && meaning == Some(Meaning::Value) {
            return Some(None);
        }
        let open = self.at;
        // A name that nothing is known of: what compares is not taken for arguments, and what follows must fit.
        let may_compare = !is_sure && matches!(role, Role::Value | Role::Member);
        let found = self.attempt(|parser| {
            let before = parser.is_simple;
            parser.is_simple = may_compare;
            let found = parser.argument_list();
            parser.is_simple = before;
            let found = found?;
            match may_compare && !parser.may_follow_arguments(role) {
                true => parser.fail(),
                false => Some(found),
            }
        });
        if found.is_none() {
            self.no_templates.insert(open);
        }
        Some(found)
    }

    /// Returns whether what follows `name<…>` fits only if that is a template with arguments.
    fn may_follow_arguments(&self, role: Role) -> bool {
        let token = self.peek();
        if token.kind == Kind::End {
            return true;
        }
        let text = token.text;
        if role == Role::Member {
            return matches!(text, sym::OPEN | sym::SCOPE) && token.kind == Kind::Punct;
        }
        let is_launch = text == sym::SHIFT_LEFT && self.is_ahead(1, sym::LESS);
        let closers = [
            sym::OPEN,
            sym::CLOSE,
            sym::CURLY,
            sym::END_CURLY,
            sym::END_SQUARE,
            sym::SEMICOLON,
            sym::COMMA,
            sym::SCOPE,
            sym::DOT,
            sym::ELLIPSIS,
            sym::QUESTION,
            sym::COLON,
            sym::GREATER,
            sym::EQUAL_EQUAL,
            sym::NOT_EQUAL,
            sym::AND_AND,
            sym::OR_OR,
            sym::EQUAL,
        ];
        token.kind == Kind::Punct && (is_launch || closers.contains(&text))
    }

    /// Parses `<…>`.
    pub(super) fn argument_list(&mut self) -> Option<Vec<TemplateArgument>> {
        self.expect(sym::LESS)?;
        let before = self.is_in_arguments;
        self.is_in_arguments = true;
        let mut arguments = Vec::new();
        while !self.is(sym::GREATER) {
            arguments.push(self.deeper(Self::template_argument)?);
            if !self.take(sym::COMMA) {
                break;
            }
        }
        self.is_in_arguments = before;
        self.expect(sym::GREATER)?;
        Some(arguments)
    }

    fn template_argument(&mut self) -> Option<TemplateArgument> {
        let ends = |parser: &Self| {
            let token = parser.peek();
            let is_end = matches!(token.text, sym::COMMA | sym::GREATER | sym::ELLIPSIS);
            token.kind == Kind::Punct && is_end
        };
        // A type where it can be one. A name alone may be either; evaluation decides.
        let ty = self.attempt(|parser| {
            let ty = parser.type_id()?;
            match ends(parser) {
                true => Some(ty),
                false => parser.fail(),
            }
        });
        let argument = match ty {
            Some(ty) => TemplateArgument::Type(ty),
            None => TemplateArgument::Value(self.conditional()?),
        };
        if !self.take(sym::ELLIPSIS) {
            return match ends(self) {
                true => Some(argument),
                false => self.fail(),
            };
        }
        Some(TemplateArgument::Pack(Box::new(argument)))
    }

    /// Returns a path as an expression.
    pub(super) fn path_expr(path: Path) -> Expr {
        Expr {
            span: path.span,
            kind: ExprKind::Path(path),
        }
    }

    /// Returns the meaning of the last part of a path.
    pub(super) fn meaning_of(&mut self, path: &Path) -> Option<Meaning> {
        let last = path.segments.last()?;
        let name = self.symbols.of(&last.name);
        match path.segments.len() == 1 && !path.is_absolute {
            true => self.names.meaning(name),
            false => self.names.anywhere(name),
        }
    }
}
