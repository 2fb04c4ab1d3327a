use crate::declare_rule;
use crate::gather_mask::gathers::calls;
use crate::{GatherFacts, Sink};

declare_rule! {
    /// ## What it does
    /// Reports a `GatherMask` that is given its template parameter `mode`.
    ///
    /// ## Why is this bad?
    /// The parameter is reserved for later. Its default is the one that fits the product; another does not
    /// compile everywhere, and may mean something else in the next version.
    ///
    /// ## Example
    /// ```cpp
    /// GatherMask<float, GatherMaskMode::VERSION_V1>(dst, src, 1, false, 0, params, kept);
    /// ```
    ///
    /// ## Use instead
    /// ```cpp
    /// GatherMask(dst, src, 1, false, 0, params, kept);
    /// ```
    ///
    /// ## Source
    /// GatherMask, template parameters.
    "GMK025" "gather-reserved-parameter" Warning, basis = Constants, scope = Gathers
}

fn check(facts: &GatherFacts, sink: &mut Sink) {
    for (_, call) in calls(facts) {
        if let Some(span) = call.reserved {
            sink.report(
                span,
                "the template parameter `mode` of GatherMask is reserved",
            )
            .help("leave it to its default");
        }
    }
}
