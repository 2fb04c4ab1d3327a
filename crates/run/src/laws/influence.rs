//! Notes on what a kernel loads of its inputs although it changes no result.
//!
//! A kernel that takes the first row again and again, that begins a sum anew in each tile, or that forgets a batch
//! loads numbers on which nothing depends. Groups of rows and groups of columns of an input get other values; a group
//! that was loaded as a whole and that changes no bit of any result is without influence.

use std::ops::Range;

use super::base::GRAIN;
use super::dependence::{GROUPS, other};
use super::subject::{Cut, MAX_WORK_OF_MANY_RUNS, Subject, Watch};
use super::tensors::{Input, inputs};
use super::{Attempt, Note};
use a2lint_ir::{GlobalId, TensorInit};
use a2lint_machine::{BoundLaunch, End, Options, Outcome};

/// Some rows, or some columns, of an input.
struct Group {
    rows: Range<usize>,
    columns: Range<usize>,
}

/// Measures it on one launch, which should be a large one: a single key has no influence on a softmax.
pub fn of(subject: &Subject, watch: &mut Watch) -> Result<Attempt, Cut> {
    let inputs = inputs(subject.job);
    // What the kernel reads again after it has stored it is no input, but a bridge between its cores.
    let is_bridge = |it: &Input| subject.base.read_back[it.id.index()];
    let has_some = |it: &&Input| is_spread(it.init) && !it.values.is_empty() && !is_bridge(it);
    let inputs: Vec<&Input> = inputs.iter().filter(has_some).collect();
    if inputs.is_empty() {
        return Ok(Attempt::not_run("no float input holds different numbers"));
    }
    let written = &subject.base.written;
    let stores_some = |id: &GlobalId| written[id.index()].contains(&true);
    if !subject.outputs.iter().any(stores_some) {
        return Ok(Attempt::not_run("the launch stores nothing"));
    }
    if subject.outcome.work > MAX_WORK_OF_MANY_RUNS {
        return Ok(Attempt::not_run("it takes too much work to be run often"));
    }
    let mut without_influence = Vec::new();
    let mut changes = 0;
    for input in &inputs {
        let groups = groups(input);
        let groups: Vec<&Group> = groups
            .iter()
            .filter(|it| is_loaded(subject, input, it))
            .collect();
        let variants: Vec<_> = groups
            .iter()
            .map(|it| changed(subject, input, it))
            .collect();
        let outcomes = subject.runs(&variants, watch)?;
        changes += outcomes.iter().filter(|it| it.end == End::Finished).count();
        let has_none =
            |outcome: &Outcome| outcome.end == End::Finished && !differs(subject, outcome);
        let without = groups.iter().zip(&outcomes).filter(|(_, it)| has_none(it));
        let without: Vec<&Group> = without.map(|(group, _)| *group).collect();
        without_influence.extend(description(subject, input, &without));
    }
    if changes == 0 {
        return Ok(Attempt::not_run("no part of a float input is loaded whole"));
    }
    let mut attempt = Attempt::held(match without_influence.is_empty() {
        true => "each loaded part of float inputs that was changed changes a result",
        false => "some loaded parts of float inputs change no result",
    });
    // No violation: small sizes and zeros may leave a part without influence in a sound kernel.
    attempt.notes = without_influence.into_iter().map(Note::plain).collect();
    Ok(attempt)
}

/// Returns whether contents differ between elements, so that no element stands for nothing.
fn is_spread(init: TensorInit) -> bool {
    matches!(
        init,
        TensorInit::Normal
            | TensorInit::NormalOf(..)
            | TensorInit::Uniform
            | TensorInit::UniformIn(..)
            | TensorInit::Any
    )
}

/// Returns groups of rows and groups of columns of an input, at most [`GROUPS`] of each.
fn groups(input: &Input) -> Vec<Group> {
    let parts = |extent: usize| {
        let parts = GROUPS.min(extent);
        (0..parts).map(move |part| part * extent / parts..(part + 1) * extent / parts)
    };
    let (rows, columns) = (input.rows, input.columns);
    let mut groups: Vec<Group> = parts(rows)
        .map(|rows| Group {
            rows,
            columns: 0..columns,
        })
        .collect();
    if columns > 1 {
        groups.extend(parts(columns).map(|columns| Group {
            rows: 0..rows,
            columns,
        }));
    }
    groups
}

/// Returns whether the run of the launch has read all of a group.
fn is_loaded(subject: &Subject, input: &Input, group: &Group) -> bool {
    let read = &subject.base.read[input.id.index()];
    let size = input.dtype.bytes_of(1) as usize;
    group.rows.clone().all(|row| {
        let start = (row * input.columns + group.columns.start) * size;
        let end = (row * input.columns + group.columns.end) * size;
        read[start / GRAIN..end.div_ceil(GRAIN).min(read.len())]
            .iter()
            .all(|&is| is)
    })
}

/// Returns the launch with other values in a group of an input.
fn changed(subject: &Subject, input: &Input, group: &Group) -> (BoundLaunch, Options) {
    let mut launch = subject.job.bound.launch.clone();
    let columns = input.columns.max(1);
    input.change(&mut launch, |index, value| {
        let is_inside =
            group.rows.contains(&(index / columns)) && group.columns.contains(&(index % columns));
        if is_inside { other(value) } else { value }
    });
    (launch, subject.job.options())
}

/// Returns whether a run stores anything else than that of the launch.
fn differs(subject: &Subject, outcome: &Outcome) -> bool {
    subject.outputs.iter().any(|id| {
        let [one, other] = [&subject.outcome, outcome].map(|it| &it.globals[id.index()]);
        one.bytes(0..one.capacity()) != other.bytes(0..other.capacity())
    })
}

/// Says which parts of an input have no influence; `None` if all have some.
fn description(subject: &Subject, input: &Input, without: &[&Group]) -> Option<String> {
    let name = subject.name(input.id);
    let of_rows: Vec<&Range<usize>> = without
        .iter()
        .filter(|it| it.columns.len() == input.columns)
        .map(|it| &it.rows)
        .collect();
    let all_rows: usize = of_rows.iter().map(|rows| rows.len()).sum();
    if all_rows == input.rows {
        return Some(format!("`{name}` is loaded, and changes no result"));
    }
    let named = |what: &str, ranges: &[&Range<usize>], extent: usize| {
        let count: usize = ranges.iter().map(|it| it.len()).sum();
        let first = ranges.first()?.start;
        Some(format!(
            "{count} of {extent} {what} of `{name}` are loaded and change no result, the first is {first}"
        ))
    };
    let of_columns: Vec<&Range<usize>> = without
        .iter()
        .filter(|it| it.columns.len() != input.columns)
        .map(|it| &it.columns)
        .collect();
    named("rows", &of_rows, input.rows).or_else(|| named("columns", &of_columns, input.columns))
}
