use crate::declare_rule;
use crate::gather_mask::gathers::calls;
use crate::{GatherFacts, Sink};

declare_rule! {
    /// ## What it does
    /// Reports a number that the field of `GatherMaskParams` cannot hold.
    ///
    /// ## Why is this bad?
    /// `src0BlockStride` and `src1RepeatStride` have 8 bits, `repeatTimes` and `src0RepeatStride` have 16.
    /// In braces a constant that is too large does not compile; assigned or passed to the constructor, it
    /// loses its upper bits and the instruction runs with what is left.
    ///
    /// ## Example
    /// ```cpp
    /// params.src0BlockStride = 300;              // becomes 44
    /// ```
    ///
    /// ## Use instead
    /// ```cpp
    /// params.src0BlockStride = 150;              // of rows half as far apart
    /// ```
    ///
    /// ## Source
    /// GatherMask, GatherMaskParams.
    "GMK026" "gather-field-width" Error, basis = Constants, scope = Gathers
}

fn check(facts: &GatherFacts, sink: &mut Sink) {
    for (_, call) in calls(facts) {
        let Some(params) = call.params else {
            continue;
        };
        let fields = [
            ("src0BlockStride", 8, params.block_stride),
            ("repeatTimes", 16, params.repeats),
            ("src0RepeatStride", 16, params.repeat_stride),
            ("src1RepeatStride", 8, params.pattern_stride),
        ];
        for (name, bits, number) in fields {
            let (Some(written), Some(held)) = (number.cut, number.value) else {
                continue;
            };
            let message = format!("{name} has {bits} bits: {written} becomes {held}");
            sink.report_once(number.span, message)
                .label(call.name_span, "used here")
                .help(format!("the largest is {}", (1 << bits) - 1));
        }
    }
}
