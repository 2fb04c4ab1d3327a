//! Operands with their element types, for the rules about types.

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
    /// The place where the operand is written.
    pub site: Span,
    /// The place where its memory was declared.
    pub declared: Span,
}

/// Returns the operands of known type, in parameter order.
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

/// Returns the position of the operand that holds packed bits, among the operands.
pub(crate) fn control_place(row: &Instruction) -> Option<usize> {
    row.operands()
        .position(|(_, operand)| operand.walk == Walk::PackedBits)
}

/// Returns whether only the packed mask of a compare or select has an illegal type.
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
