use rustc_hash::FxHashSet;

use crate::declare_rule;
use crate::observations::Scene;
use crate::wording::call;
use crate::{Facts, Sink};
use a2lint_ir::{BufferId, View};
use a2lint_machine::{BoundLaunch, FindingKind};
use a2lint_replay::Observation;

declare_rule! {
    /// ## What it does
    /// Reports an indexed access whose offsets point into the middle of elements in a run.
    ///
    /// The offsets must be what the kernel computed, or what the launch gives: those of tensors whose
    /// values the launch does not tell are silent.
    ///
    /// ## Why is this bad?
    /// `gather`, `scatter` and `gather_block` take offsets in bytes. Element indices in their place
    /// read across two elements, and all results but the first are wrong.
    ///
    /// ## Example
    /// ```python
    /// index <<= order[0:1, 0:64]          # 0, 1, 2, ...
    /// gather(picked, values, index)       # float values
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// index <<= order[0:1, 0:64]
    /// shiftls(index, index, 2)            # times 4 bytes
    /// gather(picked, values, index)
    /// ```
    ///
    /// ## Source
    /// AscendC reference: offsets of Gather count bytes and are multiples of the element size.
    "MOV014" "gather-offset" Error, basis = Replayed, property = Operands
}

fn check(facts: &Facts, sink: &mut Sink) {
    for scene in Scene::all(facts, is_odd) {
        let Some(FindingKind::OddOffset { offset, size }) = scene.observation.kind() else {
            continue;
        };
        let Some(View::Local(view)) = scene.view() else {
            continue;
        };
        let bound = &facts.replay.execution(scene.observation).bound;
        if !are_told(facts, bound, view.buffer) {
            continue;
        }
        let element = scene.observation.element.unwrap_or(0);
        let message = format!(
            "{} takes offsets in bytes, multiples of {size} here, and element {element} of {} is {offset}",
            call(facts, scene.instr),
            scene.operand(facts)
        );
        scene.report(facts, sink, message).advice(format!(
            "turn element indices into byte offsets: multiply them by {size}, or shift them left by {}",
            size.ilog2()
        ));
    }
}

fn is_odd(seen: &Observation) -> bool {
    matches!(seen.kind(), Some(FindingKind::OddOffset { .. }))
}

/// Returns whether the kernel or the launch determines all values that flow into a buffer.
fn are_told(facts: &Facts, bound: &BoundLaunch, buffer: BufferId) -> bool {
    let mut seen: FxHashSet<BufferId> = FxHashSet::from_iter([buffer]);
    let mut open = vec![buffer];
    while let Some(buffer) = open.pop() {
        for (_, instr) in facts.instructions() {
            let mut operands = instr.operands();
            let writes = operands.any(|(_, operand, view)| {
                operand.access.writes() && view.local().is_some_and(|view| view.buffer == buffer)
            });
            if !writes {
                continue;
            }
            let reads = instr
                .operands()
                .filter(|(_, operand, _)| operand.access.reads());
            for (_, _, view) in reads {
                match view {
                    View::Local(view) if seen.insert(view.buffer) => open.push(view.buffer),
                    View::Local(_) => {}
                    // Random integers of a range would be multiples of the element size only by chance.
                    View::Global(view)
                        if !bound.globals[view.global.index()].contents.is_given() =>
                    {
                        return false;
                    }
                    View::Global(_) => {}
                }
            }
        }
    }
    true
}
