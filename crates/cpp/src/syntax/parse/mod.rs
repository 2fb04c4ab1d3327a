//! Tokens to typed syntax.
//!
//! A parser by recursive descent that knows which names are types, templates and values. What is not declared in the
//! translation unit (the types of an API whose headers are not read) is decided by what is written around it, as
//! [`Parser::is_declaration`], [`Parser::template_arguments`] and [`Parser::cast`] say.
//!
//! A statement that does not parse becomes unknown, and parsing continues after it.

mod class;
mod declaration;
mod declarator;
mod expression;
mod functions;
mod names;
mod path;
mod postfix;
mod statement;
mod templates;
#[cfg(test)]
mod tests;
mod types;

use std::cell::Cell;

use rustc_hash::FxHashSet;

pub(super) use self::class::PACK;
use self::names::{Meaning, Names};
use super::ast::{Name, NodeId, Note, NoteKind, Stmt, StmtKind, Unit};
use super::symbols::{self as sym, Sym, Symbols, is_keyword};
use super::tokens::{Kind, NOWHERE, Token};
use super::{Settings, Source};
use a2lint_source::text::Span;

/// Statements and expressions inside of each other.
const MAX_DEPTH: usize = 100;
/// Operators, calls or `else if` in a row.
const MAX_CHAIN: usize = 400;
/// Steps for each token, and for any text: attempts that fail are tried another way.
const STEPS: usize = 60;
const FREE_STEPS: usize = 20_000;

/// A token for the parser: `>>` is two, the first glued to the second.
#[derive(Clone, Copy)]
struct Tok {
    kind: Kind,
    text: Sym,
    span: Span,
    is_glued: bool,
}

/// What the texts that were parsed leave to those after them: names, and their part of the bounds.
#[derive(Clone, Default)]
pub(super) struct Declared {
    names: Names,
    next_id: u32,
    /// Steps that are left, beside those of the tokens to come.
    steps: usize,
    is_begun: bool,
}

impl Declared {
    /// Adds names that no text declares.
    pub fn add(&mut self, settings: &Settings<'_>, symbols: &mut Symbols) {
        let lists = [
            (settings.types, Meaning::Type),
            (settings.templates, Meaning::Template),
            (settings.functions, Meaning::FunctionTemplate),
        ];
        for (names, meaning) in lists {
            for name in names {
                self.names.know(symbols.of(name), meaning);
            }
        }
    }
}

/// Parses the tokens of a translation unit, or of a text that precedes it.
pub(super) fn parse(
    tokens: Vec<Token>,
    symbols: &mut Symbols,
    files: &[Source],
    declared: &mut Declared,
) -> Unit {
    let tokens = split(&tokens);
    let free = if declared.is_begun { 0 } else { FREE_STEPS };
    let mut parser = Parser {
        steps: declared.steps + STEPS * tokens.len() + free,
        tokens,
        at: 0,
        furthest: 0,
        attributes: types::attributes(symbols),
        symbols,
        files,
        file: Cell::new(0),
        names: std::mem::take(&mut declared.names),
        attempts: 0,
        depth: 0,
        is_in_arguments: false,
        is_simple: false,
        is_outline: false,
        no_templates: FxHashSet::default(),
        classes: Vec::new(),
        pending: 0,
        bodies: 0,
        next_id: declared.next_id,
        errors: Vec::new(),
        notes: Vec::new(),
    };
    let mut items = Vec::new();
    while !parser.is_end() {
        parser.items(&mut items);
        if !parser.is_end() {
            // A brace that closes nothing.
            parser.errors.push(parser.span_here());
            parser.at += 1;
        }
    }
    *declared = Declared {
        names: parser.names,
        next_id: parser.next_id,
        steps: parser.steps,
        is_begun: true,
    };
    Unit {
        before: None,
        items,
        errors: parser.errors,
        outside: Vec::new(),
        skipped: Vec::new(),
        notes: parser.notes,
    }
}

fn split(tokens: &[Token]) -> Vec<Tok> {
    let mut found = Vec::with_capacity(tokens.len());
    for token in tokens {
        let mut push = |text: Sym, is_glued: bool| {
            found.push(Tok {
                kind: token.kind,
                text,
                span: token.span,
                is_glued,
            });
        };
        match token.text {
            sym::SHIFT_RIGHT if token.kind == Kind::Punct => {
                push(sym::GREATER, true);
                push(sym::GREATER, false);
            }
            text => push(text, false),
        }
    }
    found
}

