use crate::declare_rule;
use crate::gather_mask::gathers::calls;
use crate::{GatherFacts, Sink};

declare_rule! {
    /// ## What it does
    /// Reports `GatherMask` with four or five arguments.
    ///
    /// ## Why is this bad?
    /// The forms without `mask` and `rsvdCnt` are deprecated. They say nothing about how many elements were
    /// kept, and newer toolkits drop them.
    ///
    /// ## Example
    /// ```cpp
    /// GatherMask(dst, src, 1, params);
    /// ```
    ///
    /// ## Use instead
    /// ```cpp
    /// uint64_t kept = 0;
    /// GatherMask(dst, src, 1, false, 0, params, kept);
    /// ```
    ///
    /// ## Source
    /// GatherMask, prototypes.
    "GMK023" "gather-deprecated" Warning, basis = Constants, scope = Gathers
}

fn check(facts: &GatherFacts, sink: &mut Sink) {
    for (step, call) in calls(facts) {
        if !matches!(call.arity, 4 | 5) {
            continue;
        }
        let message = format!(
            "GatherMask with {} arguments is a deprecated form without mask and rsvdCnt",
            call.arity
        );
        sink.report(step.span, message)
            .help("write GatherMask(dst, src0, src1Pattern, reduceMode, mask, params, rsvdCnt)");
    }
}
