use rustc_hash::FxHashSet;

use crate::declare_rule;
use crate::{MmaFacts, Sink};
use a2lint_ir::mma::Class;
use a2lint_isa::masks::instruction_descriptor::Field;

declare_rule! {
    /// ## What it does
    /// Reports an instruction descriptor with an M or N that `tcgen05.mma.ws` does not support.
    ///
    /// Bits 24 to 28 of the descriptor hold M / 16, and bits 17 to 22 hold N / 8.
    ///
    /// ## Why is this bad?
    /// The weight-stationary form multiplies 32, 64 or 128 rows by 64, 128 or 256 columns; with a sparse A
    /// by 64 or 128. Another shape is undefined behaviour, and the mask has no meaning for it.
    ///
    /// ## Example
    /// ```ptx
    /// mov.b32 %r2, 0x10200010;    // M 256, N 128
    /// tcgen05.mma.ws.cta_group::1.kind::f16 [%r1], %rd1, %rd2, %r2, %p1, %rd3;
    /// ```
    ///
    /// ## Use instead
    /// ```ptx
    /// mov.b32 %r2, 0x08200010;    // M 128, N 128
    /// tcgen05.mma.ws.cta_group::1.kind::f16 [%r1], %rd1, %rd2, %r2, %p1, %rd3;
    /// ```
    ///
    /// ## Source
    /// PTX ISA, shapes of `tcgen05.mma.ws` and the instruction descriptor.
    "ZCM010" "zcm-shape" Error, basis = Constants, scope = Mma
}

fn check(facts: &MmaFacts, sink: &mut Sink) {
    // A descriptor that one place gives to several instructions is one mistake.
    let mut judged = FxHashSet::default();
    for mma in facts.kernel.mmas().filter(|mma| mma.weight_stationary) {
        let Some(operand) = mma.descriptor() else {
            continue;
        };
        // `zcm-form` reports other operands in this place.
        if !matches!(operand.class, Class::Register(32) | Class::Unknown) {
            continue;
        }
        let place = operand.origin.unwrap_or(operand.span);
        if !judged.insert((place, mma.sparse, operand.bits)) {
            continue;
        }
        let columns: &[u64] = match mma.sparse {
            true => &[64, 128],
            false => &[64, 128, 256],
        };
        let form = if mma.sparse { "`.ws.sp`" } else { "`.ws`" };
        let extents = [
            ("M", Field::Rows, &[32, 64, 128][..]),
            ("N", Field::Columns, columns),
        ];
        for (name, field, legal) in extents {
            let Some(value) = mma.field(field).filter(|value| !legal.contains(value)) else {
                continue;
            };
            let list: Vec<String> = legal.iter().map(u64::to_string).collect();
            let message = format!("{form} has no shape with {name} = {value}");
            let help = format!("{name} is one of {}", list.join(", "));
            let report = sink.report(operand.span, message).help(help);
            if let Some(origin) = operand.origin {
                report.label(origin, "the instruction descriptor comes from here");
            }
        }
    }
}
