use crate::declare_rule;
use crate::gather_mask::gathers::calls;
use crate::{GatherFacts, Sink};
use a2lint_ir::gather::Pattern;
use a2lint_isa::masks::gather::FixedPattern;

declare_rule! {
    /// ## What it does
    /// Reports a fixed pattern of `GatherMask` that is not one of 1 to 7.
    ///
    /// ## Why is this bad?
    /// The instruction has seven numbered patterns. The result of any other number is undefined, and a
    /// release build does not check for it.
    ///
    /// ## Example
    /// ```cpp
    /// GatherMask(dst, src, 0, false, 0, {1, 1, 8, 0}, kept);
    /// ```
    ///
    /// ## Use instead
    /// ```cpp
    /// GatherMask(dst, src, 1, false, 0, {1, 1, 8, 0}, kept);   // elements 0, 2, 4, ...
    /// ```
    ///
    /// ## Source
    /// GatherMask, src1Pattern.
    "GMK001" "gather-pattern-range" Error, basis = Constants, scope = Gathers
}

fn check(facts: &GatherFacts, sink: &mut Sink) {
    for (_, call) in calls(facts) {
        let Pattern::Fixed(Some(number)) = call.pattern else {
            continue;
        };
        if FixedPattern::NUMBERS.contains(&number) {
            continue;
        }
        let message = format!("GatherMask knows the patterns 1 to 7, not {number}");
        sink.report(call.pattern_span, message).help(
            "1 and 2 keep even and odd elements, 3 to 6 the first to fourth of every four, 7 all",
        );
    }
}
