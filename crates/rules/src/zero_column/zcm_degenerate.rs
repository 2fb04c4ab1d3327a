use crate::declare_rule;
use crate::zero_column::column_masks::{columns, masks};
use crate::{MmaFacts, Sink};

declare_rule! {
    /// ## What it does
    /// Reports a generated mask that zeroes no column, or all of them.
    ///
    /// ## Why is this bad?
    /// Without a zeroed column the mask does nothing: clear bit 39 and say so. With all columns zeroed the
    /// product is zero and the instruction need not run. Both come from runs longer than a sub-mask.
    ///
    /// ## Example
    /// ```ptx
    /// mov.b64 %rd3, 0x00ff008000000000;    // 256 columns of B first
    /// ```
    ///
    /// ## Use instead
    /// ```ptx
    /// mov.b64 %rd3, 0;                     // no mask
    /// ```
    ///
    /// ## Source
    /// PTX ISA, zero-column mask descriptor: spans and sub-masks.
    "ZCM018" "zcm-degenerate" Warning, basis = Constants, scope = Mma
}

fn check(facts: &MmaFacts, sink: &mut Sink) {
    for mask in masks(facts) {
        let Some(generated) = mask.generated() else {
            continue;
        };
        let total = generated.shape.columns();
        let runs = format!(
            "runs of {} zeroed and {} used in sub-masks of {}",
            generated.descriptor.zeroed_run(),
            generated.descriptor.used_run(),
            columns(generated.shape.sub_mask_columns())
        );
        let (message, help) = match generated.mask.zeroed() {
            0 => (
                format!("the mask zeroes none of {total} columns: {runs}"),
                "clear bit 39, or check the spans",
            ),
            all if all == total => (
                format!("the mask zeroes all {total} columns: {runs}"),
                "leave the instruction out, or check the spans",
            ),
            _ => continue,
        };
        mask.label(sink.report(mask.mask.operand.span, message))
            .help(help);
    }
}
