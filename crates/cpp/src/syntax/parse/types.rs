//! Types: the specifiers before a declarator, and types without one.

use super::Parser;
use super::names::Meaning;
use super::path::Role;
use crate::syntax::ast::{AddressSpace, IntegerKind, Name, Type, TypeKind};
use crate::syntax::symbols::{self as sym, Sym, Symbols};
use crate::syntax::tokens::Kind;
use a2lint_source::text::Span;
use rustc_hash::FxHashSet;

/// The specifiers that precede the declarators of a declaration.
#[derive(Default)]
pub(super) struct Specifiers {
    pub ty: Option<Type>,
    pub is_const: bool,
    pub is_constexpr: bool,
    pub is_static: bool,
    pub is_extern: bool,
    pub is_virtual: bool,
    pub is_explicit: bool,
    pub is_typedef: bool,
    pub is_friend: bool,
    pub space: AddressSpace,
    pub attributes: Vec<(Name, Span)>,
    /// Whether a class or enumeration is defined or named here.
    pub is_elaborated: bool,
    words: Words,
    place: Option<Span>,
}

/// Words of integer and floating types, in any order.
#[derive(Clone, Copy, Default)]
struct Words {
    base: Option<Sym>,
    longs: u8,
    is_short: bool,
    is_signed: bool,
    is_unsigned: bool,
}

impl Words {
    fn is_none(self) -> bool {
        self.base.is_none()
            && self.longs == 0
            && !self.is_short
            && !self.is_signed
            && !self.is_unsigned
    }

    fn kind(self) -> TypeKind {
        use IntegerKind as I;
        let kind = match self.base {
            Some(sym::VOID) => return TypeKind::Void,
            Some(sym::BOOL) => return TypeKind::Bool,
            Some(sym::FLOAT) => return TypeKind::Float,
            Some(sym::DOUBLE) => return TypeKind::Double,
            Some(sym::AUTO) => return TypeKind::Auto,
            Some(sym::CHAR) if self.is_unsigned => I::UnsignedChar,
            Some(sym::CHAR) if self.is_signed => I::SignedChar,
            Some(sym::CHAR) => I::Char,
            Some(sym::WCHAR_T | sym::CHAR8_T | sym::CHAR16_T | sym::CHAR32_T) => {
                return TypeKind::Unknown("a type of wide characters");
            }
            // The words come in any order, and `int` may be missing: `long unsigned` is a type.
            _ => match (self.is_short, self.longs, self.is_unsigned) {
                (true, _, false) => I::Short,
                (true, _, true) => I::UnsignedShort,
                (_, 0, false) => I::Int,
                (_, 0, true) => I::Unsigned,
                (_, 1, false) => I::Long,
                (_, 1, true) => I::UnsignedLong,
                (_, _, false) => I::LongLong,
                (_, _, true) => I::UnsignedLongLong,
            },
        };
        TypeKind::Integer(kind)
    }
}

/// Words that say where code runs or data lies.
const ATTRIBUTES: &[&str] = &[
    "__aicore__",
    "__aiv__",
    "__aic__",
    "__mix__",
    "__attribute_aicore__",
    "__global__",
    "__gm__",
    "__ubuf__",
    "__cbuf__",
    "__ca__",
    "__cb__",
    "__cc__",
    "__fbuf__",
    "__biasbuf__",
    "__ssbuf__",
    "__constant__",
    "__device__",
    "__host__",
    "__host_aicore__",
    "__shared__",
    "__managed__",
    "__forceinline__",
    "__noinline__",
    "__force_inline__",
    "__always_inline__",
    "__inline__",
    "__inline",
    "__restrict__",
    "__restrict",
    "__grid_constant__",
    "__in__",
    "__inout__",
    "__out__",
    "__local_mem__",
    "__workgroup__",
    "__private__",
    "__simd_callee__",
    "__simd_vf__",
    "__simt_vf__",
    "__simt_callee__",
    "__sync_alias__",
    "__sync_noalias__",
    "__sync_in__",
    "__sync_out__",
    "__tf__",
    "__vector__",
    "__cube__",
    "__vec__",
    "__schedmode__",
    "__kfc_workspace__",
    "__launch_bounds__",
    "__cluster_dims__",
    "__in_pipe__",
    "__out_pipe__",
    "__inout_pipe__",
    "__enable_feature_for_compile_default",
    "__extension__",
    "__BLOCK_LOCAL__",
    "__cce_aicore__",
    "__volatile__",
    "__unused",
    "__always_inline",
];

/// Interns the attributes of the device compiler: each token is compared with them.
pub(super) fn attributes(symbols: &mut Symbols) -> FxHashSet<Sym> {
    ATTRIBUTES.iter().map(|name| symbols.of(name)).collect()
}

