//! Reads pieces of the source text and builds edits of it, for rewrites.

use crate::Facts;
use a2lint_ir::finding::Edit;
use a2lint_ir::{Buffer, Stmt};
use a2lint_isa::{DType, Opcode, Pipe, TypeRule};
use a2lint_source::text::Span;

/// Returns the two extents of an allocation as written; `None` if the call does not spell them out.
pub(crate) fn extents(facts: &Facts, buffer: &Buffer) -> Option<[String; 2]> {
    let call = facts.source.slice(buffer.span);
    let inside = call.split_once('[')?.1.split_once(']')?.0;
    let (rows, columns) = inside.split_once(',')?;
    let plain = |text: &str| !text.contains(['(', ')', ',', '[', '#']) && !text.trim().is_empty();
    (plain(rows) && plain(columns)).then(|| [rows, columns].map(|text| text.trim().to_owned()))
}

/// Returns how the file spells the namespace of element types (`DT`, `ea.DT`), taken from an allocation.
pub(crate) fn types_namespace<'a>(facts: &Facts<'a>, buffer: &Buffer) -> Option<&'a str> {
    let call = facts.source.slice(buffer.span);
    let (before, _) = call.split_once('(')?.1.split_once("DT.")?;
    let start = before
        .rfind(|c: char| !(c.is_alphanumeric() || c == '_' || c == '.'))
        .map_or(0, |at| at + 1);
    let arguments = call.find('(')? + 1;
    call.get(arguments + start..arguments + before.len() + "DT".len())
}

/// Returns the edit that replaces the pipe of an argument spelled `….NAME`.
pub(crate) fn replace_pipe(facts: &Facts, argument: Span, from: Pipe, to: Pipe) -> Option<Edit> {
    let namespace = facts.source.slice(argument).strip_suffix(from.name())?;
    namespace.ends_with('.').then(|| Edit {
        span: argument,
        text: format!("{namespace}{to}"),
    })
}

/// Returns zero as a literal of an element type.
pub(crate) fn zero_literal(dtype: DType) -> &'static str {
    if dtype.is_float() { "0.0" } else { "0" }
}

/// Returns whether an instruction whose operands share one type accepts this type.
pub(crate) fn accepts(opcode: Opcode, dtype: DType) -> bool {
    match opcode.row().types {
        TypeRule::Same(types) => types.contains(&dtype),
        _ => false,
    }
}

/// Returns the edit that appends a keyword argument to the call of a statement.
pub(crate) fn append_argument(facts: &Facts, stmt: &Stmt, argument: &str) -> Option<Edit> {
    let inside = facts.source.slice(stmt.span).strip_suffix(')')?;
    let written = inside.trim_end();
    let at = stmt.span.start + written.len() as u32;
    let text = match written.ends_with(',') {
        true => format!(" {argument}"),
        false => format!(", {argument}"),
    };
    // An argument appended after a comment would become part of the comment.
    let comment = inside.lines().last().is_some_and(|line| line.contains('#'));
    (!comment).then_some(Edit {
        span: Span { start: at, end: at },
        text,
    })
}
