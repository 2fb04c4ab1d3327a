//! Operands with their element types, as the rules about types name them.

use crate::Facts;
use crate::wording::{declared, operand_text};
use a2lint_analysis::operand_types;
use a2lint_ir::Instr;
use a2lint_isa::{DType, Instruction, Signature, TypeRule, Walk};
use a2lint_source::text::Span;

/// An operand with a known element type.
pub(crate) struct Typed {
    pub text: String,
    pub dtype: DType,
    /// Where it is written.
    pub site: Span,
    /// Where its memory was declared.
    pub declared: Span,
}

/// The operands of known type, in parameter order.
pub(crate) fn typed(facts: &Facts, instr: &Instr) -> Vec<Typed> {
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

/// Which operand of an instruction holds packed bits.
pub(crate) fn control_place(row: &Instruction) -> Option<usize> {
    row.operands()
        .position(|(_, operand)| operand.walk == Walk::PackedBits)
}

/// Whether the packed mask of a compare or select alone has a type that the dialect does not allow.
pub(crate) fn only_control_is_wrong(signature: &Signature, operands: &[Typed]) -> bool {
    let control = control_place(signature.row);
    let (Some(control), TypeRule::Rows(rows)) = (control, signature.types) else {
        return false;
    };
    rows.iter().any(|types| {
        types
            .iter()
            .zip(operands)
            .enumerate()
            .all(|(place, (legal, operand))| place == control || *legal == operand.dtype)
    })
}
