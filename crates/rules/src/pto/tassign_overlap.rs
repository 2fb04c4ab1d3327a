use crate::declare_rule;
use crate::pto::tiles::{block_end, hex, range};
use crate::{Sink, TileFacts};
use a2lint_ir::tile::{Address, Operand};

declare_rule! {
    /// ## What it does
    /// Reports tiles of one select or compare that `TASSIGN` places over each other.
    ///
    /// ## Why is this bad?
    /// The tile library does not check for overlap. A tile takes `Rows * Cols * sizeof(T)` bytes whatever
    /// its valid region is, so two tiles at a distance of 0x1000 overlap as soon as the first has more than
    /// 4096 bytes. A destination that is exactly one of the sources, and one source passed twice, are fine;
    /// a partial overlap, and any overlap of the mask or of the scratch tile, is not.
    ///
    /// ## Example
    /// ```cpp
    /// using TileT = Tile<TileType::Vec, float, 32, 64>;  // 0x2000 bytes
    /// TASSIGN(src0, 0x1000);
    /// TASSIGN(src1, 0x2000);
    /// ```
    ///
    /// ## Use instead
    /// ```cpp
    /// using TileT = Tile<TileType::Vec, float, 32, 64>;
    /// TASSIGN(src0, 0x1000);
    /// TASSIGN(src1, 0x3000);
    /// ```
    ///
    /// ## Source
    /// TASSIGN and TSEL, manual mode.
    "PTO013" "tassign-overlap" Error, basis = Constants, scope = Tiles
}

fn check(facts: &TileFacts, sink: &mut Sink) {
    let mut reported: Vec<(Option<usize>, Option<usize>)> = Vec::new();
    for step in &facts.function.steps {
        let parts = step.parts();
        for (at, one) in parts.iter().enumerate() {
            for other in &parts[at + 1..] {
                let pair = (one.1.tile, other.1.tile);
                if clash(*one, *other) && !reported.contains(&pair) {
                    reported.push(pair);
                    report(sink, &step.name, one.1, other.1);
                }
            }
        }
    }
}

fn clash(one: (&str, &Operand), other: (&str, &Operand)) -> bool {
    let (Some(a), Some(b)) = (one.1.range(), other.1.range()) else {
        return false;
    };
    let same_memory = one.1.ty.map(|ty| ty.memory) == other.1.ty.map(|ty| ty.memory);
    let overlap = same_memory && a.0 < b.1 && b.0 < a.1;
    let is_data = |part: &str| matches!(part, "dst" | "src" | "src0" | "src1");
    overlap && !(a.0 == b.0 && is_data(one.0) && is_data(other.0) && a == b)
}

fn report(sink: &mut Sink, name: &str, one: &Operand, other: &Operand) {
    let (Some(a), Some(b)) = (one.range(), other.range()) else {
        return;
    };
    let shared = a.1.min(b.1) - a.0.max(b.0);
    let (Address::At(_, place_one), Address::At(_, place_other)) = (one.address, other.address)
    else {
        return;
    };
    let message = format!(
        "`{}` and `{}` of one {name} overlap: {} and {} share {shared} bytes",
        one.text,
        other.text,
        range(a),
        range(b),
    );
    let (place, earlier) = match place_one.start < place_other.start {
        true => (place_other, place_one),
        false => (place_one, place_other),
    };
    let lower_end = if a.0 <= b.0 { a.1 } else { b.1 };
    let free = hex(block_end(lower_end));
    sink.report(place, message)
        .label(earlier, "the other is placed here")
        .help(format!(
            "the lower of the two ends at {free}: place the other there or after it"
        ));
}
