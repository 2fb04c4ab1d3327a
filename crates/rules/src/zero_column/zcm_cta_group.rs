use crate::declare_rule;
use crate::{MmaFacts, Sink};

declare_rule! {
    /// ## What it does
    /// Reports `tcgen05.mma.ws` with `.cta_group::2`.
    ///
    /// ## Why is this bad?
    /// The weight-stationary form, which alone has a zero-column mask, runs on one CTA; the assembler
    /// refuses a pair.
    ///
    /// ## Example
    /// ```ptx
    /// tcgen05.mma.ws.cta_group::2.kind::f16 [%r1], %rd1, %rd2, %r2, %p1, %rd3;
    /// ```
    ///
    /// ## Use instead
    /// ```ptx
    /// tcgen05.mma.ws.cta_group::1.kind::f16 [%r1], %rd1, %rd2, %r2, %p1, %rd3;
    /// ```
    ///
    /// ## Source
    /// PTX ISA, `tcgen05.mma.ws`: syntax.
    "ZCM001" "zcm-cta-group" Error, basis = Constants, scope = Mma
}

fn check(facts: &MmaFacts, sink: &mut Sink) {
    for mma in facts.kernel.mmas().filter(|mma| mma.weight_stationary) {
        let Some(group) = mma.instruction.family("cta_group") else {
            continue;
        };
        if group.last() != "1" {
            let message = format!("`.ws` runs on one CTA and takes no `.{}`", group.text);
            let help =
                "write `.cta_group::1`, here and in every `tcgen05` instruction of the kernel";
            sink.report(group.span, message).help(help);
        }
    }
}
