use super::hazards::{Fault, clashes};
use super::wording::counted;
use super::{Facts, Sink};
use crate::declare_rule;

declare_rule! {
    /// ## What it does
    /// Reports a mutex with more free tokens than the workspace it guards has slots: the producer
    /// was seen to write a slot that the consumer had not read yet.
    ///
    /// ## Why is this bad?
    /// `depth` tokens let the producer run that many handovers ahead. If the slot index comes
    /// round sooner, it overwrites data silently.
    ///
    /// ## Example
    /// ```python
    /// ws = split_workspace(DT.float, [GetCubeNum(), 2, TILE_M, TILE_N])
    /// bridge = CvMutex(0, depth=3, src_end_pipe=Pipe.FIX, dst_end_pipe=Pipe.MTE2)
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// bridge = CvMutex(0, depth=2, src_end_pipe=Pipe.FIX, dst_end_pipe=Pipe.MTE2)
    /// ```
    /// A plain workspace without a slot dimension takes `depth=1`.
    ///
    /// ## Source
    /// Mutex depth of the DSL: free credits, equal to the slots that the handover rotates.
    "SYN010" "mutex-depth" Error
}

fn check(facts: &Facts, sink: &mut Sink) {
    for clash in clashes(facts, |fault| matches!(fault, Fault::TooDeep(_))) {
        let Fault::TooDeep(id) = clash.fault else {
            continue;
        };
        let mutex = facts.program.mutex(id);
        let depth = mutex.depth.unwrap_or_default();
        let message = format!(
            "{}: `{}` lets the producer run {} ahead, and the slot comes round sooner",
            clash.sentence(facts),
            mutex.name,
            counted(depth, "handover"),
        );
        let help = "make `depth` the number of slots that the index of the workspace rotates through: 1 for a \
                    plain workspace, 2 for `[…, 2, …]` indexed by a counter modulo 2";
        clash
            .report(facts, sink, message)
            .label(mutex.span, format!("depth {depth}"))
            .help(help);
    }
}
