use crate::declare_rule;
use crate::gather_mask::gathers::calls;
use crate::{GatherFacts, Sink};

declare_rule! {
    /// ## What it does
    /// Reports a `repeatTimes` that goes through `uint8_t`.
    ///
    /// ## Why is this bad?
    /// The field has sixteen bits. A quotient that is cut to eight loses whole multiples of 256 repeats:
    /// with 32 elements in each, everything past 8160 elements is silently lost.
    ///
    /// ## Example
    /// ```cpp
    /// params.repeatTimes = static_cast<uint8_t>(count / 64);
    /// ```
    ///
    /// ## Use instead
    /// ```cpp
    /// params.repeatTimes = static_cast<uint16_t>((count + 63) / 64);
    /// ```
    ///
    /// ## Source
    /// GatherMask, GatherMaskParams.
    "GMK015" "gather-narrowing" Warning, basis = Constants, scope = Gathers
}

fn check(facts: &GatherFacts, sink: &mut Sink) {
    for (_, call) in calls(facts) {
        let Some(repeats) = call.params.map(|params| params.repeats) else {
            continue;
        };
        if !repeats.narrowed {
            continue;
        }
        let message = "repeatTimes is cut to 8 bits on its way, and the field takes 16: above 255 \
                       repeats go missing";
        sink.report_once(repeats.span, message)
            .label(call.name_span, "used here")
            .help("cast to uint16_t, and split calls that need more than 65535 repeats");
    }
}
