//! Finds the tracer's notes on arguments that give a number of lanes.

use crate::Facts;
use crate::wording::call;
use a2lint_ir::{Instr, LaneFault, Note, NoteKind, Stmt};
use a2lint_isa::Class;
use a2lint_source::text::Span;

/// Returns the notes of a kernel on arguments that give a number of lanes, with the name of each call.
pub(crate) fn noted<'a>(
    facts: &'a Facts,
) -> impl Iterator<Item = (&'a Note, String, &'a LaneFault)> {
    facts.program.notes.iter().filter_map(|note| {
        let NoteKind::Lanes(fault) = &note.kind else {
            return None;
        };
        Some((note, called_at(facts, note.span), fault))
    })
}

/// Returns the name of the vector call at a span. The span of the call may contain that of its statement or lie in it,
/// so any overlap counts.
pub(crate) fn called_at(facts: &Facts, at: Span) -> String {
    let mut instructions = facts.instructions();
    let is_it = |stmt: &Stmt, instr: &Instr| {
        let overlaps = stmt.span.start < at.end && at.start < stmt.span.end;
        overlaps && instr.row().is_vector() && instr.row().class != Class::Mask
    };
    let by = instructions.find(|(stmt, instr)| is_it(stmt, instr));
    by.map_or("this call".to_owned(), |(_, instr)| call(facts, instr))
}
