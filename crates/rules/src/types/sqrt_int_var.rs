use crate::declare_rule;
use crate::wording::snippet;
use crate::{Facts, Sink};
use a2lint_ir::{Launch, NoteKind, VariableId};
use a2lint_isa::DType;

declare_rule! {
    /// ## What it does
    /// Reports `scalar_sqrt` of a value that is not float: of an integer variable, and of a parameter, or a
    /// number computed from parameters, if a known launch or `--bind` gives it an integer.
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
            NoteKind::SqrtOfParameters { variables } => match given_as_integer(facts, variables) {
                Some(place) => format!("{} {place}", DType::Int),
                None => continue,
            },
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

/// Formats where all of the parameters are given as integers: `in every launch`, `in launch(D=64)`, `with --bind
/// D=64`.
fn given_as_integer(facts: &Facts, variables: &[VariableId]) -> Option<String> {
    let names: Vec<&str> = variables
        .iter()
        .map(|&id| facts.program.variable(id).name.as_str())
        .collect();
    let bound: Vec<&(String, f64)> = facts
        .replay
        .bindings
        .iter()
        .filter(|(name, _)| names.contains(&name.as_str()))
        .collect();
    if bound.len() == names.len() && bound.iter().all(|(_, value)| value.fract() == 0.0) {
        return Some(format!("with --bind {}", given(bound.into_iter())));
    }
    let launches = facts.module.launches.iter();
    let own: Vec<&Launch> = launches
        .filter(|launch| launch.kernel == facts.program.name)
        .collect();
    let is_integer = |launch: &&&Launch| {
        names
            .iter()
            .all(|name| launch.is_float(name) == Some(false))
    };
    let mut broken = own.iter().filter(is_integer);
    let first = broken.next()?;
    match broken.count() + 1 == own.len() {
        true => Some("in every launch".to_owned()),
        false => {
            let numbers = first.scalars.iter();
            let numbers = numbers.filter(|(name, _)| names.contains(&name.as_str()));
            Some(format!("in launch({})", given(numbers)))
        }
    }
}

/// Formats numbers: `D=64, H=2`.
fn given<'n>(numbers: impl Iterator<Item = &'n (String, f64)>) -> String {
    let texts = numbers.map(|(name, value)| format!("{name}={value}"));
    texts.collect::<Vec<_>>().join(", ")
}
