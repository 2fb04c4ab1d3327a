use crate::declare_rule;
use crate::pto::tiles::{block_end, compares, extent, only_there};
use crate::{Sink, TileFacts};
use a2lint_isa::masks::Target;
use a2lint_isa::masks::tile_select::compare_row_bytes;

declare_rule! {
    /// ## What it does
    /// Reports a compare whose destination rows have fewer bytes than the instruction writes into each.
    ///
    /// ## Why is this bad?
    /// On A2 and A3 `TCMP` and `TCMPS` work in whole repeats of 256 source bytes: 8 bytes of bits for every
    /// 64 columns of 4-byte elements, 16 bytes for every 128 of 2-byte ones, rounded up. The excess bytes
    /// overwrite the start of the next row, and after the last row the next memory.
    ///
    /// ## Example
    /// ```cpp
    /// Tile<TileType::Vec, float, 16, 320> a, b;
    /// Tile<TileType::Vec, uint8_t, 16, 32> mask;         // 320 columns: 40 bytes
    /// TCMP(mask, a, b, CmpMode::LT);
    /// ```
    ///
    /// ## Use instead
    /// ```cpp
    /// Tile<TileType::Vec, float, 16, 320> a, b;
    /// Tile<TileType::Vec, uint8_t, 16, 64> mask;
    /// TCMP(mask, a, b, CmpMode::LT);
    /// ```
    ///
    /// ## Source
    /// TCMP, the implementation of A2A3.
    "PTO012" "tcmp-row-bytes" Error, basis = Constants, scope = Tiles
}

fn check(facts: &TileFacts, sink: &mut Sink) {
    let Some(verdict) = facts.unit.targets.judge(|target| target == Target::A2A3) else {
        return;
    };
    for (step, compare) in compares(facts) {
        let source = &compare.src0;
        let numbers = extent(source.valid[1]).zip(source.element());
        let Some((columns, element)) = numbers else {
            continue;
        };
        let needed = compare_row_bytes(columns, element.bytes() as u64);
        let row = compare.dst.ty.and_then(|ty| ty.row_bytes());
        let (Some(needed), Some(row)) = (needed.and_then(|bytes| i64::try_from(bytes).ok()), row)
        else {
            continue;
        };
        if row >= needed {
            continue;
        }
        let message = format!(
            "{} writes {needed} bytes for a row of {columns} {element}, whole repeats of 256 source bytes, \
             but the rows of `{}` have {row}",
            step.name, compare.dst.text,
        );
        let report = sink
            .report(compare.dst.span, message)
            .label(source.span, format!("{columns} valid columns"))
            .help(format!("give the mask rows of {} bytes", block_end(needed)));
        only_there(report, &verdict, step.span);
    }
}
