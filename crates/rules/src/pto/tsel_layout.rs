use crate::declare_rule;
use crate::pto::tiles::masked;
use crate::{Sink, TileFacts};
use a2lint_ir::tile::Layout;

declare_rule! {
    /// ## What it does
    /// Reports column-major tiles as destination or source of `TSEL` or `TSELS`.
    ///
    /// ## Why is this bad?
    /// The device code walks rows and asserts row-major tiles. The CPU simulator silently accepts
    /// column-major ones and selects elements at other places.
    ///
    /// ## Example
    /// ```cpp
    /// using TileT = Tile<TileType::Vec, float, 16, 16, BLayout::ColMajor>;
    /// TSEL(dst, mask, src0, src1, tmp);
    /// ```
    ///
    /// ## Use instead
    /// ```cpp
    /// using TileT = Tile<TileType::Vec, float, 16, 16, BLayout::RowMajor>;
    /// TSEL(dst, mask, src0, src1, tmp);
    /// ```
    ///
    /// ## Source
    /// TSEL, constraints; the headers of A2A3 and A5.
    "PTO005" "tsel-layout" Error, basis = Constants, scope = Tiles
}

fn check(facts: &TileFacts, sink: &mut Sink) {
    if facts.unit.targets.judge(|_| true).is_none() {
        return;
    }
    for (step, dst, _, sources) in masked(facts) {
        let operands = std::iter::once(dst).chain(sources);
        for operand in operands {
            let Some(ty) = operand.ty.filter(|ty| ty.layout == Some(Layout::ColMajor)) else {
                continue;
            };
            let message = format!(
                "{} needs row-major tiles, but `{}` is column-major",
                step.name, operand.text
            );
            sink.report(operand.span, message)
                .label(ty.span, "the layout is chosen here")
                .help("make the tile BLayout::RowMajor, or transpose it with TTRANS first");
        }
    }
}
