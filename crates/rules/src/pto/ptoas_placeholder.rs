use crate::declare_rule;
use crate::{Sink, TileFacts};

declare_rule! {
    /// ## What it does
    /// Reports `!pto.tile<...>` with the dots of the manual still in it.
    ///
    /// ## Why is this bad?
    /// The manual writes the dots where a type belongs. No assembler takes them, and nothing can be checked
    /// about a tile without a type.
    ///
    /// ## Example
    /// ```mlir
    /// %d = pto.tsel %m, %a, %b : (
    ///     !pto.tile<...>,
    ///     !pto.tile<...>,
    ///     !pto.tile<...>)
    ///     -> !pto.tile<...>
    /// ```
    ///
    /// ## Use instead
    /// ```mlir
    /// %d = pto.tsel %m, %a, %b : (
    ///     !pto.tile<16x32xi8>,
    ///     !pto.tile<16x16xf32>,
    ///     !pto.tile<16x16xf32>)
    ///     -> !pto.tile<16x16xf32>
    /// ```
    ///
    /// ## Source
    /// PTO-AS, types.
    "PTO023" "ptoas-placeholder" Info, basis = Constants, pedantic = true, scope = Tiles
}

fn check(facts: &TileFacts, sink: &mut Sink) {
    for text in &facts.function.texts {
        let types = text.input_types.iter().chain(&text.output_types);
        let dots: Vec<_> = types.filter(|ty| ty.placeholder).collect();
        let Some(first) = dots.first() else {
            continue;
        };
        let message = match dots.len() {
            1 => format!(
                "a type of {} is still the placeholder of the manual",
                text.name
            ),
            n => format!(
                "{n} types of {} are still the placeholder of the manual",
                text.name
            ),
        };
        sink.report(first.span, message)
            .help("write the type: `!pto.tile_buf<loc=vec, dtype=f32, rows=16, cols=16>`");
    }
}
