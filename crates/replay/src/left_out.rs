//! What a run leaves out, and whose order is missing for it.

use rustc_hash::FxHashSet;

use a2lint_ir::{BufferId, NoteKind, Program, View};
use a2lint_machine::Outcome;
use a2lint_machine::hazards::Hazard;

/// Buffers of instructions that did not run, because the device does not have them or because they
/// raise: the order that those would bring is missing. Code that nobody knows is taken to have brought
/// it (`SyncOp::Unseen`).
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

/// Whether a hazard is about one of these buffers.
pub(super) fn concerns(program: &Program, hazard: &Hazard, buffers: &FxHashSet<BufferId>) -> bool {
    let end = &hazard.second;
    let instr = program.instruction(end.stmt);
    let view = instr.and_then(|instr| instr.local(end.operand));
    view.is_some_and(|view| buffers.contains(&view.buffer))
}
