use crate::declare_rule;
use crate::wording::snippet;
use crate::{Facts, Sink};
use a2lint_ir::finding::Edit;
use a2lint_ir::{NoteKind, OriginId, PythonNote};

declare_rule! {
    /// ## What it does
    /// Reports `v = v + 1` and `v -= 1` in a device loop on a `Var` that was made before the loop.
    ///
    /// ## Why is this bad?
    /// The loop is traced once. `=` binds the Python name to a new value that is computed from the old
    /// variable; the variable itself never changes, so every iteration computes the same. `+=` and `<<=`
    /// update a `Var` in place; `-=`, `*=` and the others do not.
    ///
    /// ## Example
    /// ```python
    /// left = Var(K)
    /// for k in range(0, tiles):
    ///     left -= 64
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// left = Var(K)
    /// for k in range(0, tiles):
    ///     left <<= left - 64
    /// ```
    ///
    /// ## Fix safety
    /// Safe: the same value is stored in the variable. Inside a helper, whose argument the variable may
    /// be, it is unsafe.
    ///
    /// ## Source
    /// Observed in the public version of the DSL of 2026-02: `+=` is the only operator in place.
    "TRC004" "lost-update" Error, basis = Constants, evidence = Read, fix = Safe
}

fn check(facts: &Facts, sink: &mut Sink) {
    for note in &facts.program.notes {
        if let NoteKind::Python(PythonNote::ReboundCell { name, declared }) = &note.kind {
            let message =
                format!("E0102: this binds `{name}` to a value and leaves the cell as it was");
            sink.report_from(note.origin, note.span, message)
                .label(*declared, format!("the cell `{name}` is made here"))
                .help(format!(
                    "update it in place, `{name} <<= …` or `{name} += …`, or use another name"
                ));
            continue;
        }
        let NoteKind::Python(PythonNote::LostUpdate {
            name,
            device_loop,
            declared,
            in_place,
        }) = &note.kind
        else {
            continue;
        };
        let message = format!(
            "`{}` rebinds the Python name in each iteration; the device variable `{name}` is not updated",
            snippet(facts, note.span)
        );
        let edit = Edit {
            span: note.span,
            text: in_place.clone(),
        };
        sink.report_from(note.origin, note.span, message)
            .label(*device_loop, "traced once, run many times")
            .label(*declared, format!("`{name}` is made here"))
            .help(format!("update it in place: `{in_place}`"))
            .fix(
                format!("replace with `{in_place}`"),
                note.origin == OriginId(0),
                vec![edit],
            );
    }
}
