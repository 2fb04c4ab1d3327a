//! Texts and names that the rules about speed share.

use crate::Facts;
use a2lint_costs::{Base, Gain};
use a2lint_ir::{BufferId, Instr, LocalView, View};

/// Formats a gain: `save 12 % of the time: 16.8 µs in place of 19.1 by the cost model (N=4096, 20 cores)`.
pub(crate) fn saves(facts: &Facts, base: &Base, gain: &Gain, is_one: bool) -> String {
    let percent = 100.0 * (1.0 - gain.after / gain.before);
    let scalars = base.launch.scalars(facts.program).into_iter();
    let scalars = scalars.map(|(name, value)| format!("{name}={value}"));
    let cores = match base.launch.cores {
        1 => "1 core".to_owned(),
        cores => format!("{cores} cores"),
    };
    let launch: Vec<String> = scalars.chain([cores]).collect();
    format!(
        "save{} {percent:.0} % of the time: {:.1} µs in place of {:.1} by the cost model ({})",
        if is_one { "s" } else { "" },
        gain.after,
        gain.before,
        launch.join(", ")
    )
}

/// Formats names: `` `a`, `b` and `c` ``.
pub(crate) fn listed(names: &[&str]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match names.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} and {last}", others.join(", ")),
        _ => names.concat(),
    }
}

/// Iterates over the on-chip operands of an instruction.
pub(crate) fn local_views(instr: &Instr) -> impl Iterator<Item = &LocalView> {
    instr
        .operands()
        .filter_map(|(_, _, view)| View::local(view))
}

/// Returns the names of buffers, without repetitions.
pub(crate) fn names<'a>(
    facts: &Facts<'a>,
    buffers: impl Iterator<Item = BufferId>,
) -> Vec<&'a str> {
    let mut names: Vec<&str> = Vec::new();
    for buffer in buffers {
        let name = facts.program.buffer(buffer).label();
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}
