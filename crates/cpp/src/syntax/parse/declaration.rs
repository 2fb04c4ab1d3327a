//! Declarations: namespaces, templates, functions, variables.

use std::sync::Arc;

use super::Parser;
use super::declarator::{Declarator, Parameters};
use super::names::Meaning;
use super::path::Role;
use super::types::Specifiers;
use crate::syntax::ast::{
    Alias, Class, Enum, Expr, ExprKind, Function, FunctionKind, Init, Initialiser, Path, Segment,
    Stmt, StmtKind, Template, TemplateParameter, TemplateParameterKind, Type, TypeKind, Variable,
};
use crate::syntax::symbols::{self as sym, Sym};
use crate::syntax::tokens::Kind;

impl Parser<'_> {
    /// Declarations up to a brace that closes or the end.
    pub(super) fn items(&mut self, items: &mut Vec<Stmt>) {
        while !self.is_end() && !self.is(sym::END_CURLY) {
            self.forget_failures();
            let start = self.at;
            let (depth, scopes, classes) = (self.depth, self.names.depth(), self.classes.len());
            let (pending, bodies) = (self.pending, self.bodies);
            let found = self.deeper(Self::item);
            let item = match found {
                Some(item) => item,
                None => {
                    self.depth = depth;
                    self.names.close_to(scopes);
                    self.classes.truncate(classes);
                    (self.pending, self.bodies) = (pending, bodies);
                    self.is_in_arguments = false;
                    self.is_simple = false;
                    self.recover(start)
                }
            };
            items.push(item);
            if self.at == start {
                self.at += 1;
            }
        }
    }

    /// A declaration of a namespace or class.
    fn item(&mut self) -> Option<Stmt> {
        let start = self.at;
        let kind = match self.peek().text {
            sym::SEMICOLON => {
                self.bump()?;
                StmtKind::Empty
            }
            sym::PUBLIC | sym::PRIVATE | sym::PROTECTED if self.is_ahead(1, sym::COLON) => {
                self.bump()?;
                self.bump()?;
                StmtKind::Empty
            }
            sym::EXTERN if self.ahead(1).kind == Kind::String && self.is_ahead(2, sym::CURLY) => {
                self.bump()?;
                self.bump()?;
                StmtKind::Namespace(Vec::new(), self.braced_items()?)
            }
            sym::INLINE if self.is_ahead(1, sym::NAMESPACE) => {
                self.bump()?;
                self.namespace()?
            }
            sym::NAMESPACE => self.namespace()?,
            sym::TEMPLATE => return self.template(),
            sym::EXTERN if self.is_ahead(1, sym::TEMPLATE) => {
                self.bump()?;
                return self.template();
            }
            _ if self.is_macro_call() => self.macro_call()?,
            _ => return self.declaration(Vec::new()),
        };
        Some(self.stmt(start, kind))
    }

    fn braced_items(&mut self) -> Option<Vec<Stmt>> {
        self.expect(sym::CURLY)?;
        let mut items = Vec::new();
        self.items(&mut items);
        self.expect(sym::END_CURLY)?;
        Some(items)
    }

    fn namespace(&mut self) -> Option<StmtKind> {
        self.bump()?;
        let mut ignored = Vec::new();
        self.attributes(&mut ignored)?;
        let mut names = Vec::new();
        while self.is_name() {
            names.push(self.name()?.0);
            self.attributes(&mut ignored)?;
            if !self.take(sym::SCOPE) {
                break;
            }
            self.take(sym::INLINE);
        }
        if self.take(sym::EQUAL) {
            self.path(Role::Type)?;
            self.expect(sym::SEMICOLON)?;
            return Some(StmtKind::Unknown("an alias of a namespace"));
        }
        let names = names.into_iter().map(|name| self.shared(name)).collect();
        Some(StmtKind::Namespace(names, self.braced_items()?))
    }

    /// Whether a macro that no file defines is called here: `NAME(…)` without a type, and no constructor.
    fn is_macro_call(&self) -> bool {
        if !self.is_name() || !self.is_ahead(1, sym::OPEN) || self.is_attribute() {
            return false;
        }
        let name = self.peek().text;
        let is_constructor = self.classes.last() == Some(&Some(name));
        let is_type = matches!(
            self.names.meaning(name),
            Some(Meaning::Type | Meaning::Template)
        );
        !is_constructor && !is_type
    }

    fn macro_call(&mut self) -> Option<StmtKind> {
        let call = self.attempt(|parser| {
            let call = parser.expression()?;
            parser.expect(sym::SEMICOLON)?;
            Some(call)
        });
        if let Some(call) = call {
            return Some(StmtKind::Expr(call));
        }
        self.bump()?;
        self.skip_group()?;
        if self.is(sym::CURLY) {
            self.skip_group()?;
        }
        self.take(sym::SEMICOLON);
        Some(StmtKind::Unknown(
            "a macro that no file of the project defines",
        ))
    }

    /// `template …`: a template, or an instantiation of one.
    fn template(&mut self) -> Option<Stmt> {
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

    fn skip_to_semicolon(&mut self) -> Option<()> {
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

    /// `<typename T, int N = 1>` with a `requires` clause.
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

    /// A constraint after `requires`: names and groups joined by `&&` and `||`.
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

    /// A declaration that templates may stand before.
    pub(super) fn declaration(&mut self, templates: Vec<Template>) -> Option<Stmt> {
        self.declaration_from(self.at, templates)
    }

    fn declaration_from(&mut self, start: usize, mut templates: Vec<Template>) -> Option<Stmt> {
        let kind = match self.peek().text {
            sym::USING => self.using(&mut templates)?,
            sym::STATIC_ASSERT => {
                self.bump()?;
                self.expect(sym::OPEN)?;
                let condition = self.bracketed(Self::assignment)?;
                if self.take(sym::COMMA) {
                    self.bracketed(Self::assignment)?;
                }
                self.expect(sym::CLOSE)?;
                self.expect(sym::SEMICOLON)?;
                StmtKind::StaticAssert(condition)
            }
            sym::NAMESPACE => self.namespace()?,
            sym::ASM => {
                self.skip_to_semicolon()?;
                StmtKind::Unknown("`asm`")
            }
            sym::FRIEND => return self.friend(start),
            _ => return self.simple(start, templates),
        };
        Some(self.stmt(start, kind))
    }

    /// A friend is no member: what it defines is not looked at.
    fn friend(&mut self, start: usize) -> Option<Stmt> {
        while !self.is(sym::SEMICOLON) {
            match self.peek().text {
                sym::CURLY => {
                    self.skip_group()?;
                    let kind = StmtKind::Unknown("a friend that is defined in a class");
                    return Some(self.stmt(start, kind));
                }
                sym::OPEN | sym::SQUARE => self.skip_group()?,
                sym::END_CURLY => return self.fail(),
                _ => {
                    self.bump()?;
                }
            }
        }
        self.bump()?;
        Some(self.stmt(start, StmtKind::Empty))
    }

    fn using(&mut self, templates: &mut Vec<Template>) -> Option<StmtKind> {
        self.bump()?;
        if self.take(sym::NAMESPACE) {
            let path = self.path(Role::Type)?;
            self.expect(sym::SEMICOLON)?;
            return Some(StmtKind::UsingNamespace(path));
        }
        if self.is(sym::ENUM) {
            self.skip_to_semicolon()?;
            return Some(StmtKind::Unknown("`using enum`"));
        }
        let is_alias = self.is_name() && {
            let after = self.ahead(1);
            matches!(after.text, sym::EQUAL | sym::SQUARE | sym::ATTRIBUTE)
        };
        if is_alias {
            let (name, _) = self.name()?;
            let mut ignored = Vec::new();
            self.attributes(&mut ignored)?;
            self.expect(sym::EQUAL)?;
            let ty = self.type_id()?;
            self.expect(sym::SEMICOLON)?;
            let meaning = match templates.is_empty() {
                true => Meaning::Type,
                false => Meaning::Template,
            };
            self.declare_around(name, meaning);
            return Some(StmtKind::Alias(Arc::new(Alias {
                name: self.shared(name),
                template: templates.pop(),
                ty,
            })));
        }
        self.take(sym::TYPENAME);
        let path = self.path(Role::Declared)?;
        let segment = path.segments.last()?;
        let name = self.symbols.of(&segment.name);
        if let Some(meaning) = self.names.anywhere(name) {
            self.declare(name, meaning);
        }
        if self.take(sym::COMMA) {
            self.skip_to_semicolon()?;
            return Some(StmtKind::Unknown("`using` of several names"));
        }
        self.expect(sym::SEMICOLON)?;
        Some(StmtKind::Using(path))
    }

    /// Specifiers with declarators: variables, functions, classes, aliases by `typedef`.
    fn simple(&mut self, start: usize, mut templates: Vec<Template>) -> Option<Stmt> {
        let from = self.at;
        let is_typed = !self.is_constructor();
        let mut specifiers = self.specifiers(is_typed)?;
        if self.is(sym::SEMICOLON) {
            self.bump()?;
            let kind = match specifiers.ty.map(|ty| ty.kind) {
                Some(TypeKind::Class(class)) => {
                    let mut class = class;
                    if let Some(class) = Arc::get_mut(&mut class) {
                        class.template = templates.pop();
                        class.span = self.span_from(start);
                    }
                    StmtKind::Class(class)
                }
                Some(TypeKind::Enum(found)) => StmtKind::Enum(found),
                Some(_) | None => StmtKind::Empty,
            };
            return Some(self.stmt(start, kind));
        }
        // A constructor, destructor or conversion has no type before its name.
        let Some(ty) = specifiers.ty.take() else {
            return match is_typed {
                true => self.fail(),
                false => self.untyped(start, specifiers, templates),
            };
        };
        if matches!(ty.kind, TypeKind::Auto) && self.is_bindings() {
            return self.bindings(start);
        }
        let (ty, defined) = self.defined_before(ty);
        // What is defined in a declaration is shared by its declarators; other types are parsed again for each.
        let shared = shared_type(&ty, defined.is_some());
        let mut first = Some(ty);
        let mut variables = Vec::new();
        loop {
            let base = match (first.take(), &shared) {
                (Some(first), _) => first,
                (None, Some(shared)) => shared_type(shared, true)?,
                (None, None) => self.type_again(from)?,
            };
            let found = self.declarator(base, specifiers.space, false)?;
            if specifiers.is_typedef {
                let name = self.alias_name(&found)?;
                let alias = self.alias(&found.path, found.ty, found.function)?;
                self.declare_around(name, Meaning::Type);
                variables.push(alias);
            } else if found.function.is_some() {
                if variables.is_empty() {
                    return self.function(start, specifiers, templates, found);
                }
                return self.fail();
            } else {
                let template = templates.pop();
                let variable = self.variable(found, &specifiers, template)?;
                variables.push(Declared::Variable(variable));
            }
            if !self.take(sym::COMMA) {
                break;
            }
        }
        self.expect(sym::SEMICOLON)?;
        let mut parts: Vec<Stmt> = Vec::new();
        if let Some(kind) = defined {
            parts.push(self.stmt(start, kind));
        }
        let mut plain = Vec::new();
        for variable in variables {
            match variable {
                Declared::Variable(variable) => plain.push(variable),
                Declared::Alias(alias) => {
                    let kind = StmtKind::Alias(Arc::new(alias));
                    parts.push(self.stmt(start, kind));
                }
            }
        }
        if !plain.is_empty() {
            parts.push(self.stmt(start, StmtKind::Variables(plain)));
        }
        match parts.len() {
            1 => parts.pop(),
            // `struct S { … } x;`: what is declared is visible around, so that it is no block.
            _ => Some(self.stmt(start, StmtKind::Namespace(Vec::new(), parts))),
        }
    }

    /// The type of a declaration once more, for its next declarator.
    fn type_again(&mut self, from: usize) -> Option<Type> {
        let at = std::mem::replace(&mut self.at, from);
        let found = self.specifiers(true)?.ty;
        self.at = at;
        found
    }

    /// A named class that is defined before declarators stands on its own, and its name is the type.
    fn defined_before(&mut self, ty: Type) -> (Type, Option<StmtKind>) {
        let (path, kind) = match &ty.kind {
            TypeKind::Class(class) => match named(&class.path) {
                Some(path) => (path, StmtKind::Class(class.clone())),
                None => return (ty, None),
            },
            TypeKind::Enum(found) => match named(&found.path) {
                Some(path) => (path, StmtKind::Enum(found.clone())),
                None => return (ty, None),
            },
            _ => return (ty, None),
        };
        let ty = Type {
            span: path.span,
            kind: TypeKind::Path(path),
            is_const: ty.is_const,
        };
        (ty, Some(kind))
    }

    fn alias_name(&mut self, found: &Declarator) -> Option<Sym> {
        let segment = found.path.as_ref()?.segments.last()?;
        Some(self.symbols.of(&segment.name))
    }

    fn alias(
        &mut self,
        path: &Option<Path>,
        ty: Type,
        function: Option<Parameters>,
    ) -> Option<Declared> {
        let name = path.as_ref()?.segments.last()?.name.clone();
        let ty = match function {
            Some(parameters) => {
                let types = parameters.variables.into_iter().map(|it| it.ty).collect();
                super::declarator::typed(ty.span, TypeKind::Function(Box::new(ty), types))
            }
            None => ty,
        };
        Some(Declared::Alias(Alias {
            name,
            template: None,
            ty,
        }))
    }

    /// A variable after its declarator, with its initialiser.
    pub(super) fn variable(
        &mut self,
        found: Declarator,
        specifiers: &Specifiers,
        template: Option<Template>,
    ) -> Option<Variable> {
        let mut path = found.path?;
        let last = path.segments.pop()?;
        let name = self.symbols.of(&last.name);
        let owner = (!path.segments.is_empty()).then_some(path);
        if owner.is_none() {
            let meaning = match template.is_some() {
                true => Meaning::FunctionTemplate,
                false => Meaning::Value,
            };
            self.declare_around(name, meaning);
        }
        let is_bit_field = self.take(sym::COLON);
        if is_bit_field {
            self.conditional()?;
        }
        let init = match self.peek().text {
            sym::EQUAL => {
                self.bump()?;
                Init::Assign(self.initialiser()?)
            }
            sym::OPEN => Init::Parens(self.arguments()?),
            sym::CURLY => Init::Braces(self.brace_values()?),
            _ => Init::None,
        };
        let is_extern = specifiers.is_extern && matches!(init, Init::None);
        Some(Variable {
            name: last.name,
            name_span: last.span,
            is_const: found.ty.is_const || specifiers.is_constexpr,
            ty: found.ty,
            is_constexpr: specifiers.is_constexpr,
            is_static: specifiers.is_static,
            is_extern,
            template,
            owner,
            init,
            is_pack: found.is_pack,
            is_bit_field,
        })
    }

    /// `{a, b}` as values; with designators they are one.
    fn brace_values(&mut self) -> Option<Vec<Expr>> {
        let braces = self.braces(None)?;
        let ExprKind::Braces(_, items) = braces.kind else {
            return self.fail();
        };
        if items.iter().any(|item| item.field.is_some()) {
            return Some(vec![Expr {
                span: braces.span,
                kind: ExprKind::Braces(None, items),
            }]);
        }
        Some(items.into_iter().map(|item| item.value).collect())
    }

    /// Whether `[a, b]` follows `auto`.
    fn is_bindings(&self) -> bool {
        let mut at = 0;
        while matches!(self.ahead(at).text, sym::AMPERSAND | sym::AND_AND) {
            at += 1;
        }
        self.is_ahead(at, sym::SQUARE)
    }

    fn bindings(&mut self, start: usize) -> Option<Stmt> {
        let mut by_reference = false;
        while self.take(sym::AMPERSAND) || self.take(sym::AND_AND) {
            by_reference = true;
        }
        self.expect(sym::SQUARE)?;
        let mut names = Vec::new();
        while self.is_name() {
            let (name, _) = self.name()?;
            self.declare(name, Meaning::Value);
            names.push(self.shared(name));
            if !self.take(sym::COMMA) {
                break;
            }
        }
        self.expect(sym::END_SQUARE)?;
        let value = match self.peek().text {
            sym::EQUAL => {
                self.bump()?;
                self.initialiser()?
            }
            sym::CURLY | sym::OPEN => {
                let close = match self.bump()?.text {
                    sym::CURLY => sym::END_CURLY,
                    _ => sym::CLOSE,
                };
                let value = self.bracketed(Self::assignment)?;
                self.expect(close)?;
                value
            }
            _ => return self.fail(),
        };
        if self.is(sym::SEMICOLON) {
            self.bump()?;
        }
        let kind = StmtKind::Bindings {
            names,
            by_reference,
            value,
        };
        Some(self.stmt(start, kind))
    }

    /// Whether a constructor, destructor or conversion follows after its specifiers.
    fn is_constructor(&mut self) -> bool {
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

    fn untyped(
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

    /// The type in the name of a conversion, parsed again.
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

    fn function(
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

    /// What follows the parameters of a function.
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

    /// `const`, `noexcept`, `override`, `-> T` after parameters.
    fn qualifiers(&mut self, function: &mut Function) -> Option<()> {
        loop {
            self.attributes(&mut function.attributes)?;
            match self.peek().text {
                sym::CONST => function.is_const = true,
                sym::OVERRIDE => function.is_virtual = true,
                sym::VOLATILE | sym::FINAL | sym::AMPERSAND | sym::AND_AND => {}
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

    /// The body of a function, or what stands in its place.
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

    /// `{ … }` of a function or lambda.
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

    /// Declares a name in the scope around the templates that stand before it.
    pub(super) fn declare_around(&mut self, name: Sym, meaning: Meaning) {
        if self.attempts == 0 {
            self.names.declare_below(name, meaning, self.pending);
        }
    }

    /// Declares a name that is reached only through its owner.
    pub(super) fn declare_member(&mut self, name: Sym, meaning: Meaning) {
        if self.attempts == 0 {
            self.names.declare_member(name, meaning);
        }
    }
}

/// What a function is before what follows its parameters.
struct Head {
    path: Path,
    parameters: Parameters,
    returns: Option<Type>,
    kind: FunctionKind,
}

/// What one declarator declares.
enum Declared {
    Variable(Variable),
    Alias(Alias),
}

/// The name of a class, without arguments.
fn named(path: &Option<Path>) -> Option<Path> {
    plain_path(path.as_ref()?)
}

/// A copy of the type that is defined in a declaration; `None` for any other type.
fn shared_type(ty: &Type, is_defined: bool) -> Option<Type> {
    let kind = match &ty.kind {
        TypeKind::Class(class) => TypeKind::Class(Arc::<Class>::clone(class)),
        TypeKind::Enum(found) => TypeKind::Enum(Arc::<Enum>::clone(found)),
        TypeKind::Path(path) if is_defined => TypeKind::Path(plain_path(path)?),
        _ => return None,
    };
    Some(Type { kind, ..*ty })
}

/// A copy of a path; `None` for one with template arguments.
fn plain_path(path: &Path) -> Option<Path> {
    let segments = path.segments.iter().map(|segment| {
        let plain = segment.arguments.is_none().then(|| segment.name.clone());
        plain.map(|name| Segment {
            name,
            span: segment.span,
            arguments: None,
        })
    });
    Some(Path {
        span: path.span,
        is_absolute: path.is_absolute,
        segments: segments.collect::<Option<_>>()?,
    })
}
