use crate::declare_rule;
use crate::pto::tiles::masked;
use crate::{Sink, TileFacts};

declare_rule! {
    /// ## What it does
    /// Reports a source of `TSEL` or `TSELS` whose valid region is smaller than that of the destination.
    ///
    /// ## Why is this bad?
    /// The valid rows and columns of the destination alone say what is selected. Nothing checks that the
    /// sources have that many: elements outside of their valid region are whatever the memory holds.
    ///
    /// ## Example
    /// ```cpp
    /// Tile<TileType::Vec, float, 16, 64, BLayout::RowMajor, -1, -1> src0(16, 40), dst(16, 64);
    /// TSEL(dst, mask, src0, src1, tmp);
    /// ```
    ///
    /// ## Use instead
    /// ```cpp
    /// Tile<TileType::Vec, float, 16, 64, BLayout::RowMajor, -1, -1> src0(16, 40), dst(16, 40);
    /// TSEL(dst, mask, src0, src1, tmp);
    /// ```
    ///
    /// ## Source
    /// TSEL, constraints: the domain is the destination's.
    "PTO009" "tsel-valid-region" Warning, basis = Assumption, scope = Tiles
}

fn check(facts: &TileFacts, sink: &mut Sink) {
    for (step, dst, _, sources) in masked(facts) {
        for src in sources {
            let smaller = |axis: usize| match (src.valid[axis], dst.valid[axis]) {
                (Some(has), Some(needs)) => (has < needs).then_some((has, needs)),
                _ => None,
            };
            let (axis, (has, needs)) = match (smaller(0), smaller(1)) {
                (Some(rows), _) => ("rows", rows),
                (None, Some(columns)) => ("columns", columns),
                (None, None) => continue,
            };
            let message = format!(
                "{} selects {needs} {axis} of `{}`, which has {has} valid ones",
                step.name, src.text
            );
            sink.report(src.span, message)
                .label(
                    dst.span,
                    format!("the destination has {needs} valid {axis}"),
                )
                .help("give the destination the valid region that both sources have")
                .possible();
        }
    }
}
