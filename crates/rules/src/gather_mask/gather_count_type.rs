use crate::declare_rule;
use crate::gather_mask::gathers::calls;
use crate::{GatherFacts, Sink};
use a2lint_isa::masks::Element;

declare_rule! {
    /// ## What it does
    /// Reports a `rsvdCnt` that is no uint64_t.
    ///
    /// ## Why is this bad?
    /// The parameter is a `uint64_t&`, which binds to no other type. Where a cast makes it compile, eight bytes
    /// are written into four.
    ///
    /// ## Example
    /// ```cpp
    /// uint32_t kept = 0;
    /// GatherMask(dst, src, 1, false, 0, params, kept);
    /// ```
    ///
    /// ## Use instead
    /// ```cpp
    /// uint64_t kept = 0;
    /// GatherMask(dst, src, 1, false, 0, params, kept);
    /// ```
    ///
    /// ## Source
    /// GatherMask, rsvdCnt.
    "GMK016" "gather-count-type" Error, basis = Constants, scope = Gathers
}

fn check(facts: &GatherFacts, sink: &mut Sink) {
    for (_, call) in calls(facts) {
        let Some(count) = &call.count else {
            continue;
        };
        let Some(ty) = count.ty.filter(|&ty| ty != Element::UInt64) else {
            continue;
        };
        let message = format!("rsvdCnt is a uint64_t&, and `{}` is {ty}", count.name);
        let mut report = sink.report(count.span, message);
        if let Some(declared) = count.declared {
            report = report.label(declared, "declared here");
        }
        report.help(format!("declare `uint64_t {} = 0;`", count.name));
    }
}
