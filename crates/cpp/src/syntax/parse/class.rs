//! Classes and enumerations.

use std::sync::Arc;

use super::Parser;
use super::names::Meaning;
use super::path::Role;
use crate::syntax::ast::{Class, Enum, Name, Packing, Path, Stmt, Type, TypeKind};
use crate::syntax::symbols as sym;
use crate::syntax::tokens::Kind;
use a2lint_source::text::Span;

/// The attribute that stands for a `#pragma pack` before a class.
pub(in crate::syntax) const PACK: &str = "__pragma_pack__";

/// The bases of a class.
#[derive(Default)]
struct Bases {
    paths: Vec<Path>,
    /// Whether one of them is virtual.
    are_virtual: bool,
}

impl Parser<'_> {
    /// Returns whether the text from a token up to here gives a member an alignment of its own.
    fn aligns_members(&self, from: usize) -> bool {
        let mut inside = self.tokens[from..self.at].iter();
        inside.any(|token| {
            token.kind == Kind::Word
                && (token.text == sym::ALIGNAS
                    || matches!(self.symbols.text(token.text), "aligned" | "packed"))
        })
    }

    /// Parses `class …` as a type specifier: a definition, a declaration or only a name.
    pub(super) fn class_type(&mut self) -> Option<Type> {
        let start = self.at;
        let is_union = self.is(sym::UNION);
        self.bump()?;
        let mut attributes = Vec::new();
        self.attributes(&mut attributes)?;
        let path = match self.is_name() || self.is(sym::SCOPE) {
            true => Some(self.path(Role::Type)?),
            false => None,
        };
        let is_final = self.is(sym::FINAL);
        if is_final {
            self.bump()?;
        }
        let has_body = self.is(sym::CURLY) || self.is(sym::COLON);
        let declares = has_body || self.is(sym::SEMICOLON);
        if let (Some(path), true) = (&path, declares) {
            self.declare_class(path);
        }
        if !declares {
            let path = path?;
            return Some(Type {
                span: self.span_from(start),
                kind: TypeKind::Path(path),
                is_const: false,
            });
        }
        let body = self.at;
        let (bases, members) = match has_body {
            true => {
                let (bases, members) = self.deeper(|parser| parser.class_body(path.as_ref()))?;
                (bases, Some(members))
            }
            false => (Bases::default(), None),
        };
        let span = self.span_from(start);
        if has_body {
            self.look(|parser| parser.attributes(&mut attributes));
        }
        let class = Class {
            id: self.id(),
            span,
            path,
            is_union,
            packing: match self.aligns_members(body) {
                true => Packing::Unknown,
                false => packing(&attributes),
            },
            template: None,
            bases: bases.paths,
            has_virtual_base: bases.are_virtual,
            members,
        };
        Some(Type {
            span: class.span,
            kind: TypeKind::Class(Arc::new(class)),
            is_const: false,
        })
    }

    fn declare_class(&mut self, path: &Path) {
        if let [segment] = &path.segments[..] {
            let name = self.symbols.of(&segment.name);
            let meaning = match self.pending > 0 || segment.arguments.is_some() {
                true => Meaning::Template,
                false => Meaning::Type,
            };
            self.declare_around(name, meaning);
        }
    }

    fn class_body(&mut self, path: Option<&Path>) -> Option<(Bases, Vec<Stmt>)> {
        let pending = std::mem::take(&mut self.pending);
        let bases = self.bases()?;
        self.expect(sym::CURLY)?;
        let name = path.and_then(|path| path.segments.last());
        let name = name.map(|segment| self.symbols.of(&segment.name));
        self.names.open();
        for base in &bases.paths {
            if let Some(last) = base.segments.last() {
                let base = self.symbols.of(&last.name);
                self.names.inherit(base);
            }
        }
        if let Some(name) = name {
            // Its own name is one of its members.
            let is_template = pending > 0
                || path.is_some_and(|path| path.segments.iter().any(|it| it.arguments.is_some()));
            let meaning = if is_template {
                Meaning::Template
            } else {
                Meaning::Type
            };
            self.declare(name, meaning);
        }
        self.classes.push(name);
        // Bodies of members see members that are declared after them: the names are gathered first.
        if !self.is_outline && self.attempts == 0 {
            let (at, depth, scopes) = (self.at, self.depth, self.names.depth());
            self.is_outline = true;
            let mut ignored = Vec::new();
            self.items(&mut ignored);
            self.is_outline = false;
            self.at = at.min(self.tokens.len());
            self.depth = depth;
            self.names.close_to(scopes);
            // What a name means may have changed: members that follow are known now.
            self.no_templates.clear();
        }
        let mut members = Vec::new();
        self.items(&mut members);
        self.classes.pop();
        self.names.close_class(name);
        self.pending = pending;
        self.expect(sym::END_CURLY)?;
        Some((bases, members))
    }

    fn bases(&mut self) -> Option<Bases> {
        let mut bases = Bases::default();
        if !self.take(sym::COLON) {
            return Some(bases);
        }
        loop {
            let mut ignored = Vec::new();
            self.attributes(&mut ignored)?;
            while matches!(
                self.peek().text,
                sym::PUBLIC | sym::PRIVATE | sym::PROTECTED | sym::VIRTUAL | sym::TYPENAME
            ) {
                bases.are_virtual |= self.is(sym::VIRTUAL);
                self.bump()?;
            }
            bases.paths.push(self.path(Role::Type)?);
            self.take(sym::ELLIPSIS);
            if !self.take(sym::COMMA) {
                return Some(bases);
            }
        }
    }

    /// Parses `enum …` as a type specifier.
    pub(super) fn enum_type(&mut self) -> Option<Type> {
        let start = self.at;
        self.bump()?;
        let is_scoped = self.take(sym::CLASS) || self.take(sym::STRUCT);
        let mut ignored = Vec::new();
        self.attributes(&mut ignored)?;
        let path = match self.is_name() || self.is(sym::SCOPE) {
            true => Some(self.path(Role::Type)?),
            false => None,
        };
        let underlying = match self.take(sym::COLON) {
            true => Some(self.conversion_type()?),
            false => None,
        };
        let declares = self.is(sym::CURLY) || underlying.is_some() || self.is(sym::SEMICOLON);
        if let (Some(path), true) = (&path, declares) {
            self.declare_class(path);
        }
        if !declares {
            return Some(Type {
                span: self.span_from(start),
                kind: TypeKind::Path(path?),
                is_const: false,
            });
        }
        let enumerators = match self.is(sym::CURLY) {
            true => Some(self.bracketed(|parser| parser.enumerators(is_scoped))?),
            false => None,
        };
        let found = Enum {
            id: self.id(),
            path,
            is_scoped,
            underlying,
            enumerators,
        };
        Some(Type {
            span: self.span_from(start),
            kind: TypeKind::Enum(Arc::new(found)),
            is_const: false,
        })
    }

    fn enumerators(
        &mut self,
        is_scoped: bool,
    ) -> Option<Vec<(crate::syntax::ast::Name, Option<crate::syntax::ast::Expr>)>> {
        self.expect(sym::CURLY)?;
        let mut found = Vec::new();
        while !self.is(sym::END_CURLY) {
            let (name, _) = self.name()?;
            let mut ignored = Vec::new();
            self.attributes(&mut ignored)?;
            let value = match self.take(sym::EQUAL) {
                true => Some(self.conditional()?),
                false => None,
            };
            match is_scoped {
                true => self.declare_member(name, Meaning::Value),
                false => self.declare(name, Meaning::Value),
            }
            found.push((self.shared(name), value));
            if !self.take(sym::COMMA) {
                break;
            }
        }
        self.expect(sym::END_CURLY)?;
        Some(found)
    }
}

/// Largest alignment that is followed, in bytes.
const MAX_ALIGNMENT: u64 = 4096;

/// Returns what the attributes of a class say of its layout.
fn packing(attributes: &[(Name, Span)]) -> Packing {
    let (mut most, mut least) = (u64::MAX, 1);
    for (text, _) in attributes {
        let inside = |before: &str, after: &str| {
            let digits = text.strip_prefix(before)?.strip_suffix(after)?;
            let bytes = digits.parse::<u64>().ok()?;
            (bytes.is_power_of_two() && bytes <= MAX_ALIGNMENT).then_some(bytes)
        };
        let pragma = format!("__attribute__(({PACK}(");
        let aligned = inside("alignas(", ")").or_else(|| inside("__attribute__((aligned(", ")))"));
        if let Some(bytes) = aligned {
            least = least.max(bytes);
        } else if let Some(bytes) = inside(&pragma, ")))") {
            most = most.min(bytes);
        } else if matches!(&**text, "__attribute__((packed))" | "[[packed]]") {
            most = 1;
        } else if text.contains("pack") || text.contains("align") {
            return Packing::Unknown;
        }
    }
    Packing::Within { most, least }
}
