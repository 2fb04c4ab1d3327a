//! The context of a proposal: the text with its lines, brackets and blocks, and the result of its check.

use std::cell::OnceCell;

use super::{Candidate, Effect};
use crate::check::{Analysis, spelled};
use a2lint_ir::finding::{Edit, Finding};
use a2lint_ir::{Buffer, Instr, Notation, Program, Stmt};
use a2lint_isa::Dialect;
use a2lint_rules::suppress::Layout;
use a2lint_source::language::Language;
use a2lint_source::text::{Slice, SourceText, Span};
use a2lint_syntax::python;
use a2lint_syntax::python::ast::{File, Stmt as Code, StmtKind as CodeKind};
use a2lint_syntax::python::scopes::{Scopes, Symbol};

/// A finding with the text and the analysis that it belongs to, and lazily computed views of the text.
pub(super) struct Scene<'a> {
    /// The text that was checked.
    pub source: &'a SourceText,
    /// The result of the check.
    pub analysis: &'a Analysis,
    /// The finding.
    pub finding: &'a Finding,
    language: Language,
    file: OnceCell<File>,
    layout: OnceCell<Layout>,
    scopes: OnceCell<Scopes>,
}

/// A block of statements, and the statement in it that contains a place.
#[derive(Clone, Copy)]
pub(super) struct Within<'f> {
    /// The block.
    pub block: &'f [Code],
    /// The index of the statement.
    pub at: usize,
    /// Whether the block is the body of a function.
    pub is_function: bool,
}

impl<'a> Scene<'a> {
    /// Creates the scene of a finding; `None` if it is about another file.
    pub fn of(
        source: &'a SourceText,
        analysis: &'a Analysis,
        finding: &'a Finding,
        language: Language,
    ) -> Option<Self> {
        let is_here = finding.elsewhere.is_none();
        let inside = source.as_str().get(finding.span.range()).is_some();
        (is_here && inside).then(|| Scene {
            source,
            analysis,
            finding,
            language,
            file: OnceCell::new(),
            layout: OnceCell::new(),
            scopes: OnceCell::new(),
        })
    }

    /// Returns the language of the kernel; `None` where there is no kernel.
    pub fn notation(&self) -> Option<Notation> {
        Some(self.program()?.toolchain.notation)
    }

    /// Returns whether a C++ statement begins at a span: the span is first on its line, and the code before it ends
    /// with `;` or a brace.
    pub fn begins_in_cpp(&self, span: Span) -> bool {
        let mut end = self.lines(span).start;
        let mut before = "";
        while before.is_empty() && end > 0 {
            let above = self.lines(Span {
                start: end - 1,
                end: end - 1,
            });
            let mut comments = self.layout().comments.iter();
            let comment = comments.rfind(|it| above.to(**it) == above);
            let code = Span {
                start: above.start,
                end: comment.map_or(above.end, |it| it.start),
            };
            before = self.text(code).trim();
            end = above.start;
        }
        let is_over = before.is_empty() || before.ends_with([';', '{', '}']);
        self.starts_line(span) && is_over && !before.starts_with('#')
    }

