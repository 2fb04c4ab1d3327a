use crate::declare_rule;
use crate::{Sink, TileFacts};
use a2lint_ir::tile::{Form, Text};

declare_rule! {
    /// ## What it does
    /// Reports selects and compares in assembly whose operands and types do not match in number, that lack
    /// `outs`, or, as a warning, that lack the scratch tile.
    ///
    /// ## Why is this bad?
    /// In the forms that begin with `pto.`, every operand has its own type; the form with `ins` has its
    /// results in `outs`. The current assembler takes `%tmp` as the fourth input of `pto.tsel`; texts for
    /// older ones have three.
    ///
    /// ## Example
    /// ```mlir
    /// pto.tsel ins(%m, %a, %b :
    ///     !pto.tile_buf<vec, 16x32xi8>,
    ///     !pto.tile_buf<vec, 16x16xf32>)
    ///     outs(%d : !pto.tile_buf<vec, 16x16xf32>)
    /// ```
    ///
    /// ## Use instead
    /// ```mlir
    /// pto.tsel ins(%m, %a, %b, %tmp :
    ///     !pto.tile_buf<vec, 16x32xi8>,
    ///     !pto.tile_buf<vec, 16x16xf32>,
    ///     !pto.tile_buf<vec, 16x16xf32>,
    ///     !pto.tile_buf<vec, 1x32xi8>)
    ///     outs(%d : !pto.tile_buf<vec, 16x16xf32>)
    /// ```
    ///
    /// ## Source
    /// PTO-AS, levels 1 and 2; TSEL, assembly.
    "PTO021" "ptoas-arity" Error, basis = Constants, scope = Tiles
}

fn check(facts: &TileFacts, sink: &mut Sink) {
    for text in &facts.function.texts {
        let (inputs, types) = (text.inputs.len(), text.input_types.len());
        let counted = match text.form {
            Form::Bare => types <= 1 || types == inputs,
            Form::Results | Form::InsOuts { .. } => types == inputs,
        };
        if !counted {
            let message = format!(
                "{} has {inputs} inputs and {types} types for them",
                text.name
            );
            sink.report(text.span, message)
                .help("write one type for each input, in order");
        } else if !outputs_fit(text) {
            let (outputs, types) = (text.outputs.len(), text.output_types.len());
            let message = match text.form {
                Form::InsOuts { outs: false } => format!("{} has `ins` but no `outs`", text.name),
                _ => format!(
                    "{} has {outputs} results and {types} types for them",
                    text.name
                ),
            };
            sink.report(text.span, message)
                .help("name the destination and its type: `outs(%dst : !pto.tile_buf<...>)`");
        } else if text.name == "tsel" && !matches!(inputs, 3 | 4) {
            let message =
                format!("tsel takes a mask, two sources and a scratch tile, not {inputs} inputs");
            sink.report(text.span, message)
                .help("write `ins(%mask, %src0, %src1, %tmp : ...)`");
        } else if text.name == "tsel" && inputs == 3 && matches!(text.form, Form::InsOuts { .. }) {
            sink.report(
                text.span,
                "tsel has three inputs; the current assembler takes a scratch tile as the fourth",
            )
            .help("write `ins(%mask, %src0, %src1, %tmp : ...)` with a tile of one row of 32 bytes")
            .possible();
        }
    }
}

fn outputs_fit(text: &Text) -> bool {
    match text.form {
        Form::Bare => true,
        Form::InsOuts { outs: false } => false,
        Form::Results | Form::InsOuts { .. } => text.outputs.len() == text.output_types.len(),
    }
}
