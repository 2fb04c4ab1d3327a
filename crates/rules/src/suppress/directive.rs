//! Parses one suppression comment.

use super::{Layout, MARK, Suppressions};
use crate::{Rule, find};
use a2lint_source::spelling::one_edit_away;
use a2lint_source::text::{Slice, SourceText, Span};

/// Upper bound on the names in one comment; the catalogue has fewer rules.
pub(super) const MAX_NAMES: usize = 256;

a2lint_isa::named! {
    /// The kinds of suppression comments, the narrowest scope first.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Keyword {
        /// `ignore`: silences a statement.
        Ignore = "ignore",
        /// `disable`: silences everything up to the next `enable`.
        Disable = "disable",
        /// `enable`: ends a `disable`.
        Enable = "enable",
        /// `file-ignore`: silences the file.
        FileIgnore = "file-ignore",
    }
    /// Returns the keyword as written.
    fn word
}

/// Keywords of `a2lint:` comments that are not suppressions.
const OTHER_WORDS: [&str; 5] = ["launch", "assume", "shapes", "device", "auto-sync"];

/// A suppression comment.
#[derive(Debug)]
pub struct Directive {
    /// The keyword.
    pub keyword: Keyword,
    /// From its comment sign to its end.
    pub span: Span,
    /// The text between the brackets.
    pub list: Span,
    /// The rules it names.
    pub entries: Vec<Entry>,
}

/// One rule that a suppression names.
#[derive(Debug)]
pub struct Entry {
    /// The span of the name.
    pub place: Span,
    /// The name or code as written.
    pub name: String,
    /// The rule; `None` if the name is unknown.
    pub rule: Option<&'static Rule>,
    /// Findings that start here are silenced.
    pub scope: Span,
    /// Whether it silenced a finding, or ended a region.
    pub used: bool,
    /// The entry of the `enable` that ends this `disable`.
    pub ending: Option<Span>,
}

/// An `a2lint:` comment that cannot be read.
#[derive(Debug)]
pub struct Problem {
    /// The comment.
    pub span: Span,
    /// The message, without a full stop.
    pub message: String,
}

/// Reads the suppressions of one comment, which may contain several, one after the other.
pub(super) fn read(source: &SourceText, layout: &Layout, comment: Span, into: &mut Suppressions) {
    let text = source.slice(comment);
    let sign = layout.language.line_comment();
    if let Some(word) = without_colon(text, sign) {
        let message = format!("a comment needs a colon to count: `a2lint: {word}`");
        let span = comment;
        into.problems.push(Problem { span, message });
    }
    let mut starts: Vec<usize> = text
        .match_indices(sign)
        .map(|(at, _)| at)
        .filter(|at| text.part(at + sign.len()..).trim_start().starts_with(MARK))
        .collect();
    starts.push(text.len());
    for pair in starts.windows(2) {
        let part = text.part(pair[0]..pair[1]).trim_end();
        let start = comment.start as usize + pair[0];
        let span = Span::new(start, start + part.len());
        match parse(source, span, sign) {
            Ok(Some(mut directive)) => {
                let scope = scope(source, layout, &directive);
                for entry in &mut directive.entries {
                    entry.scope = scope;
                }
                into.directives.push(directive);
            }
            Ok(None) => {}
            Err(message) => into.problems.push(Problem { span, message }),
        }
    }
}

/// Returns the keyword of a comment that has all of `a2lint: launch(…)` but the colon.
fn without_colon<'t>(text: &'t str, sign: &str) -> Option<&'t str> {
    let body = text.strip_prefix(sign)?.trim_start();
    let body = body.strip_prefix(MARK.trim_end_matches(':'))?;
    let word = body.trim_start();
    let end = word.find(['(', '['])?;
    let word = word.part(..end);
    let is_known =
        OTHER_WORDS.contains(&word) || Keyword::ALL.into_iter().any(|k| k.word() == word);
    (body.starts_with(' ') && is_known).then_some(word)
}

/// Parses the suppression in `span`; `None` for `a2lint:` comments of other kinds.
fn parse(source: &SourceText, span: Span, sign: &str) -> Result<Option<Directive>, String> {
    let text = source.slice(span);
    let body = text.part(sign.len()..).trim_start();
    let body = body.part(MARK.len()..).trim_start();
    let at = |rest: &str| span.end as usize - rest.len();
    let word_end = body
        .find(|c: char| !c.is_ascii_alphanumeric() && c != '-' && c != '_')
        .unwrap_or(body.len());
    let (word, rest) = body.split_at(word_end);
    if OTHER_WORDS.contains(&word) {
        return Ok(None);
    }
    let Some(keyword) = Keyword::ALL.into_iter().find(|k| k.word() == word) else {
        let known = Keyword::ALL
            .into_iter()
            .map(Keyword::word)
            .chain(OTHER_WORDS);
        if let Some(near) = one_edit_away(word, known) {
            return Err(format!(
                "`{word}` means nothing here: did you mean `{near}`?"
            ));
        }
        return Err(format!(
            "`{word}` means nothing here; known are ignore, disable, enable, file-ignore, launch, \
             assume, shapes, device and auto-sync"
        ));
    };
    let list = rest
        .trim_start()
        .strip_prefix('[')
        .and_then(|list| Some((list, list.find(']')?)));
    let Some((list, length)) = list else {
        let example = format!("{word}[dup-coverage]");
        return Err(format!("`{word}` names no rule; write `{example}`"));
    };
    let start = at(list);
    let entries = entries(list.part(..length), start);
    if entries.is_empty() {
        return Err(format!("`{word}[]` names no rule"));
    }
    if entries.len() > MAX_NAMES {
        let names = entries.len();
        return Err(format!(
            "`{word}` names {names} rules; a comment names at most {MAX_NAMES}, and silences nothing beyond"
        ));
    }
    Ok(Some(Directive {
        keyword,
        span,
        list: Span::new(start, start + length),
        entries,
    }))
}

fn entries(list: &str, start: usize) -> Vec<Entry> {
    let mut entries = Vec::new();
    let mut at = start;
    for part in list.split(',') {
        let name = part.trim();
        let first = at + (part.len() - part.trim_start().len());
        at += part.len() + 1;
        if name.is_empty() {
            continue;
        }
        let place = Span::new(first, first + name.len());
        entries.push(Entry {
            place,
            name: name.to_owned(),
            rule: find(name),
            scope: Span::default(),
            used: false,
            ending: None,
        });
    }
    entries
}

/// Returns the text in which a directive silences findings. `close_regions` sets that of `disable` later.
fn scope(source: &SourceText, layout: &Layout, directive: &Directive) -> Span {
    match directive.keyword {
        Keyword::Ignore => layout.statement_of(source, directive.span),
        _ => Span::new(0, source.as_str().len()),
    }
}
