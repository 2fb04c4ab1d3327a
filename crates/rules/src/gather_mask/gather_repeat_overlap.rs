use crate::declare_rule;
use crate::gather_mask::gathers::calls;
use crate::{GatherFacts, Sink};

declare_rule! {
    /// ## What it does
    /// Reports Normal mode with more than one repeat whose `src0RepeatStride` is smaller than the repeat, so
    /// that elements are read again.
    ///
    /// ## Why is this bad?
    /// Strides count blocks of 32 bytes, and a repeat takes eight of them. With a stride of 1, copied from
    /// an example with one repeat or from Counter mode, the second repeat starts 32 bytes after the first,
    /// and most elements are kept more than once.
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
    "GMK010" "gather-repeat-overlap" Warning, basis = Shape, scope = Gathers
}

fn check(facts: &GatherFacts, sink: &mut Sink) {
    for (_, call) in calls(facts) {
        let (Some(false), Some(params)) = (call.counter, call.params) else {
            continue;
        };
        let (Some(1), Some(stride)) = (params.block_stride.value, params.repeat_stride.value)
        else {
            continue;
        };
        let repeats = params.repeats.value;
        // With an unknown number of repeats, a stride of 0 suggests a single repeat.
        let overlaps = match repeats {
            Some(repeats) => repeats > 1 && (0..8).contains(&stride),
            None => (1..8).contains(&stride),
        };
        if !overlaps {
            continue;
        }
        let message = match call.element().map(|element| element.bytes()) {
            Some(size @ (1 | 2 | 4)) => {
                let (lanes, block) = (256 / size, 32 / size);
                let apart = match stride {
                    1 => format!("{block} elements (1 block)"),
                    blocks => format!("{} elements ({blocks} blocks)", blocks * block),
                };
                let shared = lanes - stride * block;
                format!(
                    "{} {apart} apart: each takes {lanes} elements, so {shared} of them are read again by the next",
                    counted(repeats),
                )
            }
            _ => format!(
                "{} {} bytes apart: each takes 256 bytes, so {} of them are read again by the next",
                counted(repeats),
                32 * stride,
                256 - 32 * stride,
            ),
        };
        let span = match params.repeat_stride.written {
            true => params.repeat_stride.span,
            false => params.span,
        };
        let report = sink
            .report_once(span, message)
            .help("set src0RepeatStride to 8, the blocks of a repeat");
        if repeats.is_none() {
            report.possible();
        }
    }
}

/// Formats the repeats: `2 repeats`, or `repeats` if their number is unknown.
fn counted(repeats: Option<i64>) -> String {
    repeats.map_or("repeats".to_owned(), |repeats| format!("{repeats} repeats"))
}
