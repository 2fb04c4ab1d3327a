use crate::declare_rule;
use crate::{MmaFacts, Sink};
use a2lint_ir::mma::Modifier;

declare_rule! {
    /// ## What it does
    /// Reports modifiers on `tcgen05.mma.ws` that belong to the plain `tcgen05.mma`: `.ashift`,
    /// `.block_scale`, `.scale_vec` and collector buffers of A.
    ///
    /// ## Why is this bad?
    /// The weight-stationary form keeps B, not A, in collector buffers, does not shift the rows of A and
    /// has no scale factors; the assembler refuses the modifier.
    ///
    /// ## Example
    /// ```ptx
    /// tcgen05.mma.ws.cta_group::1.kind::f16.collector::a::fill [%r1], %rd1, %rd2, %r2, %p1, %rd3;
    /// ```
    ///
    /// ## Use instead
    /// ```ptx
    /// tcgen05.mma.ws.cta_group::1.kind::f16.collector::b0::fill [%r1], %rd1, %rd2, %r2, %p1, %rd3;
    /// ```
    ///
    /// ## Source
    /// PTX ISA, `tcgen05.mma.ws`: syntax.
    "ZCM007" "zcm-modifier" Error, basis = Constants, scope = Mma
}

fn check(facts: &MmaFacts, sink: &mut Sink) {
    for mma in facts.kernel.mmas().filter(|mma| mma.weight_stationary) {
        for modifier in &mma.instruction.modifiers {
            let Some(help) = instead(modifier) else {
                continue;
            };
            let message = format!(
                "`.{}` belongs to the plain `tcgen05.mma`, not to `.ws`",
                modifier.text
            );
            sink.report(modifier.span, message).help(help);
        }
    }
}

/// Returns what to write instead of a modifier that `.ws` does not have.
fn instead(modifier: &Modifier) -> Option<&'static str> {
    match modifier.family() {
        "ashift" => Some("the column shift of the zero-column mask moves B instead"),
        "block_scale" | "scale_vec" => Some("scale factors need the plain `tcgen05.mma`"),
        "collector" if modifier.text.split("::").nth(1) == Some("a") => {
            Some("B is kept here: `.collector::b0::…` to `.collector::b3::…`")
        }
        _ => None,
    }
}
