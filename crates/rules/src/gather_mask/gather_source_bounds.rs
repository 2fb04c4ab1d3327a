use crate::declare_rule;
use crate::gather_mask::gathers::{calls, only_there, work, wrong};
use crate::{GatherFacts, Sink};

declare_rule! {
    /// ## What it does
    /// Reports a `GatherMask` that reads past the end of its source.
    ///
    /// ## Why is this bad?
    /// Normal mode takes whole repeats of 256 bytes, so a source of 100 floats and two repeats reads 28 that
    /// belong to another tensor. In Counter mode on A2 and A3 the mask counts the elements of *every* repeat.
    ///
    /// ## Example
    /// ```cpp
    /// pipe.InitBuffer(queue, 1, 100 * sizeof(float));
    /// GatherMask(dst, src, 1, false, 0, {1, 2, 8, 0}, kept);
    /// ```
    ///
    /// ## Use instead
    /// ```cpp
    /// pipe.InitBuffer(queue, 1, 104 * sizeof(float));
    /// GatherMask(dst, src, 1, true, 100, {1, 1, 8, 0}, kept);
    /// ```
    ///
    /// ## Source
    /// GatherMask, src0Local and reduceMode.
    "GMK011" "gather-source-bounds" Error, basis = Constants, scope = Gathers
}

fn check(facts: &GatherFacts, sink: &mut Sink) {
    for (_, call) in calls(facts) {
        let Some(capacity) = call.src.capacity() else {
            continue;
        };
        let beyond = wrong(facts, call, |gather| {
            gather.source_extent() as i64 > capacity
        });
        let Some((verdict, gather)) = beyond else {
            continue;
        };
        let message = format!(
            "{} read up to element {} of `{}`, which holds {capacity}",
            work(&gather),
            gather.source_extent() - 1,
            call.src.text,
        );
        let mut report = sink.report(call.src.span, message);
        if let Some(declared) = call.src.declared {
            report = report.label(
                declared,
                format!("{capacity} elements from the start of the operand"),
            );
        }
        let report = match call.counter {
            Some(false) => report
                .help("use Counter mode with the number of elements, or a tensor of whole repeats"),
            _ => report
                .help("the mask counts the elements of each repeat: divide, or use one repeat"),
        };
        only_there(report, &verdict, call.name_span);
    }
}
