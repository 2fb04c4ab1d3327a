use crate::declare_rule;
use crate::pto::tiles::masked;
use crate::{Sink, TileFacts};

declare_rule! {
    /// ## What it does
    /// Reports a `TSEL` or `TSELS` in C++ whose destination and sources have different element types.
    ///
    /// ## Why is this bad?
    /// The interface takes one tile type for all three, so the call does not compile; where tiles are
    /// reinterpreted on the way, bits of one type end up in a tile of another.
    ///
    /// ## Example
    /// ```cpp
    /// Tile<TileType::Vec, int32_t, 16, 16> a;
    /// Tile<TileType::Vec, float, 16, 16> b, dst;
    /// TSEL(dst, mask, a, b, tmp);
    /// ```
    ///
    /// ## Use instead
    /// ```cpp
    /// Tile<TileType::Vec, float, 16, 16> a, b, dst;      // TCVT where a comes from
    /// TSEL(dst, mask, a, b, tmp);
    /// ```
    ///
    /// ## Source
    /// TSEL, C++ interface.
    "PTO004" "tsel-type-mismatch" Error, basis = Constants, scope = Tiles
}

fn check(facts: &TileFacts, sink: &mut Sink) {
    if facts.function.assembly {
        return;
    }
    for (step, dst, _, sources) in masked(facts) {
        for src in sources {
            let (Some(to), Some(from)) = (dst.element(), src.element()) else {
                continue;
            };
            if to == from {
                continue;
            }
            let message = format!(
                "{} takes one element type for destination and sources, but `{}` is {to} and `{}` \
                 is {from}",
                step.name, dst.text, src.text
            );
            sink.report(src.span, message)
                .label(dst.span, format!("this is {to}"))
                .help(format!("convert `{}` to {to} with TCVT first", src.text));
        }
    }
}
