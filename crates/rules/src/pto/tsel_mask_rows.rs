use crate::declare_rule;
use crate::pto::tiles::{extent, masked};
use crate::{Sink, TileFacts};

declare_rule! {
    /// ## What it does
    /// Reports a `TSEL` or `TSELS` whose mask tile has fewer rows than the destination has valid rows.
    ///
    /// ## Why is this bad?
    /// Each valid row of the destination takes its bits from the row of the mask with the same number. Rows
    /// that the mask does not have are read from whatever is next in memory.
    ///
    /// ## Example
    /// ```cpp
    /// using TileT = Tile<TileType::Vec, float, 16, 64>;
    /// using MaskT = Tile<TileType::Vec, uint8_t, 8, 32>;
    /// TSEL(dst, mask, src0, src1, tmp);
    /// ```
    ///
    /// ## Use instead
    /// ```cpp
    /// using TileT = Tile<TileType::Vec, float, 16, 64>;
    /// using MaskT = Tile<TileType::Vec, uint8_t, 16, 32>;
    /// TSEL(dst, mask, src0, src1, tmp);
    /// ```
    ///
    /// ## Source
    /// TSEL, encoding of the mask.
    "PTO024" "tsel-mask-rows" Error, basis = Constants, scope = Tiles
}

fn check(facts: &TileFacts, sink: &mut Sink) {
    // The simulator reads the mask as one stream of bits; its rows do not matter.
    if facts.unit.targets.judge(|_| true).is_none() {
        return;
    }
    for (step, dst, mask, _) in masked(facts) {
        let held = mask.ty.and_then(|ty| extent(ty.shape[0]));
        let (Some(rows), Some(held)) = (extent(dst.valid[0]), held) else {
            continue;
        };
        if held >= rows {
            continue;
        }
        let message = format!(
            "{} takes bits for {rows} rows, but `{}` has {held}",
            step.name, mask.text
        );
        sink.report(mask.span, message)
            .label(dst.span, format!("{rows} valid rows"))
            .help(format!("give the mask {rows} rows"));
    }
}