/// Returns the memory that an attribute (`__gm__`) names.
fn space(word: &str) -> Option<AddressSpace> {
    Some(match word {
        "__gm__" => AddressSpace::Gm,
        "__ubuf__" => AddressSpace::Ub,
        "__cbuf__" => AddressSpace::L1,
        "__ca__" => AddressSpace::L0A,
        "__cb__" => AddressSpace::L0B,
        "__cc__" => AddressSpace::L0C,
        "__fbuf__" | "__biasbuf__" | "__ssbuf__" | "__local_mem__" | "__shared__" => {
            AddressSpace::Other
        }
        _ => return None,
    })
}

impl Parser<'_> {
    /// Returns whether the next token is an attribute.
    pub(super) fn is_attribute(&self) -> bool {
        let token = self.peek();
        if self.is(sym::SQUARE) {
            return self.is_ahead(1, sym::SQUARE) || self.is_side_attribute();
        }
        if token.kind != Kind::Word {
            return false;
        }
        let fixed = matches!(
            token.text,
            sym::ALIGNAS | sym::ATTRIBUTE | sym::ATTRIBUTE_SHORT | sym::DECLSPEC | sym::EXTENSION
        );
        fixed || self.attributes.contains(&token.text)
    }

    /// Returns whether `[aicore]` or `[host, aicore]` follows.
    fn is_side_attribute(&self) -> bool {
        let mut at = 1;
        loop {
            // An older spelling of `__aicore__` in brackets, which would be taken for a lambda otherwise.
            let is_side = self.is_ahead(at, sym::AICORE) || self.is_ahead(at, sym::HOST);
            match is_side {
                true if self.is_ahead(at + 1, sym::END_SQUARE) => return true,
                true if self.is_ahead(at + 1, sym::COMMA) => at += 2,
                _ => return false,
            }
        }
    }

    /// Goes over attributes. Returns the memory that they name.
    pub(super) fn attributes(
        &mut self,
        found: &mut Vec<(Name, Span)>,
    ) -> Option<Option<AddressSpace>> {
        let mut memory = None;
        while self.is_attribute() {
            let start = self.at;
            if self.is(sym::SQUARE) {
                self.skip_group()?;
                let inside = self.tokens[start..self.at].iter();
                if inside.clone().any(|token| token.text == sym::AICORE) {
                    found.push(("__aicore__".into(), self.span_from(start)));
                }
                let mut words = inside.map(|token| self.symbols.text(token.text));
                if let Some(word) = words.find(|it| matches!(*it, "packed" | "aligned")) {
                    found.push((format!("[[{word}]]").into(), self.span_from(start)));
                }
                continue;
            }
            let word = self.bump()?.text;
            // Several attributes may follow each other; only some name a memory.
            memory = space(self.symbols.text(word)).or(memory);
            let mut name = self.shared(word);
            let has_arguments = matches!(
                word,
                sym::ALIGNAS | sym::ATTRIBUTE | sym::ATTRIBUTE_SHORT | sym::DECLSPEC
            ) || matches!(
                &*name,
                "__mix__"
                    | "__schedmode__"
                    | "__launch_bounds__"
                    | "__cluster_dims__"
                    | "__in_pipe__"
                    | "__out_pipe__"
                    | "__inout_pipe__"
            );
            if has_arguments && self.is(sym::OPEN) {
                let from = self.at;
                self.skip_group()?;
                let arguments = self.tokens[from..self.at].iter();
                let arguments: String = arguments.map(|it| self.symbols.text(it.text)).collect();
                // The numbers of `__mix__(1, 2)` say how the kernel is started, so they stay part of the name.
                name = [&*name, &arguments].concat().into();
            }
            found.push((name, self.span_from(start)));
        }
        Some(memory)
    }

    /// Parses the specifiers before declarators. `is_typed` decides whether a name is taken as the type: constructors
    /// have none.
    pub(super) fn specifiers(&mut self, is_typed: bool) -> Option<Specifiers> {
        let mut found = Specifiers::default();
        let mut start = None;
        loop {
            if let Some(memory) = self.attributes(&mut found.attributes)? {
                found.space = memory;
            }
            let token = self.peek();
            if token.kind == Kind::Punct && token.text != sym::SCOPE {
                break;
            }
            // A macro that no file defines before a type is taken for an attribute of the toolchain.
            if found.ty.is_none() && found.words.is_none() && self.is_decoration() {
                let word = self.bump()?;
                found.attributes.push((self.shared(word.text), word.span));
                if self.is(sym::OPEN) {
                    self.skip_group()?;
                }
                continue;
            }
            let has_type = found.ty.is_some() || !found.words.is_none();
            match token.text {
                sym::CONST => found.is_const = true,
                sym::CONSTEXPR | sym::CONSTEVAL | sym::CONSTINIT => found.is_constexpr = true,
                sym::STATIC | sym::THREAD_LOCAL => found.is_static = true,
                sym::EXTERN => {
                    found.is_extern = true;
                    // `extern "C"` before a single declaration.
                    if self.ahead(1).kind == Kind::String {
                        self.bump()?;
                    }
                }
                sym::VIRTUAL => found.is_virtual = true,
                sym::TYPEDEF => found.is_typedef = true,
                sym::FRIEND => found.is_friend = true,
                // Evaluation and checks do not depend on these specifiers.
                sym::INLINE | sym::VOLATILE | sym::MUTABLE | sym::REGISTER => {}
                sym::EXPLICIT => {
                    found.is_explicit = true;
                    self.bump()?;
                    if self.is(sym::OPEN) {
                        self.skip_group()?;
                    }
                    continue;
                }
                _ if self.type_word(&mut found.words) => {
                    start.get_or_insert(self.at);
                    found.place = Some(self.join(found.place.unwrap_or(token.span), token.span));
                }
                // A second name after the type is that of the variable.
                _ if has_type => break,
                sym::CLASS | sym::STRUCT | sym::UNION => {
                    found.is_elaborated = true;
                    found.ty = Some(self.class_type()?);
                    continue;
                }
                sym::ENUM => {
                    found.is_elaborated = true;
                    found.ty = Some(self.enum_type()?);
                    continue;
                }
                sym::DECLTYPE => {
                    found.ty = Some(match self.is_decltype_scope() {
                        true => self.named_type()?,
                        false => self.decltype()?,
                    });
                    continue;
                }
                sym::TYPENAME => {
                    self.bump()?;
                    found.ty = Some(self.named_type()?);
                    continue;
                }
                _ if is_typed && (self.is_name() || self.is(sym::SCOPE)) => {
                    found.ty = Some(self.named_type()?);
                    continue;
                }
                _ => break,
            }
            self.bump()?;
        }
        if found.ty.is_none() && !found.words.is_none() {
            found.ty = Some(Type {
                span: found.place.unwrap_or_default(),
                kind: found.words.kind(),
                is_const: false,
            });
        }
        if let Some(ty) = &mut found.ty {
            // `constexpr` makes a variable constant, not what it points to or a function returns.
            ty.is_const = found.is_const;
        }
        Some(found)
    }

    /// Returns whether an undeclared name precedes a specifier or a constructor. The name is taken for a macro of a
    /// missing header that expands to an attribute.
    fn is_decoration(&mut self) -> bool {
        let name = self.peek().text;
        // Macros are written in capitals by convention; a type of that spelling is declared somewhere.
        let is_upper = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
        if !self.is_name() || !self.symbols.text(name).chars().all(is_upper) {
            return false;
        }
        if self.names.meaning(name).is_some() || self.names.anywhere(name).is_some() {
            return false;
        }
        if self.is_ahead(1, sym::OPEN) {
            // `LAUNCH_BOUND(512) inline void f()`: after a call or a declarator no keyword of a type can follow.
            let found = self.look(|parser| {
                parser.bump()?;
                parser.skip_group()?;
                is_specifier(parser.peek()).then_some(())
            });
            return found.is_some();
        }
        let next = self.ahead(1);
        let is_constructor =
            self.classes.last() == Some(&Some(next.text)) && self.is_ahead(2, sym::OPEN);
        let is_attribute = self.symbols.text(next.text).starts_with("__");
        let is_named = !is_attribute && self.is_name_ahead(1) && self.is_before_declarator();
        next.kind == Kind::Word && (is_specifier(next) || is_constructor || is_named)
    }

    /// Returns whether the name after the next token can only be a type, since a declarator follows it: `MACRO T<int>
    /// &name`.
    fn is_before_declarator(&mut self) -> bool {
        let found = self.look(|parser| {
            parser.bump()?;
            loop {
                parser.name()?;
                if parser.is(sym::LESS) {
                    parser.skip_angles()?;
                }
                if !parser.take(sym::SCOPE) {
                    break;
                }
            }
            let token = parser.peek();
            let is_pointer = matches!(
                token.text,
                sym::STAR | sym::AMPERSAND | sym::AND_AND | sym::CONST
            );
            let is_named = parser.is_name() || parser.is(sym::OPERATOR);
            (is_named || is_pointer).then_some(())
        });
        found.is_some()
    }

    /// Skips `<…>` without parsing it.
    fn skip_angles(&mut self) -> Option<()> {
        let mut depth = 0usize;
        loop {
            match self.peek().text {
                sym::OPEN | sym::SQUARE => {
                    self.skip_group()?;
                    continue;
                }
                sym::LESS => depth += 1,
                sym::GREATER => depth -= 1,
                sym::SEMICOLON | sym::CURLY | sym::END_CURLY => return self.fail(),
                _ => {}
            }
            self.bump()?;
            if depth == 0 {
                return Some(());
            }
        }
    }

    /// Counts a word of a built-in type; whether it is one. It is not gone over.
    fn type_word(&self, words: &mut Words) -> bool {
        let token = self.peek();
        if token.kind != Kind::Word {
            return false;
        }
        match token.text {
            sym::LONG => words.longs += 1,
            sym::SHORT => words.is_short = true,
            sym::SIGNED => words.is_signed = true,
            sym::UNSIGNED => words.is_unsigned = true,
            text if is_base_word(text) => words.base = Some(text),
            _ => return false,
        }
        true
    }

    /// Returns whether the next token is a keyword of a type.
    pub(super) fn is_type_word(&self) -> bool {
        self.type_word(&mut Words::default())
    }

    fn named_type(&mut self) -> Option<Type> {
        let path = self.path(Role::Type)?;
        let span = path.span;
        let last = path.segments.last()?;
        if last.name.starts_with("operator") || last.name.starts_with('~') {
            return self.fail();
        }
        Some(Type {
            span,
            kind: TypeKind::Path(path),
            is_const: false,
        })
    }

    fn decltype(&mut self) -> Option<Type> {
        let start = self.at;
        self.bump()?;
        self.expect(sym::OPEN)?;
        let kind = match self.is(sym::AUTO) && self.is_ahead(1, sym::CLOSE) {
            true => {
                self.bump()?;
                TypeKind::DecltypeAuto
            }
            false => {
                // `decltype((x))` is a reference, whatever `x` is declared as.
                let is_bare = self.look(|parser| {
                    parser.is(sym::OPEN).then_some(())?;
                    parser.skip_group()?;
                    parser.is(sym::CLOSE).then_some(())
                });
                let of = self.bracketed(Self::expression)?;
                TypeKind::Decltype(Box::new(of), is_bare.is_none())
            }
        };
        self.expect(sym::CLOSE)?;
        Some(Type {
            span: self.span_from(start),
            kind,
            is_const: false,
        })
    }

    /// Parses a type without a name: `const T*`, `void(int)`.
    pub(super) fn type_id(&mut self) -> Option<Type> {
        let start = self.at;
        let specifiers = self.specifiers(true)?;
        let Some(ty) = specifiers.ty else {
            return self.fail();
        };
        let found = self.deeper(|parser| parser.declarator(ty, specifiers.space, true))?;
        if found.path.is_some() || found.function.is_some() {
            return self.fail();
        }
        Some(Type {
            span: self.span_from(start),
            ..found.ty
        })
    }

    /// Parses the type of a conversion function, without the parentheses after it.
    pub(super) fn conversion_type(&mut self) -> Option<Type> {
        let specifiers = self.specifiers(true)?;
        let Some(ty) = specifiers.ty else {
            return self.fail();
        };
        self.pointers(ty, specifiers.space)
    }

    /// Returns whether a type is certainly a type: a part of it cannot be a value.
    pub(super) fn is_sure_type(&mut self, ty: &Type) -> bool {
        match &ty.kind {
            TypeKind::Path(path) => {
                ty.is_const
                    || matches!(
                        self.meaning_of(path),
                        Some(Meaning::Type | Meaning::Template)
                    )
                    || path
                        .segments
                        .last()
                        .is_some_and(|last| last.name.ends_with("_t") && path.segments.len() == 1)
            }
            // `(a[1])` and `(a(b))` are expressions where `a` is a name.
            TypeKind::Array(of, _) | TypeKind::Function(of, _) => self.is_sure_type(of),
            TypeKind::Unknown(_) => false,
            _ => true,
        }
    }
}

/// Returns whether a token is a keyword that begins a declaration and nothing else.
fn is_specifier(token: super::Tok) -> bool {
    let is_keyword = matches!(
        token.text,
        sym::CONSTEXPR
            | sym::INLINE
            | sym::STATIC
            | sym::VIRTUAL
            | sym::EXPLICIT
            | sym::VOID
            | sym::BOOL
            | sym::INT
            | sym::UNSIGNED
            | sym::FLOAT
            | sym::AUTO
            | sym::FRIEND
    );
    token.kind == Kind::Word && is_keyword
}

fn is_base_word(text: Sym) -> bool {
    matches!(
        text,
        sym::VOID
            | sym::BOOL
            | sym::CHAR
            | sym::INT
            | sym::FLOAT
            | sym::DOUBLE
            | sym::AUTO
            | sym::WCHAR_T
            | sym::CHAR8_T
            | sym::CHAR16_T
            | sym::CHAR32_T
    )
}
