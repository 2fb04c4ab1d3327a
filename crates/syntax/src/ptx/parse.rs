//! The parser of PTX. It knows the shape of PTX and not its vocabulary: any word can be an opcode, any dotted word a
//! modifier or a type. Statements may stand outside of functions, as in the text of an `asm` statement.
//!
//! A statement that cannot be read is damaged up to its semicolon or to the end of its line, whichever comes first, so
//! that a bracket that is not closed does not cost the next lines. A function begins at its keyword whatever is open.

use super::ast::{
    Declaration, Declarator, Function, Instruction, Module, Statement, Version, Word,
};
use super::lexer::{self, Kind, Token};
use super::operand::integer;
use a2lint_source::text::Span;

/// Size limit of a text in bytes. Compilers emit modules of several megabytes.
pub const MAX_BYTES: usize = 16 << 20;
/// Nesting depth at which blocks and operands count as damaged.
pub(super) const MAX_DEPTH: usize = 64;

const LINKAGE: &[&str] = &[".extern", ".visible", ".weak", ".common"];
/// Statements of which nothing is kept.
const SKIPPED: &[&str] = &[
    ".sreg",
    ".param",
    ".local",
    ".shared",
    ".global",
    ".const",
    ".tex",
    ".pragma",
    ".alias",
    ".callprototype",
    ".branchtargets",
    ".calltargets",
];

/// Parses a module or fragment. Never fails: parts that cannot be read are [damaged](Module::damaged), and a text
/// that exceeds the bounds is [refused](Module::refused).
pub fn parse(text: &str) -> Module<'_> {
    if text.len() > MAX_BYTES {
        return Module {
            refused: true,
            ..Module::default()
        };
    }
    let mut reader = Reader {
        text,
        tokens: lexer::tokens(text),
        at: 0,
        module: Module::default(),
    };
    while reader.at < reader.tokens.len() {
        reader.item();
    }
    let mut module = reader.module;
    module.damaged.sort_by_key(|word| word.span);
    module
}

/// Returns the number of places that cannot be read; `None` if the text exceeds the bounds of the parser.
pub fn errors(text: &str) -> Option<usize> {
    let module = parse(text);
    (!module.refused).then_some(module.damaged.len())
}

/// A position in a text. Readers return `None` at the token that does not fit.
pub(super) struct Reader<'t> {
    text: &'t str,
    pub(super) tokens: Vec<Token>,
    pub(super) at: usize,
    module: Module<'t>,
}

impl<'t> Reader<'t> {
    pub(super) fn token(&self) -> Option<Token> {
        self.tokens.get(self.at).copied()
    }

