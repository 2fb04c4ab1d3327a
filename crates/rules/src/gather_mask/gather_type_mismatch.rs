use crate::declare_rule;
use crate::gather_mask::gathers::calls;
use crate::{GatherFacts, Sink};

declare_rule! {
    /// ## What it does
    /// Reports a `GatherMask` whose destination and source have different element types.
    ///
    /// ## Why is this bad?
    /// The instruction moves elements as they are; both tensors have the one type `T`.
    ///
    /// ## Example
    /// ```cpp
    /// GatherMask(dstFloat, srcHalf, 1, false, 0, {1, 1, 8, 0}, kept);
    /// ```
    ///
    /// ## Use instead
    /// ```cpp
    /// GatherMask(tmpHalf, srcHalf, 1, false, 0, {1, 1, 8, 0}, kept);
    /// PipeBarrier<PIPE_V>();
    /// Cast(dstFloat, tmpHalf, RoundMode::CAST_NONE, 64);
    /// ```
    ///
    /// ## Source
    /// GatherMask, src0Local: same type as the destination.
    "GMK005" "gather-type-mismatch" Error, basis = Constants, scope = Gathers
}

fn check(facts: &GatherFacts, sink: &mut Sink) {
    for (_, call) in calls(facts) {
        let (Some(to), Some(from)) = (call.dst.element, call.src.element) else {
            continue;
        };
        if to == from {
            continue;
        }
        let message = format!(
            "GatherMask converts nothing: `{}` is {to} and `{}` is {from}",
            call.dst.text, call.src.text
        );
        sink.report(call.dst.span, message)
            .label(call.src.span, format!("this is {from}"))
            .help(format!(
                "gather into a tensor of {from} and Cast it to {to} after that"
            ));
    }
}
