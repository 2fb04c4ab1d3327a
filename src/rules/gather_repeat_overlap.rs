use super::gathers::{calls, resolved};
use super::{GatherFacts, Sink};
use crate::declare_rule;

declare_rule! {
    /// ## What it does
    /// Reports Normal mode with more than one repeat whose `src0RepeatStride` is smaller than the repeat, so
    /// that elements are read again.
    ///
    /// ## Why is this bad?
    /// Strides count blocks of 32 bytes, and a repeat takes eight of them. With a stride of 1, copied from an
    /// example with one repeat or from Counter mode, the second repeat starts 32 bytes behind the first and
    /// most elements come out more than once.
    ///
    /// ## Example
    /// ```cpp
    /// GatherMask(dst, src, 3, false, 0, {1, 4, 1, 0}, kept);
    /// ```
    ///
    /// ## Use instead
    /// ```cpp
    /// GatherMask(dst, src, 3, false, 0, {1, 4, 8, 0}, kept);
    /// ```
    ///
    /// ## Source
    /// GatherMask, gatherMaskParams.
    "GMK010" "gather-repeat-overlap" Warning, scope = Gathers
}

fn check(facts: &GatherFacts, sink: &mut Sink) {
    for (_, call) in calls(facts) {
        if call.counter != Some(false) {
            continue;
        }
        let (Some(params), Some((_, gather))) = (call.params, resolved(facts, call).next()) else {
            continue;
        };
        if gather.block_stride != 1 || !gather.rereads() {
            continue;
        }
        let (lanes, block) = (gather.full_repeat(), gather.block());
        let shared = lanes - gather.repeat_stride * block;
        let message = format!(
            "{} repeats {} apart: each takes {lanes} elements, so {shared} of them are read again by the next",
            gather.repeats(),
            match gather.repeat_stride {
                1 => format!("{block} elements (1 block)"),
                blocks => format!("{} elements ({blocks} blocks)", blocks * block),
            },
        );
        let span = match params.repeat_stride.written {
            true => params.repeat_stride.span,
            false => params.span,
        };
        sink.report_once(span, message)
            .help("set src0RepeatStride to 8, the blocks of a repeat");
    }
}
