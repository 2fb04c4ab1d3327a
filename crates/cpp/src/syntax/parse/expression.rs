//! Expressions: operators by precedence, conversions, literals.

use super::postfix::Launch;
use super::{MAX_CHAIN, Parser};
use crate::syntax::ast::{
    BinaryOp, BraceItem, CastKind, Expr, ExprKind, FoldOp, Type, TypeKind, UnaryOp,
};
use crate::syntax::symbols::{self as sym, Sym};
use crate::syntax::tokens::Kind;
use crate::syntax::{ast::TemplateArgument, literals};

impl Parser<'_> {
    pub(super) fn expr(&self, start: usize, kind: ExprKind) -> Expr {
        Expr {
            span: self.span_from(start),
            kind,
        }
    }

    /// Parses an expression, commas included.
    pub(super) fn expression(&mut self) -> Option<Expr> {
        let start = self.at;
        let mut left = self.assignment()?;
        let mut count = 0;
        while self.is(sym::COMMA) {
            self.bump()?;
            let right = self.assignment()?;
            left = self.expr(start, ExprKind::Comma(Box::new(left), Box::new(right)));
            count += 1;
            // A chain of operators nests to the left, which costs the evaluator a call for each: the parser bounds it.
            self.check_chain(count)?;
        }
        Some(left)
    }

    fn check_chain(&mut self, count: usize) -> Option<()> {
        match count < MAX_CHAIN {
            true => Some(()),
            false => self.deeper_note(),
        }
    }

    /// Parses the value after `=`: an expression, or values in braces.
    pub(super) fn initialiser(&mut self) -> Option<Expr> {
        match self.is(sym::CURLY) {
            true => self.braces(None),
            false => self.assignment(),
        }
    }

    /// Parses an expression without commas.
    pub(super) fn assignment(&mut self) -> Option<Expr> {
        self.deeper(|parser| {
            let start = parser.at;
            if parser.is(sym::THROW) {
                parser.bump()?;
                let thrown = match parser.is(sym::SEMICOLON) {
                    true => Vec::new(),
                    false => vec![parser.assignment()?],
                };
                // Devices have no exceptions; the operand is evaluated nevertheless for its effects.
                return Some(parser.expr(start, ExprKind::Unknown("`throw`", thrown)));
            }
            let left = parser.conditional()?;
            let token = parser.peek();
            if token.kind != Kind::Punct && token.kind != Kind::Word {
                return Some(left);
            }
            let Some(op) = assign_op(token.text) else {
                return Some(left);
            };
            parser.bump()?;
            let right = parser.initialiser()?;
            let kind = ExprKind::Assign(Box::new(left), op, Box::new(right));
            Some(parser.expr(start, kind))
        })
    }

    /// Parses an expression without assignments.
    pub(super) fn conditional(&mut self) -> Option<Expr> {
        let start = self.at;
        let condition = self.binary(0)?;
        if !self.is(sym::QUESTION) {
            return Some(condition);
        }
        self.bump()?;
        let then = self.bracketed(Self::expression)?;
        self.expect(sym::COLON)?;
        // Among template arguments a `=` begins a default, so that the last operand must not take it as an assignment.
        let otherwise = self.deeper(|parser| match parser.is_in_arguments {
            true => parser.conditional(),
            false => parser.assignment(),
        })?;
        let parts = Box::new([condition, then, otherwise]);
        Some(self.expr(start, ExprKind::Conditional(parts)))
    }

    /// Returns the binary operator at this token with its precedence and its number of tokens.
    fn operator(&self) -> Option<(BinaryOp, u8, usize)> {
        let token = self.peek();
        if token.kind != Kind::Punct && token.kind != Kind::Word {
            return None;
        }
        if token.text == sym::GREATER {
            // Among template arguments `>` ends them, unless it is in parentheses.
            if self.is_in_arguments {
                return None;
            }
            // The preprocessor gives `>>` as two tokens, since it may also end two lists of template arguments.
            let is_shift = token.is_glued && self.is_ahead(1, sym::GREATER);
            return Some(match is_shift {
                true => (BinaryOp::Shr, 8, 2),
                false => (BinaryOp::Gt, 7, 1),
            });
        }
        let (op, rank) = binary_op(token.text)?;
        // What compares or joins conditions is no argument of a name that may be no template.
        if self.is_simple && (rank <= 2 || (6..=7).contains(&rank)) {
            return None;
        }
        // `<<<` begins the configuration of a launch, which the tokeniser does not know.
        let is_launch = op == BinaryOp::Shl && self.is_ahead(1, sym::LESS);
        (!is_launch).then_some((op, rank, 1))
    }

    fn binary(&mut self, least: u8) -> Option<Expr> {
        let start = self.at;
        let mut left = self.unary()?;
        let mut count = 0;
        while let Some((op, rank, length)) = self.operator() {
            // `pack + ...` is a fold: the operator belongs to that.
            if rank < least || self.is_ahead(length, sym::ELLIPSIS) {
                break;
            }
            for _ in 0..length {
                self.bump()?;
            }
            // One more than the rank, since operators of one rank are grouped from the left.
            let right = self.deeper(|parser| parser.binary(rank + 1))?;
            left = self.expr(start, ExprKind::Binary(op, Box::new(left), Box::new(right)));
            count += 1;
            self.check_chain(count)?;
        }
        Some(left)
    }

    pub(super) fn unary(&mut self) -> Option<Expr> {
        self.deeper(Self::unary_here)
    }

    fn unary_here(&mut self) -> Option<Expr> {
        let start = self.at;
        let token = self.peek();
        if token.kind != Kind::Punct && token.kind != Kind::Word {
            return self.postfix();
        }
        let op = match token.text {
            sym::PLUS => UnaryOp::Plus,
            sym::MINUS => UnaryOp::Minus,
            sym::EXCLAMATION | sym::NOT => UnaryOp::Not,
            sym::TILDE | sym::COMPL => UnaryOp::Complement,
            sym::AMPERSAND | sym::BITAND => UnaryOp::AddressOf,
            sym::STAR => UnaryOp::Dereference,
            sym::PLUS_PLUS | sym::MINUS_MINUS => {
                self.bump()?;
                let target = Box::new(self.unary()?);
                let kind = ExprKind::Step {
                    target,
                    is_increment: token.text == sym::PLUS_PLUS,
                    is_prefix: true,
                };
                return Some(self.expr(start, kind));
            }
            sym::SIZEOF => return self.size_of(),
            sym::ALIGNOF => {
                self.bump()?;
                self.expect(sym::OPEN)?;
                let ty = self.bracketed(Self::type_id)?;
                self.expect(sym::CLOSE)?;
                return Some(self.expr(start, ExprKind::AlignOf(Box::new(ty))));
            }
            sym::NEW => return self.unknown_rest("`new`"),
            sym::DELETE => return self.unknown_rest("`delete`"),
            sym::CO_AWAIT => return self.unknown_rest("`co_await`"),
            sym::CO_YIELD => return self.unknown_rest("`co_yield`"),
            sym::TYPEID => {
                self.bump()?;
                self.skip_group()?;
                return Some(self.expr(start, ExprKind::Unknown("`typeid`", Vec::new())));
            }
            sym::NOEXCEPT => {
                self.bump()?;
                self.skip_group()?;
                return Some(self.expr(start, ExprKind::Unknown("`noexcept`", Vec::new())));
            }
            sym::REQUIRES => {
                self.bump()?;
                if self.is(sym::OPEN) {
                    self.skip_group()?;
                }
                self.skip_group()?;
                return Some(self.expr(start, ExprKind::Unknown("`requires`", Vec::new())));
            }
            sym::OPEN => {
                if let Some(cast) = self.cast()? {
                    return Some(cast);
                }
                return self.postfix();
            }
            _ => return self.postfix(),
        };
        self.bump()?;
        let operand = Box::new(self.unary()?);
        Some(self.expr(start, ExprKind::Unary(op, operand)))
    }

    /// Parses `new T(…)` or `delete x` as an unknown expression that keeps its operands.
    fn unknown_rest(&mut self, what: &'static str) -> Option<Expr> {
        let start = self.at;
        let word = self.bump()?.text;
        let mut parts = Vec::new();
        if word == sym::NEW {
            if self.is(sym::OPEN) {
                parts.extend(self.arguments()?);
            }
            let specifiers = self.specifiers(true)?;
            if let Some(ty) = specifiers.ty {
                self.pointers(ty, specifiers.space)?;
            }
            while self.is(sym::SQUARE) {
                self.bump()?;
                parts.push(self.bracketed(Self::expression)?);
                self.expect(sym::END_SQUARE)?;
            }
            if self.is(sym::OPEN) {
                parts.extend(self.arguments()?);
            } else if self.is(sym::CURLY) {
                parts.push(self.braces(None)?);
            }
        } else {
            if self.is(sym::SQUARE) && self.is_ahead(1, sym::END_SQUARE) {
                self.bump()?;
                self.bump()?;
            }
            parts.push(self.unary()?);
        }
        Some(self.expr(start, ExprKind::Unknown(what, parts)))
    }

    fn size_of(&mut self) -> Option<Expr> {
        let start = self.at;
        self.bump()?;
        if self.take(sym::ELLIPSIS) {
            self.expect(sym::OPEN)?;
            let (name, _) = self.name()?;
            self.expect(sym::CLOSE)?;
            let kind = ExprKind::SizeOfPack(self.shared(name));
            return Some(self.expr(start, kind));
        }
        if self.is(sym::OPEN) {
            let ty = self.attempt(|parser| {
                parser.bump()?;
                let ty = parser.bracketed(Self::type_id)?;
                parser.expect(sym::CLOSE)?;
                // `sizeof(a[1])` and `sizeof(f(x))` parse as types, too; only a name that is known to be a type makes
                // them such.
                let is_part = matches!(ty.kind, TypeKind::Array(..) | TypeKind::Function(..));
                match is_part && !parser.is_sure_type(&ty) {
                    true => parser.fail(),
                    false => Some(ty),
                }
            });
            if let Some(ty) = ty {
                let is_sure = self.is_sure_type(&ty);
                let kind = match ty.kind {
                    // A name alone may be a value; evaluation decides.
                    TypeKind::Path(path) if !is_sure => {
                        ExprKind::SizeOf(Box::new(Self::path_expr(path)))
                    }
                    kind => ExprKind::SizeOfType(Box::new(Type { kind, ..ty })),
                };
                return Some(self.expr(start, kind));
            }
        }
        let operand = Box::new(self.unary()?);
        Some(self.expr(start, ExprKind::SizeOf(operand)))
    }

    /// Parses `(T)x`, if it is a conversion. An unknown name in parentheses is taken for a type if an operand follows,
    /// except after `-`, `+`, `*` and `&`, which are then binary operators.
    fn cast(&mut self) -> Option<Option<Expr>> {
        let start = self.at;
        let ty = self.attempt(|parser| {
            parser.bump()?;
            let ty = parser.bracketed(Self::type_id)?;
            parser.expect(sym::CLOSE)?;
            let is_cast = match parser.is_sure_type(&ty) {
                // After a known type the parentheses are a conversion wherever an operand can follow.
                true => parser.starts_operand(true),
                false => {
                    let is_value = match &innermost(&ty).kind {
                        TypeKind::Path(path) => parser.meaning_of(path).is_some(),
                        _ => false,
                    };
                    // A name that is not declared here may be a type of a header that is missing.
                    !is_value && parser.starts_operand(false)
                }
            };
            match is_cast {
                true => Some(ty),
                false => parser.fail(),
            }
        });
        let Some(ty) = ty else {
            return Some(None);
        };
        if self.is(sym::CURLY) {
            let value = self.braces(Some(ty))?;
            return Some(Some(value));
        }
        let value = Box::new(self.unary()?);
        let kind = ExprKind::Cast(CastKind::CStyle, Box::new(ty), value);
        Some(Some(self.expr(start, kind)))
    }

    /// Returns whether an operand starts here; what may as well be an operator between two counts only after a type.
    fn starts_operand(&self, is_type: bool) -> bool {
        let token = self.peek();
        match token.kind {
            Kind::Number | Kind::Char | Kind::String => true,
            Kind::Word => {
                let is_operator =
                    binary_op(token.text).is_some() || assign_op(token.text).is_some();
                !is_operator && !matches!(token.text, sym::ELSE | sym::REQUIRES)
            }
            Kind::Punct => match token.text {
                sym::OPEN | sym::TILDE | sym::EXCLAMATION => true,
                sym::SCOPE => true,
                // After a value these are operators between two operands.
                sym::MINUS | sym::PLUS | sym::STAR | sym::AMPERSAND | sym::CURLY => is_type,
                sym::PLUS_PLUS | sym::MINUS_MINUS => is_type,
                sym::SQUARE => is_type,
                _ => false,
            },
            _ => false,
        }
    }

    /// Parses `{a, .b = c}`.
    pub(super) fn braces(&mut self, ty: Option<Type>) -> Option<Expr> {
        let start = self.at;
        self.expect(sym::CURLY)?;
        let items = self.bracketed(|parser| {
            let mut items = Vec::new();
            while !parser.is(sym::END_CURLY) {
                let mut field = None;
                if parser.is(sym::DOT) {
                    parser.bump()?;
                    let (name, _) = parser.name()?;
                    field = Some(parser.shared(name));
                    // `{.a{1}}` initialises a member without an equals sign.
                    if !parser.is(sym::CURLY) {
                        parser.expect(sym::EQUAL)?;
                    }
                }
                let value = parser.deeper(Self::initialiser)?;
                let value = parser.expanded_pack(value)?;
                items.push(BraceItem { field, value });
                if !parser.take(sym::COMMA) {
                    break;
                }
            }
            Some(items)
        })?;
        self.expect(sym::END_CURLY)?;
        let span = match &ty {
            Some(ty) => self.join(ty.span, self.span_from(start)),
            None => self.span_from(start),
        };
        Some(Expr {
            span,
            kind: ExprKind::Braces(ty.map(Box::new), items),
        })
    }

    /// Wraps `pattern` into a pack expansion if `...` follows; otherwise returns it unchanged.
    pub(super) fn expanded_pack(&mut self, pattern: Expr) -> Option<Expr> {
        if !self.is(sym::ELLIPSIS) {
            return Some(pattern);
        }
        let dots = self.bump()?.span;
        Some(Expr {
            span: self.join(pattern.span, dots),
            kind: ExprKind::PackExpansion(Box::new(pattern)),
        })
    }

    /// Parses `(…)`: an expression in parentheses or a fold.
    pub(super) fn parenthesised(&mut self) -> Option<Expr> {
        let start = self.at;
        self.expect(sym::OPEN)?;
        let found = self.bracketed(|parser| {
            if parser.take(sym::ELLIPSIS) {
                let op = parser.fold_op()?;
                let pack = Box::new(parser.fold_operand()?);
                return Some(ExprKind::Fold {
                    op,
                    pack,
                    init: None,
                    is_left: true,
                });
            }
            if let Some(fold) = parser.attempt(Self::fold) {
                return Some(fold);
            }
            let found = parser.expression()?;
            Some(found.kind)
        })?;
        self.expect(sym::CLOSE)?;
        Some(self.expr(start, found))
    }

    /// Parses `pack op ...`, `pack op ... op init`, `init op ... op pack`.
    fn fold(&mut self) -> Option<ExprKind> {
        // Looking ahead is cheap, while an attempt at a fold parses everything in the parentheses twice.
        if !self.has_dots() {
            return self.fail();
        }
        let first = self.fold_operand()?;
        let op = self.fold_op()?;
        self.expect(sym::ELLIPSIS)?;
        if self.is(sym::CLOSE) {
            return Some(ExprKind::Fold {
                op,
                pack: Box::new(first),
                init: None,
                is_left: false,
            });
        }
        self.fold_op()?;
        let last = self.fold_operand()?;
        // Which of both is the pack is seen by the names in them; the packs that are declared are known to
        // evaluation alone, so that an operand without names is the initial value.
        let is_left = !mentions_name(&last) || mentions_name(&first) == mentions_name(&last);
        let is_left = !is_left || !mentions_name(&first);
        let (pack, init) = match is_left {
            true => (last, first),
            false => (first, last),
        };
        Some(ExprKind::Fold {
            op,
            pack: Box::new(pack),
            init: Some(Box::new(init)),
            is_left,
        })
    }

    /// Returns whether `...` occurs in the parentheses, outside of nested ones.
    fn has_dots(&self) -> bool {
        let mut depth = 0usize;
        for token in &self.tokens[self.at..] {
            match token.text {
                sym::OPEN | sym::CURLY | sym::SQUARE => depth += 1,
                sym::CLOSE | sym::END_CURLY | sym::END_SQUARE if depth == 0 => return false,
                sym::CLOSE | sym::END_CURLY | sym::END_SQUARE => depth -= 1,
                sym::ELLIPSIS if depth == 0 => return true,
                sym::SEMICOLON => return false,
                _ => {}
            }
        }
        false
    }

    /// Parses an operand of a fold: it contains no binary operator outside of parentheses.
    fn fold_operand(&mut self) -> Option<Expr> {
        self.unary()
    }

    fn fold_op(&mut self) -> Option<FoldOp> {
        if self.take(sym::COMMA) {
            return Some(FoldOp::Comma);
        }
        if let Some((op, _, length)) = self.operator() {
            for _ in 0..length {
                self.bump()?;
            }
            return Some(FoldOp::Binary(op));
        }
        let token = self.peek();
        let is_other = assign_op(token.text).is_some()
            || matches!(token.text, sym::ARROW_STAR | sym::DOT_STAR);
        match is_other {
            true => {
                self.bump()?;
                Some(FoldOp::Other)
            }
            false => self.fail(),
        }
    }

    /// Parses a literal, if the next token is one.
    pub(super) fn literal(&mut self) -> Option<Expr> {
        let start = self.at;
        let token = self.bump()?;
        let text = self.shared(token.text);
        let kind = match token.kind {
            Kind::Number => literals::number(&text),
            Kind::Char => match literals::character(&text) {
                Some(value) => ExprKind::Char(value),
                None => ExprKind::Unknown("a character literal of several characters", Vec::new()),
            },
            Kind::String => {
                // Wide characters have other sizes and types, which no node of the tree holds.
                let is_wide = text.starts_with(['L', 'U'])
                    || text.starts_with('u') && !text.starts_with("u8");
                let mut value = literals::string(&text);
                // Neighbouring string literals are one.
                while self.peek().kind == Kind::String {
                    let next = self.bump()?.text;
                    let next = literals::string(self.symbols.text(next));
                    value = value.zip(next).map(|(first, next)| first + &next);
                }
                match value {
                    _ if is_wide => ExprKind::Unknown("a string of wide characters", Vec::new()),
                    Some(value) => ExprKind::String(value.as_str().into()),
                    None => ExprKind::Unknown("a literal with a suffix of its own", Vec::new()),
                }
            }
            _ => return self.fail(),
        };
        Some(self.expr(start, kind))
    }

    /// Parses `<<<blocks, shared, stream>>>(arguments)` after the name of a kernel.
    pub(super) fn launch(&mut self) -> Option<Launch> {
        self.bump()?;
        self.bump()?;
        // The configuration ends with `>>>`: a `>` in it needs parentheses, as among template arguments.
        let before = std::mem::replace(&mut self.is_in_arguments, true);
        let mut configuration = Vec::new();
        while !self.is(sym::GREATER) {
            configuration.push(self.conditional()?);
            if !self.take(sym::COMMA) {
                break;
            }
        }
        self.is_in_arguments = before;
        for _ in 0..3 {
            self.expect(sym::GREATER)?;
        }
        Some(Launch {
            configuration,
            arguments: self.arguments()?,
        })
    }
}

