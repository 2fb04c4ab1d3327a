//! Syntax errors in kernels and in the code that they use.

use std::collections::{HashMap, HashSet};

use super::unknown::whole_lines;
use a2lint_ir::{Note, NoteKind, OriginId, Program};
use a2lint_source::text::{Slice, SourceText, Span};
use a2lint_syntax::python::Syntax;
use a2lint_syntax::python::ast::{ErrorReason, StmtKind, SyntaxError};

/// Returns notes for syntax errors in kernels, in functions that they call, and at the outermost level of a file with
/// kernels. Only the first error of each definition is noted: later ones may follow from it.
pub(super) fn notes(
    source: &SourceText,
    syntax: &Syntax,
    programs: &[Program],
    called: &HashSet<Span>,
) -> Vec<Note> {
    let file = &syntax.file;
    // Texts that are too deep or too long are reported as not analysed; they are no mistakes of the user.
    let is_mistake = |error: &&SyntaxError| {
        !matches!(error.reason, ErrorReason::TooDeep | ErrorReason::TooCostly)
    };
    let mut errors = file.errors.iter().filter(is_mistake).peekable();
    if errors.peek().is_none() {
        return Vec::new();
    }
    let has_kernels = !programs.is_empty() || decorates_a_kernel(source.as_str());
    let mut notes = Vec::new();
    // A set: an unfinished definition may have as many errors as lines.
    let mut examined: HashSet<Span> = HashSet::new();
    let mut colons: HashMap<Span, &SyntaxError> = HashMap::new();
    // Collected before the loop, as the missing colon may come after the error that it explains.
    for error in &file.errors {
        if error.reason == ErrorReason::Missing(":".to_owned()) {
            let around = syntax.piece_at(error.span.start);
            colons.entry(around).or_insert(error);
        }
    }
    // If a `def` line does not parse, the decorators before it are an error of their own, which follows from the same
    // mistake: they are shown only if nothing after them is.
    let mut decorators: Option<(Span, &SyntaxError)> = None;
    for error in errors {
        let around = syntax.piece_at(error.span.start);
        let concerns_kernels = || {
            let holds = |span: &Span| around.start <= span.start && span.end <= around.end;
            let mut kernels = programs.iter().map(|program| &program.span);
            kernels.any(&holds)
                || called.iter().any(holds)
                || decorates_a_kernel(source.slice(around))
                || (has_kernels && !is_definition(syntax, around))
        };
        let before = decorators.take();
        let follows = before.is_some_and(|(before, _)| before.end == around.start);
        if !follows {
            notes.extend(before.map(|(around, error)| note(source, error, around)));
        }
        if !examined.insert(around) || !(follows || concerns_kernels()) {
            continue;
        }
        if is_decorators(source.slice(around)) {
            decorators = Some((around, error));
            continue;
        }
        // A missing colon explains errors before and after it, so it is what the note shows.
        let colon = colons.get(&around).copied();
        notes.push(note(source, colon.unwrap_or(error), around));
    }
    notes.extend(decorators.map(|(around, error)| note(source, error, around)));
    notes
}

/// Returns whether a piece of the file contains a definition.
fn is_definition(syntax: &Syntax, piece: Span) -> bool {
    let body = syntax.file.body.iter();
    let mut inside =
        body.filter(|stmt| piece.start <= stmt.span.start && stmt.span.end <= piece.end);
    inside.any(|stmt| matches!(stmt.kind, StmtKind::Function(_) | StmtKind::Class { .. }))
}

/// Returns whether a piece consists of decorators without a definition.
fn is_decorators(piece: &str) -> bool {
    let starts = |word: &str| piece.lines().any(|line| line.starts_with(word));
    piece.starts_with('@') && !["def ", "async ", "class "].into_iter().any(starts)
}

/// Returns whether text has a decorator whose last name is `kernel`.
fn decorates_a_kernel(text: &str) -> bool {
    // The definition cannot be parsed, so its text is searched.
    text.lines().any(|line| {
        let name = line.trim_start().strip_prefix('@').map(str::trim_start);
        name.is_some_and(|name| {
            let end = name.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '.'));
            name.part(..end.unwrap_or(name.len())).rsplit('.').next() == Some("kernel")
        })
    })
}

fn note(source: &SourceText, error: &SyntaxError, around: Span) -> Note {
    let text = source.as_str();
    let lines = whole_lines(text, error.span);
    // The parser gives up at the decorator of a definition that does not parse.
    let is_decorator = text.part(lines.range()).trim_start().starts_with('@');
    let lines = if is_decorator { around } else { lines };
    let (span, message, missing) = diagnosis(text, error, lines);
    Note {
        span,
        origin: OriginId(0),
        kind: NoteKind::SyntaxError { message, missing },
    }
}

