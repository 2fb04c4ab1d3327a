use crate::declare_rule;
use crate::{GatherFacts, Sink};
use a2lint_ir::gather::{MaskMode, StepKind};

declare_rule! {
    /// ## What it does
    /// Reports an instruction that relies on the Counter mode set before a `GatherMask`.
    ///
    /// ## Why is this bad?
    /// On exit `GatherMask` leaves the mask mode Normal and the vector mask register changed. A later
    /// instruction with `isSetMask = false` then works with another mask than the one that was set.
    ///
    /// ## Example
    /// ```cpp
    /// SetMaskCount();
    /// GatherMask(a, src, 1, true, 64, params, kept);
    /// Add<float, false>(c, a, b, MASK_PLACEHOLDER, 1, {1, 1, 1, 8, 8, 8});
    /// ```
    ///
    /// ## Use instead
    /// ```cpp
    /// GatherMask(a, src, 1, true, 64, params, kept);
    /// SetMaskCount();
    /// SetVectorMask<float, MaskMode::COUNTER>(0, 64);
    /// Add<float, false>(c, a, b, MASK_PLACEHOLDER, 1, {1, 1, 1, 8, 8, 8});
    /// ```
    ///
    /// ## Source
    /// GatherMask, side effects on the mask.
    "GMK019" "gather-mask-mode" Warning, basis = Shape, scope = Gathers
}

fn check(facts: &GatherFacts, sink: &mut Sink) {
    let steps = &facts.function.steps;
    for (at, step, _) in facts.function.calls() {
        let before = steps[..at]
            .iter()
            .rev()
            .find(|step| matches!(step.kind, StepKind::MaskMode(_) | StepKind::Unknown));
        let Some(set) = before.filter(|set| {
            set.kind == StepKind::MaskMode(MaskMode::Counter)
                && facts.function.related(set.region, step.region)
        }) else {
            continue;
        };
        for later in &steps[at + 1..] {
            match &later.kind {
                StepKind::MaskMode(_) | StepKind::Unknown | StepKind::Gather(_) => break,
                StepKind::Vector {
                    name,
                    keeps_mask: true,
                    ..
                } if facts.function.related(step.region, later.region) => {
                    let message = format!(
                        "{name} relies on the Counter mode, and GatherMask has left Normal mode and \
                         another mask after it"
                    );
                    sink.report(later.span, message)
                        .label(set.span, "Counter mode is set here")
                        .label(step.span, "and lost here")
                        .help("call SetMaskCount() and SetVectorMask again after GatherMask");
                    break;
                }
                _ => {}
            }
        }
    }
}
