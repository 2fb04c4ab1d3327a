//! Functions: constructors, operators, qualifiers, initialisers and bodies.

use std::sync::Arc;

use super::Parser;
use super::declaration::Head;
use super::declarator::Declarator;
use super::names::Meaning;
use super::path::Role;
use super::types::Specifiers;
use crate::syntax::ast::{
    CallableOn, Function, FunctionKind, Init, Initialiser, Path, Stmt, StmtKind, Template, Type,
};
use crate::syntax::symbols::{self as sym};
use crate::syntax::tokens::Kind;

impl Parser<'_> {
    /// Returns whether a constructor, destructor or conversion follows after its specifiers.
    pub(super) fn is_constructor(&mut self) -> bool {
        let class = self.classes.last().copied().flatten();
        let found = self.look(|parser| {
            parser.specifiers(false)?;
            if parser.is(sym::TILDE) || parser.is(sym::OPERATOR) {
                return Some(true);
            }
            let is_own = class == Some(parser.peek().text);
            if is_own && parser.is_ahead(1, sym::OPEN) {
                return Some(true);
            }
            let path = parser.path(Role::Declared)?;
            let count = path.segments.len();
            let last = path.segments.last()?;
            if last.name.starts_with('~') {
                return Some(true);
            }
            if count >= 2 && (last.name.starts_with("operator ") && parser.is(sym::OPEN)) {
                return Some(true);
            }
            let is_same = match count {
                0 | 1 => is_own && last.arguments.is_some(),
                _ => path.segments[count - 2].name == last.name,
            };
            Some(is_same && parser.is(sym::OPEN))
        });
        found.unwrap_or(false)
    }

    pub(super) fn untyped(
        &mut self,
        start: usize,
        specifiers: Specifiers,
        templates: Vec<Template>,
    ) -> Option<Stmt> {
        let path = self.path(Role::Declared)?;
        let last = path.segments.last()?;
        let kind = match () {
            () if last.name.starts_with('~') => FunctionKind::Destructor,
            () if last.name.starts_with("operator") => FunctionKind::Conversion,
            () => FunctionKind::Constructor,
        };
        let returns = match kind {
            FunctionKind::Conversion => Some(self.conversion_of(last.span)?),
            _ => None,
        };
        let parameters = self.bracketed(Self::parameters)?;
        let head = Head {
            path,
            parameters,
            returns,
            kind,
        };
        self.function_rest(start, specifiers, templates, head)
    }

    /// Parses the type in the name of a conversion function again.
    fn conversion_of(&mut self, name: a2lint_source::text::Span) -> Option<Type> {
        let end = self.at;
        let mut from = end;
        while from > 0 && self.tokens[from].text != sym::OPERATOR {
            from -= 1;
        }
        self.at = from + 1;
        let found = self.conversion_type();
        let is_all = self.at == end;
        self.at = end;
        found.filter(|_| is_all).map(|ty| Type { span: name, ..ty })
    }

    pub(super) fn function(
        &mut self,
        start: usize,
        specifiers: Specifiers,
        templates: Vec<Template>,
        found: Declarator,
    ) -> Option<Stmt> {
        let head = Head {
            path: found.path?,
            parameters: found.function?,
            returns: Some(found.ty),
            kind: FunctionKind::Plain,
        };
        self.function_rest(start, specifiers, templates, head)
    }

    /// Parses the part of a function after its parameters.
    fn function_rest(
        &mut self,
        start: usize,
        mut specifiers: Specifiers,
        templates: Vec<Template>,
        head: Head,
    ) -> Option<Stmt> {
        self.declare_function(&head.path, !templates.is_empty());
        let mut function = Function {
            id: self.id(),
            span: self.span_from(start),
            path: head.path,
            templates,
            parameters: head.parameters.variables,
            is_variadic: head.parameters.is_variadic,
            returns: head.returns,
            kind: head.kind,
            is_constexpr: specifiers.is_constexpr,
            is_static: specifiers.is_static,
            is_virtual: specifiers.is_virtual,
            is_explicit: specifiers.is_explicit,
            is_const: false,
            callable_on: CallableOn::Any,
            is_deleted: false,
            is_defaulted: false,
            attributes: std::mem::take(&mut specifiers.attributes),
            initialisers: Vec::new(),
            body: None,
        };
        self.qualifiers(&mut function)?;
        let opened = self.names.depth();
        let pending = std::mem::take(&mut self.pending);
        self.open_owners(&function.path);
        self.names.open();
        for parameter in &function.parameters {
            let name = self.symbols.of(&parameter.name);
            self.declare(name, Meaning::Value);
        }
        self.function_end(&mut function)?;
        self.names.close_to(opened);
        self.pending = pending;
        function.span = self.span_from(start);
        Some(self.stmt(start, StmtKind::Function(Arc::new(function))))
    }

    fn declare_function(&mut self, path: &Path, is_template: bool) {
        if let [segment] = &path.segments[..] {
            let name = self.symbols.of(&segment.name);
            let is_constructor = self.classes.last() == Some(&Some(name));
            let meaning = match is_template || segment.arguments.is_some() {
                true => Meaning::FunctionTemplate,
                false => Meaning::Value,
            };
            if !is_constructor {
                self.declare_around(name, meaning);
            }
        }
    }

    /// Opens the scopes of the classes that a function is a member of.
    fn open_owners(&mut self, path: &Path) {
        let owners = path.segments.len().saturating_sub(1);
        for segment in &path.segments[..owners] {
            let name = self.symbols.of(&segment.name);
            self.names.open_class(name);
        }
    }

    /// Parses `const`, `noexcept`, `override` and `-> T` after the parameters.
    fn qualifiers(&mut self, function: &mut Function) -> Option<()> {
        loop {
            self.attributes(&mut function.attributes)?;
            match self.peek().text {
                sym::CONST => function.is_const = true,
                sym::OVERRIDE => function.is_virtual = true,
                sym::AMPERSAND => function.callable_on = CallableOn::Lvalues,
                sym::AND_AND => function.callable_on = CallableOn::Rvalues,
                sym::VOLATILE | sym::FINAL => {}
                sym::NOEXCEPT | sym::THROW => {
                    self.bump()?;
                    if self.is(sym::OPEN) {
                        self.skip_group()?;
                    }
                    continue;
                }
                sym::ARROW => {
                    self.bump()?;
                    function.returns = Some(self.type_id()?);
                    continue;
                }
                sym::REQUIRES => {
                    self.bump()?;
                    self.constraint()?;
                    continue;
                }
                _ => return Some(()),
            }
            self.bump()?;
        }
    }

    /// Parses the body of a function, or `;`, `= default` or `= delete` instead of a body.
    fn function_end(&mut self, function: &mut Function) -> Option<()> {
        match self.peek().text {
            sym::SEMICOLON => {
                self.bump()?;
                return Some(());
            }
            sym::EQUAL => {
                self.bump()?;
                match self.bump()?.text {
                    sym::DEFAULT => function.is_defaulted = true,
                    sym::DELETE => function.is_deleted = true,
                    // `= 0`
                    _ if self.tokens[self.at - 1].kind == Kind::Number => {}
                    _ => return self.fail(),
                }
                return self.expect(sym::SEMICOLON);
            }
            _ => {}
        }
        self.take(sym::TRY);
        if self.is(sym::COLON) {
            function.initialisers = self.initialisers()?;
        }
        if !self.is(sym::CURLY) {
            return self.fail();
        }
        if self.is_outline {
            self.skip_group()?;
            function.body = Some(Vec::new());
            return Some(());
        }
        function.body = Some(self.body()?);
        while self.take(sym::CATCH) {
            self.skip_group()?;
            self.skip_group()?;
        }
        Some(())
    }

    /// Parses the `{ … }` of a function or lambda.
    pub(super) fn body(&mut self) -> Option<Vec<Stmt>> {
        self.bodies += 1;
        let classes = std::mem::take(&mut self.classes);
        let found = self.bracketed(Self::block);
        self.classes = classes;
        self.bodies -= 1;
        found
    }

    fn initialisers(&mut self) -> Option<Vec<Initialiser>> {
        self.expect(sym::COLON)?;
        let mut found = Vec::new();
        loop {
            let target = self.path(Role::Type)?;
            let init = match self.peek().text {
                sym::OPEN => Init::Parens(self.arguments()?),
                sym::CURLY => Init::Braces(self.brace_values()?),
                _ => return self.fail(),
            };
            self.take(sym::ELLIPSIS);
            found.push(Initialiser { target, init });
            if !self.take(sym::COMMA) {
                return Some(found);
            }
        }
    }
}
