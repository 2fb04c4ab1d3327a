//! Declarations: namespaces, aliases, variables, and what distinguishes them.

use std::sync::Arc;

use super::Parser;
use super::declarator::{Declarator, Parameters};
use super::names::Meaning;
use super::path::Role;
use super::types::Specifiers;
use crate::syntax::ast::{
    Alias, Class, Enum, Expr, ExprKind, FunctionKind, Init, Path, Segment, Stmt, StmtKind,
    Template, Type, TypeKind, Variable,
};
use crate::syntax::symbols::{self as sym, Sym};
use crate::syntax::tokens::Kind;

impl Parser<'_> {
    /// Parses declarations up to a closing brace or the end of the text.
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

    /// Parses a declaration of a namespace or class.
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
            let path = self.path(Role::Type)?;
            self.expect(sym::SEMICOLON)?;
            let name = self.shared(*names.first()?);
            return Some(StmtKind::NamespaceAlias(name, path));
        }
        let names = names.into_iter().map(|name| self.shared(name)).collect();
        Some(StmtKind::Namespace(names, self.braced_items()?))
    }

    /// Returns whether a macro that no file defines is called here: `NAME(…)` without a type, and no constructor.
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

    /// Parses a declaration that may be a template.
    pub(super) fn declaration(&mut self, templates: Vec<Template>) -> Option<Stmt> {
        self.declaration_from(self.at, templates)
    }

    pub(super) fn declaration_from(
        &mut self,
        start: usize,
        mut templates: Vec<Template>,
    ) -> Option<Stmt> {
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

    /// Skips a `friend` declaration, which declares no member; one with a body becomes an unknown statement.
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

    /// Parses specifiers with declarators: variables, functions, classes, and aliases by `typedef`.
    fn simple(&mut self, start: usize, mut templates: Vec<Template>) -> Option<Stmt> {
        let from = self.at;
        // A constructor has no type before its name, which would be taken for one.
        let is_typed = !self.is_constructor();
        let mut specifiers = self.specifiers(is_typed)?;
        if self.is(sym::SEMICOLON) {
            self.bump()?;
            let kind = match specifiers.ty.map(|ty| ty.kind) {
                // `union { int a; float b; };`: an object without a name, whose members are named around it.
                Some(TypeKind::Class(class)) if class.path.is_none() => {
                    let span = self.span_from(start);
                    let ty = super::declarator::typed(span, TypeKind::Class(class));
                    StmtKind::Variables(vec![Variable::unnamed(ty, span)])
                }
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

    /// Parses the type of a declaration again, for its next declarator.
    fn type_again(&mut self, from: usize) -> Option<Type> {
        let at = std::mem::replace(&mut self.at, from);
        let found = self.specifiers(true)?.ty;
        self.at = at;
        found
    }

    /// Splits the definition of a named class from the declarators after it: the definition becomes a statement of its
    /// own, and its name the type.
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

    /// Parses the rest of a variable after its declarator: the initialiser.
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
            patterns: last.arguments,
            owner,
            init,
            is_pack: found.is_pack,
            is_bit_field,
        })
    }

    /// Parses `{a, b}` as a list of values; with designators (`{.a = b}`) it is one value.
    pub(super) fn brace_values(&mut self) -> Option<Vec<Expr>> {
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

    /// Returns whether `[a, b]` follows `auto`.
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

/// The head of a function: all that precedes its qualifiers and body.
pub(super) struct Head {
    pub(super) path: Path,
    pub(super) parameters: Parameters,
    pub(super) returns: Option<Type>,
    pub(super) kind: FunctionKind,
}

/// The declaration that one declarator makes.
enum Declared {
    Variable(Variable),
    Alias(Alias),
}

/// Returns the name of a class without template arguments.
fn named(path: &Option<Path>) -> Option<Path> {
    plain_path(path.as_ref()?)
}

/// Returns a copy of a type that the declaration defines; `None` for other types.
fn shared_type(ty: &Type, is_defined: bool) -> Option<Type> {
    let kind = match &ty.kind {
        TypeKind::Class(class) => TypeKind::Class(Arc::<Class>::clone(class)),
        TypeKind::Enum(found) => TypeKind::Enum(Arc::<Enum>::clone(found)),
        TypeKind::Path(path) if is_defined => TypeKind::Path(plain_path(path)?),
        _ => return None,
    };
    Some(Type { kind, ..*ty })
}

/// Returns a copy of a path; `None` if it has template arguments.
fn plain_path(path: &Path) -> Option<Path> {
    let segments = path.segments.iter().map(|segment| {
        let is_plain = segment.arguments.is_none() && segment.decltype.is_none();
        let plain = is_plain.then(|| segment.name.clone());
        plain.map(|name| Segment {
            name,
            span: segment.span,
            arguments: None,
            decltype: None,
        })
    });
    Some(Path {
        span: path.span,
        is_absolute: path.is_absolute,
        segments: segments.collect::<Option<_>>()?,
    })
}
