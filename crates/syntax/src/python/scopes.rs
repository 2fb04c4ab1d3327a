//! Resolution of names by Python's rules: the names of a function are its parameters and the names that its body
//! binds anywhere; other names come from enclosing scopes.

use rustc_hash::{FxHashMap, FxHashSet};

use super::ast::{Clause, Expr, ExprKind, File, FormatPart, FunctionDef, Param, Stmt, StmtKind};
use a2lint_source::text::Span;

/// The symbols of a file.
#[derive(Debug, Default)]
pub struct Scopes {
    symbols: Vec<Symbol>,
}

/// A name in a scope.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// The name.
    pub name: String,
    /// The places that bind it, in source order; empty for names that the file does not bind.
    pub bindings: Vec<Span>,
    /// The places that read it, in source order.
    pub uses: Vec<Span>,
    /// Whether renaming it may change code elsewhere: it is imported without an alias, or a keyword argument has the
    /// same name.
    pub is_public: bool,
    /// Whether it belongs to the outermost scope, which includes names that the file does not bind.
    pub is_global: bool,
}

impl Symbol {
    /// Returns bindings and uses in source order, each once.
    pub fn occurrences(&self) -> Vec<Span> {
        let mut all: Vec<Span> = self.bindings.iter().chain(&self.uses).copied().collect();
        all.sort();
        all.dedup();
        all
    }
}

impl Scopes {
    /// Resolves all names of a file.
    pub fn of(file: &File) -> Scopes {
        let mut resolver = Resolver::default();
        resolver.open(ScopeKind::Function);
        resolver.bind_block(&file.body);
        resolver.block(&file.body);
        let mut symbols = resolver.symbols;
        for symbol in &mut symbols {
            symbol.is_public |= resolver.keywords.contains(symbol.name.as_str());
            symbol.bindings.sort();
            symbol.bindings.dedup();
            symbol.uses.sort();
            symbol.uses.dedup();
        }
        Scopes { symbols }
    }

    /// Returns the symbol whose name is at an offset, and the span of that name.
    pub fn at(&self, offset: u32) -> Option<(&Symbol, Span)> {
        self.symbols.iter().find_map(|symbol| {
            let mut places = symbol.bindings.iter().chain(&symbol.uses);
            let place = places.find(|place| place.touches(offset))?;
            Some((symbol, *place))
        })
    }

    /// Returns all symbols.
    pub fn symbols(&self) -> &[Symbol] {
        &self.symbols
    }
}

#[derive(Default)]
struct Resolver<'a> {
    symbols: Vec<Symbol>,
    scopes: Vec<Scope<'a>>,
    /// Names of keyword arguments. Each may be the name of a parameter, since calls are not resolved.
    keywords: FxHashSet<&'a str>,
}

#[derive(Default)]
struct Scope<'a> {
    /// Indices of symbols by name.
    names: FxHashMap<&'a str, usize>,
    /// Names that belong to an outer scope because of `global` and `nonlocal`, and their symbols.
    foreign: FxHashMap<&'a str, usize>,
    kind: ScopeKind,
}

#[derive(Clone, Copy, Default, PartialEq)]
enum ScopeKind {
    /// A module, function or lambda.
    #[default]
    Function,
    /// The body of a class, whose names are not visible in the functions inside of it.
    Class,
    /// A comprehension, where `:=` binds a name of the function around it.
    Comprehension,
}

impl<'a> Resolver<'a> {
    fn open(&mut self, kind: ScopeKind) {
        self.scopes.push(Scope {
            kind,
            ..Scope::default()
        });
    }

    fn close(&mut self) {
        self.scopes.pop();
    }

    /// Binds a name in the innermost scope.
    fn bind(&mut self, name: &'a str, span: Span, is_public: bool) {
        self.bind_in(self.scopes.len() - 1, name, span, is_public);
    }

    /// Binds the name of a `:=`, which no comprehension owns.
    fn bind_named(&mut self, name: &'a str, span: Span) {
        let mut scopes = self.scopes.iter();
        let owner = scopes.rposition(|scope| scope.kind != ScopeKind::Comprehension);
        self.bind_in(owner.unwrap_or(0), name, span, false);
    }

