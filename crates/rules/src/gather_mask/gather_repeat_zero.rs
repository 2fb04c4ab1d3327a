use crate::declare_rule;
use crate::gather_mask::gathers::{calls, only_there};
use crate::{GatherFacts, Sink};

declare_rule! {
    /// ## What it does
    /// Reports a `GatherMask` whose `repeatTimes` is 0, which is also its default.
    ///
    /// ## Why is this bad?
    /// A `GatherMaskParams` that is built without arguments has strides that fit most calls, but no repeats:
    /// the instruction does nothing, and the destination keeps what it held.
    ///
    /// ## Example
    /// ```cpp
    /// GatherMaskParams params;
    /// params.src0RepeatStride = 8;
    /// GatherMask(dst, src, 1, false, 0, params, kept);
    /// ```
    ///
    /// ## Use instead
    /// ```cpp
    /// GatherMaskParams params;
    /// params.repeatTimes = 4;
    /// GatherMask(dst, src, 1, false, 0, params, kept);
    /// ```
    ///
    /// ## Source
    /// GatherMask, GatherMaskParams.
    "GMK009" "gather-repeat-zero" Error, basis = Constants, scope = Gathers
}

fn check(facts: &GatherFacts, sink: &mut Sink) {
    for (_, call) in calls(facts) {
        let Some(params) = call.params.filter(|params| params.repeats.value == Some(0)) else {
            continue;
        };
        let normal = call.counter == Some(false);
        let targets = &facts.unit.targets;
        let Some(verdict) = targets.judge(|target| normal || !target.counts_in_total()) else {
            continue;
        };
        // An explicit 0 in Counter mode is right for products that ignore the number of repeats there.
        if params.repeats.written && !verdict.is_certain() {
            continue;
        }
        let message = match params.repeats.written {
            true => "repeatTimes is 0, so GatherMask does nothing",
            false => "repeatTimes is never set, and its default is 0: GatherMask does nothing",
        };
        let report = sink.report(params.span, message);
        let report = match params.repeats.span == params.span {
            true => report,
            false => report.label(params.repeats.span, "the value comes from here"),
        };
        let report = report.help("set repeatTimes, 1 for a single repeat");
        only_there(report, &verdict, call.name_span);
    }
}
