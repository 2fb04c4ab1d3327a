//! What a run shows whose sizes the host may never compute together.
//!
//! Host code computes the fields of tiling data in relations that the kernel does not show, such as a tile that is a
//! multiple of a block. A launch that the checker makes breaks some of them, and what it shows is then a fault of the
//! launch. Only missing order between accesses of one tensor is a fault for any sizes.

use super::observation::{Event, Observation};
use a2lint_ir::{BufferId, GlobalId, Program, ScalarId, StmtId, View};
use a2lint_machine::hazards::Hazard;
use a2lint_machine::{FindingKind, Outcome};
use a2lint_source::text::Span;

/// Drops the observations that depend on relations between sizes: all of them if the sizes break one.
pub(super) fn keep_any_sizes(program: &Program, observations: &mut Vec<Observation>) {
    if break_sizes(observations) {
        observations.clear();
    }
    observations.retain(|observation| match &observation.event {
        Event::Hazard(hazard) => meets_in_one_tensor(program, hazard),
        _ => false,
    });
}

/// Returns whether the sizes of a run do not fit together, by what it shows.
pub(super) fn break_sizes(observations: &[Observation]) -> bool {
    observations.iter().any(breaks_sizes)
}

/// Returns the place of the first observation other than a hazard.
pub(super) fn first_beyond_order(program: &Program, observations: &[Observation]) -> Option<Span> {
    let mut seen = observations.iter();
    let first = seen.find(|observation| !matches!(observation.event, Event::Hazard(_)))?;
    let place = first.stmt.and_then(|stmt| program.statement(stmt));
    Some(place.map_or(program.span, |stmt| stmt.span))
}

/// Returns whether an observation means that the sizes do not fit together: an operand leaves its tensor or is not
/// aligned, or buffers do not fit. After it, accesses meet that do not meet on the device.
fn breaks_sizes(observation: &Observation) -> bool {
    match &observation.event {
        Event::Machine(kind) => is_overrun(kind) || matches!(kind, FindingKind::Misaligned { .. }),
        Event::Illegal(_) | Event::Overflow { .. } => true,
        _ => false,
    }
}

/// Returns whether an operand leaves its tensor on the chip.
fn is_overrun(kind: &FindingKind) -> bool {
    matches!(
        kind,
        FindingKind::Overrun { .. } | FindingKind::OutsideMemory(_)
    )
}

/// Returns whether one of the instructions of a hazard leaves its tensor in a run. With sizes that the checker chose,
/// it may then meet accesses that it meets with no others.
pub(super) fn leaves_tensor(outcome: &Outcome, hazard: &Hazard) -> bool {
    let ends = [hazard.first.stmt, hazard.second.stmt];
    let mut seen = outcome.findings.iter();
    seen.any(|seen| is_overrun(&seen.kind) && ends.contains(&seen.stmt))
}

/// Returns whether the two accesses of a hazard overlap for any sizes: they start at the same element of one tensor, or
/// at constants.
fn meets_in_one_tensor(program: &Program, hazard: &Hazard) -> bool {
    let starts = [&hazard.first, &hazard.second].map(|end| start(program, end.stmt, end.operand));
    let [Some((first_in, first)), Some((second_in, second))] = starts else {
        return false;
    };
    let is_constant = |at: &ScalarId| program.scalars.as_int(*at).is_some();
    let both_constant = first.iter().chain(&second).all(is_constant);
    first_in == second_in && (first == second || both_constant)
}

/// The tensor of an operand.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tensor {
    Local(BufferId),
    Global(GlobalId),
}

/// Returns the tensor of an operand and its first element, by axis.
fn start(program: &Program, stmt: StmtId, operand: usize) -> Option<(Tensor, Vec<ScalarId>)> {
    Some(match program.instruction(stmt)?.view(operand)? {
        View::Local(view) => (Tensor::Local(view.buffer), view.offset.to_vec()),
        View::Global(view) => {
            let starts = view.axes.iter().map(|axis| axis.start);
            (Tensor::Global(view.global), starts.collect())
        }
    })
}
