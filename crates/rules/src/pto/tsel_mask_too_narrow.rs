use crate::declare_rule;
use crate::pto::tiles::{extent, masked};
use crate::{Sink, TileFacts};
use a2lint_isa::masks::tile_select::needed_bytes;

declare_rule! {
    /// ## What it does
    /// Reports a mask tile whose rows hold fewer bits than the destination has valid columns.
    ///
    /// ## Why is this bad?
    /// Every element takes one bit, so a row of N valid columns needs N/8 bytes, rounded up. Where the
    /// physical row is shorter, the bits come from the next row: an error. Where only the valid columns of
    /// the mask are fewer, the bytes exist, but they may never have been written: a warning.
    ///
    /// ## Example
    /// ```cpp
    /// Tile<TileType::Vec, uint8_t, 16, 32, BLayout::RowMajor, -1, -1> mask(16, 4);
    /// TSEL(dst, mask, src0, src1, tmp);                  // dst has 64 valid columns: 8 bytes
    /// ```
    ///
    /// ## Use instead
    /// ```cpp
    /// Tile<TileType::Vec, uint8_t, 16, 32, BLayout::RowMajor, -1, -1> mask(16, 8);
    /// TSEL(dst, mask, src0, src1, tmp);
    /// ```
    ///
    /// ## Source
    /// TSEL, mask encoding.
    "PTO006" "tsel-mask-too-narrow" Error, basis = Constants, scope = Tiles
}

fn check(facts: &TileFacts, sink: &mut Sink) {
    for (step, dst, mask, _) in masked(facts) {
        let (Some(columns), Some(ty)) = (extent(dst.valid[1]), mask.ty) else {
            continue;
        };
        let Some(element) = ty.element else {
            continue;
        };
        let needed = needed_bytes(columns);
        let short = |width: Option<i64>| {
            let bytes = extent(width)? * element.bytes() as u64;
            (bytes < needed).then_some(bytes)
        };
        let (physical, valid) = (short(ty.shape[1]), short(mask.valid[1]));
        let Some(bytes) = physical.or(valid) else {
            continue;
        };
        let kind = if physical.is_some() { "" } else { "valid " };
        let message = format!(
            "a row of {columns} elements needs {needed} bytes of mask bits, but the {kind}rows of `{}` \
             have {bytes}",
            mask.text
        );
        let report = sink
            .report(mask.span, message)
            .label(
                dst.span,
                format!("{} valid columns in {}", columns, step.name),
            )
            .help(format!(
                "give the mask {needed} valid columns of uint8_t, in rows of 32 bytes or more"
            ));
        if physical.is_none() {
            report.possible();
        }
    }
}
