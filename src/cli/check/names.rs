//! Names that options and configuration give values to, and that no kernel has.

use std::collections::BTreeSet;

use super::args::RuleArgs;
use super::engine::Outcome;
use crate::cli::output::Streams;
use a2lint_source::spelling::nearest;

/// Warns of names that no checked kernel has. One that some kernel has is right: the others are
/// checked together with it.
pub fn warn(args: &RuleArgs, outcome: &Outcome, streams: &Streams) {
    for message in unbound(args, outcome) {
        streams.warn(&message);
    }
}

/// `--bind` of a name that is no scalar parameter and no extent of any kernel.
fn unbound(args: &RuleArgs, outcome: &Outcome) -> Vec<String> {
    let files = outcome.files.iter();
    let names = files.flat_map(|file| &file.report.analysis.bindable);
    let known: BTreeSet<&str> = names.map(String::as_str).collect();
    let unknown = args.bind.iter().map(|(name, _)| name.as_str());
    // Every kernel has a name: where there is none, no kernel was checked.
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

/// The name that was meant, or those that there are.
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
