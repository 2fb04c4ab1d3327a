//! Assigns the arguments of a call to parameters.

use a2lint_isa::{DefaultValue, ParamKind, Signature};

/// The position of a parameter's argument in a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Given {
    /// Number of a positional argument.
    Position(usize),
    /// Number of a named argument.
    Named(usize),
}

/// Why the arguments of a call cannot be distributed over the parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallFault {
    /// There are more positional arguments than this number of parameters.
    TooMany {
        /// Parameters that are given by position.
        most: usize,
    },
    /// The parameter of this named argument has one already.
    Twice(usize),
    /// No parameter has the name of this named argument.
    NoSuchParameter(usize),
    /// A parameter of this name has to be given.
    Missing(&'static str),
}

/// Returns the number of the first of `positional` positional arguments that a call of this signature
/// ignores; `None` if it ignores none.
pub fn passed_over(signature: &Signature, positional: usize) -> Option<usize> {
    let most = by_position(signature).count();
    let is_passed_over = signature.ignores_keywords() && !signature.row.is_open();
    (is_passed_over && positional > most).then_some(most)
}

/// Finds the argument of each parameter of the row, given the number of positional arguments and the names of others.
///
/// # Errors
/// The arguments do not fit the signature.
pub fn distribute<'n>(
    signature: &Signature,
    positional: usize,
    names: impl IntoIterator<Item = &'n str>,
) -> Result<Vec<Option<Given>>, CallFault> {
    let row = signature.row;
    let mut slots: Vec<Option<Given>> = row.params().map(|_| None).collect();
    let by_position: Vec<usize> = by_position(signature).collect();
    let most = by_position.len();
    if positional > most && !row.is_open() && !signature.ignores_keywords() {
        return Err(CallFault::TooMany { most });
    }
    for (argument, &index) in (0..positional).zip(&by_position) {
        slots[index] = Some(Given::Position(argument));
    }
    for (argument, name) in names.into_iter().enumerate() {
        match signature.index_named(name) {
            Some(index) if slots[index].is_some() => return Err(CallFault::Twice(argument)),
            Some(index) => slots[index] = Some(Given::Named(argument)),
            None if row.is_open() || name == "name" || signature.ignores_keywords() => {}
            None => return Err(CallFault::NoSuchParameter(argument)),
        }
    }
    let missing = signature.params().find(|it| {
        slots[it.at].is_none()
            && it.param.default == DefaultValue::Required
            && it.param.kind != ParamKind::Receiver
    });
    match missing {
        Some(it) => Err(CallFault::Missing(it.param.name)),
        None => Ok(slots),
    }
}

/// Returns the parameters that can be given by position, in order.
fn by_position(signature: &Signature) -> impl Iterator<Item = usize> {
    let params = signature.params();
    let given = params.filter(|it| !it.param.keyword_only && it.param.kind != ParamKind::Receiver);
    given.map(|it| it.at)
}
