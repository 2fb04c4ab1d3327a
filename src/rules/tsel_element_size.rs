use super::tiles::masked;
use super::{Sink, TileFacts};
use crate::declare_rule;
use crate::masks::{Target, Verdict};

declare_rule! {
    /// ## What it does
    /// Reports a `TSEL` or `TSELS` whose tiles have elements of a size that the device does not select.
    ///
    /// ## Why is this bad?
    /// A2 and A3 select elements of 2 and 4 bytes. A5 also takes 1 byte by its header, while the manual
    /// lists 2 and 4, so one byte is a warning there. The CPU simulator takes any size, and a kernel that
    /// passes there does not compile for the device.
    ///
    /// ## Example
    /// ```cpp
    /// using TileT = Tile<TileType::Vec, int8_t, 16, 32>;
    /// TSEL(dst, mask, src0, src1, tmp);
    /// ```
    ///
    /// ## Use instead
    /// ```cpp
    /// using TileT = Tile<TileType::Vec, half, 16, 32>;   // convert with TCVT before and after
    /// TSEL(dst, mask, src0, src1, tmp);
    /// ```
    ///
    /// ## Source
    /// TSEL, constraints of A2A3 and A5.
    "PTO001" "tsel-element-size" Error, basis = Constants, scope = Tiles
}

fn check(facts: &TileFacts, sink: &mut Sink) {
    for (step, dst, _, _) in masked(facts) {
        let Some(element) = dst.element() else {
            continue;
        };
        let bytes = element.bytes();
        // The manual of A5 knows two sizes, its header four.
        let by_header = |target: Target| !matches!(bytes, 2 | 4) && target.selects(bytes);
        let verdict = facts
            .unit
            .targets
            .judge(|target| !target.selects(bytes) || by_header(target) && target == Target::A5);
        // An open file may be meant for a device that has them.
        let Some(verdict) = verdict.filter(Verdict::is_certain) else {
            continue;
        };
        let target = verdict.example();
        // One-byte types that A5 does not list at all are for `tsel-element-type`.
        if by_header(target) && bytes == 1 && !element.is_integer() {
            continue;
        }
        let message = format!(
            "{} selects elements of 2 or 4 bytes on {}, but `{}` holds {element} of {bytes}",
            step.name,
            target.name(),
            dst.text,
        );
        let report = sink
            .report(dst.span, message)
            .help("convert to a type of 2 or 4 bytes with TCVT, select, and convert back");
        if by_header(target) {
            report.possible();
        }
    }
}
