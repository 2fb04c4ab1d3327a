use crate::declare_rule;
use crate::{Facts, Sink};
use a2lint_ir::finding::Severity;
use a2lint_ir::{ArgValue, GlobalId, NoteKind, Param, ParamKind, PythonNote, View};

declare_rule! {
    /// ## What it does
    /// Reports tensor parameters after scalar ones, kernels that store to their parameters and return
    /// nothing, and returned tensors that nothing is stored to.
    ///
    /// ## Why is this bad?
    /// A launch passes all tensors first, then all scalars, so a mixed order binds the wrong arguments.
    /// What a kernel returns are its outputs: a tensor that is not returned is passed as an input, and
    /// what the kernel stores there need not come back.
    ///
    /// ## Example
    /// ```python
    /// @kernel()
    /// def scale(x: GMTensor, M: Var, y: GMTensor):
    ///     ...
    ///     y[0:64, 0:64] <<= ub
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// @kernel()
    /// def scale(x: GMTensor, y: GMTensor, M: Var):
    ///     ...
    ///     y[0:64, 0:64] <<= ub
    ///     return y
    /// ```
    ///
    /// ## Source
    /// Public DSL documentation on kernels: tensors, outputs, then Vars.
    "TRC009" "signature" Error, basis = Constants
}

fn check(facts: &Facts, sink: &mut Sink) {
    order(facts, sink);
    if facts.program.hides_instructions() || raises(facts) {
        return;
    }
    let stored = stored(facts);
    missing_output(facts, &stored, sink);
    for &output in &facts.program.outputs {
        let global = facts.program.global(output);
        if !stored.contains(&output) && !facts.program.is_obscured(output) {
            let message = format!("`{}` is returned, and nothing is stored to it", global.name);
            sink.report(global.span, message)
                .severity(Severity::Warning)
                .help("an output that is not stored holds arbitrary data; store it, or do not return it");
        }
    }
}

/// Returns whether a statement is missing from the program because it raises.
fn raises(facts: &Facts) -> bool {
    facts.program.notes.iter().any(|note| {
        matches!(
            note.kind,
            NoteKind::Python(
                PythonNote::TraceError { .. }
                    | PythonNote::A5Only { .. }
                    | PythonNote::LocalRank { .. }
                    | PythonNote::NoEffect(_)
                    | PythonNote::LoopExit { .. }
            ) | NoteKind::UnknownName { .. }
                | NoteKind::IllegalMove { .. }
                | NoteKind::SqrtOfInteger { .. }
        )
    })
}

fn order(facts: &Facts, sink: &mut Sink) {
    if !facts.program.toolchain.refusals.late_tensors {
        return;
    }
    let annotated: Vec<&Param> = facts
        .program
        .params
        .iter()
        .filter(|param| param.annotated)
        .collect();
    let scalar = |param: &&&Param| matches!(param.kind, ParamKind::Variable(_));
    let Some(at) = annotated.iter().position(|param| scalar(&param)) else {
        return;
    };
    let late = annotated[at..]
        .iter()
        .find(|param| matches!(param.kind, ParamKind::Global(_)));
    if let Some(late) = late {
        let message = format!(
            "tensor `{}` stands after scalar `{}`: a launch passes tensors first",
            late.name, annotated[at].name
        );
        sink.report(late.span, message)
            .label(annotated[at].span, "a scalar")
            .help("list all GMTensor parameters before the Vars");
    }
}

/// Returns the global tensors that some instruction stores to.
fn stored(facts: &Facts) -> Vec<GlobalId> {
    let mut stored = Vec::new();
    for (_, instr) in facts.instructions() {
        for (_, operand, view) in instr.operands() {
            if let View::Global(view) = view
                && operand.access.writes()
            {
                stored.push(view.global);
            }
        }
        // An operand that could not be evaluated may be any output.
        let unknown = instr
            .args
            .iter()
            .any(|arg| matches!(arg.value, ArgValue::Unknown));
        if unknown && instr.operands().count() < instr.row().operands().count() {
            stored.extend(facts.program.outputs.iter().copied());
        }
    }
    stored
}

fn missing_output(facts: &Facts, stored: &[GlobalId], sink: &mut Sink) {
    let returns_nothing = facts
        .program
        .notes
        .iter()
        .find(|note| note.kind == NoteKind::Python(PythonNote::NoOutput));
    let Some(note) = returns_nothing else { return };
    let params = facts.program.params.iter();
    let lost = params.filter_map(|param| match param.kind {
        ParamKind::Global(global) if stored.contains(&global) => Some(param.name.as_str()),
        _ => None,
    });
    let lost: Vec<&str> = lost.collect();
    if lost.is_empty() {
        return;
    }
    let message = format!(
        "`{}` returns nothing, and stores to `{}`: only returned tensors are outputs",
        facts.program.name,
        lost.join("`, `")
    );
    sink.report(note.span, message)
        .help(format!("end the kernel with `return {}`", lost.join(", ")));
}
