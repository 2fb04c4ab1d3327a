//! Pieces of the author's own text, for rewrites.

use crate::Facts;
use a2lint_ir::finding::Edit;
use a2lint_ir::{Buffer, Stmt};
use a2lint_isa::{DType, Opcode, Pipe, TypeRule};
use a2lint_source::text::Span;

/// The two extents of an allocation as they are written; `None` where the shape is not spelled out
/// in the call.
pub(crate) fn extents(facts: &Facts, buffer: &Buffer) -> Option<[String; 2]> {
    let call = facts.source.slice(buffer.span);
    let inside = call.split_once('[')?.1.split_once(']')?.0;
    let (rows, columns) = inside.split_once(',')?;
    let plain = |text: &str| !text.contains(['(', ')', ',', '[', '#']) && !text.trim().is_empty();
    (plain(rows) && plain(columns)).then(|| [rows, columns].map(|text| text.trim().to_owned()))
}

/// How the file spells the namespace of element types (`DT`, `ea.DT`), taken from an allocation.
pub(crate) fn types_namespace<'a>(facts: &Facts<'a>, buffer: &Buffer) -> Option<&'a str> {
    let call = facts.source.slice(buffer.span);
    let (before, _) = call.split_once('(')?.1.split_once("DT.")?;
    let start = before
        .rfind(|c: char| !(c.is_alphanumeric() || c == '_' || c == '.'))
        .map_or(0, |at| at + 1);
    let arguments = call.find('(')? + 1;
    call.get(arguments + start..arguments + before.len() + "DT".len())
}

/// Replaces the pipe that an argument spells as `….NAME`.
pub(crate) fn replace_pipe(facts: &Facts, argument: Span, from: Pipe, to: Pipe) -> Option<Edit> {
    let namespace = facts.source.slice(argument).strip_suffix(from.name())?;
    namespace.ends_with('.').then(|| Edit {
        span: argument,
        text: format!("{namespace}{to}"),
    })
}

/// Zero as a literal of an element type.
pub(crate) fn zero_literal(dtype: DType) -> &'static str {
    if dtype.is_float() { "0.0" } else { "0" }
}

/// Whether an instruction whose operands share one type takes this one.
pub(crate) fn accepts(opcode: Opcode, dtype: DType) -> bool {
    match opcode.row().types {
        TypeRule::Same(types) => types.contains(&dtype),
        _ => false,
    }
}

/// Appends a keyword argument to the call that a statement consists of.
pub(crate) fn append_argument(facts: &Facts, stmt: &Stmt, argument: &str) -> Option<Edit> {
    let inside = facts.source.slice(stmt.span).strip_suffix(')')?;
    let written = inside.trim_end();
    let at = stmt.span.start + written.len() as u32;
    let text = match written.ends_with(',') {
        true => format!(" {argument}"),
        false => format!(", {argument}"),
    };
    let comment = inside.lines().last().is_some_and(|line| line.contains('#'));
    (!comment).then_some(Edit {
        span: Span { start: at, end: at },
        text,
    })
}
