use crate::declare_rule;
use crate::{MmaFacts, Sink};
use a2lint_ir::mma::Class;

declare_rule! {
    /// ## What it does
    /// Reports a vector of lane masks on `tcgen05.mma.ws`.
    ///
    /// ## Why is this bad?
    /// `{m0, m1, m2, m3}` disables output lanes of the plain `tcgen05.mma`. The weight-stationary form has
    /// no such operand; it masks columns of B, by one 64-bit descriptor.
    ///
    /// ## Example
    /// ```ptx
    /// tcgen05.mma.ws.cta_group::1.kind::f16 [%r1], %rd1, %rd2, %r2, {%r4, %r5, %r6, %r7}, %p1;
    /// ```
    ///
    /// ## Use instead
    /// ```ptx
    /// tcgen05.mma.ws.cta_group::1.kind::f16 [%r1], %rd1, %rd2, %r2, %p1, %rd3;
    /// ```
    ///
    /// ## Source
    /// PTX ISA, `tcgen05.mma` and `tcgen05.mma.ws`: syntax.
    "ZCM006" "zcm-lane-vector" Error, basis = Constants, scope = Mma
}

fn check(facts: &MmaFacts, sink: &mut Sink) {
    for mma in facts.kernel.mmas().filter(|mma| mma.weight_stationary) {
        let mut operands = mma.instruction.operands.iter();
        if let Some(vector) = operands.find(|operand| operand.class == Class::Vector) {
            let message =
                "`.ws` takes no vector of lane masks: that belongs to the plain `tcgen05.mma`";
            let help = "a 64-bit zero-column mask after the predicate leaves out columns";
            sink.report(vector.span, message).help(help);
        }
    }
}
