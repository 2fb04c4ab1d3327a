use crate::declare_rule;
use crate::{MmaFacts, Sink};
use a2lint_ir::mma::Class;

declare_rule! {
    /// ## What it does
    /// Reports a zero-column mask that is no 64-bit register: a narrower one, or an address.
    ///
    /// The constant `0` is accepted: it means no mask.
    ///
    /// ## Why is this bad?
    /// The descriptor has 64 bits. It is a value, not a place in memory.
    ///
    /// ## Example
    /// ```ptx
    /// .reg .b32 %mask;
    /// tcgen05.mma.ws.cta_group::1.kind::f16 [%r1], %rd1, %rd2, %r2, %p1, %mask;
    /// ```
    ///
    /// ## Use instead
    /// ```ptx
    /// .reg .b64 %mask;
    /// tcgen05.mma.ws.cta_group::1.kind::f16 [%r1], %rd1, %rd2, %r2, %p1, %mask;
    /// ```
    ///
    /// ## Source
    /// PTX ISA, `tcgen05.mma.ws`: the zero-column mask is a 64-bit register.
    "ZCM005" "zcm-operand-type" Error, basis = Constants, scope = Mma
}

fn check(facts: &MmaFacts, sink: &mut Sink) {
    for mma in facts.kernel.mmas() {
        let Some(mask) = mma.mask_operand() else {
            continue;
        };
        let what = match mask.class {
            Class::Register(64) => continue,
            Class::Register(bits) => format!("`{}` has {bits} bits", mask.text),
            Class::Address => "an address stands here".to_owned(),
            Class::Predicate | Class::Immediate | Class::Vector | Class::Unknown => continue,
        };
        let message = format!("{what}: the zero-column mask is a 64-bit register");
        let help =
            "put the descriptor into a `.b64` register (constraint `\"l\"` in inline assembly)";
        sink.report(mask.span, message).help(help);
    }
}
