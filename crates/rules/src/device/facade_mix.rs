use crate::declare_rule;
use crate::{FileFacts, Sink};
use a2lint_ir::{NoteKind, PythonNote};

declare_rule! {
    /// ## What it does
    /// Reports a file that imports two facades of the DSL.
    ///
    /// ## Why is this bad?
    /// Importing a facade configures the process for its device, and every facade defines the same
    /// names. The last import wins for some names and the first one for others.
    ///
    /// ## Example
    /// ```python
    /// from easyasc.a2 import *
    /// from easyasc.a5 import Reg
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// from easyasc.a2 import *
    /// ```
    ///
    /// ## Source
    /// The DSL's read-me: one facade per process.
    "DEV008" "facade-mix" Error, basis = Constants, scope = File
}

fn check(FileFacts { module, .. }: &FileFacts, sink: &mut Sink) {
    for note in &module.notes {
        let NoteKind::Python(PythonNote::FacadeMix { first, other }) = &note.kind else {
            continue;
        };
        let message = format!("`{other}` is imported beside `{first}`: two devices in one file");
        let help = format!(
            "keep one of them; kernels for another device go into their own file \
         (checked here as {first})"
        );
        sink.report(note.span, message).help(help);
    }
}