/// The state of the parser: tokens, names and open constructs.
struct Parser<'t> {
    tokens: Vec<Tok>,
    at: usize,
    /// The furthest token at which parsing failed.
    furthest: usize,
    symbols: &'t mut Symbols,
    files: &'t [Source],
    /// The file of the last place that was looked up.
    file: Cell<usize>,
    /// Attributes of the device compiler.
    attributes: FxHashSet<Sym>,
    names: Names,
    /// Attempts that are open: they declare and report nothing.
    attempts: usize,
    depth: usize,
    steps: usize,
    /// Whether the parser is in template arguments, which the next `>` ends.
    is_in_arguments: bool,
    /// Whether an expression stops before `<`, `==`, `&&` and the like: set while `name<...` may be a comparison rather
    /// than template arguments.
    is_simple: bool,
    /// Whether only the names of members are wanted: bodies are passed over.
    is_outline: bool,
    /// Places of `<` that were found to open no template arguments.
    no_templates: FxHashSet<usize>,
    /// The classes that are open, innermost last.
    classes: Vec<Option<Sym>>,
    /// Scopes of templates whose declaration has not begun.
    pending: usize,
    /// Bodies of functions that are open.
    bodies: usize,
    next_id: u32,
    errors: Vec<Span>,
    notes: Vec<Note>,
}

const LAST: Tok = Tok {
    kind: Kind::End,
    text: sym::EMPTY,
    span: NOWHERE,
    is_glued: false,
};

