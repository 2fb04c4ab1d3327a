use crate::declare_rule;
use crate::types::operands::{control_place, only_control_is_wrong, typed};
use crate::wording::{call, type_name};
use crate::{Facts, Sink};
use a2lint_analysis::{TypeFault, type_fault};
use a2lint_isa::DType;

declare_rule! {
    /// ## What it does
    /// Reports a packed mask of `compare`, `compare_scalar` or `select` that is not made of 8-bit
    /// integers.
    ///
    /// ## Why is this bad?
    /// The mask is a string of bits, one for each element, eight to a byte. A tensor of another type
    /// suggests one number for each element, which these instructions neither write nor read.
    ///
    /// ## Example
    /// ```python
    /// mask = Tensor(DT.half, [64, 64], Position.UB)
    /// compare_scalar(mask, x, 0.0, CompareMode.GT)
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// mask = Tensor(DT.uint8, [64, 8], Position.UB)
    /// compare_scalar(mask, x, 0.0, CompareMode.GT)
    /// ```
    ///
    /// ## Source
    /// Vector mask constraints, section 4; element types of the AscendC comparison and selection.
    "TYP011" "mask-dtype" Error, basis = Constants
}

fn check(facts: &Facts, sink: &mut Sink) {
    for (stmt, instr) in facts.instructions() {
        if type_fault(facts.program, instr) != Some(TypeFault::Operands) {
            continue;
        }
        let operands = typed(facts, instr);
        let place = control_place(instr.row());
        let Some(mask) = place.and_then(|place| operands.get(place)) else {
            continue;
        };
        if !only_control_is_wrong(facts.program.signature(instr.opcode), &operands) {
            continue;
        }
        let message = format!(
            "{} works on a packed mask of {} or {}; `{}` is {}",
            call(facts, instr),
            DType::UInt8,
            DType::Int8,
            mask.text,
            mask.dtype
        );
        sink.report_from(stmt.origin, mask.site, message)
            .label(mask.declared, format!("{} here", mask.dtype))
            .help(format!(
                "allocate it as {}, [rows, columns // 8]: one bit for each element",
                type_name(facts, DType::UInt8)
            ));
    }
}
