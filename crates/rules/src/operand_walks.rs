//! Operand walks (strides, repeats, broadcasts) as the coverage rules need them.

use crate::Facts;
use a2lint_analysis::resolved;
use a2lint_ir::{ArgSource, Instr, LocalView};
use a2lint_isa::ParamKind;

/// Returns the name of the parameter that an operand is passed for.
pub(crate) fn operand_name(instr: &Instr, index: usize) -> &'static str {
    instr.row().param(index).map_or("", |param| param.name)
}

/// Returns whether the strides of an operand are those that its view implies.
pub(crate) fn inferred_strides(instr: &Instr, index: usize) -> bool {
    let inferred = |kind| {
        let arg = instr.arg(kind);
        arg.is_none_or(|arg| !matches!(arg.source, ArgSource::Given(_)))
    };
    inferred(ParamKind::BlockStride(index)) && inferred(ParamKind::RepeatStride(index))
}

/// Returns whether the number of repeats is the one that the views imply.
pub(crate) fn inferred_repeat(instr: &Instr) -> bool {
    let arg = instr.arg(ParamKind::Repeat);
    arg.is_none_or(|arg| !matches!(arg.source, ArgSource::Given(_)))
}

/// Returns whether an operand of several rows is broadcast: its shape implies a block stride of zero, one block per
/// repeat.
pub(crate) fn is_broadcast(facts: &Facts, instr: &Instr, index: usize) -> bool {
    let rows = instr.local(index).and_then(|view| rows(facts, view));
    resolved(facts.program, instr, ParamKind::BlockStride(index)) == Some(0)
        && inferred_strides(instr, index)
        && rows.is_some_and(|rows| rows > 1)
}

/// Returns the constant number of rows of a view.
pub(crate) fn rows(facts: &Facts, view: &LocalView) -> Option<i64> {
    facts.program.size(view.span[0])
}

/// Returns the constant number of columns of a view.
pub(crate) fn columns(facts: &Facts, view: &LocalView) -> Option<i64> {
    facts.program.size(view.span[1])
}
