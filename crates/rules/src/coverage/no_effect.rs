use crate::declare_rule;
use crate::wording::{call, snippet};
use crate::{Facts, Sink};
use a2lint_analysis::resolved;
use a2lint_ir::{Instr, NoEffect, NoteKind, PythonNote, Stmt};
use a2lint_isa::{Opcode, ParamKind};

declare_rule! {
    /// ## What it does
    /// Reports statements that emit no instruction, or one that does nothing: a vector expression
    /// without a destination, `tensor[...] = value`, an instruction with zero repeats. In Ascriptor also
    /// an extent of `gm_to_ub_pad` that is given without the other two: all three are inferred then.
    ///
    /// ## Why is this bad?
    /// Vector expressions wait for a `<<=`, and a plain `=` binds a name or a Python item. Nothing
    /// complains: the kernel runs on with old data.
    ///
    /// ## Example
    /// ```python
    /// total = a + b
    /// ub[0:8, 0:64] = a
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// total <<= a + b
    /// add(ub[0:8, 0:64], a, zero)
    /// ```
    ///
    /// ## Source
    /// The DSL's expression objects; observed in its public version of 2026-02.
    "COV015" "no-effect" Warning, basis = Constants, evidence = Read, property = None
}

fn check(facts: &Facts, sink: &mut Sink) {
    for note in &facts.program.notes {
        if let NoteKind::Python(PythonNote::NoEffect(kind)) = &note.kind {
            let (message, help) = explain(kind, &snippet(facts, note.span));
            sink.report_from(note.origin, note.span, message).help(help);
        }
    }
    for (stmt, instr) in facts.instructions() {
        zero_repeats(facts, stmt, instr, sink);
    }
}

fn explain(kind: &NoEffect, statement: &str) -> (String, String) {
    match kind {
        NoEffect::UnusedExpression => (
            format!("`{statement}` emits nothing: a vector expression needs a destination"),
            format!("store it: `dst <<= {statement}`"),
        ),
        NoEffect::Comparison => (
            format!("`{statement}` compares and moves nothing"),
            format!("write `{}`", statement.replacen("<=", "<<=", 1)),
        ),
        NoEffect::BoundExpression { name } => {
            let (before, value) = statement.split_once('=').unwrap_or(("", statement));
            let value = value.trim();
            // `a += b` is the sum of both.
            let operator = before.trim().strip_prefix(name.as_str()).unwrap_or("");
            let value = match operator.trim() {
                "" => value.to_owned(),
                operator => format!("{name} {operator} {value}"),
            };
            (
                format!(
                    "`{name} = ...` binds an expression that is never stored; nothing is emitted"
                ),
                format!("store it in a UB tensor: `{name} <<= {value}`"),
            )
        }
        NoEffect::ElementOffset { operand } => (
            format!("the offset of `{operand}` is dropped: an instruction takes all of the tensor"),
            "slice it in both dimensions: `t[a:b, c:d]`".to_owned(),
        ),
        NoEffect::PassedOver { name } => (
            format!("{name}() passes over what follows its operands by position"),
            "name the argument: `n=64`, `is_init=False`, …".to_owned(),
        ),
        NoEffect::ReplacedExtent {
            name,
            extent,
            left_out,
        } => {
            let others: Vec<String> = left_out.iter().map(|name| format!("`{name}`")).collect();
            let others = others.join(" and ");
            (
                format!(
                    "`{extent}` has no effect: without {others}, {name}() infers all of its extents from the views"
                ),
                format!("give {others} as well, or slice the views to what is to be copied"),
            )
        }
        NoEffect::SubscriptAssignment { target } => {
            let value = statement
                .split_once("] =")
                .map_or("value", |(_, value)| value.trim());
            (
                format!("`{target} = ...` moves nothing: `=` does not reach the device"),
                format!(
                    "write `{target} <<= {value}`; copies inside UB take {}(), numbers {}()",
                    Opcode::UbToUb.row().name,
                    Opcode::Dup.row().name
                ),
            )
        }
    }
}

/// Reports an instruction whose repeat count is the constant 0.
fn zero_repeats(facts: &Facts, stmt: &Stmt, instr: &Instr, sink: &mut Sink) {
    let counted = instr.scalar(ParamKind::Count).is_some();
    if counted || resolved(facts.program, instr, ParamKind::Repeat) != Some(0) {
        return;
    }
    let name = call(facts, instr);
    let given = instr.arg(ParamKind::Repeat).and_then(|arg| arg.span());
    let (message, help) = match given {
        Some(_) => (
            format!("{name} with repeat 0 does nothing"),
            "leave the repeat count out to have it inferred from the operands",
        ),
        None => (
            format!("{name} on an empty view does nothing"),
            "give the view a start below its end",
        ),
    };
    sink.report_from(stmt.origin, given.unwrap_or(stmt.span), message)
        .help(help);
}
