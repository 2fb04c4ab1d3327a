use crate::declare_rule;
use crate::gather_mask::gathers::calls;
use crate::{GatherFacts, Sink};

declare_rule! {
    /// ## What it does
    /// Reports `reduceMode` true with a mask outside of 1 to 2^32 - 1.
    ///
    /// ## Why is this bad?
    /// In Counter mode the mask is the number of elements to examine. With 0, the behaviour of the
    /// instruction and the value of `rsvdCnt` are undefined.
    ///
    /// ## Example
    /// ```cpp
    /// GatherMask(dst, src, 1, true, 0, {1, 1, 8, 0}, kept);
    /// ```
    ///
    /// ## Use instead
    /// ```cpp
    /// GatherMask(dst, src, 1, true, 64, {1, 1, 8, 0}, kept);
    /// ```
    ///
    /// ## Source
    /// GatherMask, mask.
    "GMK008" "gather-counter-mask" Error, basis = Constants, scope = Gathers
}

fn check(facts: &GatherFacts, sink: &mut Sink) {
    for (_, call) in calls(facts) {
        let (Some(true), Some(mask)) = (call.counter, call.mask) else {
            continue;
        };
        let Some(value) = mask
            .value
            .filter(|value| !(1..=i64::from(u32::MAX)).contains(value))
        else {
            continue;
        };
        let message = format!(
            "Counter mode looks at as many elements as the mask says, and {value} is not in \
             1 to 2^32 - 1"
        );
        sink.report(mask.span, message)
            .help("pass the number of elements, or reduceMode false for whole repeats");
    }
}
