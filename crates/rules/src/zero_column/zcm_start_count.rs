use crate::declare_rule;
use crate::zero_column::column_masks::{Mask, columns, masks};
use crate::{MmaFacts, Sink};
use a2lint_isa::masks::zero_column::Field;

declare_rule! {
    /// ## What it does
    /// Reports a start count that drops the whole first run of its sub-mask, or more.
    ///
    /// ## Why is this bad?
    /// The first span names the run that a sub-mask starts with. Where the start count is as long as that
    /// run, the sub-mask starts with the other one, which the opposite first span and a smaller start count
    /// say without a riddle; more often one of the two fields is wrong.
    ///
    /// ## Example
    /// ```ptx
    /// mov.b64 %rd3, 0x0003028000000005;    // drops 5 of a first run of 4
    /// ```
    ///
    /// ## Use instead
    /// ```ptx
    /// mov.b64 %rd3, 0x0003028100000001;    // starts with zeroed columns, drops 1
    /// ```
    ///
    /// ## Source
    /// PTX ISA, zero-column mask descriptor: start count and first span.
    "ZCM017" "zcm-start-count" Warning, basis = Constants, scope = Mma
}

fn check(facts: &MmaFacts, sink: &mut Sink) {
    for mask in masks(facts) {
        let Some(rows) = mask.mask.known.rows.filter(|_| mask.is_generated()) else {
            continue;
        };
        for part in 0..rows.sub_masks() as u8 {
            let Some((start, run, zeroed)) = swallowed(&mask, part) else {
                continue;
            };
            let kind = if zeroed { "zeroed" } else { "used" };
            let message = format!(
                "start count {part} is {start} and drops the whole first run of sub-mask {part}: {} {kind}",
                columns(run)
            );
            let help = format!(
                "start with the other run: first span {part} = {}, and a start count below its length",
                u8::from(!zeroed)
            );
            mask.label(sink.report(mask.mask.operand.span, message))
                .help(help);
        }
    }
}

/// Returns start count, length and kind (`true` for zeroed) of the first run of a sub-mask, if the count drops
/// all of it.
fn swallowed(mask: &Mask, part: u8) -> Option<(u64, u32, bool)> {
    let start = mask.field(Field::StartCount(part))?;
    let zeroed = mask.field(Field::FirstSpan(part))? == 1;
    let span = if zeroed {
        Field::SkipSpan
    } else {
        Field::UseSpan
    };
    let run = mask.field(span)? + 1;
    (start >= run).then_some((start, run as u32, zeroed))
}
