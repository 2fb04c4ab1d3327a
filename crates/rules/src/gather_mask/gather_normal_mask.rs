use crate::declare_rule;
use crate::gather_mask::gathers::calls;
use crate::{GatherFacts, Sink};

declare_rule! {
    /// ## What it does
    /// Reports a `mask` other than 0 with `reduceMode` false.
    ///
    /// ## Why is this bad?
    /// In Normal mode every repeat takes 256 bytes and the mask must be 0. Who passes a count there usually
    /// wants Counter mode, and gets whole repeats instead.
    ///
    /// ## Example
    /// ```cpp
    /// GatherMask(dst, src, 1, false, 70, {1, 2, 8, 0}, kept);
    /// ```
    ///
    /// ## Use instead
    /// ```cpp
    /// GatherMask(dst, src, 1, true, 70, {1, 2, 8, 0}, kept);
    /// ```
    ///
    /// ## Source
    /// GatherMask, mask.
    "GMK007" "gather-normal-mask" Error, basis = Constants, scope = Gathers
}

fn check(facts: &GatherFacts, sink: &mut Sink) {
    for (_, call) in calls(facts) {
        let (Some(false), Some(mask)) = (call.counter, call.mask) else {
            continue;
        };
        let Some(value) = mask.value.filter(|&value| value != 0) else {
            continue;
        };
        let message = format!(
            "Normal mode takes 256 bytes in every repeat and ignores the mask {value}, which \
             must be 0"
        );
        sink.report(mask.span, message)
            .help("pass 0, or reduceMode true to count elements");
    }
}
