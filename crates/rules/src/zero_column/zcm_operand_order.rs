use crate::declare_rule;
use crate::{MmaFacts, Sink};
use a2lint_ir::mma::Class;

declare_rule! {
    /// ## What it does
    /// Reports a `tcgen05.mma.ws` whose mask comes before the predicate.
    ///
    /// ## Why is this bad?
    /// The order is fixed: `[d], a, b, idesc, predicate, mask`, with the metadata of a sparse A before the
    /// instruction descriptor. The mask comes last.
    ///
    /// ## Example
    /// ```ptx
    /// tcgen05.mma.ws.cta_group::1.kind::f16 [%r1], %rd1, %rd2, %r2, %rd3, %p1;
    /// ```
    ///
    /// ## Use instead
    /// ```ptx
    /// tcgen05.mma.ws.cta_group::1.kind::f16 [%r1], %rd1, %rd2, %r2, %p1, %rd3;
    /// ```
    ///
    /// ## Source
    /// PTX ISA, `tcgen05.mma.ws`: syntax.
    "ZCM004" "zcm-operand-order" Error, basis = Constants, scope = Mma
}

fn check(facts: &MmaFacts, sink: &mut Sink) {
    for mma in facts.kernel.mmas() {
        let (Some(first), Some(second)) = (mma.predicate(), mma.mask_operand()) else {
            continue;
        };
        if first.class == Class::Register(64) && second.class == Class::Predicate {
            let (mask, predicate) = (&first.text, &second.text);
            let message = format!("the mask `{mask}` stands before the predicate `{predicate}`");
            sink.report(first.span.to(second.span), message)
                .help(format!("write `{predicate}, {mask}`"));
        }
    }
}
