//! Writes a launch that the checker chose as a comment, as an example of what the author can write.

use a2lint_ir::{ParamKind, Program};
use a2lint_replay::{LaunchOutcome, Replay, Shortfall};

/// Greatest number of arguments of an example. More are no help in a sentence.
const MOST: usize = 16;

/// Returns the first launch of a kernel that nothing launches, as a comment, if it ran to its end. It is the launch
/// that ran: the comment asks for the same.
pub(super) fn of(program: &Program, replay: &Replay) -> Option<String> {
    // A launch that does not execute the statement that the message names is no help.
    if matches!(replay.shortfall, Some(Shortfall::NotExecuted(_))) {
        return None;
    }
    let execution = replay.executions.first().filter(|it| it.is_invented)?;
    let arguments = execution.arguments(program);
    let finished = |outcome| outcome == LaunchOutcome::Finished;
    let mut runs = replay.launches.iter();
    if !runs.any(|run| finished(run.outcome) && run.arguments == arguments) {
        return None;
    }
    let mut written: Vec<String> = arguments
        .iter()
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    for param in &program.params {
        let ParamKind::Global(id) = param.kind else {
            continue;
        };
        let bound = &execution.bound.globals[id.index()];
        if bound.shape.is_empty() || bound.shape.iter().any(|&extent| extent < 1) {
            return None;
        }
        let extents: Vec<String> = bound.shape.iter().map(i64::to_string).collect();
        written.push(format!(
            "{}={}[{}]",
            param.name,
            bound.dtype,
            extents.join(", ")
        ));
    }
    let mark = program.toolchain.notation.comment();
    let is_short = (1..=MOST).contains(&written.len());
    is_short.then(|| format!("{mark} a2lint: launch({})", written.join(", ")))
}
