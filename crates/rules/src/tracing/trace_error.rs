use crate::declare_rule;
use crate::{Facts, Sink};
use a2lint_ir::{Note, NoteKind, PythonNote, UnknownCode, Unprepared};

declare_rule! {
    /// ## What it does
    /// Reports statements that raise an exception while the kernel is traced: wrong argument types,
    /// operands in the wrong memory, missing or unknown arguments, indices out of range. In AscendC: a queue
    /// or buffer that no `InitBuffer` gives memory, and a global tensor that no `SetGlobalBuffer` gives an
    /// address.
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
    unprepared(facts, sink);
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

/// Reports the first use of each object that nothing prepares. Code that could not be evaluated may prepare it, so
/// nothing is reported beside such code.
fn unprepared(facts: &Facts, sink: &mut Sink) {
    let found = |note: &Note| match &note.kind {
        NoteKind::Unprepared { name, object } => Some((name.clone(), *object)),
        _ => None,
    };
    let notes: Vec<&Note> = facts.program.notes.iter().collect();
    let explains = |code: &UnknownCode| {
        let mut own = notes.iter().filter(|note| found(note).is_some());
        own.any(|note| note.span == code.span)
    };
    if !facts.program.unknown.iter().all(explains) {
        return;
    }
    let mut known = Vec::new();
    for note in notes {
        let Some((name, object)) = found(note).filter(|it| !known.contains(it)) else {
            continue;
        };
        let help = match object {
            Unprepared::Queue => {
                format!("call `InitBuffer({name}, NUMBER, BYTES)` of the pipe before")
            }
            Unprepared::Buffer => format!("call `InitBuffer({name}, BYTES)` of the pipe before"),
            Unprepared::Global => format!("call `{name}.SetGlobalBuffer(ADDRESS)` before"),
            Unprepared::Local => format!("assign a tensor to `{name}` before"),
        };
        sink.report_from(note.origin, note.span, object.clause(&name))
            .advice(help);
        known.push((name, object));
    }
}
