//! Templates: headers, parameters, constraints and instantiations.

use super::Parser;
use super::names::Meaning;
use super::path::Role;
use crate::syntax::ast::{
    Stmt, StmtKind, Template, TemplateParameter, TemplateParameterKind, TypeKind,
};
use crate::syntax::symbols::{self as sym};

impl Parser<'_> {
    /// Parses `template …`: a template, or an explicit instantiation.
    pub(super) fn template(&mut self) -> Option<Stmt> {
        let start = self.at;
        if !self.is_ahead(1, sym::LESS) {
            return self.instantiation();
        }
        let pending = self.pending;
        let mut templates = Vec::new();
        while self.is(sym::TEMPLATE) {
            self.bump()?;
            self.names.open();
            self.pending += 1;
            templates.push(self.template_header()?);
        }
        let opened = templates.len();
        if self.is(sym::CONCEPT) {
            self.skip_to_semicolon()?;
            (0..opened).for_each(|_| self.names.close());
            self.pending = pending;
            return Some(self.stmt(start, StmtKind::Unknown("a concept")));
        }
        let depth = self.names.depth();
        let found = self.declaration_from(start, templates);
        self.names.close_to(depth);
        (0..opened).for_each(|_| self.names.close());
        self.pending = pending;
        found
    }

    pub(super) fn skip_to_semicolon(&mut self) -> Option<()> {
        while !self.is(sym::SEMICOLON) {
            match self.peek().text {
                sym::OPEN | sym::CURLY | sym::SQUARE => self.skip_group()?,
                sym::END_CURLY => return self.fail(),
                _ => {
                    self.bump()?;
                }
            }
        }
        self.expect(sym::SEMICOLON)
    }

    fn instantiation(&mut self) -> Option<Stmt> {
        let start = self.at;
        self.bump()?;
        if matches!(self.peek().text, sym::CLASS | sym::STRUCT | sym::UNION) {
            self.bump()?;
            let path = self.path(Role::Type)?;
            self.expect(sym::SEMICOLON)?;
            return Some(self.stmt(start, StmtKind::Instantiate(path)));
        }
        let specifiers = self.specifiers(true)?;
        let Some(ty) = specifiers.ty else {
            return self.fail();
        };
        let found = self.declarator(ty, specifiers.space, false)?;
        self.expect(sym::SEMICOLON)?;
        let path = found.path?;
        Some(self.stmt(start, StmtKind::Instantiate(path)))
    }

    /// Parses `<typename T, int N = 1>` with a `requires` clause.
    pub(super) fn template_header(&mut self) -> Option<Template> {
        self.expect(sym::LESS)?;
        let before = std::mem::replace(&mut self.is_in_arguments, true);
        let mut parameters = Vec::new();
        while !self.is(sym::GREATER) {
            parameters.push(self.deeper(Self::template_parameter)?);
            if !self.take(sym::COMMA) {
                break;
            }
        }
        self.is_in_arguments = before;
        self.expect(sym::GREATER)?;
        let is_constrained = self.take(sym::REQUIRES);
        if is_constrained {
            self.constraint()?;
        }
        Some(Template {
            parameters,
            is_constrained,
        })
    }

    /// Skips a constraint after `requires`: names and groups joined by `&&` and `||`.
    pub(super) fn constraint(&mut self) -> Option<()> {
        loop {
            if self.take(sym::REQUIRES) && self.is(sym::OPEN) {
                self.skip_group()?;
            }
            match self.is(sym::OPEN) || self.is(sym::CURLY) {
                true => self.skip_group()?,
                false => {
                    self.take(sym::EXCLAMATION);
                    self.path(Role::Type)?;
                    if self.is(sym::OPEN) {
                        self.skip_group()?;
                    }
                }
            }
            if !self.take(sym::AND_AND) && !self.take(sym::OR_OR) {
                return Some(());
            }
        }
    }

    fn template_parameter(&mut self) -> Option<TemplateParameter> {
        if self.is(sym::TEMPLATE) {
            return self.template_template_parameter();
        }
        let is_type = (self.is(sym::TYPENAME) || self.is(sym::CLASS))
            && (!self.is_name_ahead(1) || {
                let after = self.ahead(2);
                matches!(
                    after.text,
                    sym::COMMA | sym::GREATER | sym::EQUAL | sym::END_CURLY
                )
            });
        if is_type {
            self.bump()?;
            let is_pack = self.take(sym::ELLIPSIS);
            let name = self.parameter_name(Meaning::Type)?;
            let default = match self.take(sym::EQUAL) {
                true => Some(self.type_id()?),
                false => None,
            };
            return Some(TemplateParameter {
                name,
                kind: TemplateParameterKind::Type(default),
                is_pack,
            });
        }
        let specifiers = self.specifiers(true)?;
        let Some(ty) = specifiers.ty else {
            return self.fail();
        };
        let found = self.declarator(ty, specifiers.space, false)?;
        let name = match &found.path {
            Some(path) => path.segments.last()?.name.clone(),
            None => "".into(),
        };
        let sym = self.symbols.of(&name);
        self.declare(sym, Meaning::Value);
        let default = match self.take(sym::EQUAL) {
            true => Some(self.conditional()?),
            false => None,
        };
        let ty = match found.function {
            Some(parameters) => {
                let types = parameters.variables.into_iter().map(|it| it.ty).collect();
                super::declarator::typed(
                    found.ty.span,
                    TypeKind::Function(Box::new(found.ty), types),
                )
            }
            None => found.ty,
        };
        Some(TemplateParameter {
            name,
            kind: TemplateParameterKind::Value(ty, default),
            is_pack: found.is_pack,
        })
    }

    fn template_template_parameter(&mut self) -> Option<TemplateParameter> {
        self.bump()?;
        self.names.open();
        let header = self.template_header();
        self.names.close();
        header?;
        if !self.take(sym::CLASS) {
            self.expect(sym::TYPENAME)?;
        }
        let is_pack = self.take(sym::ELLIPSIS);
        let name = self.parameter_name(Meaning::Template)?;
        let default = match self.take(sym::EQUAL) {
            true => Some(self.path(Role::Type)?),
            false => None,
        };
        Some(TemplateParameter {
            name,
            kind: TemplateParameterKind::Template(default),
            is_pack,
        })
    }

    fn parameter_name(&mut self, meaning: Meaning) -> Option<crate::syntax::ast::Name> {
        if !self.is_name() {
            return Some("".into());
        }
        let (name, _) = self.name()?;
        self.declare(name, meaning);
        Some(self.shared(name))
    }
}
