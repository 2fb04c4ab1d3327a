use crate::declare_rule;
use crate::zero_column::column_masks::{Mask, masks};
use crate::{MmaFacts, Sink};
use a2lint_isa::masks::zero_column::{Field, Rows};

declare_rule! {
    /// ## What it does
    /// Reports a column shift above 32, or above 16 for a result of 32 rows.
    ///
    /// ## Why is this bad?
    /// The shift makes the instruction start at a later column of B. The hardware moves columns by no more
    /// than that.
    ///
    /// ## Example
    /// ```ptx
    /// mov.b64 %rd3, 0x2100000000000000;    // shift 33
    /// ```
    ///
    /// ## Use instead
    /// ```ptx
    /// mov.b64 %rd3, 0x2000000000000000;    // shift 32
    /// ```
    ///
    /// ## Source
    /// PTX ISA, zero-column mask descriptor: column shift.
    "ZCM013" "zcm-shift-range" Error, basis = Constants, scope = Mma
}

fn check(facts: &MmaFacts, sink: &mut Sink) {
    for mask in masks(facts) {
        let Some((shift, limit)) = excess(&mask) else {
            continue;
        };
        let condition = match mask.mask.known.rows {
            Some(rows) => format!(" for M = {}", rows.count()),
            None => String::new(),
        };
        let message = format!("the column shift is {shift}, above the limit of {limit}{condition}");
        let help = "start B further on by its own descriptor instead";
        mask.label(sink.report(mask.mask.operand.span, message))
            .help(help);
    }
}

/// Returns a shift that no instruction can make, and the limit.
pub(crate) fn excess(mask: &Mask) -> Option<(u64, u64)> {
    let shift = mask.field(Field::ColumnShift)?;
    let limit = mask
        .mask
        .known
        .rows
        .unwrap_or(Rows::M128)
        .max_shift()
        .into();
    (shift > limit).then_some((shift, limit))
}
