use crate::declare_rule;
use crate::gather_mask::gathers::calls;
use crate::{GatherFacts, Sink};
use a2lint_isa::masks::Target;
use a2lint_isa::masks::gather::FixedPattern;

declare_rule! {
    /// ## What it does
    /// Reports pattern 7 in a file that is meant for inference products.
    ///
    /// ## Why is this bad?
    /// The AI Core of inference products (310P) has the patterns 1 to 6. Pattern 7, which keeps everything,
    /// came with A2 and 200I/500 A2.
    ///
    /// ## Example
    /// ```cpp
    /// // a2lint: device 310p
    /// GatherMask(dst, src, 7, true, 100, {1, 1, 8, 0}, kept);
    /// ```
    ///
    /// ## Use instead
    /// ```cpp
    /// // a2lint: device 310p
    /// DataCopy(dst, src, 104);                           // a copy needs no mask
    /// ```
    ///
    /// ## Source
    /// GatherMask, src1Pattern: products.
    "GMK002" "gather-pattern-product" Error, basis = Constants, scope = Gathers
}

fn check(facts: &GatherFacts, sink: &mut Sink) {
    if !facts.unit.targets.name(Target::Inference) {
        return;
    }
    for (_, call) in calls(facts) {
        if call.fixed() == Some(FixedPattern::ALL) {
            let message = format!(
                "{} know the patterns 1 to 6; pattern 7 is not among them",
                Target::Inference.name()
            );
            sink.report(call.pattern_span, message)
                .help("pattern 7 keeps every element: copy with DataCopy or Copy instead");
        }
    }
}
