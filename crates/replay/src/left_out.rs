//! Instructions that a run skips, and the hazards that their absence may cause.

use rustc_hash::FxHashSet;

use a2lint_ir::{BufferId, NoteKind, Program, View};
use a2lint_machine::Outcome;
use a2lint_machine::hazards::Hazard;

/// Returns the buffers of instructions that did not run, because the device lacks them or because they raise. The
/// order that they would establish is missing. Unknown code is assumed to establish it (`SyncOp::Unseen`).
pub(super) fn buffers(program: &Program, outcome: &Outcome) -> FxHashSet<BufferId> {
    let illegal = outcome.illegal.iter();
    let illegal = illegal.filter_map(|illegal| program.instruction(illegal.stmt));
    let operands = illegal.flat_map(|instr| instr.operands().map(|(_, _, view)| view));
    let mut views: Vec<&View> = operands.collect();
    for note in &program.notes {
        if let NoteKind::IllegalMove { views: moved, .. } = &note.kind {
            views.extend(moved.iter());
        }
    }
    let local = views.into_iter().filter_map(View::local);
    let buffers = local.map(|view| view.buffer);
    buffers.chain(program.dropped.iter().copied()).collect()
}

/// Returns whether a hazard concerns one of these buffers.
pub(super) fn concerns(program: &Program, hazard: &Hazard, buffers: &FxHashSet<BufferId>) -> bool {
    let end = &hazard.second;
    let instr = program.instruction(end.stmt);
    let view = instr.and_then(|instr| instr.local(end.operand));
    view.is_some_and(|view| buffers.contains(&view.buffer))
}
