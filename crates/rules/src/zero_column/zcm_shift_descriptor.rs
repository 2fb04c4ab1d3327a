use crate::declare_rule;
use crate::zero_column::column_masks::masks;
use crate::zero_column::zcm_shift_range;
use crate::{MmaFacts, Sink};
use a2lint_isa::masks::instruction_descriptor::{self, MAX_SHIFTS};
use a2lint_isa::masks::zero_column::Field;

declare_rule! {
    /// ## What it does
    /// Reports a column shift above what the instruction descriptor announces.
    ///
    /// Bits 30 and 31 of the instruction descriptor say how far a mask may shift B: 0, 8, 16 or 32 columns.
    ///
    /// ## Why is this bad?
    /// The instruction sets itself up for the announced shift. With both bits clear no shift is possible.
    ///
    /// ## Example
    /// ```ptx
    /// mov.b32 %r2, 0x08200010;             // shifts up to 0
    /// mov.b64 %rd3, 0x0200000000000000;    // shift 2
    /// ```
    ///
    /// ## Use instead
    /// ```ptx
    /// mov.b32 %r2, 0x48200010;             // shifts up to 8
    /// mov.b64 %rd3, 0x0200000000000000;    // shift 2
    /// ```
    ///
    /// ## Source
    /// PTX ISA, instruction descriptor: maximum shift in `.ws`.
    "ZCM014" "zcm-shift-descriptor" Error, basis = Constants, scope = Mma
}

fn check(facts: &MmaFacts, sink: &mut Sink) {
    for mask in masks(facts) {
        let announced = mask.mma.field(instruction_descriptor::Field::MaxShift);
        let (Some(shift), Some(limit)) = (mask.field(Field::ColumnShift), announced) else {
            continue;
        };
        if shift <= limit || zcm_shift_range::excess(&mask).is_some() {
            continue;
        }
        let message = format!(
            "the column shift is {shift}, but the instruction descriptor announces shifts up to {limit}"
        );
        let needed = MAX_SHIFTS
            .iter()
            .position(|&limit| shift <= limit)
            .unwrap_or(3);
        let help = format!(
            "set bits 30-31 of the instruction descriptor to {needed}: shifts up to {}",
            MAX_SHIFTS[needed]
        );
        let report = mask
            .label(sink.report(mask.mask.operand.span, message))
            .help(help);
        if let Some(origin) = mask.mma.descriptor().and_then(|operand| operand.origin) {
            report.label(origin, "the instruction descriptor comes from here");
        }
    }
}
