use crate::declare_rule;
use crate::wording::snippet;
use crate::{Facts, Sink};
use a2lint_ir::{NoteKind, PythonNote};

declare_rule! {
    /// ## What it does
    /// Reports `if` on a plain Python value inside a kernel or a `@func()` helper.
    ///
    /// ## Why is this bad?
    /// There every `if` is rewritten into a branch on the device, which wants a `Var`. The DSL refuses a
    /// condition that Python decides; older versions traced all the arms. The check continues with the arm
    /// that Python would take.
    ///
    /// ## Example
    /// ```python
    /// if CAUSAL:
    ///     select(s, mask, s, lowest, SelectMode.TENSOR_SCALAR)
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// def mask_scores(s, mask, lowest):        # plain Python: its `if` stays Python's
    ///     if CAUSAL:
    ///         select(s, mask, s, lowest, SelectMode.TENSOR_SCALAR)
    /// ```
    ///
    /// ## Source
    /// The DSL's authoring rules: no constant conditions in kernels.
    "TRC002" "static-if" Warning, basis = Constants
}

fn check(facts: &Facts, sink: &mut Sink) {
    for note in &facts.program.notes {
        let NoteKind::Python(PythonNote::StaticIf { taken }) = note.kind else {
            continue;
        };
        let message = format!(
            "`{}` is {} while the kernel is traced; a kernel branches on Vars only",
            snippet(facts, note.span),
            if taken { "true" } else { "false" }
        );
        sink.report_from(note.origin, note.span, message).help(
            "decide it outside: write a kernel for each case, or move the branch into a plain Python \
             function, whose `if` is left alone",
        );
    }
}
