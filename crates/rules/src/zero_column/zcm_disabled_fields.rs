use crate::declare_rule;
use crate::zero_column::column_masks::masks;
use crate::{MmaFacts, Sink};
use a2lint_isa::masks::zero_column::Field;

declare_rule! {
    /// ## What it does
    /// Reports a descriptor with spans or start counts but without bit 39, the non-zero mask.
    ///
    /// A shift alone is fine: it works without a mask.
    ///
    /// ## Why is this bad?
    /// With bit 39 clear no mask is generated, whatever the other fields say, and every column of B is
    /// used.
    ///
    /// ## Example
    /// ```ptx
    /// mov.b64 %rd3, 0x0003020000000000;
    /// ```
    ///
    /// ## Use instead
    /// ```ptx
    /// mov.b64 %rd3, 0x0003028000000000;
    /// ```
    ///
    /// ## Source
    /// PTX ISA, zero-column mask descriptor: non-zero mask, and its first example.
    "ZCM015" "zcm-disabled-fields" Warning, basis = Constants, scope = Mma
}

fn check(facts: &MmaFacts, sink: &mut Sink) {
    let parts = || 0..4u8;
    let groups = [
        (
            "start counts",
            parts().fold(0, |bits, part| bits | Field::StartCount(part).bits()),
        ),
        (
            "first spans",
            parts().fold(0, |bits, part| bits | Field::FirstSpan(part).bits()),
        ),
        ("the skip span", Field::SkipSpan.bits()),
        ("the use span", Field::UseSpan.bits()),
    ];
    for mask in masks(facts) {
        if mask.field(Field::NonZeroMask) != Some(0) {
            continue;
        }
        let set: Vec<&str> = groups
            .iter()
            .filter(|(_, bits)| mask.ones() & bits != 0)
            .map(|(name, _)| *name)
            .collect();
        if set.is_empty() {
            continue;
        }
        let message = format!(
            "bit 39 is clear, so no mask is generated and {} have no effect",
            list(&set)
        );
        mask.label(sink.report(mask.mask.operand.span, message))
            .help("set bit 39 (`0x8000000000`) to mask columns, or clear the other fields");
    }
}

/// Joins words: `a, b and c`.
fn list(words: &[&str]) -> String {
    match words {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}