/// Returns whether a name occurs in an expression.
fn mentions_name(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Path(path) => {
            let last = path.segments.last();
            let arguments = last.and_then(|last| last.arguments.as_ref());
            arguments.is_none_or(|it| it.iter().any(|it| !matches!(it, TemplateArgument::Pack(_))))
        }
        ExprKind::Int(..)
        | ExprKind::Float(..)
        | ExprKind::Char(_)
        | ExprKind::Bool(_)
        | ExprKind::Null
        | ExprKind::String(_) => false,
        ExprKind::Unary(_, operand) => mentions_name(operand),
        _ => true,
    }
}

fn assign_op(text: Sym) -> Option<Option<BinaryOp>> {
    Some(match text {
        sym::EQUAL => None,
        sym::PLUS_EQUAL => Some(BinaryOp::Add),
        sym::MINUS_EQUAL => Some(BinaryOp::Sub),
        sym::STAR_EQUAL => Some(BinaryOp::Mul),
        sym::SLASH_EQUAL => Some(BinaryOp::Div),
        sym::PERCENT_EQUAL => Some(BinaryOp::Rem),
        sym::SHIFT_LEFT_EQUAL => Some(BinaryOp::Shl),
        sym::SHIFT_RIGHT_EQUAL => Some(BinaryOp::Shr),
        sym::AMPERSAND_EQUAL | sym::AND_EQ => Some(BinaryOp::BitAnd),
        sym::PIPE_EQUAL | sym::OR_EQ => Some(BinaryOp::BitOr),
        sym::CARET_EQUAL | sym::XOR_EQ => Some(BinaryOp::BitXor),
        _ => return None,
    })
}

