use crate::declare_rule;
use crate::gather_mask::gathers::calls;
use crate::{GatherFacts, Sink};

declare_rule! {
    /// ## What it does
    /// Reports Counter mode with more than one repeat in a file that is meant for products which count
    /// differently.
    ///
    /// ## Why is this bad?
    /// On A2, A3, 200I/500 A2 and 950 the mask counts the elements of every repeat; on the AI Core of
    /// inference products it counts all of them and `repeatTimes` is ignored. The same call examines 140
    /// elements on the former and 70 on the latter.
    ///
    /// ## Example
    /// ```cpp
    /// // a2lint: device b3, 310p
    /// GatherMask(dst, src, pattern, true, 70, {1, 2, 4, 0}, kept);
    /// ```
    ///
    /// ## Use instead
    /// ```cpp
    /// // a2lint: device b3, 310p
    /// GatherMask(dst, src, pattern, true, 140, {1, 1, 8, 0}, kept);   // one repeat means the same
    /// ```
    ///
    /// ## Source
    /// GatherMask, reduceMode: the two configurations.
    "GMK022" "gather-portability" Warning, basis = Assumption, scope = Gathers
}

fn check(facts: &GatherFacts, sink: &mut Sink) {
    let targets = &facts.unit.targets;
    let total = targets.iter().find(|target| target.counts_in_total());
    let each = targets.iter().find(|target| !target.counts_in_total());
    let (Some(total), Some(each), true) = (total, each, targets.are_named()) else {
        return;
    };
    for (_, call) in calls(facts) {
        let (Some(true), Some(repeats)) = (call.counter, call.repeats()) else {
            continue;
        };
        let Some(params) = call.params.filter(|_| repeats > 1) else {
            continue;
        };
        let count = call.mask.and_then(|mask| mask.value);
        let message = match count {
            Some(count) => format!(
                "{repeats} repeats of {count} elements are {} elements on {} and {count} on {}",
                repeats.saturating_mul(count),
                each.name(),
                total.name(),
            ),
            None => format!(
                "the mask counts the elements of each of {repeats} repeats on {}, and of all of them on {}",
                each.name(),
                total.name(),
            ),
        };
        let span = if params.repeats.written {
            params.repeats.span
        } else {
            params.span
        };
        sink.report_once(span, message)
            .label(call.name_span, "Counter mode")
            .help("use one repeat with the whole count, which means the same everywhere");
    }
}
