use crate::declare_rule;
use crate::gather_mask::gathers::{calls, resolved};
use crate::{GatherFacts, Sink};

declare_rule! {
    /// ## What it does
    /// Reports a `GatherMask` that reads past the end of its pattern tensor.
    ///
    /// ## Why is this bad?
    /// The bits of repeat `r` start `r * src1RepeatStride` blocks of 32 bytes into the tensor. With the
    /// default stride of 8, four repeats read from bytes 0, 256, 512 and 768, though each needs 8 or 16.
    ///
    /// ## Example
    /// ```cpp
    /// pipe.InitBuffer(patternBuf, 128);                  // 32 words
    /// GatherMask(dst, src, pattern, false, 0, {1, 4, 8, 8}, kept);
    /// ```
    ///
    /// ## Use instead
    /// ```cpp
    /// pipe.InitBuffer(patternBuf, 128);
    /// GatherMask(dst, src, pattern, false, 0, {1, 4, 8, 1}, kept);   // a block for each repeat
    /// ```
    ///
    /// ## Source
    /// GatherMask, src1Pattern and src1RepeatStride.
    "GMK013" "gather-pattern-bounds" Error, basis = Constants, scope = Gathers
}

fn check(facts: &GatherFacts, sink: &mut Sink) {
    for (_, call) in calls(facts) {
        let Some(tensor) = call.tensor() else {
            continue;
        };
        let held = tensor
            .bytes
            .zip(tensor.start())
            .map(|(bytes, start)| bytes.saturating_sub(start));
        let Some(held) = held else {
            continue;
        };
        let beyond =
            resolved(facts, call).find(|(_, gather)| gather.pattern_extent() as i64 > held);
        let Some((_, gather)) = beyond else {
            continue;
        };
        let message = format!(
            "the bits of {} repeats, {} blocks apart, end at byte {} of `{}`, which has {held}",
            gather.repeats(),
            gather.pattern_stride,
            gather.pattern_extent(),
            tensor.text,
        );
        let needed = gather.length(0).div_ceil(8).div_ceil(32);
        let mut report = sink.report(tensor.span, message);
        if let Some(declared) = tensor.declared {
            report = report.label(
                declared,
                format!("{held} bytes from the start of the operand"),
            );
        }
        report.help(format!(
            "a repeat needs {} bytes of bits: src1RepeatStride {needed} leaves a block start for \
             each, 0 shares one pattern",
            gather.length(0).div_ceil(8),
        ));
    }
}
