use crate::declare_rule;
use crate::{Facts, Sink};
use a2lint_ir::{NoteKind, PythonNote};

declare_rule! {
    /// ## What it does
    /// Reports statements that raise an exception while the kernel is traced: wrong argument types,
    /// operands in the wrong memory, missing or unknown arguments, indices out of range.
    ///
    /// ## Why is this bad?
    /// The kernel cannot be built. The message names the exception that Python would show.
    ///
    /// ## Example
    /// ```python
    /// pair = DBuff(DT.float, [64, 64], Position.UB)
    /// exp(pair, pair)                    # TypeError: a ring of slots is no tensor
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// exp(pair[i], pair[i])
    /// ```
    ///
    /// ## Source
    /// The argument checks of the DSL.
    "TRC001" "trace-error" Error, basis = Constants, evidence = Read
}

fn check(facts: &Facts, sink: &mut Sink) {
    for note in &facts.program.notes {
        let NoteKind::Python(PythonNote::TraceError {
            exception,
            message,
            help,
        }) = &note.kind
        else {
            continue;
        };
        let report = sink.report_from(note.origin, note.span, format!("{exception}: {message}"));
        if let Some(help) = help {
            report.help(help);
        }
    }
}
