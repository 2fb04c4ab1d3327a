use crate::declare_rule;
use crate::synchronisation::mutex_pipes::{consumer, producer, report};
use crate::{Facts, Sink};
use a2lint_ir::MutexKind;
use a2lint_isa::Pipe;
use a2lint_isa::device::is_vec_pipe;

declare_rule! {
    /// ## What it does
    /// Reports a `VcMutex` whose `src_end_pipe` is not `MTE3`, or whose `dst_end_pipe` is a pipe of
    /// the vector side.
    ///
    /// ## Why is this bad?
    /// On A2 the vector side publishes a tile by storing it to a workspace on `MTE3`; a token that
    /// is handed over on `V` announces a tile that is not stored yet. The consumer is the cube,
    /// which has neither `V` nor `MTE3`.
    ///
    /// ## Example
    /// ```python
    /// vc = VcMutex(1, src_end_pipe=Pipe.V, dst_end_pipe=Pipe.FIX)
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// vc = VcMutex(1, src_end_pipe=Pipe.MTE3, dst_end_pipe=Pipe.FIX)
    /// ```
    ///
    /// ## Fix safety
    /// `src_end_pipe` becomes the only pipe that stores to GM, `dst_end_pipe` the most conservative pipe of the
    /// cube; safe where order and progress are proved then.
    ///
    /// ## Source
    /// A2 device constraints, section 3: recommended synchronisation.
    "SYN006" "vc-mutex-pipes" Error, basis = Constants, fix = Safe
}

fn check(facts: &Facts, sink: &mut Sink) {
    let mutexes = facts.program.mutexes.iter();
    for mutex in mutexes.filter(|mutex| mutex.kind == MutexKind::VecToCube) {
        if mutex.src_end != Pipe::Mte3 {
            let why = "the vector side writes the workspace on MTE3, and the token must follow that store";
            report(facts, &producer(mutex), Pipe::Mte3, why, sink);
        }
        if is_vec_pipe(mutex.dst_end) {
            let why = "the consumer is the cube, which does not have this pipe";
            report(facts, &consumer(mutex), Pipe::Fix, why, sink);
        }
    }
}
