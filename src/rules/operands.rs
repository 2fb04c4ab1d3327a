//! Operands of instructions, as findings name them.

use super::Facts;
use super::source_forms::text;
use crate::analysis::operand_types;
use crate::ir::{Instr, View};
use crate::isa::DType;
use crate::text::Span;

/// An operand with a known element type.
pub(super) struct Typed {
    pub text: String,
    pub dtype: DType,
    /// Where its memory was declared.
    pub declared: Span,
}

/// The operands of known type, in parameter order.
pub(super) fn typed(facts: &Facts, instr: &Instr) -> Vec<Typed> {
    let types = operand_types(facts.program, instr);
    instr
        .row()
        .operands()
        .zip(types)
        .filter_map(|((index, _), dtype)| {
            let view = instr.view(index)?;
            Some(Typed {
                text: text(facts, view.site()),
                dtype: dtype?,
                declared: declared(facts, view),
            })
        })
        .collect()
}

/// Where the memory behind a view was declared.
pub(super) fn declared(facts: &Facts, view: &View) -> Span {
    match view {
        View::Local(view) => facts.program.buffer(view.buffer).span,
        View::Global(view) => facts.program.global(view.global).span,
    }
}

/// "half, bfloat16 or float"
pub(super) fn alternatives(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [only] => (*only).to_owned(),
        [most @ .., last] => format!("{} or {last}", most.join(", ")),
    }
}
