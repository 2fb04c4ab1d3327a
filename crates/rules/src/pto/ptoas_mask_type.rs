use crate::declare_rule;
use crate::pto::tiles::masked;
use crate::{Sink, TileFacts};
use a2lint_isa::masks::Element;

declare_rule! {
    /// ## What it does
    /// Reports selects in assembly whose mask tile holds floating-point numbers, or whose sources have another
    /// element type than the destination.
    ///
    /// ## Why is this bad?
    /// A mask is packed bits: read out of a tile of f32, they are parts of numbers. The device code of the
    /// instruction has one type for destination and sources.
    ///
    /// ## Example
    /// ```mlir
    /// pto.tsel ins(%m, %a, %b, %t :
    ///     !pto.tile_buf<vec, 16x16xf32>,
    ///     !pto.tile_buf<vec, 16x16xf32>,
    ///     !pto.tile_buf<vec, 16x16xf32>,
    ///     !pto.tile_buf<vec, 1x32xi8>)
    ///     outs(%d : !pto.tile_buf<vec, 16x16xf32>)
    /// ```
    ///
    /// ## Use instead
    /// ```mlir
    /// pto.tsel ins(%m, %a, %b, %t :
    ///     !pto.tile_buf<vec, 16x32xi8>,
    ///     !pto.tile_buf<vec, 16x16xf32>,
    ///     !pto.tile_buf<vec, 16x16xf32>,
    ///     !pto.tile_buf<vec, 1x32xi8>)
    ///     outs(%d : !pto.tile_buf<vec, 16x16xf32>)
    /// ```
    ///
    /// ## Source
    /// TSEL, assembly.
    "PTO022" "ptoas-mask-type" Error, basis = Constants, scope = Tiles
}

fn check(facts: &TileFacts, sink: &mut Sink) {
    // In C++, `tsel-mask-dtype` and `tsel-type-mismatch` report this.
    if !facts.function.assembly {
        return;
    }
    for (step, dst, mask, sources) in masked(facts) {
        // The bare form writes one type for all operands, which says nothing about the mask.
        let shared = mask.ty.map(|ty| ty.span) == dst.ty.map(|ty| ty.span);
        if shared {
            continue;
        }
        if let Some(element) = mask.element().filter(|element| !holds_bits(*element)) {
            let message = format!(
                "the mask `{}` of {} is a tile of {element}, not of packed bits",
                mask.text, step.name
            );
            sink.report(mask.span, message)
                .help("use the i8 tile that tcmp or tcmps wrote");
        }
        for src in sources {
            let (Some(to), Some(from)) = (dst.element(), src.element()) else {
                continue;
            };
            if to != from {
                let message = format!(
                    "{} puts `{}` of {from} into `{}` of {to}",
                    step.name, src.text, dst.text
                );
                sink.report(src.span, message)
                    .label(dst.span, format!("this is {to}"))
                    .help("convert with pto.tcvt first");
            }
        }
    }
}

fn holds_bits(element: Element) -> bool {
    element.is_integer() || element == Element::Bool
}
