use crate::declare_rule;
use crate::{FileFacts, Sink};
use a2lint_ir::{Note, NoteKind, PythonNote};
use a2lint_isa::a5_only;

declare_rule! {
    /// ## What it does
    /// Reports names that only the A5 facades have, in a file that imports an A2 facade.
    ///
    /// ## Why is this bad?
    /// A2 cores have no vector registers, no path from L0C to UB, no path from UB to L1 and no
    /// microscaling formats. The name is missing from the facade, so the kernel fails while it is
    /// traced.
    ///
    /// ## Example
    /// ```python
    /// l0c_to_ub(ub, l0c)
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// ws[GetCubeIdx(), slot, 0:TILE_M, 0:TILE_N] <<= l0c
    /// ub <<= ws[GetCubeIdx(), slot, half_row:half_row + HALF_M, 0:TILE_N]
    /// ```
    ///
    /// ## Source
    /// A2 device constraints, section 1: the A5 features that A2 lacks.
    "DEV001" "a5-only-api" Error, basis = Constants, scope = File
}

fn check(FileFacts { module, .. }: &FileFacts, sink: &mut Sink) {
    report(&module.notes, sink);
    for program in &module.programs {
        report(&program.notes, &mut sink.in_kernel(program));
    }
}

fn report(notes: &[Note], sink: &mut Sink) {
    for note in notes {
        let NoteKind::Python(PythonNote::A5Only { name }) = &note.kind else {
            continue;
        };
        let message = format!("`{name}` exists on A5 devices only");
        let report = sink.report_from(note.origin, note.span, message);
        if let Some(entry) = a5_only(name) {
            report.help(entry.instead);
        }
    }
}
