use crate::declare_rule;
use crate::{Facts, Sink};
use a2lint_ir::{NoteKind, PythonNote};

declare_rule! {
    /// ## What it does
    /// Reports a local tensor whose shape does not have two extents.
    ///
    /// ## Why is this bad?
    /// Tensors in on-chip memory have rows and columns; the DSL raises a `TypeError` for any other
    /// rank. Global tensors and workspaces may have more dimensions.
    ///
    /// ## Example
    /// ```python
    /// x = Tensor(DT.float, [4, 8, 64], Position.UB)
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// x = Tensor(DT.float, [4 * 8, 64], Position.UB)
    /// ```
    ///
    /// ## Source
    /// The DSL's `Tensor`, `DBuff`, `TBuff` and `QBuff`.
    "CAP006" "local-rank" Error, basis = Constants, evidence = Read, property = Operands
}

fn check(facts: &Facts, sink: &mut Sink) {
    for note in &facts.program.notes {
        let NoteKind::Python(PythonNote::LocalRank { rank }) = note.kind else {
            continue;
        };
        let help = match rank {
            0 | 1 => "write a row vector as [1, n], a column as [n, 1]",
            _ => "multiply the leading extents into one row extent",
        };
        let message = format!("a local tensor has 2 extents, not {rank}");
        sink.report_from(note.origin, note.span, message).help(help);
    }
}
