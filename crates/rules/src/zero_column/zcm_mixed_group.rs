use crate::declare_rule;
use crate::{MmaFacts, Sink};
use a2lint_ir::mma::{Instruction, Modifier};

declare_rule! {
    /// ## What it does
    /// Reports a kernel whose `tcgen05` instructions name both `.cta_group::1` and `.cta_group::2`.
    ///
    /// Inline assembly under a condition is left out: templates pick one of two forms that way.
    ///
    /// ## Why is this bad?
    /// Tensor memory is allocated, used and freed by one CTA or by a pair. All instructions of a kernel
    /// must say the same, or the behaviour is undefined.
    ///
    /// ## Example
    /// ```ptx
    /// tcgen05.alloc.cta_group::2.sync.aligned.shared::cta.b32 [slot], 128;
    /// tcgen05.mma.ws.cta_group::1.kind::f16 [%r1], %rd1, %rd2, %r2, %p1, %rd3;
    /// ```
    ///
    /// ## Use instead
    /// ```ptx
    /// tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [slot], 128;
    /// tcgen05.mma.ws.cta_group::1.kind::f16 [%r1], %rd1, %rd2, %r2, %p1, %rd3;
    /// ```
    ///
    /// ## Source
    /// PTX ISA, tensor-core instructions of the fifth generation: `.cta_group`.
    "ZCM002" "zcm-mixed-group" Error, basis = Constants, scope = Mma
}

fn check(facts: &MmaFacts, sink: &mut Sink) {
    let mut groups = facts
        .kernel
        .instructions
        .iter()
        .filter(|instruction| !instruction.conditional && !is_bad_by_itself(instruction))
        .filter_map(|instruction| instruction.family("cta_group"));
    let Some(first) = groups.next() else {
        return;
    };
    if let Some(other) = groups.find(|group| group.last() != first.last()) {
        let message = format!(
            "`.{}` in a kernel that uses `.{}`: every `tcgen05` instruction must name the same",
            other.text, first.text
        );
        let help = "weight-stationary instructions need `.cta_group::1`";
        sink.report(other.span, message)
            .label(first.span, format!("`.{}` here", first.text))
            .help(help);
    }
}

/// Returns whether an instruction is weight-stationary with a group that it cannot have, which `zcm-cta-group` reports.
fn is_bad_by_itself(instruction: &Instruction) -> bool {
    let group = instruction.family("cta_group").map(Modifier::last);
    instruction.modifier("ws").is_some() && group != Some("1")
}
