use crate::declare_rule;
use crate::wording::{call, declared, operand_text};
use crate::{Facts, Sink};
use a2lint_analysis::type_fault;
use a2lint_ir::{Instr, Scalar, Stmt, View};
use a2lint_isa::ParamKind;

declare_rule! {
    /// ## What it does
    /// Reports a scalar with a fraction where the elements are integers.
    ///
    /// ## Why is this bad?
    /// The scalar is converted to the type of the elements before the instruction runs: 0.5 becomes
    /// 0, and `muls(i, i, 0.5)` clears the tensor.
    ///
    /// ## Example
    /// ```python
    /// muls(index, index, 0.5)            # int elements
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// shiftrs(index, index, 1)
    /// ```
    ///
    /// ## Source
    /// Observed in the public version of the DSL of 2026-02.
    "TYP006" "int-scalar-truncation" Warning, basis = Constants, evidence = Read, property = None
}

fn check(facts: &Facts, sink: &mut Sink) {
    for (stmt, instr) in facts.instructions() {
        if instr.row().is_vector() && type_fault(facts.program, instr).is_none() {
            instruction(facts, stmt, instr, sink);
        }
    }
}

fn instruction(facts: &Facts, stmt: &Stmt, instr: &Instr, sink: &mut Sink) {
    // The last tensor operand has the type of the data; a packed mask precedes it.
    let Some(view) = instr.operands().map(|(_, _, view)| view).last() else {
        return;
    };
    let View::Local(data) = view else { return };
    if data.dtype.is_float() {
        return;
    }
    for (param, arg) in instr.row().params().zip(&instr.args) {
        if !matches!(param.kind, ParamKind::Value | ParamKind::OperandOrValue(_)) {
            continue;
        }
        let Some(Scalar::Float(value)) = arg.value.scalar().map(|id| facts.program.scalars.get(id))
        else {
            continue;
        };
        if !value.is_finite() || value.fract() == 0.0 {
            continue;
        }
        let message = format!(
            "{} on {} elements takes {value:?} as {}",
            call(facts, instr),
            data.dtype,
            value.trunc() as i64
        );
        sink.report_from(stmt.origin, arg.span().unwrap_or(stmt.span), message)
            .label(
                declared(facts, view),
                format!("`{}` is {} here", operand_text(facts, view), data.dtype),
            )
            .help("work on a float copy of the tensor, or shift right to divide by a power of two");
    }
}
