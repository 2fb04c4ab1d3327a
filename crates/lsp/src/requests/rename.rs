//! `textDocument/rename`, within one file.

use std::collections::HashMap;

use tower_lsp::jsonrpc::{Error, Result};
use tower_lsp::ls_types::*;

use crate::snapshot::Snapshot;
use a2lint_source::text::Span;
use a2lint_syntax::python::scopes::Symbol;

/// Python keywords, which cannot be names.
const KEYWORDS: &[&str] = &[
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue",
    "def", "del", "elif", "else", "except", "finally", "for", "from", "global", "if", "import",
    "in", "is", "lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try", "while",
    "with", "yield",
];

/// Returns the range of the name at a position, if it can be renamed.
pub fn prepare(snapshot: &Snapshot, position: Position) -> Option<PrepareRenameResponse> {
    let (symbol, span) = snapshot.scopes().at(snapshot.offset(position))?;
    is_own(symbol).then(|| PrepareRenameResponse::RangeWithPlaceholder {
        range: snapshot.range(span),
        placeholder: symbol.name.clone(),
    })
}

/// Returns the edits that rename all occurrences of the name at a position.
pub fn rename(snapshot: &Snapshot, position: Position, new: &str) -> Result<Option<WorkspaceEdit>> {
    let scopes = snapshot.scopes();
    let Some((symbol, _)) = scopes.at(snapshot.offset(position)) else {
        return Ok(None);
    };
    if !is_own(symbol) {
        let name = &symbol.name;
        let reason = format!("`{name}` is imported, or named by a keyword argument");
        return Err(Error::invalid_params(reason));
    }
    if !is_name(new) {
        return Err(Error::invalid_params(format!("`{new}` is not a name")));
    }
    let places = symbol.occurrences();
    if scopes
        .symbols()
        .iter()
        .any(|other| meets(other, new, &places))
    {
        let reason = format!("`{new}` already means something else here");
        return Err(Error::invalid_params(reason));
    }
    let edits = places.into_iter();
    let edits = edits.map(|span| TextEdit::new(snapshot.range(span), new.to_owned()));
    let changes = HashMap::from([(snapshot.uri.clone(), edits.collect())]);
    Ok(Some(WorkspaceEdit::new(changes)))
}

/// Returns whether all uses of a name are in this file: it is not imported, and no keyword argument names it.
fn is_own(symbol: &Symbol) -> bool {
    !symbol.is_public && !symbol.bindings.is_empty()
}

/// Returns whether another symbol called `new` occurs between the first and the last of these places. This is coarser
/// than scopes, so that a rename never captures another variable.
fn meets(other: &Symbol, new: &str, places: &[Span]) -> bool {
    let (Some(first), Some(last)) = (places.first(), places.last()) else {
        return false;
    };
    let is_between = |span: &Span| first.start <= span.start && span.end <= last.end;
    other.name == new && other.occurrences().iter().any(is_between)
}

fn is_name(text: &str) -> bool {
    let mut chars = text.chars();
    let first = chars.next().is_some_and(|c| c.is_alphabetic() || c == '_');
    first && chars.all(|c| c.is_alphanumeric() || c == '_') && !KEYWORDS.contains(&text)
}
