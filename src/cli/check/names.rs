//! Warnings about names in options that no kernel has.

use std::collections::BTreeSet;

use super::args::RuleArgs;
use super::engine::Outcome;
use crate::cli::output::Streams;
use a2lint_source::spelling::nearest;

/// Warns about names that no checked kernel has. A name is accepted if one kernel has it, since all files are checked
/// with the same options.
pub fn warn(args: &RuleArgs, outcome: &Outcome, streams: &Streams) {
    for message in unbound(args, outcome) {
        streams.warn(&message);
    }
}

/// Returns warnings for names of `--bind` that are neither a scalar parameter nor an extent of a kernel.
fn unbound(args: &RuleArgs, outcome: &Outcome) -> Vec<String> {
    let files = outcome.files.iter();
    let names = files.flat_map(|file| &file.report.analysis.bindable);
    let known: BTreeSet<&str> = names.map(String::as_str).collect();
    let unknown = args.bind.iter().map(|(name, _)| name.as_str());
    // Every kernel has a name to bind, so an empty set means that no kernel was checked.
    let unknown = unknown.filter(|name| !known.is_empty() && !known.contains(name));
    unknown
        .map(|name| {
            let hint = hint(name, &known);
            format!(
                "--bind {name}: no checked kernel has a scalar parameter or an extent of that name; \
                 {hint}"
            )
        })
        .collect()
}

/// Returns the most similar name, or lists the known ones.
fn hint(name: &str, known: &BTreeSet<&str>) -> String {
    match nearest(name, known.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None if known.is_empty() => "there are none".to_owned(),
        None => {
            let known: Vec<&str> = known.iter().copied().collect();
            format!("known are {}", known.join(", "))
        }
    }
}