    fn bind_in(&mut self, scope: usize, name: &'a str, span: Span, is_public: bool) {
        if let Some(&index) = self.scopes[scope].foreign.get(name) {
            // The name is assigned here, but belongs to an outer scope.
            return self.symbols[index].uses.push(span);
        }
        let index = self.declare(scope, name);
        self.symbols[index].bindings.push(span);
        self.symbols[index].is_public |= is_public;
    }

    fn declare(&mut self, scope: usize, name: &'a str) -> usize {
        let new = self.symbols.len();
        let index = *self.scopes[scope].names.entry(name).or_insert(new);
        if index == new {
            self.symbols.push(Symbol {
                name: name.to_owned(),
                bindings: Vec::new(),
                uses: Vec::new(),
                is_public: false,
                is_global: scope == 0,
            });
        }
        index
    }

    /// Records a use of a name. A name that no scope binds belongs to the outermost scope: it may be a builtin.
    fn read(&mut self, name: &'a str, span: Span) {
        let last = self.scopes.len() - 1;
        let seen = |(at, scope): &(usize, &Scope)| *at == last || scope.kind != ScopeKind::Class;
        let mut outwards = self.scopes.iter().enumerate().rev().filter(seen);
        let found = outwards.find_map(|(_, scope)| {
            let own = || scope.names.get(name);
            scope.foreign.get(name).or_else(own).copied()
        });
        let index = found.unwrap_or_else(|| self.declare(0, name));
        self.symbols[index].uses.push(span);
    }

    /// Returns the symbol of a `nonlocal` name: that of the nearest function around the innermost scope.
    fn nonlocal(&mut self, name: &'a str) -> usize {
        let around = self.scopes.iter().rev().skip(1);
        let mut functions = around.filter(|scope| scope.kind != ScopeKind::Class);
        let found = functions.find_map(|scope| {
            let own = || scope.names.get(name);
            scope.foreign.get(name).or_else(own).copied()
        });
        found.unwrap_or_else(|| self.declare(0, name))
    }

    /// Opens the scope of a body and binds its names.
    fn open_body(&mut self, kind: ScopeKind, params: &'a [Param], body: &'a [Stmt]) {
        self.open(kind);
        self.params(params);
        // Before any binding, since a declaration applies to the whole scope.
        self.declare_foreign(body);
        self.bind_block(body);
    }

    /// Records the names that `global` and `nonlocal` declare anywhere in a scope.
    fn declare_foreign(&mut self, body: &'a [Stmt]) {
        for stmt in body {
            match &stmt.kind {
                StmtKind::Global(names) => {
                    names
                        .iter()
                        .for_each(|name| self.foreign(&name.text, Self::global));
                }
                StmtKind::Nonlocal(names) => {
                    names
                        .iter()
                        .for_each(|name| self.foreign(&name.text, Self::nonlocal));
                }
                StmtKind::For { body, orelse, .. } | StmtKind::While { body, orelse, .. } => {
                    self.declare_foreign(body);
                    self.declare_foreign(orelse);
                }
                StmtKind::If { arms, orelse } => {
                    arms.iter().for_each(|(_, body)| self.declare_foreign(body));
                    self.declare_foreign(orelse);
                }
                StmtKind::Try { blocks, .. } => {
                    blocks.iter().for_each(|body| self.declare_foreign(body));
                }
                StmtKind::With { body, .. } | StmtKind::Error(body) => self.declare_foreign(body),
                _ => {}
            }
        }
    }

