use crate::declare_rule;
use crate::zero_column::column_masks::{columns, masks};
use crate::{MmaFacts, Sink};

declare_rule! {
    /// ## What it does
    /// Reports a mask whose pattern breaks where one sub-mask ends and the next starts.
    ///
    /// Every sub-mask starts the pattern anew. A mask is reported where all sub-masks start in the same way
    /// and their width is no multiple of the pattern's period.
    ///
    /// ## Why is this bad?
    /// A pattern over all columns needs a start count and first span of its own for each sub-mask; equal
    /// ones repeat the beginning instead of continuing.
    ///
    /// ## Example
    /// ```ptx
    /// mov.b32 %r2, 0x04200010;             // M 64, N 128: sub-masks of 64 columns
    /// mov.b64 %rd3, 0x0003028000000000;    // period 7
    /// ```
    ///
    /// ## Use instead
    /// ```ptx
    /// mov.b32 %r2, 0x04200010;
    /// mov.b64 %rd3, 0x0003028000000100;    // mask1 continues at column 64 = 9 * 7 + 1
    /// ```
    ///
    /// ## Source
    /// PTX ISA, zero-column mask descriptor: sub-masks.
    "ZCM019" "zcm-restart" Warning, basis = Shape, pedantic = true, scope = Mma
}

fn check(facts: &MmaFacts, sink: &mut Sink) {
    for mask in masks(facts) {
        let Some(generated) = mask.generated() else {
            continue;
        };
        let (descriptor, shape) = (generated.descriptor, generated.shape);
        let (width, period) = (shape.sub_mask_columns(), descriptor.period());
        let parts = shape.rows().sub_masks() as usize;
        let alike = |part| {
            descriptor.start_counts[part] == descriptor.start_counts[0]
                && descriptor.zeroed_first[part] == descriptor.zeroed_first[0]
        };
        let degenerate = [0, shape.columns()].contains(&generated.mask.zeroed());
        if parts == 1 || width.is_multiple_of(period) || degenerate || !(1..parts).all(alike) {
            continue;
        }
        let message = format!(
            "the pattern of {} starts anew every {width} columns and breaks there: {width} is no \
             multiple of {period}",
            columns(period)
        );
        let help = format!(
            "let sub-mask 1 go on {} later: a start count and first span of its own",
            columns(width % period)
        );
        mask.label(sink.report(mask.mask.operand.span, message))
            .help(help);
    }
}
