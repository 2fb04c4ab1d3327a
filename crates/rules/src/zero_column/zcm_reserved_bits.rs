use crate::declare_rule;
use crate::zero_column::column_masks::masks;
use crate::{MmaFacts, Sink};
use a2lint_isa::masks::zero_column::RESERVED_BITS;

declare_rule! {
    /// ## What it does
    /// Reports a zero-column mask descriptor with bits set that are reserved (36 to 38) or lie outside its
    /// layout (62 and 63).
    ///
    /// ## Why is this bad?
    /// The bits must be zero. They are mostly set by a field that is shifted to the wrong place, or by a
    /// shift that does not fit its six bits.
    ///
    /// ## Example
    /// ```ptx
    /// mov.b64 %rd3, 0x0003029000000000;
    /// ```
    ///
    /// ## Use instead
    /// ```ptx
    /// mov.b64 %rd3, 0x0003028000000000;
    /// ```
    ///
    /// ## Source
    /// PTX ISA, zero-column mask descriptor: layout.
    "ZCM012" "zcm-reserved-bits" Error, basis = Constants, scope = Mma
}

fn check(facts: &MmaFacts, sink: &mut Sink) {
    for mask in masks(facts) {
        let set = mask.ones() & RESERVED_BITS;
        if set == 0 {
            continue;
        }
        let bits: Vec<String> = (0..64)
            .filter(|bit| set >> bit & 1 == 1)
            .map(|bit| bit.to_string())
            .collect();
        let (noun, verb) = match bits.len() {
            1 => ("bit", "is"),
            _ => ("bits", "are"),
        };
        let message = format!(
            "{noun} {} of the mask descriptor {verb} set; 36-38 are reserved and 62-63 outside the layout",
            bits.join(", ")
        );
        let help = "fields: start counts 0-31, first spans 32-35, non-zero mask 39, skip span 40-47, \
                    use span 48-55, column shift 56-61";
        mask.label(sink.report(mask.mask.operand.span, message))
            .help(help);
    }
}