    /// Returns the text of a span.
    pub fn text(&self, span: Span) -> &'a str {
        self.source.as_str().get(span.range()).unwrap_or_default()
    }

    /// Returns the whole text.
    pub fn all(&self) -> &'a str {
        self.source.as_str()
    }

    /// Returns the kernel of the finding.
    pub fn program(&self) -> Option<&'a Program> {
        let mut programs = self.analysis.module.programs.iter();
        programs.find(|program| self.finding.is_in(&program.name))
    }

    /// Returns the dialect of the kernel.
    pub fn dialect(&self) -> Dialect {
        self.program()
            .map_or_else(Dialect::default, |it| it.dialect)
    }

    /// Returns the instruction of the innermost statement that contains a span.
    pub fn instr(&self, span: Span) -> Option<(&'a Stmt, &'a Instr)> {
        let instructions = self.program()?.instructions();
        let around = |stmt: &Stmt| stmt.span.start <= span.start && span.end <= stmt.span.end;
        let found = instructions.into_iter().filter(|(stmt, _)| around(stmt));
        found.min_by_key(|(stmt, _)| stmt.span.end - stmt.span.start)
    }

    /// Returns the buffer whose allocation has a span.
    pub fn buffer_at(&self, span: Span) -> Option<&'a Buffer> {
        let mut buffers = self.program()?.buffers.iter();
        buffers.find(|buffer| buffer.span == span)
    }

    /// Iterates over the spans of the finding's labels.
    pub fn labels(&self) -> impl Iterator<Item = Span> + 'a {
        self.finding.labels.iter().map(|label| label.span)
    }

    // ---- lines

    /// Returns the lines that a span touches, including line breaks.
    pub fn lines(&self, span: Span) -> Span {
        let text = self.all();
        let start = text
            .part(..span.start as usize)
            .rfind('\n')
            .map_or(0, |at| at + 1);
        let end = text.part(span.end as usize..).find('\n');
        let end = end.map_or(text.len(), |at| span.end as usize + at + 1);
        Span::new(start, end)
    }

    /// Returns the white space before the first token of a line.
    pub fn indent(&self, span: Span) -> &'a str {
        let line = self.text(self.lines(span));
        line.part(..line.len() - line.trim_start().len())
    }

    /// Returns whether only white space precedes a span on its line.
    pub fn starts_line(&self, span: Span) -> bool {
        let line = self.lines(span);
        let before = Span {
            start: line.start,
            end: span.start,
        };
        self.text(before).trim().is_empty()
    }

    /// Returns the start of the lines of a span, including comments directly above with the same indentation.
    pub fn attached(&self, span: Span) -> u32 {
        let indent = self.indent(span);
        let mut start = self.lines(span).start;
        while let Some(end) = start.checked_sub(1) {
            let above = self.lines(Span { start: end, end });
            let is_comment = self.language == Language::Easyasc
                && self
                    .text(above)
                    .strip_prefix(indent)
                    .is_some_and(|it| it.starts_with('#'))
                && self
                    .layout()
                    .comments
                    .iter()
                    .any(|it| above.to(*it) == above);
            if !is_comment {
                break;
            }
            start = above.start;
        }
        start
    }

    /// Returns the line comments in a range.
    pub fn comments(&self, range: Span) -> Vec<Span> {
        let comments = self.layout().comments.iter().copied();
        comments
            .filter(|comment| range.to(*comment) == range)
            .collect()
    }

    /// Counts the lines of a span that contain code.
    pub fn code_lines(&self, span: Span) -> usize {
        let lines = self.text(span).lines().map(str::trim_start);
        let code = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
        code.count()
    }

    /// Changes the indentation of lines. Lines that start inside of a string are kept.
    pub fn reindented(&self, lines: Span, reindent: impl Fn(&str) -> String) -> String {
        let mut at = lines.start;
        let mut text = String::new();
        for line in self.text(lines).split_inclusive('\n') {
            let mut quoted = self.layout().quoted.iter();
            match quoted.any(|span| span.start < at && at < span.end) {
                true => text.push_str(line),
                false => text.push_str(&reindent(line)),
            }
            at += line.len() as u32;
        }
        text
    }

    /// Returns the layout of the text: its comments and literals.
    fn layout(&self) -> &Layout {
        let read = || Layout::of(self.all(), self.language);
        self.layout.get_or_init(read)
    }

    /// Inserts lines before the statement of a span and the comments above it, with the same indentation.
    pub fn above(&self, span: Span, lines: &[String]) -> Option<Edit> {
        let at = self.attached(span);
        self.starts_line(span).then(|| Edit {
            span: Span { start: at, end: at },
            text: self.indented(self.indent(span), lines),
        })
    }

    /// Inserts lines after those of a span, indented like its first line.
    pub fn below(&self, span: Span, lines: &[String]) -> Option<Edit> {
        let whole = self.lines(span);
        let ends = self.text(whole).ends_with('\n');
        let text = self.indented(self.indent(span), lines);
        self.starts_line(span).then(|| Edit {
            span: Span {
                start: whole.end,
                end: whole.end,
            },
            text: if ends { text } else { format!("\n{text}") },
        })
    }

    fn indented(&self, indent: &str, lines: &[String]) -> String {
        let line = |line: &String| format!("{indent}{line}\n");
        lines.iter().map(line).collect()
    }

    /// Removes the lines of a span.
    pub fn without(&self, span: Span) -> Edit {
        replace(self.lines(span), "")
    }

    // ---- calls and brackets

    /// Returns the items of the first bracket of a kind in a span.
    pub fn items(&self, span: Span, open: char) -> Vec<Span> {
        let text = self.text(span);
        match text.find(open) {
            Some(at) => split(text, at, span.start),
            None => Vec::new(),
        }
    }

    /// Returns the arguments of a call.
    pub fn arguments(&self, call: Span) -> Vec<Span> {
        self.items(call, '(')
    }

    /// Returns the value of a keyword argument of a call.
    pub fn keyword(&self, call: Span, name: &str) -> Option<Span> {
        self.arguments(call).into_iter().find_map(|argument| {
            let (key, value) = self.text(argument).split_once('=')?;
            let value = value.trim_start();
            (key.trim() == name && !value.starts_with('=')).then(|| Span {
                start: argument.end - value.len() as u32,
                end: argument.end,
            })
        })
    }

    /// Appends an argument to a call, which must have one already.
    pub fn append(&self, call: Span, argument: &str) -> Option<Edit> {
        let last = *self.arguments(call).last()?;
        let at = Span {
            start: last.end,
            end: last.end,
        };
        Some(replace(at, format!(", {argument}")))
    }

    /// Removes a keyword argument of a call with its comma. It must not be the first argument.
    pub fn drop_argument(&self, call: Span, name: &str) -> Option<Edit> {
        let value = self.keyword(call, name)?;
        let arguments = self.arguments(call);
        let at = arguments.iter().position(|it| it.end == value.end)?;
        let start = arguments.get(at.checked_sub(1)?)?.end;
        let end = value.end;
        Some(replace(Span { start, end }, ""))
    }

    // ---- blocks

    /// Returns the syntax of the file.
    fn file(&self) -> &File {
        self.file.get_or_init(|| python::parse(self.source))
    }

    /// Returns the blocks that contain an offset, outermost first.
    pub fn around(&self, at: u32) -> Vec<Within<'_>> {
        let mut chain = Vec::new();
        let mut block: &[Code] = &self.file().body;
        let mut is_function = false;
        'deeper: loop {
            let holds = |code: &Code| code.span.start <= at && at < code.span.end;
            let Some(found) = block.iter().position(holds) else {
                return chain;
            };
            chain.push(Within {
                block,
                at: found,
                is_function,
            });
            for (inner, is_body) in blocks(&block[found]) {
                if inner.iter().any(holds) {
                    (block, is_function) = (inner, is_body);
                    continue 'deeper;
                }
            }
            return chain;
        }
    }

    /// Returns the blocks that contain an offset within the innermost function, its body first.
    pub fn in_function(&self, at: u32) -> Vec<Within<'_>> {
        let mut chain = self.around(at);
        let body = chain.iter().rposition(|within| within.is_function);
        match body {
            Some(body) => chain.split_off(body),
            None => Vec::new(),
        }
    }

    /// Returns the innermost statement that contains a span.
    pub fn statement(&self, span: Span) -> Option<Span> {
        let within = *self.around(span.start).last()?;
        Some(within.code().span)
    }

    /// Returns the outermost statement of the function that contains a span. Declarations above it are visible in all
    /// of it.
    pub fn outermost(&self, span: Span) -> Option<Span> {
        Some(self.in_function(span.start).first()?.code().span)
    }

    /// Returns the innermost block that contains both spans, with the indices of their statements.
    pub fn shared(&self, a: Span, b: Span) -> Option<(Within<'_>, usize, usize)> {
        let (first, second) = (self.in_function(a.start), self.in_function(b.start));
        let pairs = first.iter().zip(&second);
        let mut same = pairs.filter(|(a, b)| a.block.as_ptr() == b.block.as_ptr());
        let (a, b) = same.next_back()?;
        Some((*a, a.at.min(b.at), a.at.max(b.at)))
    }

    // ---- names

    /// Returns a name that does not occur in the text.
    pub fn fresh(&self, name: &str) -> String {
        let has = |name: &str| self.words().any(|word| word == name);
        let mut candidates = (2..).map(|number| format!("{name}{number}"));
        match has(name) {
            false => name.to_owned(),
            true => candidates.find(|it| !has(it)).unwrap_or_default(),
        }
    }

    fn words(&self) -> impl Iterator<Item = &'a str> {
        self.all()
            .split(|c: char| !(c.is_alphanumeric() || c == '_'))
    }

    /// Returns the occurrences of a word as a name in a range. Those in strings and comments and, in Python, names of
    /// keyword arguments do not count; those in the values of f-strings do.
    pub fn occurrences(&self, range: Span, word: &str) -> Vec<Span> {
        let text = self.text(range);
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        let found = text.match_indices(word).filter(|(at, _)| {
            let before = text.part(..*at).chars().next_back();
            let after = text.part(at + word.len()..).chars().next();
            !before.is_some_and(is_part) && !after.is_some_and(is_part)
        });
        let start = range.start as usize;
        let span = |(at, _): (usize, &str)| Span::new(start + at, start + at + word.len());
        found.map(span).filter(|it| self.is_name(*it)).collect()
    }

    /// Returns whether a word is a name or an attribute.
    fn is_name(&self, word: Span) -> bool {
        let layout = self.layout();
        let mut others = layout.comments.iter().chain(&layout.quoted);
        let is_code = !others.any(|other| other.start <= word.start && word.end <= other.end);
        if self.language != Language::Easyasc {
            return is_code;
        }
        let before = self.all().part(..word.start as usize).trim_end();
        let is_bound = self
            .scopes()
            .at(word.start)
            .is_some_and(|(_, place)| place == word);
        is_bound || is_code && before.ends_with('.')
    }

    /// Returns the symbol that the name at a span refers to.
    pub fn symbol(&self, place: Span) -> Option<&Symbol> {
        let (symbol, own) = self.scopes().at(place.start)?;
        (own == place).then_some(symbol)
    }

    fn scopes(&self) -> &Scopes {
        self.scopes.get_or_init(|| Scopes::of(self.file()))
    }

    /// Adapts the DSL names of edits to the imports of the file; `None` if it uses a name for something else.
    pub fn spelled(&self, edits: Vec<Edit>) -> Option<Vec<Edit>> {
        match self.language {
            Language::Easyasc => spelled(self.source, self.file(), edits),
            _ => Some(edits),
        }
    }
}

