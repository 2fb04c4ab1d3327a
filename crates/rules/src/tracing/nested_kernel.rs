use crate::declare_rule;
use crate::{Facts, Sink};
use a2lint_ir::{NoteKind, PythonNote};

declare_rule! {
    /// ## What it does
    /// Reports a kernel that is called inside a kernel.
    ///
    /// ## Why is this bad?
    /// The call ends the tracing of the outer kernel: everything after it is silently dropped.
    ///
    /// ## Example
    /// ```python
    /// @kernel()
    /// def scale(x: GMTensor, y: GMTensor):
    ///     ...
    ///
    /// @kernel()
    /// def pipeline(x: GMTensor, y: GMTensor):
    ///     scale(x, y)
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// @func()
    /// def scale(x, y):
    ///     ...
    ///
    /// @kernel()
    /// def pipeline(x: GMTensor, y: GMTensor):
    ///     scale(x, y)
    /// ```
    ///
    /// ## Source
    /// Observed in the public version of the DSL of 2026-02.
    "TRC008" "nested-kernel" Error, basis = Constants, evidence = Read
}

fn check(facts: &Facts, sink: &mut Sink) {
    for note in &facts.program.notes {
        let NoteKind::Python(PythonNote::NestedKernel { name }) = &note.kind else {
            continue;
        };
        let definition = facts
            .module
            .programs
            .iter()
            .find(|program| program.name == *name);
        let message = format!(
            "`{name}` is a kernel: calling it here ends the tracing of `{}`, and the rest is dropped",
            facts.program.name
        );
        let report = sink.report_from(note.origin, note.span, message).help(format!(
            "make the shared part a `@func()` that both kernels call, or launch `{name}` by itself"
        ));
        if let Some(definition) = definition {
            report.label(definition.name_span, "defined as a kernel");
        }
    }
}
