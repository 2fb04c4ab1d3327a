use crate::declare_rule;
use crate::gather_mask::gathers::calls;
use crate::{GatherFacts, Sink};

declare_rule! {
    /// ## What it does
    /// Reports a `GatherMask` whose `reduceMode` is a number and whose `mask` is `true` or `false`.
    ///
    /// ## Why is this bad?
    /// `reduceMode` comes before `mask`. Both convert to the type of the other, so the compiler says
    /// nothing: any number but 0 means Counter mode, and the truth becomes a mask of 1 element or of none.
    ///
    /// ## Example
    /// ```cpp
    /// GatherMask(dst, src, 1, 64, true, params, kept);
    /// ```
    ///
    /// ## Use instead
    /// ```cpp
    /// GatherMask(dst, src, 1, true, 64, params, kept);
    /// ```
    ///
    /// ## Source
    /// GatherMask, reduceMode and mask.
    "GMK024" "gather-arguments-swapped" Error, basis = Constants, scope = Gathers
}

fn check(facts: &GatherFacts, sink: &mut Sink) {
    for (_, call) in calls(facts) {
        if let Some(span) = call.swapped {
            let message = "reduceMode is a number and mask a truth: the two are swapped";
            sink.report(span, message)
                .help("write reduceMode first: `true` to count elements, `false` for whole repeats, then the mask");
        }
    }
}
