use crate::declare_rule;
use crate::pto::tiles::masked;
use crate::{Sink, TileFacts};
use a2lint_ir::finding::Severity;
use a2lint_isa::masks::Target;

declare_rule! {
    /// ## What it does
    /// Reports mask tiles whose elements are wider than a byte.
    ///
    /// ## Why is this bad?
    /// A2 and A3 take the raw bytes. The CPU simulator uses the low eight bits of every element and drops
    /// the others. A5 counts rows of a `TSEL` mask in elements but addresses bytes, so every row but the
    /// first is read from the wrong place: an error there.
    ///
    /// ## Example
    /// ```cpp
    /// using MaskT = Tile<TileType::Vec, uint32_t, 16, 8>;
    /// ```
    ///
    /// ## Use instead
    /// ```cpp
    /// using MaskT = Tile<TileType::Vec, uint8_t, 16, 32>;
    /// ```
    ///
    /// ## Source
    /// TSEL, mask encoding; the implementations of A5 and the simulator.
    "PTO008" "tsel-mask-dtype" Warning, basis = Constants, scope = Tiles
}

fn check(facts: &TileFacts, sink: &mut Sink) {
    let a5 = facts.unit.targets.name(Target::A5);
    for (step, dst, mask, _) in masked(facts) {
        let Some(element) = mask.element().filter(|element| element.bytes() > 1) else {
            continue;
        };
        // The simulator's TSELS is another instruction, without a packed mask.
        if step.name != "TSEL" && !facts.unit.targets.are_named() {
            continue;
        }
        // `ptoas-mask-type` reports masks in assembly that are not integers.
        if facts.function.assembly && !element.is_integer() {
            continue;
        }
        let on_a5 = a5 && step.name == "TSEL";
        let rows = dst.valid[0];
        let why = match on_a5 {
            true => format!(
                "A5 steps its rows by {} bytes instead of {}",
                mask.ty.and_then(|ty| ty.shape[1]).unwrap_or(0),
                mask.ty.and_then(|ty| ty.row_bytes()).unwrap_or(0),
            ),
            false => "the CPU simulator uses the low byte of each element only".to_owned(),
        };
        let message = format!(
            "`{}` is a mask of {element}, {} bytes each: {why}",
            mask.text,
            element.bytes()
        );
        let report = sink
            .report(mask.span, message)
            .help("declare the mask as uint8_t with as many bytes in a row");
        if on_a5 && rows.is_none_or(|rows| rows > 1) {
            report.severity(Severity::Error);
        } else {
            report.possible();
        }
    }
}
