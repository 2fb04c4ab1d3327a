//! Declarators: `*name[2]`, `(*name)(int)`, `name(int a)`.

use super::Parser;
use super::path::Role;
use crate::syntax::ast::{AddressSpace, Expr, Init, Path, Type, TypeKind, Variable};
use crate::syntax::symbols as sym;
use crate::syntax::tokens::Kind;
use a2lint_source::text::Span;

/// A declarator with the type that it makes.
pub(super) struct Declarator {
    /// The declared name; `None` for a type without a name.
    pub path: Option<Path>,
    /// Its type; what a function returns.
    pub ty: Type,
    /// The parameters of a function.
    pub function: Option<Parameters>,
    /// Whether it is a pack.
    pub is_pack: bool,
}

/// The parameters of a function.
#[derive(Default)]
pub(super) struct Parameters {
    pub variables: Vec<Variable>,
    pub is_variadic: bool,
}

/// The suffixes of a name in a declarator.
enum Suffix {
    Array(Option<Expr>),
    Function(Parameters),
}

impl Parser<'_> {
    /// Parses `*`, `&`, `const` and attributes before a name.
    pub(super) fn pointers(&mut self, mut ty: Type, mut space: AddressSpace) -> Option<Type> {
        let mut ignored = Vec::new();
        loop {
            if let Some(memory) = self.attributes(&mut ignored)? {
                space = memory;
            }
            let span = self.join(ty.span, self.span_here());
            match self.peek().text {
                sym::STAR => {
                    let kind = TypeKind::Pointer(Box::new(ty), std::mem::take(&mut space));
                    ty = typed(span, kind);
                }
                sym::AMPERSAND => ty = typed(span, TypeKind::Reference(Box::new(ty))),
                sym::AND_AND => ty = typed(span, TypeKind::RvalueReference(Box::new(ty))),
                sym::CONST => ty.is_const = true,
                sym::VOLATILE => {}
                _ => return Some(ty),
            }
            self.bump()?;
        }
    }

    /// Parses a declarator after its specifiers. Without a name, the result is an abstract declarator.
    pub(super) fn declarator(
        &mut self,
        ty: Type,
        space: AddressSpace,
        is_type: bool,
    ) -> Option<Declarator> {
        let ty = self.pointers(ty, space)?;
        let is_pack = !is_type && self.take(sym::ELLIPSIS);
        if let Some(length) = self.member_pointer() {
            for _ in 0..length {
                self.bump()?;
            }
            let ty = typed(ty.span, TypeKind::Unknown("a pointer to a member"));
            return self.deeper(|parser| parser.declarator(ty, AddressSpace::Private, is_type));
        }
        if self.is(sym::OPEN) && self.is_nested(is_type) {
            return self.nested(ty, is_type);
        }
        let is_named =
            self.is_name() || self.is(sym::SCOPE) || self.is(sym::OPERATOR) || self.is(sym::TILDE);
        let path = match is_named && !is_type {
            true => Some(self.path(Role::Declared)?),
            false => None,
        };
        let mut ignored = Vec::new();
        self.attributes(&mut ignored)?;
        let suffixes = self.suffixes()?;
        let mut suffixes = suffixes.into_iter().peekable();
        if path.is_some() && matches!(suffixes.peek(), Some(Suffix::Function(_))) {
            let Some(Suffix::Function(parameters)) = suffixes.next() else {
                return self.fail();
            };
            return Some(Declarator {
                path,
                ty: with_suffixes(ty, suffixes.collect()),
                function: Some(parameters),
                is_pack,
            });
        }
        Some(Declarator {
            path,
            ty: with_suffixes(ty, suffixes.collect()),
            function: None,
            is_pack,
        })
    }

    /// Returns the number of tokens of `C::*`, if that is next.
    fn member_pointer(&self) -> Option<usize> {
        let mut length = 0;
        while self.is_name_ahead(length) && self.is_ahead(length + 1, sym::SCOPE) {
            length += 2;
        }
        (length > 0 && self.is_ahead(length, sym::STAR)).then_some(length + 1)
    }

    /// Returns whether a parenthesis holds a declarator, and not parameters.
    fn is_nested(&self, is_type: bool) -> bool {
        let mut at = 1;
        while self.is_name_ahead(at) && self.symbols.text(self.ahead(at).text).starts_with("__") {
            at += 1;
        }
        let token = self.ahead(at);
        let is_pointer = matches!(token.text, sym::STAR | sym::AMPERSAND | sym::AND_AND);
        if token.kind == Kind::Punct && is_pointer {
            return true;
        }
        if self.is_name_ahead(at)
            && self.is_ahead(at + 1, sym::SCOPE)
            && self.is_ahead(at + 2, sym::STAR)
        {
            return true;
        }
        // `T (name)`
        !is_type && self.is_name_ahead(at) && self.is_ahead(at + 1, sym::CLOSE)
    }

    /// Parses `(*name)(int)`: what follows the parentheses belongs to what the declarator inside points to.
    fn nested(&mut self, ty: Type, is_type: bool) -> Option<Declarator> {
        let open = self.at;
        self.skip_group()?;
        let suffixes = self.suffixes()?;
        let end = self.at;
        let ty = with_suffixes(ty, suffixes);
        self.at = open + 1;
        let found = self.deeper(|parser| parser.declarator(ty, AddressSpace::Private, is_type))?;
        self.expect(sym::CLOSE)?;
        self.at = end;
        Some(found)
    }

    fn suffixes(&mut self) -> Option<Vec<Suffix>> {
        let mut suffixes = Vec::new();
        loop {
            if self.is(sym::SQUARE) && !self.is_ahead(1, sym::SQUARE) {
                self.bump()?;
                let length = match self.is(sym::END_SQUARE) {
                    true => None,
                    false => Some(self.bracketed(Self::expression)?),
                };
                self.expect(sym::END_SQUARE)?;
                suffixes.push(Suffix::Array(length));
            } else if self.is(sym::OPEN) && suffixes.is_empty() {
                match self.attempt(|parser| parser.bracketed(Self::parameters)) {
                    Some(parameters) => suffixes.push(Suffix::Function(parameters)),
                    None => return Some(suffixes),
                }
            } else {
                return Some(suffixes);
            }
        }
    }

    /// Parses `(int a, T... b, ...)`. Fails on values: `T x(y)` is an initialised variable.
    pub(super) fn parameters(&mut self) -> Option<Parameters> {
        self.expect(sym::OPEN)?;
        let mut found = Parameters::default();
        if self.is(sym::VOID) && self.is_ahead(1, sym::CLOSE) {
            self.bump()?;
        }
        while !self.is(sym::CLOSE) {
            if self.take(sym::ELLIPSIS) {
                found.is_variadic = true;
                break;
            }
            found.variables.push(self.deeper(Self::parameter)?);
            if !self.take(sym::COMMA) {
                found.is_variadic = self.take(sym::ELLIPSIS);
                break;
            }
        }
        self.expect(sym::CLOSE)?;
        Some(found)
    }

    /// Parses a parameter of a function, with its default.
    pub(super) fn parameter(&mut self) -> Option<Variable> {
        let start = self.at;
        let specifiers = self.specifiers(true)?;
        let Some(ty) = specifiers.ty else {
            return self.fail();
        };
        if let TypeKind::Path(path) = &ty.kind
            && self.is_value(path)
        {
            return self.fail();
        }
        let is_sure = self.is_sure_type(&ty);
        let found = self.declarator(ty, specifiers.space, false)?;
        let is_end = matches!(
            self.peek().text,
            sym::COMMA | sym::CLOSE | sym::EQUAL | sym::ELLIPSIS
        );
        if !is_end {
            return self.fail();
        }
        if !is_sure && self.bodies > 0 {
            // `LocalTensor<T> x(y)`: of a name nothing is known, and functions are hardly declared in others.
            return self.fail();
        }
        let init = match self.take(sym::EQUAL) {
            true => Init::Assign(self.initialiser()?),
            false => Init::None,
        };
        let (name, name_span) = match &found.path {
            Some(path) if path.segments.len() == 1 => {
                let segment = &path.segments[0];
                (segment.name.clone(), segment.span)
            }
            Some(_) => return self.fail(),
            None => ("".into(), self.span_from(start)),
        };
        let ty = match found.function {
            Some(parameters) => function_type(found.ty, parameters),
            None => found.ty,
        };
        Some(Variable {
            name,
            name_span,
            is_const: ty.is_const,
            ty,
            is_constexpr: specifiers.is_constexpr,
            is_static: false,
            is_extern: false,
            template: None,
            patterns: None,
            owner: None,
            init,
            is_pack: found.is_pack,
            is_bit_field: false,
        })
    }

    fn is_value(&mut self, path: &Path) -> bool {
        use super::names::Meaning;
        let is_value = |it| matches!(it, Meaning::Value | Meaning::FunctionTemplate);
        self.meaning_of(path).is_some_and(is_value)
    }
}

pub(super) fn typed(span: Span, kind: TypeKind) -> Type {
    Type {
        span,
        kind,
        is_const: false,
    }
}

fn function_type(returns: Type, parameters: Parameters) -> Type {
    if parameters.variables.iter().any(|it| it.is_pack) {
        let kind = TypeKind::Unknown("a function type with a pack of parameters");
        return typed(returns.span, kind);
    }
    let types = parameters.variables.into_iter().map(|it| it.ty).collect();
    typed(returns.span, TypeKind::Function(Box::new(returns), types))
}

fn with_suffixes(mut ty: Type, suffixes: Vec<Suffix>) -> Type {
    for suffix in suffixes.into_iter().rev() {
        let span = ty.span;
        let is_const = ty.is_const;
        ty = match suffix {
            Suffix::Array(length) => Type {
                span,
                kind: TypeKind::Array(Box::new(ty), length.map(Box::new)),
                is_const,
            },
            Suffix::Function(parameters) => function_type(ty, parameters),
        };
    }
    ty
}
