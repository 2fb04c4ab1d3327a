use crate::declare_rule;
use crate::gather_mask::gathers::{calls, resolved};
use crate::{GatherFacts, Sink};

declare_rule! {
    /// ## What it does
    /// Reports a `src1RepeatStride` that does nothing, because the pattern is a fixed one, and one that leaves
    /// gaps between the bits of a tensor pattern.
    ///
    /// ## Why is this bad?
    /// A fixed pattern has no memory to step through, and the manual rules the field out. A tensor pattern
    /// takes 8 bytes in a repeat of 4-byte elements and 16 in one of 2-byte elements; the default stride of 8
    /// blocks, 256 bytes, fits neither. Unless the bits were written that far apart, later repeats select by
    /// something else.
    ///
    /// ## Example
    /// ```cpp
    /// GatherMaskParams params;
    /// params.repeatTimes = 4;                            // src1RepeatStride stays 8
    /// GatherMask(dst, src, pattern, false, 0, params, kept);
    /// ```
    ///
    /// ## Use instead
    /// ```cpp
    /// GatherMaskParams params{1, 4, 8, 1};               // bits of a repeat at every block
    /// GatherMask(dst, src, pattern, false, 0, params, kept);
    /// ```
    ///
    /// ## Source
    /// GatherMask, src1RepeatStride.
    "GMK014" "gather-pattern-stride" Warning, basis = Constants, scope = Gathers
}

fn check(facts: &GatherFacts, sink: &mut Sink) {
    for (_, call) in calls(facts) {
        let Some(params) = call.params else {
            continue;
        };
        let stride = params.pattern_stride;
        let span = if stride.written {
            stride.span
        } else {
            params.span
        };
        let Some(value) = stride.value.filter(|&value| value != 0) else {
            continue;
        };
        if let Some(fixed) = call.fixed() {
            // A stride of 8 is the default; writing it is harmless.
            if stride.written && value != 8 {
                let message = format!(
                    "src1RepeatStride {value} does nothing: pattern {} is a fixed one and the same in every repeat",
                    fixed.number()
                );
                sink.report_once(span, message)
                    .help("set src1RepeatStride to 0");
            }
            continue;
        }
        if call.tensor().is_none() {
            continue;
        }
        let Some((_, gather)) = resolved(facts, call).next() else {
            continue;
        };
        let bytes = gather.length(0).div_ceil(8);
        let blocks = bytes.div_ceil(32).max(1);
        if gather.repeats() < 2 || gather.pattern_stride <= blocks {
            continue;
        }
        let message = format!(
            "a repeat takes {bytes} bytes of the pattern, and the next starts {} bytes on{}",
            gather.pattern_stride * 32,
            if stride.written { "" } else { ", the default" },
        );
        sink.report_once(span, message)
            .help(format!(
                "set src1RepeatStride to {blocks}, or to 0 if all repeats share one pattern"
            ))
            .possible();
    }
}