    fn foreign(&mut self, name: &'a str, owner: fn(&mut Self, &'a str) -> usize) {
        let index = owner(self, name);
        let scope = self.scopes.last_mut().expect("a scope is open");
        scope.foreign.insert(name, index);
    }

    /// Returns the symbol of a `global` name.
    fn global(&mut self, name: &'a str) -> usize {
        self.declare(0, name)
    }

    /// Binds the names that the statements of a scope bind, including nested blocks, but not nested functions.
    fn bind_block(&mut self, body: &'a [Stmt]) {
        body.iter().for_each(|stmt| self.bind_stmt(stmt));
    }

    fn bind_stmt(&mut self, stmt: &'a Stmt) {
        match &stmt.kind {
            StmtKind::Assign { targets, .. } => targets.iter().for_each(|it| self.bind_target(it)),
            StmtKind::AnnAssign { target, .. } => self.bind_target(target),
            StmtKind::AugAssign { target, .. } => {
                // They require an existing `x`, so this is recorded as a use; the scope still owns the name.
                if let ExprKind::Name(name) = &target.kind {
                    self.declare(self.scopes.len() - 1, name);
                }
            }
            StmtKind::For {
                target,
                body,
                orelse,
                ..
            } => {
                self.bind_target(target);
                self.bind_block(body);
                self.bind_block(orelse);
            }
            StmtKind::While { body, orelse, .. } => {
                self.bind_block(body);
                self.bind_block(orelse);
            }
            StmtKind::If { arms, orelse } => {
                arms.iter().for_each(|(_, body)| self.bind_block(body));
                self.bind_block(orelse);
            }
            StmtKind::With { items, body } => {
                let targets = items.iter().filter_map(|(_, target)| target.as_ref());
                targets.for_each(|target| self.bind_target(target));
                self.bind_block(body);
            }
            StmtKind::Function(def) => self.bind(&def.name.text, def.name.span, false),
            StmtKind::Class { name, .. } => self.bind(&name.text, name.span, false),
            StmtKind::Import(names) => {
                for import in names {
                    match &import.alias {
                        Some(alias) => self.bind(&alias.text, alias.span, false),
                        None => {
                            let first = import.name.split('.').next().unwrap_or_default();
                            let end = import.span.start as usize + first.len();
                            self.bind(first, Span::new(import.span.start as usize, end), true);
                        }
                    }
                }
            }
            StmtKind::ImportFrom { names, .. } => {
                for import in names {
                    match &import.alias {
                        Some(alias) => self.bind(&alias.text, alias.span, false),
                        None => self.bind(&import.name, import.span, true),
                    }
                }
            }
            StmtKind::Try {
                blocks, handlers, ..
            } => {
                for name in handlers.iter().filter_map(|it| it.name.as_ref()) {
                    self.bind(&name.text, name.span, false);
                }
                blocks.iter().for_each(|body| self.bind_block(body));
            }
            StmtKind::Error(body) => self.bind_block(body),
            _ => {}
        }
    }

    fn bind_target(&mut self, target: &'a Expr) {
        match &target.kind {
            ExprKind::Name(name) => self.bind(name, target.span, false),
            ExprKind::Tuple(items) | ExprKind::List(items) => {
                items.iter().for_each(|item| self.bind_target(item));
            }
            ExprKind::Starred(inner) => self.bind_target(inner),
            _ => {}
        }
    }

    fn block(&mut self, body: &'a [Stmt]) {
        body.iter().for_each(|stmt| self.stmt(stmt));
    }

    fn stmt(&mut self, stmt: &'a Stmt) {
        match &stmt.kind {
            StmtKind::Expr(expr) | StmtKind::Assert(expr) => self.expr(expr),
            StmtKind::Return(expr) => expr.iter().for_each(|expr| self.expr(expr)),
            StmtKind::Assign { targets, value } => {
                targets.iter().for_each(|target| self.target(target));
                self.expr(value);
            }
            StmtKind::AnnAssign {
                target,
                annotation,
                value,
            } => {
                self.target(target);
                self.expr(annotation);
                value.iter().for_each(|value| self.expr(value));
            }
            StmtKind::AugAssign { target, value, .. } => {
                self.expr(target);
                self.expr(value);
            }
            StmtKind::For {
                target,
                iter,
                body,
                orelse,
            } => {
                self.target(target);
                self.expr(iter);
                self.block(body);
                self.block(orelse);
            }
            StmtKind::While { test, body, orelse } => {
                self.expr(test);
                self.block(body);
                self.block(orelse);
            }
            StmtKind::If { arms, orelse } => {
                for (test, body) in arms {
                    self.expr(test);
                    self.block(body);
                }
                self.block(orelse);
            }
            StmtKind::With { items, body } => {
                for (item, target) in items {
                    self.expr(item);
                    target.iter().for_each(|target| self.target(target));
                }
                self.block(body);
            }
            StmtKind::Function(def) => self.function(def),
            StmtKind::Class {
                decorators,
                bases,
                keywords,
                body,
                ..
            } => {
                decorators.iter().for_each(|it| self.expr(it));
                bases.iter().for_each(|it| self.expr(it));
                keywords.iter().for_each(|(_, it)| self.expr(it));
                self.open_body(ScopeKind::Class, &[], body);
                self.block(body);
                self.close();
            }
            StmtKind::Try {
                blocks, handlers, ..
            } => {
                let classes = handlers.iter().filter_map(|it| it.classes.as_ref());
                classes.for_each(|classes| self.expr(classes));
                blocks.iter().for_each(|body| self.block(body));
            }
            StmtKind::Raise(expr) => expr.iter().for_each(|expr| self.expr(expr)),
            StmtKind::Delete(exprs) => exprs.iter().for_each(|expr| self.expr(expr)),
            StmtKind::Error(body) => self.block(body),
            StmtKind::Global(names) | StmtKind::Nonlocal(names) => {
                names
                    .iter()
                    .for_each(|name| self.read(&name.text, name.span));
            }
            StmtKind::Import(_)
            | StmtKind::ImportFrom { .. }
            | StmtKind::Pass
            | StmtKind::Break
            | StmtKind::Continue => {}
        }
    }

    /// Records the names that a target uses: both names of `a[i] = …`, none of `a = …`.
    fn target(&mut self, target: &'a Expr) {
        match &target.kind {
            ExprKind::Name(_) => {}
            ExprKind::Tuple(items) | ExprKind::List(items) => {
                items.iter().for_each(|item| self.target(item));
            }
            ExprKind::Starred(inner) => self.target(inner),
            _ => self.expr(target),
        }
    }

    fn function(&mut self, def: &'a FunctionDef) {
        def.decorators.iter().for_each(|it| self.expr(it));
        self.defaults(&def.params);
        self.open_body(ScopeKind::Function, &def.params, &def.body);
        self.block(&def.body);
        self.close();
    }

    /// Resolves annotations and defaults, which are evaluated outside of the function.
    fn defaults(&mut self, params: &'a [Param]) {
        for param in params {
            param.annotation.iter().for_each(|it| self.expr(it));
            param.default.iter().for_each(|it| self.expr(it));
        }
    }

    fn params(&mut self, params: &'a [Param]) {
        for param in params {
            self.bind(&param.name.text, param.name.span, false);
        }
    }

    fn expr(&mut self, expr: &'a Expr) {
        match &expr.kind {
            ExprKind::Name(name) => self.read(name, expr.span),
            ExprKind::Attribute { value, .. } => self.expr(value),
            ExprKind::Subscript { value, index } => {
                self.expr(value);
                self.expr(index);
            }
            ExprKind::Slice { lower, upper, step } => {
                let parts = [lower, upper, step].into_iter().flatten();
                parts.for_each(|part| self.expr(part));
            }
            ExprKind::Call {
                func,
                args,
                keywords,
            } => {
                self.expr(func);
                args.iter().for_each(|arg| self.expr(arg));
                for (name, value) in keywords {
                    self.expr(value);
                    self.keywords
                        .extend(name.iter().map(|name| name.text.as_str()));
                }
            }
            ExprKind::Tuple(items) | ExprKind::List(items) | ExprKind::Set(items) => {
                items.iter().for_each(|item| self.expr(item));
            }
            ExprKind::Dict(items) => {
                for (key, value) in items {
                    key.iter().for_each(|key| self.expr(key));
                    self.expr(value);
                }
            }
            ExprKind::Unary { operand, .. } => self.expr(operand),
            ExprKind::Binary { left, right, .. } => {
                self.expr(left);
                self.expr(right);
            }
            ExprKind::BoolOp { values, .. } => values.iter().for_each(|value| self.expr(value)),
            ExprKind::Compare { left, rest } => {
                self.expr(left);
                rest.iter().for_each(|(_, right)| self.expr(right));
            }
            ExprKind::Conditional { test, body, orelse } => {
                [test, body, orelse]
                    .into_iter()
                    .for_each(|part| self.expr(part));
            }
            ExprKind::Lambda { params, body } => {
                self.defaults(params);
                self.open(ScopeKind::Function);
                self.params(params);
                self.expr(body);
                self.close();
            }
            ExprKind::Comprehension {
                element,
                value,
                clauses,
                ..
            } => {
                self.comprehension(element, value.as_deref(), clauses);
            }
            ExprKind::Starred(inner) => self.expr(inner),
            ExprKind::Named { name, value } => {
                self.bind_named(&name.text, name.span);
                self.expr(value);
            }
            ExprKind::None
            | ExprKind::Bool(_)
            | ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::Str(_)
            | ExprKind::OpaqueStr
            | ExprKind::Ellipsis
            | ExprKind::Error => {}
            ExprKind::Format(parts) => {
                let values = parts.iter().filter_map(FormatPart::value);
                values.for_each(|value| self.expr(value));
            }
            ExprKind::Yield { value, .. } => value.iter().for_each(|it| self.expr(it)),
            ExprKind::Matches { subject, pattern } => {
                self.expr(subject);
                let mut names = Vec::new();
                pattern.names(&mut |name| names.push(name));
                for name in names {
                    self.bind(&name.text, name.span, false);
                }
                let mut exprs = Vec::new();
                pattern.exprs(&mut |expr| exprs.push(expr));
                exprs.into_iter().for_each(|expr| self.expr(expr));
            }
        }
    }

    /// Resolves a comprehension. The first iterated expression is evaluated outside of its scope, everything else
    /// inside.
    fn comprehension(&mut self, element: &'a Expr, value: Option<&'a Expr>, clauses: &'a [Clause]) {
        clauses
            .first()
            .iter()
            .for_each(|first| self.expr(&first.iter));
        self.open(ScopeKind::Comprehension);
        for (index, clause) in clauses.iter().enumerate() {
            if index > 0 {
                self.expr(&clause.iter);
            }
            self.bind_target(&clause.target);
            self.target(&clause.target);
            clause.conditions.iter().for_each(|it| self.expr(it));
        }
        self.expr(element);
        value.iter().for_each(|value| self.expr(value));
        self.close();
    }
}

