//! Writes comments that the author can take over: a launch that the checker chose, and the shapes of a launch in sight.

use a2lint_ir::{ParamKind, Program};
use a2lint_replay::{Execution, LaunchOutcome, Replay, Shortfall};

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

/// Returns the extents of each tensor in the first launch that gives them, as a contract states them:
/// `("z", "[tiling.totalLength]")`. An extent is written by the arguments that make it; one that none or several make
/// is left open.
pub(super) fn extents(program: &Program, replay: &Replay) -> Vec<(String, String)> {
    let given = |it: &&Execution| !it.is_invented && it.has_extents;
    let Some(execution) = replay.executions.iter().find(given) else {
        return Vec::new();
    };
    let arguments = execution.arguments(program);
    let is_scalar = |name: &String| {
        let mut params = program.params.iter();
        params.any(|it| it.name == *name && matches!(it.kind, ParamKind::Variable(_)))
    };
    let scalars = arguments.into_iter().filter(|(name, _)| is_scalar(name));
    let scalars: Vec<(String, f64)> = scalars.collect();
    // Tensors of kernels that see addresses alone have one extent: their number of elements.
    let is_flat = !program.toolchain.launches.reads_extents;
    let written = program.params.iter().filter_map(|param| {
        let ParamKind::Global(id) = param.kind else {
            return None;
        };
        let shape = &execution.bound.globals[id.index()].shape;
        let extents: Vec<String> = shape
            .iter()
            .map(|&it| extent(it, &scalars, is_flat))
            .collect();
        Some((param.name.to_string(), format!("[{}]", extents.join(", "))))
    });
    written.collect()
}

/// Writes an extent by the arguments that make it.
fn extent(extent: i64, scalars: &[(String, f64)], is_flat: bool) -> String {
    let whole = |value: f64| (value > 1.0 && value.fract() == 0.0).then_some(value as i64);
    let numbers = scalars
        .iter()
        .filter_map(|(name, value)| Some((name, whole(*value)?)));
    let numbers: Vec<(&String, i64)> = numbers.collect();
    let alone = numbers.iter().filter(|it| it.1 == extent);
    let alone: Vec<String> = alone.map(|it| it.0.clone()).collect();
    let pairs = numbers.iter().enumerate().flat_map(|(at, first)| {
        let others = numbers[at + 1..].iter();
        others.filter_map(move |second| {
            let is_equal = first.1.checked_mul(second.1) == Some(extent);
            is_equal.then(|| format!("{}, {}", first.0, second.0))
        })
    });
    match (alone.as_slice(), pairs.collect::<Vec<_>>().as_slice()) {
        ([name], _) => name.clone(),
        ([], [pair]) if is_flat => pair.clone(),
        ([], []) if numbers.is_empty() => extent.to_string(),
        _ => "…".to_owned(),
    }
}
