use crate::declare_rule;
use crate::pto::tiles::masked;
use crate::{Sink, TileFacts};
use a2lint_ir::tile::StepKind;
use a2lint_isa::masks::{Target, Verdict};

declare_rule! {
    /// ## What it does
    /// Reports a `TSEL` or `TSELS` whose tiles have elements of a size that the device does not select.
    ///
    /// ## Why is this bad?
    /// A2 and A3 select elements of 2 and 4 bytes. The CPU simulator takes any size, and a kernel that
    /// passes there does not compile for the device.
    ///
    /// Older manuals list 2 and 4 bytes for A5 as well. Its library takes 1 byte and is tested with it,
    /// and since 2026 manual and header agree on 1, 2, 4 and 8, so these sizes are fine there. One trap
    /// is left: of 1-byte elements, the library's `TSEL` moves on by 16 bytes of the mask for each 256
    /// elements of a row, which have 32 bytes of bits (`TSELS` moves on by 32). A row of more than 256
    /// elements is a warning.
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
        // A file without a target may be meant for a device that selects this size.
        let certain = |holds: &dyn Fn(Target) -> bool| {
            let verdict = facts.unit.targets.judge(holds);
            verdict.filter(Verdict::is_certain)
        };
        let takes = |target: Target| target.selects(bytes) && (bytes != 8 || element.is_integer());
        let refused = certain(&|target| !takes(target));
        // `tsel-element-type` reports a wrong type of a size that the device selects.
        let refused = refused.filter(|verdict| !verdict.example().selects(bytes));
        if let Some(verdict) = refused {
            let message = format!(
                "{} selects elements of 2 or 4 bytes on {}, but `{}` holds {element} of {bytes}",
                step.name,
                verdict.example().name(),
                dst.text,
            );
            sink.report(dst.span, message)
                .help("convert to a type of 2 or 4 bytes with TCVT, select, and convert back");
            continue;
        }
        let columns = dst.valid[1].filter(|&columns| columns > MAX_BYTES_OF_ROW && bytes == 1);
        if let Some(columns) = columns
            && matches!(step.kind, StepKind::Select(_))
            && certain(&|target| target == Target::A5).is_some()
        {
            let message = format!(
                "TSEL on A5 reads 16 bytes of the mask for each 256 elements of 1 byte, which have 32: \
                 columns 256 to {} of `{}` take bits of others",
                columns - 1,
                dst.text,
            );
            sink.report(dst.span, message)
                .help("select rows of at most 256 elements, or elements of 2 bytes")
                .possible();
        }
    }
}

/// Number of 1-byte elements that one step of the library's TSEL selects on A5.
const MAX_BYTES_OF_ROW: i64 = 256;
