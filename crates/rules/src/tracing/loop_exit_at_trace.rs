use crate::declare_rule;
use crate::{Facts, Sink};
use a2lint_ir::{LoopExit, NoteKind, PythonNote};

declare_rule! {
    /// ## What it does
    /// Reports `break`, `continue` and `return` inside a device loop or branch.
    ///
    /// ## Why is this bad?
    /// Python carries them out while the kernel is traced, once and whatever the condition: the rest
    /// of the block vanishes from the program, and nothing jumps on the device.
    ///
    /// ## Example
    /// ```python
    /// for k in range(0, K):
    ///     if k == last:
    ///         break
    ///     acc <<= acc + x
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// for k in range(0, K):
    ///     if k == last:
    ///         break_()
    ///     acc <<= acc + x
    /// ```
    ///
    /// ## Source
    /// Observed in the public version of the DSL of 2026-02.
    "TRC003" "loop-exit-at-trace" Error, basis = Constants, evidence = Read
}

fn check(facts: &Facts, sink: &mut Sink) {
    for note in &facts.program.notes {
        let NoteKind::Python(PythonNote::LoopExit { exit, block }) = note.kind else {
            continue;
        };
        let message = format!(
            "`{}` takes effect while the kernel is traced: what follows in this block is lost, and nothing jumps",
            exit.keyword()
        );
        let help = match exit {
            LoopExit::Break => "call `break_()` to leave a loop on the device",
            LoopExit::Continue => {
                "call `continue_()` to go on with the next iteration on the device"
            }
            LoopExit::Return => "return after the loop, and guard what is to be left out with `if`",
        };
        sink.report_from(note.origin, note.span, message)
            .label(block, "runs on the device")
            .help(help);
    }
}