#[cfg(test)]
mod tests {
    use super::super::parse;
    use super::*;
    use a2lint_source::text::SourceText;

    const SAMPLE: &str = "
from easyasc.a2 import kernel, add
import torch
N = 4

def helper(dst, n=N):
    dst <<= n
    N = 5
    return [dst for dst in range(N) if dst]

@kernel()
def k(x):
    buf = x
    for i in range(N):
        add(buf, buf[i], x)
    helper(buf, n=2)
";

    fn same(name: &str, nth: usize) -> Vec<usize> {
        occurrences(SAMPLE, name, nth)
    }

    /// Returns the occurrences of the symbol that the `nth` word `name` belongs to, as numbers of such words.
    fn occurrences(text: &str, name: &str, nth: usize) -> Vec<usize> {
        let source = SourceText::new(text);
        let scopes = Scopes::of(&parse(&source));
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        let texts: Vec<u32> = text
            .match_indices(name)
            .filter(|(at, _)| {
                let (before, after) = (&text[..*at], &text[at + name.len()..]);
                !before.ends_with(is_part) && !after.starts_with(is_part)
            })
            .map(|(at, _)| at as u32)
            .collect();
        let (symbol, _) = scopes.at(texts[nth]).unwrap();
        let index = |span: &Span| texts.iter().position(|&at| at == span.start).unwrap();
        symbol.occurrences().iter().map(index).collect()
    }

