use crate::declare_rule;
use crate::gather_mask::gathers::{depends_on_data, only_there, wrong};
use crate::{GatherFacts, Sink};
use a2lint_isa::masks::gather::Pattern;

declare_rule! {
    /// ## What it does
    /// Reports a `GatherMask` that keeps more elements than its destination holds. For a tensor pattern, whose
    /// bits are not known, that is a warning.
    ///
    /// ## Why is this bad?
    /// What is kept is written without gaps, over all repeats, and nothing checks the size of the destination,
    /// the CPU debugger included.
    ///
    /// ## Example
    /// ```cpp
    /// pipe.InitBuffer(outQueue, 1, 32 * sizeof(float));
    /// GatherMask(dst, src, 1, false, 0, {1, 2, 8, 0}, kept);   // keeps 64
    /// ```
    ///
    /// ## Use instead
    /// ```cpp
    /// pipe.InitBuffer(outQueue, 1, 64 * sizeof(float));
    /// GatherMask(dst, src, 1, false, 0, {1, 2, 8, 0}, kept);
    /// ```
    ///
    /// ## Source
    /// GatherMask, dstLocal and rsvdCnt.
    "GMK012" "gather-destination-bounds" Error, basis = Constants, scope = Gathers
}

fn check(facts: &GatherFacts, sink: &mut Sink) {
    for (at, _, call) in facts.function.calls() {
        let Some(capacity) = call.dst.capacity() else {
            continue;
        };
        let fixed = call.fixed();
        // The author of a constant pattern may have made sure that its elements fit.
        if fixed.is_none() && !depends_on_data(facts, at, call) {
            continue;
        }
        let most = |gather: &a2lint_isa::masks::gather::Gather| match fixed {
            Some(fixed) => gather.count(Pattern::Fixed(fixed)),
            None => gather.total(),
        };
        let Some((verdict, gather)) = wrong(facts, call, |gather| most(gather) as i64 > capacity)
        else {
            continue;
        };
        let kept = most(&gather);
        let message = match fixed {
            Some(fixed) => format!(
                "pattern {} keeps {kept} of {} elements, and `{}` holds {capacity}",
                fixed.number(),
                gather.total(),
                call.dst.text,
            ),
            None => format!(
                "up to {kept} elements are kept, and `{}` holds {capacity}",
                call.dst.text
            ),
        };
        let mut report = sink.report(call.dst.span, message);
        if let Some(declared) = call.dst.declared {
            report = report.label(
                declared,
                format!("{capacity} elements from the start of the operand"),
            );
        }
        let report = report.help(format!("make the destination {kept} elements long"));
        let report = only_there(report, &verdict, call.name_span);
        if fixed.is_none() {
            report.possible();
        }
    }
}
