//! The preprocessor: what g++ makes of a file and of what it includes, as tokens.
//!
//! Bounds: tokens and text, files inside of each other, macros inside of each other. Each that is met is a
//! [`NoteKind`]; what was read before it stays.

mod condition;
mod expand;
mod macros;
#[cfg(test)]
mod tests;

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use self::expand::{Context, END, Reading, is_directive};
use self::macros::{Fault, Macro};
use super::ast::{Name, Note, NoteKind};
use super::symbols::{self as sym, Sym, Symbols};
use super::tokens::{Kind, NOWHERE, Token, tokens};
use super::{Finder, Source};
use a2lint_source::text::Span;

/// Maximum number of tokens that are read, made or copied for one translation unit.
const MAX_WORK: usize = 1 << 21;
/// Maximum number of bytes of all texts.
const MAX_BYTES: usize = 4 << 20;
/// Maximum nesting of includes.
const MAX_INCLUDES: usize = 64;

/// The definitions that a macro can have.
#[derive(Clone)]
enum Definition {
    Written(Arc<Macro>),
    Line,
    File,
    Counter,
}

/// What a text leaves to those after it: its macros and its part of the bounds.
#[derive(Clone, Default)]
pub(super) struct Macros {
    known: FxHashMap<Sym, Definition>,
    work: usize,
    counter: u64,
}

/// The tokens of files, by where their spans start.
pub(super) type Lexed = FxHashMap<u32, Arc<[Token]>>;

/// A file that is being read.
struct Frame {
    tokens: Arc<[Token]>,
    at: usize,
    /// Its number among the files; none for the prelude.
    file: Option<usize>,
    conditions: Vec<Condition>,
}

/// An `#if` that is open.
struct Condition {
    /// Its place.
    span: Span,
    /// Where the present part starts.
    part: u32,
    /// Whether what is around it counts.
    is_outer_live: bool,
    /// Whether the present part counts.
    is_live: bool,
    /// Whether a part counted.
    was_live: bool,
    /// Whether `#else` was there.
    has_else: bool,
}

/// Reads texts of one translation unit, one after the other.
pub(super) struct Preprocessor<'a> {
    symbols: &'a mut Symbols,
    find: &'a mut Finder<'a>,
    macros: FxHashMap<Sym, Definition>,
    disabled: FxHashSet<Sym>,
    contexts: Vec<Context>,
    frames: Vec<Frame>,
    /// The files that were read.
    pub files: Vec<Source>,
    lexed: FxHashMap<PathBuf, (usize, Arc<[Token]>)>,
    /// The tokens of files that were read for other translation units.
    known: &'a mut Lexed,
    once: HashSet<PathBuf>,
    /// What `#pragma pack` says of the classes that follow, in bytes.
    packing: Option<Name>,
    /// What it said before each `push` that no `pop` has ended.
    packings: Vec<Option<Name>>,
    work: usize,
    bytes: usize,
    depth: usize,
    counter: u64,
    /// Whether a bound was met, so that nothing more is read.
    is_over: bool,
    /// Notes for the user.
    pub notes: Vec<Note>,
    /// Includes that name no file of the project.
    pub outside: Vec<(Name, Span)>,
    /// Parts of `#if` that do not count, where what is around them does.
    pub skipped: Vec<Span>,
}

