use crate::declare_rule;
use crate::wording::{allocated_at, allocation, tensor};
use crate::{Facts, Sink};
use a2lint_ir::{NoteKind, ReinterpretFault};
use a2lint_isa::BLOCK_BYTES;

declare_rule! {
    /// ## What it does
    /// Reports `reinterpret` of an L0C tile, of a view that starts off the 32-byte grid, and of rows
    /// that are no whole number of the new elements.
    ///
    /// ## Why is this bad?
    /// A reinterpreted view has the same first byte and rows as before. L0C is laid out by its own
    /// element type; a start inside a block is where no instruction can begin; and a row that does not
    /// divide loses its end, or all of its columns.
    ///
    /// ## Example
    /// ```python
    /// flags = mask[1:2, 0:16].reinterpret(DT.int)       # rows of 16 bytes: row 1 starts inside a block
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// flags = mask.reinterpret(DT.int)
    /// ```
    ///
    /// ## Source
    /// Public DSL documentation on `reinterpret`.
    "MOV012" "reinterpret-view" Error, basis = Constants
}

fn check(facts: &Facts, sink: &mut Sink) {
    for note in &facts.program.notes {
        let NoteKind::Reinterpret { view, dtype, fault } = &note.kind else {
            continue;
        };
        let name = match view.sliced {
            true => tensor(facts, view),
            false => allocation(facts, facts.program.buffer(view.buffer)),
        };
        let (message, help) = match fault {
            ReinterpretFault::Accumulator => (
                format!("{name} is in L0C, whose fractals have one element type"),
                "convert on the way out: store it to a GM tensor of the type that is wanted"
                    .to_owned(),
            ),
            ReinterpretFault::Start(bytes) => (
                format!(
                    "{name} starts {bytes} bytes past a block of {BLOCK_BYTES}, and a view of {dtype} would too"
                ),
                "reinterpret the whole tensor, and slice the result at whole blocks".to_owned(),
            ),
            ReinterpretFault::Rows(bytes) => (
                format!("rows of {bytes} bytes are no whole number of {dtype} elements: {name}"),
                "reinterpret a tensor whose rows are whole blocks".to_owned(),
            ),
        };
        sink.report_from(note.origin, note.span, message)
            .label(allocated_at(facts, view), "allocated here")
            .help(help);
    }
}