type Diagnosis = (Span, String, Option<(Span, &'static str)>);

/// Returns the message for a syntax error in `lines`, its place, and the text that is missing there, if that is certain.
fn diagnosis(text: &str, error: &SyntaxError, lines: Span) -> Diagnosis {
    if let ErrorReason::Indentation(what) = error.reason {
        return (error.span, what.to_owned(), None);
    }
    // Brackets first: an unbalanced bracket makes the parser fail anywhere after it, with a message that misleads.
    if let Some((span, message)) = unbalanced(text.part(lines.range()), lines.range().start) {
        return (span, message, None);
    }
    match &error.reason {
        ErrorReason::Missing(what) if what == "block" => {
            let at = shown(text, error.span);
            (at, "an indented block is missing".to_owned(), None)
        }
        ErrorReason::Missing(what) if what == ":" => missing_colon(text, error.span.start as usize),
        ErrorReason::Missing(what) => {
            let at = shown(text, error.span);
            (at, format!("`{what}` is missing"), None)
        }
        // The parser recognises `print x` and `exec x`; nothing else is taken as Python 2.
        ErrorReason::Python2 => {
            let at = first_line(text, error.span);
            (
                at,
                "this is Python 2: call print() and exec()".to_owned(),
                None,
            )
        }
        _ => {
            // Parsers give up at the head of a block without a colon before they reach the place of the colon.
            if let Some(end) = head_without_colon(text.part(lines.range())) {
                return missing_colon(text, lines.range().start + end);
            }
            if let Some(found) = unfinished(text, lines.range().start, lines.range().end) {
                return found;
            }
            let at = first_line(text, error.span);
            (at, "this does not parse".to_owned(), None)
        }
    }
}

/// Returns the place of the operator that a text ends with, as one does that is being typed.
fn unfinished(text: &str, start: usize, end: usize) -> Option<Diagnosis> {
    let written = text.part(start..end).trim_end();
    let last = written
        .chars()
        .next_back()
        .filter(|last| "+-*/%@&|^<>=".contains(*last))?;
    let at = start + written.len() - last.len_utf8();
    let message = format!("nothing comes after `{last}`");
    Some((Span::new(at, at + last.len_utf8()), message, None))
}

fn missing_colon(text: &str, end: usize) -> Diagnosis {
    let at = Span::new(end, end);
    let message = "a `:` is missing at the end of this line".to_owned();
    (shown(text, at), message, Some((at, ":")))
}

/// Returns the end of the first line that opens a block and has no colon.
fn head_without_colon(lines: &str) -> Option<usize> {
    let mut at = 0;
    for line in lines.split_inclusive('\n') {
        // A `#` in a string also ends the line here; such a line is then not recognised, which costs only the better
        // message.
        let code = line.split('#').next().unwrap_or("").trim_end();
        if opens_block(code) && !code.contains(':') && !code.ends_with('\\') {
            return Some(at + code.len());
        }
        at += line.len();
    }
    None
}

fn opens_block(code: &str) -> bool {
    const WORDS: &[&str] = &[
        "async", "class", "def", "elif", "else", "except", "finally", "for", "if", "try", "while",
        "with",
    ];
    let word = code
        .trim_start()
        .split(|c: char| !c.is_alphanumeric())
        .next();
    word.is_some_and(|word| WORDS.contains(&word))
}

/// Returns the part of a span on its first line.
fn first_line(text: &str, span: Span) -> Span {
    let line = text
        .part(span.range())
        .lines()
        .next()
        .unwrap_or("")
        .trim_end();
    shown(
        text,
        Span::new(span.range().start, span.range().start + line.len()),
    )
}

/// Extends an empty span to the character before it, so that there is something to underline.
fn shown(text: &str, span: Span) -> Span {
    if span.start < span.end {
        return span;
    }
    let before = text.part(..span.range().start).trim_end();
    let last = before.chars().next_back().map_or(0, char::len_utf8);
    Span::new(before.len() - last, before.len())
}

/// Returns the first bracket that closes nothing, or else the last one that is never closed.
fn unbalanced(lines: &str, base: usize) -> Option<(Span, String)> {
    let mut open: Vec<(usize, char)> = Vec::new();
    let mut quote: Option<char> = None;
    let mut escaped = false;
    let mut comment = false;
    for (at, c) in lines.char_indices() {
        let here = Span::new(base + at, base + at + c.len_utf8());
        match (quote, c) {
            _ if escaped => escaped = false,
            // A quote that is not closed on its line is an error of its own; treating the next line as code keeps its
            // brackets counted.
            (_, '\n') => (quote, comment) = (None, false),
            _ if comment => {}
            (Some(_), '\\') => escaped = true,
            (Some(end), _) if c == end => quote = None,
            (Some(_), _) => {}
            (None, '#') => comment = true,
            (None, '"' | '\'') => quote = Some(c),
            (None, '(' | '[' | '{') => open.push((base + at, c)),
            (None, ')' | ']' | '}') => match open.pop() {
                None => return Some((here, format!("`{c}` closes nothing"))),
                Some((_, before)) if closing(before) != c => {
                    return Some((here, format!("`{c}` does not close `{before}`")));
                }
                Some(_) => {}
            },
            _ => {}
        }
    }
    let (at, bracket) = open.pop()?;
    let message = format!("`{bracket}` is never closed");
    Some((Span::new(at, at + 1), message))
}

fn closing(bracket: char) -> char {
    match bracket {
        '(' => ')',
        '[' => ']',
        _ => '}',
    }
}