impl<'a> Preprocessor<'a> {
    /// Creates a preprocessor that has read nothing but `before`. `macros` are pairs of a name and its replacement
    /// text.
    pub fn new(
        (symbols, known): (&'a mut Symbols, &'a mut Lexed),
        find: &'a mut Finder<'a>,
        before: Macros,
        macros: &[(&str, &str)],
    ) -> Preprocessor<'a> {
        let mut preprocessor = Preprocessor {
            symbols,
            find,
            macros: before.known,
            disabled: FxHashSet::default(),
            contexts: Vec::new(),
            frames: Vec::new(),
            files: Vec::new(),
            lexed: FxHashMap::default(),
            known,
            once: HashSet::new(),
            packing: None,
            packings: Vec::new(),
            work: before.work,
            bytes: 0,
            depth: 0,
            counter: before.counter,
            is_over: false,
            notes: Vec::new(),
            outside: Vec::new(),
            skipped: Vec::new(),
        };
        // Their values depend on where they are expanded, so they have no replacement list.
        let built_in = [
            (sym::LINE_MACRO, Definition::Line),
            (sym::FILE_MACRO, Definition::File),
            (sym::COUNTER_MACRO, Definition::Counter),
        ];
        preprocessor.macros.extend(built_in);
        for (name, value) in macros {
            let line = tokens(&format!("{name} {value}"), None, preprocessor.symbols);
            preprocessor.define(&line, NOWHERE);
        }
        preprocessor
    }

    /// Returns what the texts that were read leave to those after them.
    pub fn into_macros(self) -> Macros {
        Macros {
            known: self.macros,
            work: self.work,
            counter: self.counter,
        }
    }

    /// Reads the tokens of a text that belongs to no file.
    pub fn prelude(&mut self, text: &str) -> Vec<Token> {
        let tokens = tokens(text, None, self.symbols);
        self.run(tokens.into(), None)
    }

    /// Reads the tokens of a file.
    pub fn file(&mut self, source: Source) -> Vec<Token> {
        let Some((file, tokens)) = self.lex(source) else {
            return Vec::new();
        };
        self.run(tokens, Some(file))
    }

    fn run(&mut self, tokens: Arc<[Token]>, file: Option<usize>) -> Vec<Token> {
        self.frames.push(Frame {
            tokens,
            at: 0,
            file,
            conditions: Vec::new(),
        });
        let mut found = Vec::new();
        loop {
            let token = self.next();
            if token.kind == Kind::End {
                break;
            }
            // `class` names a parameter in `template <class T, template <int> class U>`, and an enumeration after
            // `enum`.
            let before = found.last().map(|it: &Token| it.text);
            let is_other = before
                .is_some_and(|it| matches!(it, sym::LESS | sym::COMMA | sym::GREATER | sym::ENUM));
            found.push(token);
            let starts_class = match token.text {
                sym::STRUCT | sym::UNION => true,
                sym::CLASS => !is_other,
                _ => false,
            };
            if token.kind == Kind::Word && starts_class {
                found.extend(self.packed(token.span));
            }
        }
        // A bound may have ended the reading in the middle of nested includes.
        while let Some(frame) = self.frames.pop() {
            self.check_closed(&frame);
        }
        self.contexts.clear();
        self.disabled.clear();
        found
    }

    /// Returns the unexpanded tokens of a file, which are read only once.
    fn lex(&mut self, source: Source) -> Option<(usize, Arc<[Token]>)> {
        // A header that is included often without a guard is tokenised once.
        if let Some(known) = self.lexed.get(&source.path) {
            return Some(known.clone());
        }
        let text = source.text.as_str();
        self.bytes += text.len();
        // Counted when read: headers that include each other would be read without end.
        if self.bytes > MAX_BYTES {
            let here = self.here();
            self.stop(here, NoteKind::TooMuchText);
            return None;
        }
        let symbols = &mut *self.symbols;
        let lexed = || tokens(text, Some(source.base), symbols).into();
        let found = self.known.entry(source.base).or_insert_with(lexed).clone();
        let file = self.files.len();
        self.lexed
            .insert(source.path.clone(), (file, found.clone()));
        self.files.push(source);
        Some((file, found))
    }

    /// Returns the current place.
    fn here(&self) -> Span {
        let frame = self.frames.last();
        let token = frame.and_then(|frame| frame.tokens.get(frame.at.saturating_sub(1)));
        token.map_or(Span::default(), |token| token.span)
    }

    fn note(&mut self, span: Span, kind: NoteKind) {
        self.notes.push(Note { span, kind });
    }

    /// Ends everything at a bound.
    fn stop(&mut self, span: Span, kind: NoteKind) {
        if !self.is_over {
            self.is_over = true;
            self.note(span, kind);
        }
    }

    /// Counts work against the bound; returns whether any is left.
    fn spend(&mut self, work: usize, span: Span) -> bool {
        self.work = self.work.saturating_add(work);
        if self.work > MAX_WORK {
            // Tokens of the prelude have no place in a file that could be shown.
            let span = if span == NOWHERE { self.here() } else { span };
            self.stop(span, NoteKind::TooManyTokens);
        }
        !self.is_over
    }

    fn too_deep(&mut self, span: Span) {
        self.stop(span, NoteKind::MacrosTooDeep);
    }

    /// Returns the span from one place to another in the same file; the first one if they are in two files.
    fn join(&self, first: Span, last: Span) -> Span {
        let is_same = self.file_of(first) == self.file_of(last) && first.start <= last.end;
        match is_same && first != NOWHERE && last != NOWHERE {
            true => first.to(last),
            false => first,
        }
    }

    /// Returns the number of the file that contains a place.
    fn file_of(&self, span: Span) -> Option<usize> {
        self.files.iter().position(|file| file.holds(span))
    }

    fn line(&self, span: Span) -> usize {
        let file = self.file_of(span).and_then(|file| self.files.get(file));
        file.map_or(0, |file| file.text.line_index(span.start - file.base) + 1)
    }

    fn file_name(&self) -> String {
        self.path().display().to_string()
    }

    /// Returns the path of the current file.
    fn path(&self) -> &Path {
        let file = self.frames.last().and_then(|frame| frame.file);
        file.map_or(Path::new(""), |file| &self.files[file].path)
    }

    fn is_live(&self) -> bool {
        let frame = self.frames.last();
        let condition = frame.and_then(|frame| frame.conditions.last());
        condition.is_none_or(|condition| condition.is_live)
    }

    /// Returns the next token of the files, and executes the directives before it.
    fn file_token(&mut self, reading: Reading) -> Token {
        loop {
            if self.is_over {
                return END;
            }
            let is_live = self.is_live();
            let is_outermost = self.frames.len() <= 1;
            let Some(frame) = self.frames.last_mut() else {
                return END;
            };
            let Some(&token) = frame.tokens.get(frame.at) else {
                // The arguments of a macro may not continue in the including file.
                if is_outermost || reading == Reading::Argument {
                    return END;
                }
                if let Some(frame) = self.frames.pop() {
                    self.check_closed(&frame);
                }
                continue;
            };
            frame.at += 1;
            if is_directive(&token) {
                self.directive(token.span);
                continue;
            }
            if is_live {
                return token;
            }
        }
    }

    /// Returns whether a parenthesis opens next in the file, before any directive or the end of the file.
    fn file_opens(&mut self) -> bool {
        let frame = self.frames.last();
        let token = frame.and_then(|frame| frame.tokens.get(frame.at));
        token.is_some_and(|token| token.text == sym::OPEN && token.kind == Kind::Punct)
    }

    fn check_closed(&mut self, frame: &Frame) {
        if let Some(open) = frame.conditions.last()
            && !self.is_over
        {
            self.fault(open.span, "`#if` without `#endif`");
        }
    }

    /// Reads the rest of a line.
    fn rest_of_line(&mut self) -> Vec<Token> {
        let Some(frame) = self.frames.last_mut() else {
            return Vec::new();
        };
        let rest = &frame.tokens[frame.at..];
        let rest = rest.iter().take_while(|token| !token.starts_line);
        let line: Vec<Token> = rest.copied().collect();
        frame.at += line.len();
        // Skipped lines cost time as well.
        self.work += line.len();
        line
    }

    /// Obeys a directive; its `#` is read.
    fn directive(&mut self, hash: Span) {
        let line = self.rest_of_line();
        let Some((name, rest)) = line.split_first() else {
            return;
        };
        let span = self.join(hash, line.last().map_or(hash, |token| token.span));
        match name.text {
            sym::IF | sym::IFDEF | sym::IFNDEF => self.open_condition(name.text, rest, span),
            sym::ELIF | sym::ELIFDEF | sym::ELIFNDEF => {
                self.next_condition(name.text, rest, span);
            }
            sym::ELSE => self.other_condition(span),
            sym::ENDIF => self.close_condition(span),
            // In a skipped group, only conditions are processed, since they nest.
            _ if !self.is_live() => {}
            sym::DEFINE => self.define(rest, span),
            sym::UNDEF => {
                if let Some(name) = rest.first() {
                    self.macros.remove(&name.text);
                }
            }
            sym::INCLUDE | sym::INCLUDE_NEXT => self.include(rest.to_vec(), span),
            sym::ERROR => {
                let text = self.spelling(rest);
                self.note(span, NoteKind::ErrorDirective(text.as_str().into()));
            }
            sym::PRAGMA if rest.first().is_some_and(|it| it.text == sym::ONCE) => {
                let path = self.path().to_owned();
                self.once.insert(path);
            }
            sym::PRAGMA => {
                let text = self.spelling(rest).replace(' ', "");
                if let Some(arguments) = text.strip_prefix("pack(") {
                    self.pack(arguments.trim_end_matches(')'));
                }
            }
            _ => {}
        }
    }

    /// Follows `#pragma pack(…)`.
    fn pack(&mut self, arguments: &str) {
        for argument in arguments.split(',') {
            match argument {
                "" => self.packing = None,
                "push" => self.packings.push(self.packing.clone()),
                "pop" => {
                    // A label may follow; which `push` it means is not looked up.
                    self.packing = self.packings.pop().flatten();
                    return;
                }
                "0" => self.packing = None,
                bytes => self.packing = Some(bytes.into()),
            }
        }
    }

    /// Returns an attribute for the present `#pragma pack`, at the place of a class.
    fn packed(&mut self, span: Span) -> Vec<Token> {
        let Some(bytes) = &self.packing else {
            return Vec::new();
        };
        let text = format!("__attribute__(({}({bytes})))", super::parse::PACK);
        let mut attribute = tokens(&text, None, self.symbols);
        attribute.retain(|it| it.kind != Kind::End);
        for token in &mut attribute {
            token.span = span;
        }
        attribute
    }

    fn spelling(&self, tokens: &[Token]) -> String {
        let mut text = String::new();
        for token in tokens {
            if token.is_spaced && !text.is_empty() {
                text.push(' ');
            }
            text.push_str(self.symbols.text(token.text));
        }
        text
    }

    fn define(&mut self, line: &[Token], span: Span) {
        let Some((name, rest)) = line.split_first() else {
            return self.fault(span, "`#define` without a name");
        };
        if name.kind != Kind::Word || name.text == sym::DEFINED {
            return self.fault(span, "`#define` without a name");
        }
        match Macro::of(rest) {
            Ok(found) => {
                self.macros
                    .insert(name.text, Definition::Written(Arc::new(found)));
            }
            Err(fault) => self.fault(span, fault),
        }
    }

    fn open_condition(&mut self, kind: Sym, rest: &[Token], span: Span) {
        let is_outer_live = self.is_live();
        let is_live = is_outer_live && self.holds(kind, rest, span);
        if let Some(frame) = self.frames.last_mut() {
            frame.conditions.push(Condition {
                span,
                part: span.end,
                is_outer_live,
                is_live,
                was_live: is_live,
                has_else: false,
            });
        }
    }

    fn condition(&mut self) -> Option<&mut Condition> {
        self.frames.last_mut()?.conditions.last_mut()
    }

    fn next_condition(&mut self, kind: Sym, rest: &[Token], span: Span) {
        let is_part = self.condition().is_some_and(|open| !open.has_else);
        if is_part {
            self.end_part(span);
        }
        let Some(open) = self.condition().filter(|_| is_part) else {
            return self.fault(span, "`#elif` without `#if`");
        };
        // Where a part counted before, the condition is not even evaluated.
        let may_be = open.is_outer_live && !open.was_live;
        open.is_live = false;
        if !may_be {
            return;
        }
        let is_live = self.holds(kind, rest, span);
        if let Some(open) = self.condition() {
            open.is_live = is_live;
            open.was_live = is_live;
        }
    }

    /// Ends a part of an `#if`.
    fn end_part(&mut self, next: Span) {
        let Some(open) = self.condition() else {
            return;
        };
        let part = Span {
            start: open.part,
            end: next.start,
        };
        open.part = next.end;
        if open.is_outer_live && !open.is_live && part.start <= part.end {
            self.skipped.push(part);
        }
    }

    fn other_condition(&mut self, span: Span) {
        if self.condition().is_some_and(|open| !open.has_else) {
            self.end_part(span);
        }
        match self.condition() {
            Some(open) if !open.has_else => {
                open.is_live = open.is_outer_live && !open.was_live;
                open.was_live = true;
                open.has_else = true;
            }
            _ => self.fault(span, "`#else` without `#if`"),
        }
    }

    fn close_condition(&mut self, span: Span) {
        self.end_part(span);
        let frame = self.frames.last_mut();
        if frame.and_then(|frame| frame.conditions.pop()).is_none() {
            self.fault(span, "`#endif` without `#if`");
        }
    }

    fn holds(&mut self, kind: Sym, rest: &[Token], span: Span) -> bool {
        match kind {
            sym::IF | sym::ELIF => {
                let tokens = self.with_defined(rest);
                let tokens = self.expanded_with(tokens, true);
                // `defined` that comes from a macro.
                let tokens = self.with_defined(&tokens);
                match condition::is_true(&tokens, self.symbols) {
                    Some(holds) => holds,
                    None => {
                        self.fault(span, "the condition cannot be computed");
                        false
                    }
                }
            }
            _ => {
                let Some(name) = rest.first() else {
                    self.fault(span, "`#ifdef` without a name");
                    return false;
                };
                let is_defined = self.macros.contains_key(&name.text);
                let is_wanted = matches!(kind, sym::IFDEF | sym::ELIFDEF);
                is_defined == is_wanted
            }
        }
    }

    /// Replaces `defined x` and `__has_include(…)` in a condition by 0 or 1.
    fn with_defined(&mut self, tokens: &[Token]) -> Vec<Token> {
        let mut found = Vec::new();
        let mut at = 0;
        while let Some(&token) = tokens.get(at) {
            at += 1;
            let text = |offset: usize| tokens.get(at + offset).map(|it| it.text);
            let is_asked = match token.text {
                sym::DEFINED if text(0) == Some(sym::OPEN) && text(2) == Some(sym::CLOSE) => {
                    let name = tokens[at + 1].text;
                    at += 3;
                    self.is_defined(name)
                }
                sym::DEFINED if at < tokens.len() => {
                    let name = tokens[at].text;
                    at += 1;
                    self.is_defined(name)
                }
                _ if self.is_question(token.text) && text(0) == Some(sym::OPEN) => {
                    let rest = tokens[at..].iter();
                    let length = rest.take_while(|it| it.text != sym::CLOSE).count();
                    let inside = &tokens[at + 1..(at + length).max(at + 1)];
                    let is_there = token.text == sym::HAS_INCLUDE && self.has_include(inside);
                    at += length + 1;
                    is_there
                }
                _ => {
                    found.push(token);
                    continue;
                }
            };
            let text = self.symbols.of(if is_asked { "1" } else { "0" });
            found.push(Token {
                kind: Kind::Number,
                text,
                ..token
            });
        }
        found
    }

    fn is_defined(&self, name: Sym) -> bool {
        self.macros.contains_key(&name) || name == sym::HAS_INCLUDE
    }

    /// Returns whether a word queries compiler features; only the files of the project are known here.
    fn is_question(&self, name: Sym) -> bool {
        let is_question = matches!(
            self.symbols.text(name),
            "__has_include"
                | "__has_cpp_attribute"
                | "__has_attribute"
                | "__has_builtin"
                | "__has_feature"
        );
        is_question && !self.macros.contains_key(&name)
    }

    fn has_include(&mut self, tokens: &[Token]) -> bool {
        let Some((name, is_quoted)) = self.included_name(tokens) else {
            return false;
        };
        let path = self.path().to_owned();
        is_quoted && (self.find)(&path, &name).is_some()
    }

    /// Returns the name in an `#include`, and whether it is in quotes.
    fn included_name(&self, tokens: &[Token]) -> Option<(String, bool)> {
        let first = tokens.first()?;
        let text = self.symbols.text(first.text);
        if first.kind == Kind::String {
            let inside = text.strip_prefix('"')?.strip_suffix('"')?;
            return Some((inside.to_owned(), true));
        }
        if first.text != sym::LESS {
            return None;
        }
        let end = tokens.iter().position(|it| it.text == sym::GREATER)?;
        Some((self.spelling(&tokens[1..end]), false))
    }

    fn include(&mut self, mut line: Vec<Token>, span: Span) {
        if line.first().is_some_and(|it| it.kind == Kind::Word) {
            line = self.expanded(line);
        }
        let Some((name, is_quoted)) = self.included_name(&line) else {
            return self.fault(span, "`#include` without the name of a file");
        };
        let path = self.path().to_owned();
        let found = match is_quoted {
            true => (self.find)(&path, &name),
            false => None,
        };
        let Some(source) = found else {
            self.outside.push((name.as_str().into(), span));
            return;
        };
        if self.once.contains(&source.path) {
            return;
        }
        if self.frames.len() >= MAX_INCLUDES {
            return self.stop(span, NoteKind::IncludesTooDeep);
        }
        let Some((file, tokens)) = self.lex(source) else {
            return;
        };
        self.frames.push(Frame {
            tokens,
            at: 0,
            file: Some(file),
            conditions: Vec::new(),
        });
    }
}
