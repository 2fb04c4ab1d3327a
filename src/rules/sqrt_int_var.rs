use super::wording::snippet;
use super::{Facts, Sink};
use crate::declare_rule;
use crate::ir::{NoteKind, VariableId};
use crate::isa::DType;

declare_rule! {
    /// ## What it does
    /// Reports `scalar_sqrt` of a value that is not float: of an integer variable, and of a parameter,
    /// or a number made of parameters, that every launch in sight gives an integer.
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
    "TYP005" "sqrt-int-var" Error, basis = Constants
}

fn check(facts: &Facts, sink: &mut Sink) {
    for note in &facts.program.notes {
        let value = snippet(facts, note.span);
        let is = match &note.kind {
            NoteKind::SqrtOfInteger { dtype } => dtype.to_string(),
            NoteKind::SqrtOfParameters { variables }
                if variables.iter().all(|&id| is_launched_as_int(facts, id)) =>
            {
                format!("{} in every launch", DType::Int)
            }
            _ => continue,
        };
        let message = format!("scalar_sqrt() wants a float Var; `{value}` is {is}");
        let help = format!(
            "pass the root (or 1/sqrt) of `{value}` as a kernel parameter, or hold it in a Var of {}",
            DType::Float
        );
        sink.report_from(note.origin, note.span, message).help(help);
    }
}

/// Whether there are launches, and all of them give a parameter an integer.
fn is_launched_as_int(facts: &Facts, variable: VariableId) -> bool {
    let program = facts.program;
    let name = &program.variable(variable).name;
    let own = facts.module.launches.iter();
    let mut given = own
        .filter(|launch| launch.kernel == program.name)
        .filter_map(|launch| launch.is_float(name))
        .peekable();
    given.peek().is_some() && given.all(|is_float| !is_float)
}
