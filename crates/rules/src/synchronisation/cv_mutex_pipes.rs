use crate::declare_rule;
use crate::synchronisation::mutex_pipes::{consumer, producer, report};
use crate::{Facts, Sink};
use a2lint_ir::MutexKind;
use a2lint_isa::Pipe;

declare_rule! {
    /// ## What it does
    /// Reports a `CvMutex` whose `dst_end_pipe` is not `MTE2`, or whose `src_end_pipe` is not `FIX`.
    ///
    /// ## Why is this bad?
    /// On A2 the cube publishes a tile by draining L0C to a workspace on `FIX`, and the vector side
    /// takes it with a load from GM on `MTE2`. A token that is given back on `V`, as on A5, comes
    /// late, or too early where no vector instruction follows the load, and then the cube
    /// overwrites a tile that is still being read. A token that is handed over on a pipe other than
    /// `FIX` announces a tile that is not there yet.
    ///
    /// ## Example
    /// ```python
    /// cv = CvMutex(0, src_end_pipe=Pipe.FIX, dst_end_pipe=Pipe.V)
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// cv = CvMutex(0, src_end_pipe=Pipe.FIX, dst_end_pipe=Pipe.MTE2)
    /// ```
    ///
    /// ## Fix safety
    /// The argument is replaced by the only pipe that carries the transfer on A2; safe where order and progress
    /// are proved then.
    ///
    /// ## Source
    /// A2 device constraints, section 2: CvMutex configuration.
    "SYN005" "cv-mutex-pipes" Error, basis = Constants, fix = Safe
}

fn check(facts: &Facts, sink: &mut Sink) {
    let mutexes = facts.program.mutexes.iter();
    for mutex in mutexes.filter(|mutex| mutex.kind == MutexKind::CubeToVec) {
        if mutex.src_end != Pipe::Fix {
            let why = "the cube writes the workspace on FIX, and the token must follow that store";
            report(facts, &producer(mutex), Pipe::Fix, why, sink);
        }
        if mutex.dst_end != Pipe::Mte2 {
            let why = "on A2 the vector side takes the tile with a load on MTE2, and gives the token back after it";
            report(facts, &consumer(mutex), Pipe::Mte2, why, sink);
        }
    }
}