impl Parser<'_> {
    fn peek(&self) -> Tok {
        self.ahead(0)
    }

    fn ahead(&self, count: usize) -> Tok {
        self.tokens.get(self.at + count).copied().unwrap_or(LAST)
    }

    fn is_end(&self) -> bool {
        self.at >= self.tokens.len()
    }

    /// Returns whether the next token is this operator or keyword.
    fn is(&self, text: Sym) -> bool {
        self.is_ahead(0, text)
    }

    fn is_ahead(&self, count: usize, text: Sym) -> bool {
        let token = self.ahead(count);
        token.text == text && matches!(token.kind, Kind::Punct | Kind::Word)
    }

    /// Returns whether the next token is an identifier.
    fn is_name(&self) -> bool {
        self.is_name_ahead(0)
    }

    fn is_name_ahead(&self, count: usize) -> bool {
        let token = self.ahead(count);
        token.kind == Kind::Word && !is_keyword(token.text)
    }

    /// Goes over one token.
    fn bump(&mut self) -> Option<Tok> {
        let token = self.tokens.get(self.at).copied()?;
        match self.steps.checked_sub(1) {
            Some(left) => self.steps = left,
            None => {
                self.give_up(token.span);
                return None;
            }
        }
        self.at += 1;
        Some(token)
    }

    fn give_up(&mut self, span: Span) {
        if self.at < self.tokens.len() {
            self.notes.push(Note {
                span,
                kind: NoteKind::TooHard,
            });
            self.at = self.tokens.len();
            // Every loop of the parser stops at the end of the tokens, so that unterminated input cannot loop for ever.
            self.tokens.clear();
        }
    }

    /// Goes over a token if it is this one.
    fn take(&mut self, text: Sym) -> bool {
        self.is(text) && self.bump().is_some()
    }

    /// Goes over a token that must be this one.
    fn expect(&mut self, text: Sym) -> Option<()> {
        match self.take(text) {
            true => Some(()),
            false => self.fail(),
        }
    }

    fn fail<T>(&mut self) -> Option<T> {
        // The error is reported at the furthest token: earlier failed attempts got less far.
        self.furthest = self.furthest.max(self.at);
        None
    }

    /// Parses an identifier.
    fn name(&mut self) -> Option<(Sym, Span)> {
        if !self.is_name() {
            return self.fail();
        }
        let token = self.bump()?;
        Some((token.text, token.span))
    }

    fn shared(&self, sym: Sym) -> Name {
        self.symbols.name(sym)
    }

    /// Returns the place of the next token.
    fn span_here(&self) -> Span {
        let token = self.tokens.get(self.at).or(self.tokens.last());
        token.map_or(Span::default(), |token| token.span)
    }

    /// Returns the place of the tokens from number `start` to the last one that was read.
    fn span_from(&self, start: usize) -> Span {
        let Some(first) = self.tokens.get(start) else {
            return self.span_here();
        };
        let last = self.at.max(start + 1) - 1;
        let last = self.tokens.get(last).map_or(first.span, |it| it.span);
        self.join(first.span, last)
    }

    /// Returns the span from one place to another in the same file; the first one if they are in two files.
    fn join(&self, first: Span, last: Span) -> Span {
        if first == last || first == NOWHERE || last == NOWHERE {
            return first;
        }
        if self.files.len() == 1 {
            return first.to(last);
        }
        // Almost every place lies in the same file as the one before it, and there may be many files.
        let is_near = |at: usize| self.files.get(at).is_some_and(|file| file.holds(first));
        let at = match is_near(self.file.get()) {
            true => Some(self.file.get()),
            false => self.files.iter().position(|file| file.holds(first)),
        };
        let Some(at) = at else {
            return first;
        };
        self.file.set(at);
        match self.files[at].holds(last) {
            true => first.to(last),
            false => first,
        }
    }

    fn id(&mut self) -> NodeId {
        self.next_id += 1;
        NodeId(self.next_id - 1)
    }

    fn stmt(&mut self, start: usize, kind: StmtKind) -> Stmt {
        Stmt {
            id: self.id(),
            span: self.span_from(start),
            kind,
        }
    }

    /// Parses something one level deeper; fails at the bound on nesting.
    fn deeper<T>(&mut self, parse: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        if self.depth >= MAX_DEPTH {
            let note = Note {
                span: self.span_here(),
                kind: NoteKind::TooDeep,
            };
            if !self.notes.contains(&note) {
                self.notes.push(note);
            }
            return self.fail();
        }
        self.depth += 1;
        let found = parse(self);
        self.depth -= 1;
        found
    }

    /// Tries to parse something: where it fails, nothing happened.
    fn attempt<T>(&mut self, parse: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        let (at, depth, scopes) = (self.at, self.depth, self.names.depth());
        let (in_arguments, simple) = (self.is_in_arguments, self.is_simple);
        let (errors, classes) = (self.errors.len(), self.classes.len());
        // Names that a failed attempt declared would change the next attempt.
        self.attempts += 1;
        let found = parse(self);
        self.attempts -= 1;
        if found.is_none() {
            self.at = at.min(self.tokens.len());
            self.depth = depth;
            self.is_in_arguments = in_arguments;
            self.is_simple = simple;
            self.names.close_to(scopes);
            self.errors.truncate(errors);
            self.classes.truncate(classes);
        }
        found
    }

    /// Looks ahead: nothing is gone over.
    fn look<T>(&mut self, parse: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        let at = self.at;
        let errors = self.errors.len();
        let found = self.attempt(parse);
        self.at = at.min(self.tokens.len());
        self.errors.truncate(errors);
        found
    }

    /// Parses something between brackets, where `>` is an operator again.
    fn bracketed<T>(&mut self, parse: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        let before = (self.is_in_arguments, self.is_simple);
        // `f<(a > b)>`: inside of brackets `>` compares again.
        self.is_in_arguments = false;
        self.is_simple = false;
        let found = parse(self);
        (self.is_in_arguments, self.is_simple) = before;
        found
    }

    fn declare(&mut self, name: Sym, meaning: Meaning) {
        if self.attempts == 0 {
            self.names.declare(name, meaning);
        }
    }

    /// Skips a group in brackets with all groups inside.
    fn skip_group(&mut self) -> Option<()> {
        let mut depth = 0usize;
        loop {
            match self.bump()?.text {
                sym::OPEN | sym::CURLY | sym::SQUARE => depth += 1,
                sym::CLOSE | sym::END_CURLY | sym::END_SQUARE => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        return Some(());
                    }
                }
                _ => {}
            }
        }
    }

    /// Starts something that may fail on its own: what failed before it is forgotten.
    fn forget_failures(&mut self) {
        if self.attempts == 0 {
            self.furthest = self.at;
        }
    }

    /// Goes over what did not parse, from `start` on: to the end of a statement or block.
    fn recover(&mut self, start: usize) -> Stmt {
        if self.attempts == 0 && !self.is_outline {
            let place = self.tokens.get(self.furthest.max(start));
            let span = place.map_or_else(|| self.span_here(), |it| it.span);
            self.errors.push(span);
        }
        self.at = start.min(self.tokens.len());
        while let Some(token) = self.tokens.get(self.at) {
            match token.text {
                sym::SEMICOLON => {
                    self.at += 1;
                    break;
                }
                sym::CURLY => {
                    if self.skip_group().is_none() {
                        self.at = self.tokens.len();
                    }
                    self.take(sym::SEMICOLON);
                    break;
                }
                sym::OPEN | sym::SQUARE if self.closes() => {
                    if self.skip_group().is_none() {
                        self.at = self.tokens.len();
                    }
                }
                sym::END_CURLY => break,
                _ => self.at += 1,
            }
        }
        self.stmt(start, StmtKind::Unknown("text that does not parse"))
    }

    /// Returns whether the bracket here is closed before a statement ends or a block opens.
    fn closes(&self) -> bool {
        let mut depth = 0usize;
        for token in &self.tokens[self.at..] {
            match token.text {
                sym::OPEN | sym::SQUARE => depth += 1,
                sym::CLOSE | sym::END_SQUARE => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        return true;
                    }
                }
                sym::SEMICOLON | sym::CURLY | sym::END_CURLY => return false,
                _ => {}
            }
        }
        false
    }
}
