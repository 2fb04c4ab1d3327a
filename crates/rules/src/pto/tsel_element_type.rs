use crate::declare_rule;
use crate::pto::tiles::{masked, only_there};
use crate::{Sink, TileFacts};
use a2lint_isa::masks::{Element, Target};

declare_rule! {
    /// ## What it does
    /// Reports a `TSEL` or `TSELS` on an element type that is not in the list of the device, although its
    /// size would be right.
    ///
    /// ## Why is this bad?
    /// A2 and A3 take int16, uint16, int32, uint32, half, bfloat16 and float; A5 also int8, uint8, int64
    /// and uint64. A type of the same size compiles for none of them, and selecting it under another
    /// name needs a reinterpretation that the author should see.
    ///
    /// ## Example
    /// ```cpp
    /// using TileT = Tile<TileType::Vec, complex32, 16, 16>;
    /// TSEL(dst, mask, src0, src1, tmp);
    /// ```
    ///
    /// ## Use instead
    /// ```cpp
    /// using TileT = Tile<TileType::Vec, uint32_t, 16, 16>;   // the same bits
    /// TSEL(dst, mask, src0, src1, tmp);
    /// ```
    ///
    /// ## Source
    /// TSEL, constraints of A2A3 and A5.
    "PTO002" "tsel-element-type" Error, basis = Constants, scope = Tiles
}

fn check(facts: &TileFacts, sink: &mut Sink) {
    for (step, dst, _, _) in masked(facts) {
        let Some(element) = dst.element() else {
            continue;
        };
        let Some(verdict) = facts
            .unit
            .targets
            .judge(|target| !is_listed(element, target))
        else {
            continue;
        };
        let target = verdict.example();
        let message = format!(
            "{} does not take {element} on {}, the type of `{}`",
            step.name,
            target.name(),
            dst.text,
        );
        let same_size = match element.bytes() {
            1 => "uint8_t",
            2 => "uint16_t",
            8 => "uint64_t",
            _ => "uint32_t",
        };
        let help = format!(
            "select the same bits as {same_size}; listed are {}",
            listed(target)
        );
        only_there(
            sink.report(dst.span, message).help(help),
            &verdict,
            step.span,
        );
    }
}

/// Returns whether a type is listed for a target. Types of a wrong size count as listed: `tsel-element-size` reports
/// them.
fn is_listed(element: Element, target: Target) -> bool {
    match element.bytes() {
        bytes @ (1 | 8) if target.selects(bytes) => element.is_integer(),
        2 | 4 => element.is_maskable(),
        _ => true,
    }
}

fn listed(target: Target) -> &'static str {
    match target {
        Target::A5 => "int8 to int64, uint8 to uint64, half, bfloat16 and float",
        _ => "int16, uint16, int32, uint32, half, bfloat16 and float",
    }
}
