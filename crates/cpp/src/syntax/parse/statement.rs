//! Statements.

use super::Parser;
use super::names::Meaning;
use crate::syntax::ast::{
    Expr, For, If, RangeFor, Stmt, StmtKind, Switch, SwitchGroup, TypeKind, Variable,
};
use crate::syntax::symbols as sym;
use crate::syntax::tokens::Kind;

use super::MAX_CHAIN;

impl Parser<'_> {
    /// Parses `{ … }`.
    pub(super) fn block(&mut self) -> Option<Vec<Stmt>> {
        self.expect(sym::CURLY)?;
        self.names.open();
        let mut statements = Vec::new();
        while !self.is(sym::END_CURLY) && !self.is_end() {
            statements.push(self.recovered());
        }
        self.names.close();
        self.expect(sym::END_CURLY)?;
        Some(statements)
    }

    /// Parses a statement; skips one that does not parse and returns an unknown one.
    fn recovered(&mut self) -> Stmt {
        // Failed attempts are remembered for one statement only: the set would grow with the file.
        self.forget_failures();
        let start = self.at;
        let (depth, scopes, bodies) = (self.depth, self.names.depth(), self.bodies);
        let classes = self.classes.len();
        let pending = self.pending;
        let found = self.deeper(Self::statement);
        let found = match found {
            Some(found) => found,
            None => {
                // The statement failed in the middle: unless the constructs that it opened are closed, the next
                // statement is parsed as part of it.
                self.depth = depth;
                self.names.close_to(scopes);
                self.classes.truncate(classes);
                self.bodies = bodies;
                self.pending = pending;
                self.is_in_arguments = false;
                self.is_simple = false;
                self.recover(start)
            }
        };
        if self.at == start {
            // A statement without tokens would be parsed for ever.
            self.at += 1;
        }
        found
    }

    /// Parses a statement of a function.
    pub(super) fn statement(&mut self) -> Option<Stmt> {
        let start = self.at;
        let token = self.peek();
        if token.kind == Kind::Punct && token.text == sym::SQUARE && self.is_ahead(1, sym::SQUARE) {
            // `[[likely]]`, `[[fallthrough]];`
            self.skip_group()?;
            return self.statement();
        }
        let kind = match token.text {
            sym::CURLY => StmtKind::Block(self.block()?),
            sym::SEMICOLON => {
                self.bump()?;
                StmtKind::Empty
            }
            sym::IF => return self.if_chain(),
            sym::SWITCH => return self.switch(),
            sym::FOR => return self.for_statement(),
            sym::WHILE => self.while_statement()?,
            sym::DO => self.do_statement()?,
            sym::RETURN => {
                self.bump()?;
                let value = match self.is(sym::SEMICOLON) {
                    true => None,
                    // `return {a, b};` initialises the result with a list.
                    false if self.is(sym::CURLY) => Some(self.braces(None)?),
                    false => Some(self.expression()?),
                };
                self.expect(sym::SEMICOLON)?;
                StmtKind::Return(value)
            }
            sym::BREAK => self.word_statement(StmtKind::Break)?,
            sym::CONTINUE => self.word_statement(StmtKind::Continue)?,
            sym::GOTO => {
                self.bump()?;
                self.name()?;
                self.expect(sym::SEMICOLON)?;
                StmtKind::Unknown("`goto`")
            }
            sym::TRY => {
                self.bump()?;
                self.skip_group()?;
                // The device has no exceptions, so a `try` block is only found in code of the host.
                while self.take(sym::CATCH) {
                    self.skip_group()?;
                    self.skip_group()?;
                }
                StmtKind::Unknown("`try`")
            }
            sym::ASM | sym::ASM_GNU => {
                self.bump()?;
                while !self.is(sym::OPEN) && !self.is(sym::SEMICOLON) {
                    self.bump()?;
                }
                self.skip_group()?;
                self.expect(sym::SEMICOLON)?;
                StmtKind::Unknown("`asm`")
            }
            sym::CO_RETURN => return self.fail(),
            sym::CASE | sym::DEFAULT => {
                // A label inside of another statement of a switch.
                return self.fail();
            }
            // A label has no effect; a `goto` to it is unknown.
            _ if self.is_label() => {
                self.bump()?;
                self.bump()?;
                StmtKind::Unknown("a label")
            }
            _ if self.is_declaration() => return self.declaration(Vec::new()),
            _ if self.is_block_macro() => {
                // The text may be a value in braces after all, such as `Shape{1, 2};`.
                let value = self.attempt(|parser| {
                    let value = parser.expression()?;
                    parser.expect(sym::SEMICOLON)?;
                    Some(value)
                });
                match value {
                    Some(value) => StmtKind::Expr(value),
                    None => {
                        self.bump()?;
                        self.skip_group()?;
                        StmtKind::Unknown(
                            "a block after a macro that no file of the project defines",
                        )
                    }
                }
            }
            _ => {
                let value = self.expression()?;
                self.expect(sym::SEMICOLON)?;
                StmtKind::Expr(value)
            }
        };
        Some(self.stmt(start, kind))
    }

    fn is_label(&self) -> bool {
        self.is_name() && self.is_ahead(1, sym::COLON)
    }

    /// Returns whether an undeclared name precedes a block, as in `__VEC_SCOPE__ { … }`.
    fn is_block_macro(&self) -> bool {
        self.is_name()
            && self.is_ahead(1, sym::CURLY)
            && self.names.meaning(self.peek().text).is_none()
    }

    fn word_statement(&mut self, kind: StmtKind) -> Option<StmtKind> {
        self.bump()?;
        self.expect(sym::SEMICOLON)?;
        Some(kind)
    }

    /// Returns whether a statement is a declaration. A name that is a value begins an expression; for other names the
    /// rest
    /// decides: what looks like a declaration is one, since `a * b;` and `a < b > c;` are of no use as expressions.
    pub(super) fn is_declaration(&mut self) -> bool {
        let token = self.peek();
        if token.kind != Kind::Word && !self.is(sym::SCOPE) && !self.is_attribute() {
            return false;
        }
        match token.text {
            sym::CONST
            | sym::CONSTEXPR
            | sym::STATIC
            | sym::EXTERN
            | sym::TYPEDEF
            | sym::VOLATILE
            | sym::USING
            | sym::STATIC_ASSERT
            | sym::CLASS
            | sym::STRUCT
            | sym::UNION
            | sym::ENUM
            | sym::AUTO
            | sym::INLINE
            | sym::THREAD_LOCAL
            | sym::REGISTER
            | sym::NAMESPACE
            | sym::CONSTINIT
            | sym::CONSTEVAL
            | sym::TEMPLATE => return true,
            _ => {}
        }
        if self.is_attribute() {
            return true;
        }
        if self.is_type_word() || self.is(sym::TYPENAME) || self.is(sym::DECLTYPE) {
            return self.looks_declared(true);
        }
        if !self.is_name() && !self.is(sym::SCOPE) {
            return false;
        }
        let is_plain = self.is_name() && !self.is_ahead(1, sym::SCOPE);
        // The first part of a qualified name does not decide what the whole name means.
        let meaning = self.names.meaning(token.text).filter(|_| is_plain);
        match meaning {
            Some(Meaning::Value | Meaning::FunctionTemplate) => false,
            Some(Meaning::Type | Meaning::Template) => self.looks_declared(true),
            None => self.looks_declared(false),
        }
    }

    /// Returns whether a type and a declarator follow.
    fn looks_declared(&mut self, is_type: bool) -> bool {
        let found = self.look(|parser| {
            let specifiers = parser.specifiers(true)?;
            let ty = specifiers.ty?;
            let is_known = is_type || parser.is_sure_type(&ty);
            // `a * b;` multiplies where `a` is a value; where it is unknown, it declares a pointer.
            let is_value = match &ty.kind {
                TypeKind::Path(path) => !is_known && parser.meaning_of(path).is_some(),
                _ => false,
            };
            if is_value {
                return parser.fail();
            }
            if parser.is(sym::OPEN) {
                return parser.declares_in_parentheses(is_known);
            }
            let ty = parser.pointers(ty, specifiers.space)?;
            // `f(x)` with a known type `f` is a conversion; with `*` or `&` after the type it declares a function
            // pointer.
            let is_plain = matches!(ty.kind, TypeKind::Path(_));
            if parser.is(sym::OPEN) {
                // `T (*name)(int)`
                return (is_known && !is_plain).then_some(());
            }
            if !parser.is_name() {
                return parser.fail();
            }
            parser.name()?;
            let after = parser.peek();
            let fits = matches!(
                after.text,
                sym::SEMICOLON
                    | sym::EQUAL
                    | sym::COMMA
                    | sym::OPEN
                    | sym::CURLY
                    | sym::SQUARE
                    | sym::COLON
                    | sym::CLOSE
            );
            (after.kind == Kind::Punct && fits).then_some(())
        });
        found.is_some()
    }

    /// Returns `Some` if `T (name);` or `T (*name)(int);` follows, with `T` a known type: a declaration.
    fn declares_in_parentheses(&mut self, is_type: bool) -> Option<()> {
        if !is_type {
            return self.fail();
        }
        self.bump()?;
        while matches!(self.peek().text, sym::STAR | sym::AMPERSAND) {
            self.bump()?;
        }
        self.name()?;
        while self.is(sym::SQUARE) {
            self.skip_group()?;
        }
        self.expect(sym::CLOSE)?;
        let is_end = matches!(
            self.peek().text,
            sym::SEMICOLON | sym::EQUAL | sym::OPEN | sym::SQUARE | sym::CURLY | sym::COMMA
        );
        is_end.then_some(())
    }

    /// Parses `if (…) … else if (…) … else …`. A long chain takes no more stack than a short one.
    fn if_chain(&mut self) -> Option<Stmt> {
        let scopes = self.names.depth();
        let mut arms = Vec::new();
        let mut otherwise = None;
        loop {
            let start = self.at;
            let arm = self.arm()?;
            arms.push((start, arm));
            if !self.take(sym::ELSE) {
                break;
            }
            while self.is(sym::SQUARE) {
                self.skip_group()?;
            }
            if !self.is(sym::IF) {
                otherwise = Some(self.deeper(Self::statement)?);
                break;
            }
            // Evaluation of `else` nests, and so does the destructor of the tree.
            if arms.len() >= MAX_CHAIN {
                return self.fail();
            }
        }
        // Names that a header declares are known in all arms after it, and end with the chain.
        self.names.close_to(scopes);
        while let Some((start, (mut found, before))) = arms.pop() {
            found.otherwise = otherwise.take();
            let mut stmt = self.stmt(start, StmtKind::If(Box::new(found)));
            if let Some(before) = before {
                // `if (init; T x = value)`: the scope of the first declaration includes the rest, so it becomes a block
                // around the `if`.
                stmt = self.stmt(start, StmtKind::Block(vec![before, stmt]));
            }
            otherwise = Some(stmt);
        }
        otherwise
    }

    /// Parses `if (…) statement` without its `else`, and returns it with the declaration in its header.
    fn arm(&mut self) -> Option<(If, Option<Stmt>)> {
        self.bump()?;
        // Only one arm of `if constexpr` is evaluated; the other need not even be valid.
        let is_constexpr = self.take(sym::CONSTEXPR);
        self.names.open();
        let (init, condition, before) = self.head()?;
        let then = self.deeper(Self::statement)?;
        let found = If {
            is_constexpr,
            init,
            condition,
            then,
            otherwise: None,
        };
        Some((found, before))
    }

    /// Parses `(init; condition)`: returns the initialiser (or the declaration that is the condition), the condition,
    /// and an initialiser before a declaration that is the condition.
    #[allow(clippy::type_complexity)]
    fn head(&mut self) -> Option<(Option<Stmt>, Option<Expr>, Option<Stmt>)> {
        self.expect(sym::OPEN)?;
        let mut init = None;
        if self.has_initialiser() {
            init = Some(self.deeper(Self::statement)?);
        }
        let declared = match self.may_declare() {
            true => self.condition_declaration()?,
            false => None,
        };
        let found = match declared {
            Some(declared) => (Some(declared), None, init),
            None => (init, Some(self.bracketed(Self::expression)?), None),
        };
        self.expect(sym::CLOSE)?;
        Some(found)
    }

    /// Returns whether a semicolon occurs before the parenthesis closes.
    fn has_initialiser(&self) -> bool {
        let mut depth = 0usize;
        for token in &self.tokens[self.at..] {
            match token.text {
                sym::OPEN | sym::CURLY | sym::SQUARE => depth += 1,
                sym::CLOSE | sym::END_CURLY | sym::END_SQUARE if depth == 0 => return false,
                sym::CLOSE | sym::END_CURLY | sym::END_SQUARE => depth -= 1,
                sym::SEMICOLON if depth == 0 => return true,
                _ => {}
            }
        }
        false
    }

    fn may_declare(&mut self) -> bool {
        self.is_declaration() && !self.is(sym::USING)
    }

    /// Parses `T x = value` as a condition.
    fn condition_declaration(&mut self) -> Option<Option<Stmt>> {
        let is_one = self.look(|parser| {
            let specifiers = parser.specifiers(true)?;
            let found = parser.declarator(specifiers.ty?, specifiers.space, false)?;
            found.path?;
            (parser.is(sym::EQUAL) || parser.is(sym::CURLY)).then_some(())
        });
        if is_one.is_none() {
            return Some(None);
        }
        let start = self.at;
        let variable = self.single_variable()?;
        Some(Some(self.stmt(start, StmtKind::Variables(vec![variable]))))
    }

    fn single_variable(&mut self) -> Option<Variable> {
        let mut specifiers = self.specifiers(true)?;
        let ty = specifiers.ty.take()?;
        let found = self.declarator(ty, specifiers.space, false)?;
        self.variable(found, &specifiers, None)
    }

    fn while_statement(&mut self) -> Option<StmtKind> {
        self.bump()?;
        self.names.open();
        let (init, condition, _) = self.head()?;
        let body = self.deeper(Self::statement)?;
        self.names.close();
        match (init, condition) {
            (None, Some(condition)) => Some(StmtKind::While(condition, Box::new(body))),
            _ => Some(StmtKind::Unknown(
                "a declaration as the condition of `while`",
            )),
        }
    }

    fn do_statement(&mut self) -> Option<StmtKind> {
        self.bump()?;
        let body = self.deeper(Self::statement)?;
        self.expect(sym::WHILE)?;
        self.expect(sym::OPEN)?;
        let condition = self.bracketed(Self::expression)?;
        self.expect(sym::CLOSE)?;
        self.expect(sym::SEMICOLON)?;
        Some(StmtKind::DoWhile(Box::new(body), condition))
    }

    fn for_statement(&mut self) -> Option<Stmt> {
        let start = self.at;
        self.bump()?;
        self.expect(sym::OPEN)?;
        self.names.open();
        if !self.has_initialiser() || self.is_range() {
            return self.range_for(start);
        }
        let init = match self.is(sym::SEMICOLON) {
            true => {
                self.bump()?;
                None
            }
            false => Some(self.deeper(Self::statement)?),
        };
        let condition = match self.is(sym::SEMICOLON) {
            true => None,
            false => Some(self.bracketed(Self::expression)?),
        };
        self.expect(sym::SEMICOLON)?;
        let step = match self.is(sym::CLOSE) {
            true => None,
            false => Some(self.bracketed(Self::expression)?),
        };
        self.expect(sym::CLOSE)?;
        let body = self.deeper(Self::statement)?;
        self.names.close();
        let found = For {
            init,
            condition,
            step,
            body,
        };
        Some(self.stmt(start, StmtKind::For(Box::new(found))))
    }

    /// Returns whether `init; T x : range` follows.
    fn is_range(&self) -> bool {
        let mut depth = 0usize;
        let mut semicolons = 0;
        for token in &self.tokens[self.at..] {
            match token.text {
                sym::OPEN | sym::CURLY | sym::SQUARE => depth += 1,
                sym::CLOSE | sym::END_CURLY | sym::END_SQUARE if depth == 0 => break,
                sym::CLOSE | sym::END_CURLY | sym::END_SQUARE => depth -= 1,
                sym::SEMICOLON if depth == 0 => semicolons += 1,
                _ => {}
            }
        }
        semicolons < 2
    }

    fn range_for(&mut self, start: usize) -> Option<Stmt> {
        let before = match self.has_initialiser() {
            true => Some(self.deeper(Self::statement)?),
            false => None,
        };
        let mut specifiers = self.specifiers(true)?;
        let Some(ty) = specifiers.ty.take() else {
            return self.fail();
        };
        if matches!(ty.kind, TypeKind::Auto)
            && (self.is(sym::SQUARE) || self.is_ahead(1, sym::SQUARE))
        {
            self.at = start + 1;
            self.skip_group()?;
            self.deeper(Self::statement)?;
            self.names.close();
            let kind = StmtKind::Unknown("bindings in a loop over a range");
            return Some(self.stmt(start, kind));
        }
        let found = self.declarator(ty, specifiers.space, false)?;
        let mut path = found.path?;
        let segment = path.segments.pop()?;
        let name = self.symbols.of(&segment.name);
        self.declare(name, Meaning::Value);
        let variable = Variable {
            name: segment.name,
            name_span: segment.span,
            is_const: found.ty.is_const,
            ty: found.ty,
            is_constexpr: false,
            is_static: false,
            is_extern: false,
            template: None,
            patterns: None,
            owner: None,
            init: crate::syntax::ast::Init::None,
            is_pack: false,
            is_bit_field: false,
        };
        self.expect(sym::COLON)?;
        let range = match self.is(sym::CURLY) {
            true => self.braces(None)?,
            false => self.bracketed(Self::expression)?,
        };
        self.expect(sym::CLOSE)?;
        let body = self.deeper(Self::statement)?;
        self.names.close();
        let found = RangeFor {
            variable,
            range,
            body,
        };
        let found = self.stmt(start, StmtKind::RangeFor(Box::new(found)));
        Some(match before {
            Some(before) => self.stmt(start, StmtKind::Block(vec![before, found])),
            None => found,
        })
    }

    fn switch(&mut self) -> Option<Stmt> {
        let start = self.at;
        self.bump()?;
        self.names.open();
        let (init, condition, _) = self.head()?;
        let Some(value) = condition else {
            return self.fail();
        };
        self.expect(sym::CURLY)?;
        self.names.open();
        let groups = self.groups()?;
        self.names.close();
        self.expect(sym::END_CURLY)?;
        self.names.close();
        let found = Switch { value, groups };
        let found = self.stmt(start, StmtKind::Switch(Box::new(found)));
        Some(match init {
            Some(init) => self.stmt(start, StmtKind::Block(vec![init, found])),
            None => found,
        })
    }

    fn groups(&mut self) -> Option<Vec<SwitchGroup>> {
        let mut groups: Vec<SwitchGroup> = Vec::new();
        while !self.is(sym::END_CURLY) && !self.is_end() {
            let is_label =
                self.is(sym::CASE) || (self.is(sym::DEFAULT) && self.is_ahead(1, sym::COLON));
            if !is_label {
                if groups.is_empty() {
                    groups.push(SwitchGroup {
                        labels: Vec::new(),
                        body: Vec::new(),
                    });
                }
                let found = self.recovered();
                if let Some(last) = groups.last_mut() {
                    last.body.push(found);
                }
                continue;
            }
            let label = match self.bump()?.text {
                sym::CASE => Some(self.bracketed(Self::conditional)?),
                _ => None,
            };
            self.expect(sym::COLON)?;
            match groups.last_mut() {
                Some(last) if last.body.is_empty() && !last.labels.is_empty() => {
                    last.labels.push(label)
                }
                _ => groups.push(SwitchGroup {
                    labels: vec![label],
                    body: Vec::new(),
                }),
            }
        }
        Some(groups)
    }
}
