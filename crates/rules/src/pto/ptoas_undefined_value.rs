use crate::declare_rule;
use crate::{Sink, TileFacts};

declare_rule! {
    /// ## What it does
    /// Reports an operand of a select or compare in assembly that nothing before it defines.
    ///
    /// ## Why is this bad?
    /// A value has to be the result of an operation, an argument of the function or block, or a directive
    /// above. The assembler refuses the file.
    ///
    /// ## Example
    /// ```text
    /// %dst = pto.tsel %maks, %src0, %src1 : (…) -> …
    /// ```
    ///
    /// ## Use instead
    /// ```text
    /// %dst = pto.tsel %mask, %src0, %src1 : (…) -> …
    /// ```
    ///
    /// ## Source
    /// PTO-AS, static single assignment.
    "PTO026" "ptoas-undefined-value" Error, basis = Constants, scope = Tiles
}

fn check(facts: &TileFacts, sink: &mut Sink) {
    for text in &facts.function.texts {
        for &span in &text.undefined {
            let name = facts.source.slice(span);
            sink.report(
                span,
                format!("nothing defines `{name}` before `{}` takes it", text.name),
            )
            .help("define it above, or take a value that is there");
        }
    }
}