fn binary_op(text: Sym) -> Option<(BinaryOp, u8)> {
    use BinaryOp as B;
    Some(match text {
        sym::OR_OR | sym::OR => (B::Or, 1),
        sym::AND_AND | sym::AND => (B::And, 2),
        sym::PIPE | sym::BITOR => (B::BitOr, 3),
        sym::CARET | sym::XOR => (B::BitXor, 4),
        sym::AMPERSAND | sym::BITAND => (B::BitAnd, 5),
        sym::EQUAL_EQUAL => (B::Eq, 6),
        sym::NOT_EQUAL | sym::NOT_EQ => (B::Ne, 6),
        sym::LESS => (B::Lt, 7),
        sym::LESS_EQUAL => (B::Le, 7),
        sym::GREATER_EQUAL => (B::Ge, 7),
        sym::GREATER => (B::Gt, 7),
        sym::SHIFT_LEFT => (B::Shl, 8),
        sym::PLUS => (B::Add, 9),
        sym::MINUS => (B::Sub, 9),
        sym::STAR => (B::Mul, 10),
        sym::SLASH => (B::Div, 10),
        sym::PERCENT => (B::Rem, 10),
        _ => return None,
    })
}

/// Returns the type whose name `a[1]` or `a(b)` starts with, if these were parsed as types.
fn innermost(ty: &Type) -> &Type {
    match &ty.kind {
        TypeKind::Array(of, _) | TypeKind::Function(of, _) => innermost(of),
        _ => ty,
    }
}
