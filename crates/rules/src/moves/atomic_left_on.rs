use crate::declare_rule;
use crate::wording::call;
use crate::{Facts, Sink};
use a2lint_ir::NoteKind;

declare_rule! {
    /// ## What it does
    /// Reports kernels of AscendC that end while stores still add to what memory holds: `SetAtomicAdd` without
    /// `SetAtomicNone`.
    ///
    /// ## Why is this bad?
    /// The mode stays on for every store after it, also for those that are to overwrite. A later kernel on the core
    /// that constructs no `TPipe` has it as well.
    ///
    /// ## Example
    /// ```cpp
    /// SetAtomicAdd<float>();
    /// DataCopy(total, part, N);
    /// DataCopy(copy, part, N);             // adds to `copy`
    /// ```
    ///
    /// ## Use instead
    /// ```cpp
    /// SetAtomicAdd<float>();
    /// DataCopy(total, part, N);
    /// SetAtomicNone();
    /// DataCopy(copy, part, N);
    /// ```
    ///
    /// ## Source
    /// AscendC reference, SetAtomicAdd: the mode holds until SetAtomicNone is called.
    "MOV016" "atomic-left-on" Warning, basis = Constants
}

fn check(facts: &Facts, sink: &mut Sink) {
    let mut notes = facts.program.notes.iter();
    if !notes.any(|note| note.kind == NoteKind::AtomicLeftOn) {
        return;
    }
    let stores = facts.instructions();
    let last = stores
        .filter(|(stmt, _)| facts.program.is_atomic(stmt.id))
        .last();
    if let Some((stmt, instr)) = last {
        let message = format!(
            "stores still add to what memory holds when the kernel ends, after this {}",
            call(facts, instr)
        );
        sink.report_from(stmt.origin, stmt.span, message)
            .help("call `SetAtomicNone()` after the last store that is to add");
    }
}