    /// Returns the text of the next token; empty at the end.
    pub(super) fn word(&self) -> &'t str {
        self.word_at(self.at)
    }

    fn word_at(&self, at: usize) -> &'t str {
        let span = self.tokens.get(at).map_or(Span::default(), |it| it.span);
        self.part(span).text
    }

    fn part(&self, span: Span) -> Word<'t> {
        let text = self.text.get(span.range()).unwrap_or_default();
        Word { text, span }
    }

    pub(super) fn eat(&mut self, word: &str) -> bool {
        let is_it = self.word() == word;
        self.at += usize::from(is_it);
        is_it
    }

    pub(super) fn expect(&mut self, word: &str) -> Option<()> {
        self.eat(word).then_some(())
    }

    /// Takes the next token if it is of a kind.
    pub(super) fn take(&mut self, kind: Kind) -> Option<Word<'t>> {
        let token = self.token().filter(|token| token.kind == kind)?;
        self.at += 1;
        Some(self.part(token.span))
    }

    /// Returns the index of the next token that says nothing of linkage.
    fn after_linkage(&self) -> usize {
        let mut at = self.at;
        while LINKAGE.contains(&self.word_at(at)) {
            at += 1;
        }
        at
    }

    fn starts_function(&self) -> bool {
        matches!(self.word_at(self.after_linkage()), ".entry" | ".func")
    }

    /// Returns the text from a token to the one that was read last.
    fn since(&self, start: usize) -> Word<'t> {
        self.part(self.tokens[start].span.to(self.before()))
    }

    fn damage(&mut self, start: usize) {
        let word = self.since(start);
        self.module.damaged.push(word);
    }

    /// Reads a function, or a statement between functions.
    fn item(&mut self) {
        if self.starts_function() {
            let function = self.function();
            self.module.functions.push(function);
            return;
        }
        let start = self.at;
        let mut found = Vec::new();
        self.statement(0, &mut found);
        let span = self.since(start).span;
        match self.module.functions.last_mut() {
            Some(function) if !found.is_empty() => {
                function.body.append(&mut found);
                function.span = function.span.to(span);
            }
            _ => self.module.statements.append(&mut found),
        }
    }

    fn statement(&mut self, depth: usize, found: &mut Vec<Statement<'t>>) {
        let start = self.at;
        match self.readable(depth) {
            Some(statement) => found.extend(statement),
            None => self.skip(start),
        }
    }

    /// Skips the rest of a statement that began at a token and cannot be read on.
    fn skip(&mut self, start: usize) {
        // The braces of a vector are no block.
        let mut open: i32 = (start..self.at).map(|at| self.brace(at)).sum();
        while let Some(token) = self.token() {
            let is_closed = self.word() == "}" && open <= 0;
            if self.at > start && (token.starts_line || is_closed) {
                break;
            }
            open += self.brace(self.at);
            self.at += 1;
            if self.word_at(self.at - 1) == ";" {
                break;
            }
        }
        self.damage(start);
    }

    fn brace(&self, at: usize) -> i32 {
        let word = self.word_at(at);
        i32::from(word == "{") - i32::from(word == "}")
    }

    /// Reads a statement; nothing comes of a directive.
    fn readable(&mut self, depth: usize) -> Option<Option<Statement<'t>>> {
        let token = self.token()?;
        match (token.kind, self.word()) {
            (Kind::Name, _) if self.word_at(self.at + 1) == ":" => {
                self.at += 2;
                Some(Some(Statement::Label))
            }
            (Kind::Name, _) | (_, "@") => self.instruction().map(Some),
            (Kind::Dotted, word) => self.directive(word),
            (_, "{") => Some(self.block(depth).map(Statement::Block)),
            (_, ";") => {
                self.at += 1;
                Some(None)
            }
            _ => None,
        }
    }

    /// Reads `{ … }`; `None` if it is nested too deeply.
    fn block(&mut self, depth: usize) -> Option<Vec<Statement<'t>>> {
        let start = self.at;
        self.at += 1;
        let mut found = Vec::new();
        let mut open = 1;
        while self.at < self.tokens.len() && !self.starts_function() {
            if depth >= MAX_DEPTH {
                open += self.brace(self.at);
                self.at += 1;
                if open == 0 {
                    break;
                }
            } else if self.eat("}") {
                return Some(found);
            } else {
                self.statement(depth + 1, &mut found);
            }
        }
        // Without its end, whose names those in it are is not certain.
        self.damage(start);
        (depth < MAX_DEPTH).then_some(found)
    }

    fn directive(&mut self, word: &str) -> Option<Option<Statement<'t>>> {
        let word = match LINKAGE.contains(&word) {
            true => self.word_at(self.after_linkage()),
            false => word,
        };
        self.at += 1;
        match word {
            ".reg" => {
                let found = self.registers(true)?;
                self.expect(";")?;
                return Some(Some(Statement::Registers(found)));
            }
            // These end with their lines.
            ".version" | ".target" | ".address_size" | ".file" | ".loc" => self.line(word),
            ".section" => {
                self.skip_to(&["{"])?;
                self.skip_to(&["}"])?;
                self.at += 1;
            }
            _ if SKIPPED.contains(&word) => {
                self.skip_to(&[";"])?;
                self.at += 1;
            }
            _ => return None,
        }
        Some(None)
    }

    /// Goes on to a word; fails at the next statement.
    fn skip_to(&mut self, words: &[&str]) -> Option<()> {
        let mut open = 0;
        while !words.contains(&self.word()) {
            let token = self.token()?;
            let is_name = matches!(token.kind, Kind::Name | Kind::Dotted | Kind::Wrong);
            let is_next = token.starts_line && is_name && words != ["}"];
            open += self.brace(self.at);
            if is_next || open < 0 || self.starts_function() {
                return None;
            }
            self.at += 1;
        }
        Some(())
    }

    fn line(&mut self, directive: &str) {
        let is_part =
            |token: &Token| !token.starts_line && !matches!(token.kind, Kind::Dotted | Kind::Wrong);
        while let Some(token) = self.token().filter(is_part)
            && !matches!(self.word(), "{" | "}" | ";" | "@")
        {
            let word = self.part(token.span);
            match (directive, token.kind) {
                (".version", Kind::Number) => self.module.version = version(word),
                (".target", Kind::Name) => self.module.targets.push(word),
                _ => {}
            }
            self.at += 1;
        }
    }

    fn function(&mut self) -> Function<'t> {
        let start = self.at;
        self.at = self.after_linkage();
        let entry = self.eat(".entry");
        self.at += usize::from(!entry);
        let mut name = None;
        let mut registers = Vec::new();
        let mut open = 0;
        // Parameters, attributes, and directives such as `.maxntid 128, 1, 1`.
        while let Some(token) = self.token()
            && !matches!(self.word(), "{" | "}" | ";")
            && !self.starts_function()
        {
            self.at += 1;
            match self.word_at(self.at - 1) {
                "(" => open += 1,
                ")" => open -= 1,
                ".reg" => registers.extend(self.registers(false)),
                ".pragma" if self.skip_to(&[";"]).is_some() => self.at += 1,
                _ if token.kind == Kind::Name && open == 0 && name.is_none() => {
                    name = Some(self.part(token.span));
                }
                _ => {}
            }
        }
        if name.is_none() || open != 0 || !matches!(self.word(), "{" | ";") {
            self.damage(start);
        }
        let name = name.unwrap_or_else(|| self.since(start));
        let body = match self.word() {
            "{" => self.block(0).unwrap_or_default(),
            _ => Vec::new(),
        };
        self.eat(";");
        Function {
            entry,
            name,
            span: self.since(start).span,
            registers,
            body,
        }
    }

    /// Reads a declaration of registers behind `.reg`. Other variables are skipped, since instructions use their names
    /// in no way that matters here.
    fn registers(&mut self, is_list: bool) -> Option<Declaration<'t>> {
        let types = std::iter::from_fn(|| self.take(Kind::Dotted));
        let scalar_type = types.filter(|word| !word.text.starts_with(".v")).last();
        let mut names = vec![self.declarator()?];
        while is_list && self.eat(",") {
            names.push(self.declarator()?);
        }
        Some(Declaration { scalar_type, names })
    }

    fn declarator(&mut self) -> Option<Declarator<'t>> {
        let name = self.take(Kind::Name)?;
        let mut count = None;
        if self.eat("<") {
            count = integer(self.take(Kind::Number)?.text);
            self.expect(">")?;
        }
        Some(Declarator { name, count })
    }

    fn instruction(&mut self) -> Option<Statement<'t>> {
        let start = self.at;
        let guarded = self.eat("@");
        if guarded {
            self.eat("!");
            self.take(Kind::Name)?;
        }
        let opcode = self.take(Kind::Name)?;
        let modifiers = std::iter::from_fn(|| self.take(Kind::Dotted)).collect();
        let operands = self.operands(";", 0)?;
        Some(Statement::Instruction(Instruction {
            span: self.since(start).span,
            guarded,
            opcode,
            modifiers,
            operands,
        }))
    }
}

fn version(number: Word) -> Option<Version> {
    let (major, minor) = number.text.split_once('.').unwrap_or((number.text, "0"));
    Some(Version {
        major: major.parse().ok()?,
        minor: minor.parse().ok()?,
        span: number.span,
    })
}
