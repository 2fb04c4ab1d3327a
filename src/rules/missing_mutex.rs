use super::hazards::{Fault, clashes};
use super::{Facts, Sink};
use crate::declare_rule;

declare_rule! {
    /// ## What it does
    /// Reports a workspace that one side writes and the other reads in a kernel that has neither a
    /// mutex nor a flag between cube and vec.
    ///
    /// ## Why is this bad?
    /// Cube and vec cores run on their own. Without a token the reader takes whatever happens to be
    /// in GM, and the writer overwrites what has not been read yet.
    ///
    /// ## Example
    /// ```python
    /// ws[core, 0:TILE_M, 0:N] <<= l0c                    # cube, FIX
    /// tile <<= ws[core, half_row:half_row + HALF_M, 0:N] # vec, MTE2
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// bridge = CvMutex(0, depth=1, src_end_pipe=Pipe.FIX, dst_end_pipe=Pipe.MTE2)
    /// bridge.lock()
    /// ws[core, 0:TILE_M, 0:N] <<= l0c
    /// bridge.ready()
    /// bridge.wait()
    /// tile <<= ws[core, half_row:half_row + HALF_M, 0:N]
    /// bridge.free()
    /// ```
    ///
    /// ## Source
    /// Cube→vec and vec→cube data paths of A2.
    "SYN008" "missing-mutex" Error
}

fn check(facts: &Facts, sink: &mut Sink) {
    for clash in clashes(facts, |fault| fault == Fault::Unguarded) {
        let message = format!("{}: no mutex or flag stands between the sides", clash.sentence(facts));
        let help = "guard the handover: the producer calls `lock()` before and `ready()` behind its \
                    store, the consumer `wait()` before and `free()` behind its load";
        clash.report(facts, sink, message).help(help);
    }
}
