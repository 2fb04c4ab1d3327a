//! The law that all of each returned tensor is written, and notes on what results keep and what of inputs is not read.

use super::base::GRAIN;
use super::subject::Subject;
use super::{Attempt, Breach, Element, Note};
use crate::coordinates;
use a2lint_ir::{GlobalId, GlobalKind};
use a2lint_machine::BoundGlobal;
use a2lint_machine::memory::Memory;

/// Tries the law.
pub fn of(subject: &Subject) -> Attempt {
    let job = subject.job;
    for &id in &subject.outputs {
        let global = &job.bound.launch.globals[id.index()];
        let memory = &subject.outcome.globals[id.index()];
        if let Some(breach) = unwritten(subject, global, memory) {
            return Attempt::violated(breach);
        }
    }
    let kept = kept(subject);
    let mut attempt = Attempt::held(match kept.is_empty() {
        true => "all of the results is written",
        false => "all of the results is written, or holds what it held before",
    });
    attempt.notes = kept;
    attempt.notes.extend(unread(subject));
    attempt
}

fn unwritten(subject: &Subject, global: &BoundGlobal, memory: &Memory) -> Option<Breach> {
    let bytes = memory.capacity();
    let missing = bytes - memory.count_defined(0..bytes);
    if missing == 0 {
        return None;
    }
    let size = global.dtype.bytes_of(1).max(1) as usize;
    let is_missing = |at: &usize| !memory.all_defined(*at..(*at + size).min(bytes));
    let first = (0..bytes).step_by(size).find(is_missing)? / size;
    let what = match missing == bytes {
        true => format!("nothing of `{}` is written", global.name),
        false => format!(
            "{} of {} elements of `{}` are never written",
            missing / size,
            bytes / size,
            global.name
        ),
    };
    Some(Breach {
        element: Some(Element {
            tensor: global.name.clone(),
            dtype: global.dtype,
            at: coordinates(first, &global.shape),
            values: vec![("after the run".to_owned(), None)],
        }),
        ..subject.breach(what)
    })
}

/// Returns notes about results that have contents before the launch, of which a part stays as it was.
fn kept(subject: &Subject) -> Vec<Note> {
    let outputs = subject.outputs.iter().filter_map(|id| {
        let global = &subject.job.bound.launch.globals[id.index()];
        let (share, at) = missing(global, &subject.base.written[id.index()])?;
        let name = &global.name;
        Some(Note::plain(format!(
            "{share:.1} % of `{name}` keeps what it held before, first {at:?}"
        )))
    });
    outputs.collect()
}

/// Returns notes about inputs that are not read completely. That is no violation: a cache may be longer than its
/// contents, and a table may be indexed.
fn unread(subject: &Subject) -> Vec<Note> {
    let inputs = inputs(subject).filter_map(|id| {
        let global = &subject.job.bound.launch.globals[id.index()];
        let read = &subject.base.read[id.index()];
        let (share, at) = missing(global, read)?;
        let name = &global.name;
        Some(Note::plain(match read.contains(&true) {
            false => format!("`{name}` is never read"),
            true => format!("{share:.1} % of `{name}` is never read, first {at:?}"),
        }))
    });
    inputs.collect()
}

/// Returns the share in percent of the parts of a tensor that are not set, and the index of the first element there.
fn missing(global: &BoundGlobal, parts: &[bool]) -> Option<(f64, Vec<i64>)> {
    let first = parts.iter().position(|&is| !is)? * GRAIN * 8 / global.dtype.bits() as usize;
    let missing = parts.iter().filter(|&&is| !is).count();
    let share = 100.0 * missing as f64 / parts.len() as f64;
    Some((share, coordinates(first, &global.shape)))
}

/// Iterates over the tensors that are passed and not returned.
fn inputs(subject: &Subject) -> impl Iterator<Item = GlobalId> {
    let program = subject.job.program;
    let all = (0..program.globals.len() as u32).map(GlobalId);
    all.filter(move |id| {
        let is_param = program.global(*id).kind == GlobalKind::Param;
        is_param && !subject.outputs.contains(id) && !program.workspaces.contains(id)
    })
}
