use crate::declare_rule;
use crate::wording::call;
use crate::{Facts, Sink};
use a2lint_isa::{Class, Pipe};

declare_rule! {
    /// ## What it does
    /// Reports a barrier of FIX in a kernel for vec cores alone.
    ///
    /// ## Why is this bad?
    /// FIX is a pipe of the cube. A vec core that waits for it was seen to wait for ever.
    ///
    /// ## Example
    /// ```python
    /// @kernel(mode="vec")
    /// def copy(x: GMTensor, y: GMTensor):
    ///     y[0:8, 0:64] <<= tile
    ///     bar_fix()
    /// ```
    ///
    /// ## Use instead
    /// ```python
    ///     y[0:8, 0:64] <<= tile
    ///     bar_mte3()
    /// ```
    ///
    /// ## Source
    /// Stated: issues of pto-isa on generated vector kernels with a fence on PIPE_FIX.
    "SYN019" "foreign-barrier" Error, basis = Constants, property = Progress
}

fn check(facts: &Facts, sink: &mut Sink) {
    // A mixed kernel executes a barrier on both sides, and only its cube has work on FIX.
    if !facts.program.vec_only {
        return;
    }
    for (stmt, instr) in facts.instructions() {
        if instr.row().class != Class::Barrier || instr.pipe() != Some(Pipe::Fix) {
            continue;
        }
        let message = format!(
            "{} waits for FIX, which vec cores do not have",
            call(facts, instr)
        );
        sink.report_from(stmt.origin, stmt.span, message)
            .label(facts.program.name_span, "a kernel for vec cores alone")
            .help("stores to GM are ordered by `bar_mte3()`, everything by `bar_all()`")
            .in_cpp("stores to GM are ordered by `PipeBarrier<PIPE_MTE3>()`, everything by `PipeBarrier<PIPE_ALL>()`");
    }
}
