use crate::declare_rule;
use crate::{MmaFacts, Sink};
use a2lint_ir::mma::Class;

declare_rule! {
    /// ## What it does
    /// Reports a 64-bit register after the predicate of a `tcgen05.mma` without `.ws`.
    ///
    /// ## Why is this bad?
    /// Only the weight-stationary form has a zero-column mask. In other forms the operand after the
    /// predicate is a small constant that scales D, and the assembler rejects a register there.
    ///
    /// ## Example
    /// ```ptx
    /// tcgen05.mma.cta_group::1.kind::f16 [%r1], %rd1, %rd2, %r2, %p1, %rd3;
    /// ```
    ///
    /// ## Use instead
    /// ```ptx
    /// tcgen05.mma.ws.cta_group::1.kind::f16 [%r1], %rd1, %rd2, %r2, %p1, %rd3;
    /// ```
    ///
    /// ## Source
    /// PTX ISA, `tcgen05.mma` and `tcgen05.mma.ws`: syntax.
    "ZCM003" "zcm-not-ws" Error, basis = Constants, scope = Mma
}

fn check(facts: &MmaFacts, sink: &mut Sink) {
    for mma in facts.kernel.mmas() {
        if mma.weight_stationary || !mma.instruction.complete {
            continue;
        }
        let operands = &mma.instruction.operands;
        let behind = operands
            .iter()
            .skip_while(|operand| operand.class != Class::Predicate)
            .nth(1);
        let Some(mask) = behind.filter(|operand| operand.class == Class::Register(64)) else {
            continue;
        };
        let message = format!(
            "`{}` stands where a zero-column mask would, but only `tcgen05.mma.ws` has one",
            mask.text
        );
        sink.report(mask.span, message)
            .label(mma.instruction.name_span, "not `.ws`")
            .help("write `.mma.ws`, or drop the operand");
    }
}
