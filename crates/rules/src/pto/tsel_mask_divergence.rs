use crate::declare_rule;
use crate::pto::tiles::{domain, mask_tile, masked};
use crate::{Sink, TileFacts};
use a2lint_isa::masks::tile_select::{Reader, first_divergence, needed_bytes, readers_agree};

declare_rule! {
    /// ## What it does
    /// Reports a mask tile that the device and the CPU simulator read differently.
    ///
    /// ## Why is this bad?
    /// On A2, A3 and A5 every row of the mask restarts at the row pitch of its tile. The simulator runs one
    /// bit counter over all elements and steps through the *valid* columns of the mask. Both agree for a
    /// single row, and where the valid columns of the destination are eight times those of the mask;
    /// otherwise a test on the CPU says nothing about the device.
    ///
    /// ## Example
    /// ```cpp
    /// Tile<TileType::Vec, uint8_t, 16, 32, BLayout::RowMajor, -1, -1> mask(16, 32);
    /// TSEL(dst, mask, src0, src1, tmp);                  // dst has 16 valid columns
    /// ```
    ///
    /// ## Use instead
    /// ```cpp
    /// Tile<TileType::Vec, uint8_t, 16, 32, BLayout::RowMajor, -1, -1> mask(16, 2);
    /// TSEL(dst, mask, src0, src1, tmp);
    /// ```
    ///
    /// ## Source
    /// TSEL, mask encoding; the implementations of device and simulator.
    "PTO007" "tsel-mask-divergence" Warning, basis = Assumption, scope = Tiles
}

fn check(facts: &TileFacts, sink: &mut Sink) {
    // The difference matters only if the code runs on both the device and the simulator.
    let targets = &facts.unit.targets;
    if !targets.may_be_simulated() || targets.judge(|_| true).is_none() {
        return;
    }
    for (step, dst, mask, _) in masked(facts) {
        // The simulator's TSELS is another instruction, without a packed mask.
        if step.name != "TSEL" {
            continue;
        }
        let (Some(domain), Some(tile)) = (domain(dst), mask_tile(mask)) else {
            continue;
        };
        // `tsel-mask-too-narrow` and `tsel-mask-dtype` report short masks and wide elements.
        let bytes = needed_bytes(domain.columns);
        if tile.element_bytes != 1 || tile.valid_columns < bytes || readers_agree(domain, tile) {
            continue;
        }
        let Some((row, column)) = first_divergence(Reader::A2A3, Reader::Cpu, domain, tile) else {
            continue;
        };
        let message = format!(
            "the CPU simulator reads the bits of `{}` unlike the device: its {} valid columns are \
             {} bits, the rows of `{}` have {} elements; the first to differ is ({row}, {column})",
            mask.text,
            tile.valid_columns,
            8 * tile.valid_columns,
            dst.text,
            domain.columns,
        );
        let report = sink
            .report(mask.span, message)
            .label(dst.span, format!("{} selects here", step.name));
        match domain.columns % 8 {
            0 => report.help(format!("give the mask {bytes} valid columns, {}/8", domain.columns)),
            _ => report.help(
                "no mask fits both while the columns are no multiple of 8: round the valid columns up",
            ),
        }
        .possible();
    }
}