    #[test]
    fn functions_have_their_own_names() {
        assert_eq!(same("N", 0), [0, 1, 4]);
        assert_eq!(same("N", 2), [2, 3]);
        assert_eq!(same("buf", 0), [0, 1, 2, 3]);
        assert_eq!(same("x", 0), [0, 1, 2]);
        assert_eq!(same("helper", 0), [0, 1]);
    }

    #[test]
    fn comprehensions_have_their_own_names() {
        assert_eq!(same("dst", 0), [0, 1]);
        assert_eq!(same("dst", 2), [2, 3, 4]);
    }

    #[test]
    fn declared_names_belong_to_outer_scopes() {
        let text = "
n = 1
def outer():
    n = 2
    def reader():
        return n
    def inner(flag):
        if flag:
            nonlocal n
        n = 3
        def deepest():
            return n
    def other():
        global n
        n = 4
    return [m := n for _ in range(3)], m
";
        assert_eq!(occurrences(text, "n", 0), [0, 6, 7]);
        assert_eq!(occurrences(text, "n", 1), [1, 2, 3, 4, 5, 8]);
        assert_eq!(occurrences(text, "m", 0), [0, 1]);
    }

    #[test]
    fn imports_and_keywords_are_public() {
        let scopes = Scopes::of(&parse(&SourceText::new(SAMPLE)));
        let public = scopes.symbols().iter().filter(|symbol| symbol.is_public);
        let names: Vec<&str> = public.map(|symbol| symbol.name.as_str()).collect();
        assert_eq!(names, ["kernel", "add", "torch", "n"]);
    }
}
