//! Operands with their element types, as the rules about types name them.

use super::Facts;
use super::wording::{declared, operand_text};
use crate::analysis::operand_types;
use crate::ir::Instr;
use crate::isa::DType;
use crate::text::Span;

/// An operand with a known element type.
pub(super) struct Typed {
    pub text: String,
    pub dtype: DType,
    /// Where it is written.
    pub site: Span,
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
                text: operand_text(facts, view),
                dtype: dtype?,
                site: view.site(),
                declared: declared(facts, view),
            })
        })
        .collect()
}