impl<'f> Within<'f> {
    /// Returns the statement that contains the place.
    pub fn code(&self) -> &'f Code {
        &self.block[self.at]
    }
}

/// Returns the blocks inside of a statement, and whether each is the body of a function.
fn blocks(code: &Code) -> Vec<(&[Code], bool)> {
    match &code.kind {
        CodeKind::For { body, orelse, .. } | CodeKind::While { body, orelse, .. } => {
            vec![(body, false), (orelse, false)]
        }
        CodeKind::If { arms, orelse } => {
            let arms = arms.iter().map(|(_, body)| (body.as_slice(), false));
            arms.chain([(orelse.as_slice(), false)]).collect()
        }
        CodeKind::With { body, .. } => vec![(body, false)],
        CodeKind::Function(function) => vec![(&function.body, true)],
        CodeKind::Class { body, .. } => vec![(body, false)],
        CodeKind::Try { blocks, .. } => blocks.iter().map(|it| (it.as_slice(), false)).collect(),
        CodeKind::Error(body) => vec![(body, false)],
        _ => Vec::new(),
    }
}

/// Returns the trimmed items of the bracket that opens at an offset of a text; empty if it is not closed. Commas in
/// strings do not separate items; escaped quotes and comments are not recognised.
fn split(text: &str, open: usize, base: u32) -> Vec<Span> {
    let mut bounds = Vec::new();
    let mut depth = 0;
    let mut start = open + 1;
    let mut quote: Option<u8> = None;
    for (at, byte) in text.bytes().enumerate().skip(open) {
        match (quote, byte) {
            (Some(end), byte) if byte == end => quote = None,
            (Some(_), _) => {}
            (None, b'"' | b'\'') => quote = Some(byte),
            (None, b'(' | b'[' | b'{') => depth += 1,
            (None, b')' | b']' | b'}') => {
                depth -= 1;
                if depth == 0 {
                    bounds.push((start, at));
                    break;
                }
            }
            (None, b',') if depth == 1 => {
                bounds.push((start, at));
                start = at + 1;
            }
            _ => {}
        }
    }
    let is_closed = depth == 0;
    let items = bounds.into_iter().filter_map(|(from, to)| {
        let item = text.part(from..to);
        let trimmed = item.trim();
        let at = base as usize + from + (item.len() - item.trim_start().len());
        (is_closed && !trimmed.is_empty()).then(|| Span::new(at, at + trimmed.len()))
    });
    items.collect()
}

/// Creates an edit that replaces a span.
pub(super) fn replace(span: Span, text: impl Into<String>) -> Edit {
    Edit {
        span,
        text: text.into(),
    }
}

/// Creates a candidate that may change the result of the kernel.
pub(super) fn guess(title: impl Into<String>, edits: Vec<Edit>) -> Candidate {
    Candidate {
        title: title.into(),
        edits,
        effect: Effect::Guess,
    }
}

/// Creates a candidate that changes only synchronisation.
pub(super) fn order(title: impl Into<String>, edits: Vec<Edit>) -> Candidate {
    Candidate {
        title: title.into(),
        edits,
        effect: Effect::Order,
    }
}

/// Sorts edits and joins insertions at one place into one edit, in their order.
pub(super) fn joined(mut edits: Vec<Edit>) -> Vec<Edit> {
    edits.sort_by_key(|edit| edit.span);
    let mut all: Vec<Edit> = Vec::new();
    for edit in edits {
        match all.last_mut() {
            Some(last) if last.span == edit.span => last.text += &edit.text,
            _ => all.push(edit),
        }
    }
    all
}
