use super::wording::snippet;
use super::{Facts, Sink};
use crate::declare_rule;
use crate::ir::NoteKind;
use crate::isa::DType;

declare_rule! {
    /// ## What it does
    /// Reports `scalar_sqrt` of a value that is not float.
    ///
    /// ## Why is this bad?
    /// The scalar square root exists for float variables; the DSL raises a `TypeError` for an
    /// integer one.
    ///
    /// ## Example
    /// ```python
    /// root = scalar_sqrt(D)                        # D: an int Var
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// def attention(q: GMTensor, out: GMTensor, D: Var, scale: Var):
    ///     ...                                      # scale = 1 / sqrt(D), computed by the host
    /// ```
    ///
    /// ## Source
    /// A2 device constraints, section 7.
    "TYP005" "sqrt-int-var" Error
}

fn check(facts: &Facts, sink: &mut Sink) {
    for note in &facts.program.notes {
        let NoteKind::SqrtOfInteger { dtype } = note.kind else {
            continue;
        };
        let value = snippet(facts, note.span);
        let message = format!("scalar_sqrt() wants a float Var; `{value}` is {dtype}");
        let help = format!(
            "pass the root (or 1/sqrt) of `{value}` as a kernel parameter, or hold it in a Var of {}",
            DType::Float
        );
        sink.report_from(note.origin, note.span, message).help(help);
    }
}
