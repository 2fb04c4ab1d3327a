use crate::declare_rule;
use crate::wording::snippet;
use crate::{Facts, Sink};
use a2lint_ir::{NoteKind, PythonNote};

declare_rule! {
    /// ## What it does
    /// Reports a `Var`, or a comparison with one, where Python asks for a truth value: the condition of
    /// `x if c else y`, of `while`, of `assert` and of a comprehension; and `min()` and `max()` of such values.
    ///
    /// ## Why is this bad?
    /// The value of a `Var` exists on the device only. A bare one always counts as true, and a
    /// comparison raises. `if` statements, and `and`, `or` and `not` in them, are rewritten for the
    /// device; these forms are not.
    ///
    /// ## Example
    /// ```python
    /// width = 64 if tail else 128
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// width = Var(128)
    /// if tail:
    ///     width <<= 64
    /// ```
    ///
    /// ## Source
    /// Observed in the public version of the DSL of 2026-02.
    "TRC006" "truthy-var" Error, basis = Constants, evidence = Read
}

fn check(facts: &Facts, sink: &mut Sink) {
    for note in &facts.program.notes {
        if let NoteKind::Python(PythonNote::ComparesVars { function, device }) = note.kind {
            let text = snippet(facts, note.span);
            let message = format!("`{text}` compares Vars, whose values only the device knows");
            sink.report_from(note.origin, note.span, message)
                .help(format!(
                    "write `{device}(…)`, which the device computes, instead of `{function}(…)`"
                ));
            continue;
        }
        let NoteKind::Python(PythonNote::TruthOfVar {
            construct,
            comparison,
        }) = note.kind
        else {
            continue;
        };
        let text = snippet(facts, note.span);
        let message = match comparison {
            true => format!("{construct} needs the truth of `{text}`, which only the device knows"),
            false => format!("{construct} takes the Var `{text}` as true, whatever it holds"),
        };
        sink.report_from(note.origin, note.span, message)
            .help("branch on the device: set a Var, and change it in an `if` statement");
    }
}
