use crate::declare_rule;
use crate::wording::{call, snippet};
use crate::{Facts, Sink};
use a2lint_analysis::type_fault;
use a2lint_ir::{Instr, ScalarId, Stmt};
use a2lint_isa::{DST, Opcode, Operator};

declare_rule! {
    /// ## What it does
    /// Reports shifts by more bits than an element has, by a negative number, and by a number that
    /// is not an integer.
    ///
    /// ## Why is this bad?
    /// The count is a field of the instruction with room for the width of the type. A larger one is
    /// not defined.
    ///
    /// ## Example
    /// ```python
    /// shiftrs(sign, bits, 40)            # int elements
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// shiftrs(sign, bits, 31)
    /// ```
    ///
    /// ## Source
    /// Operand ranges of the AscendC shift instructions.
    "TYP009" "shift-count" Error, basis = Constants
}

fn check(facts: &Facts, sink: &mut Sink) {
    for (stmt, instr) in facts.instructions() {
        let shift = instr.row().operator().is_some_and(Operator::is_shift);
        if shift && type_fault(facts.program, instr).is_none() {
            instruction(facts, stmt, instr, sink);
        }
    }
}

fn instruction(facts: &Facts, stmt: &Stmt, instr: &Instr, sink: &mut Sink) {
    let (Some(dst), Some(arg)) = (instr.local(DST), instr.named("n")) else {
        return;
    };
    let Some(count) = arg.value.scalar() else {
        return;
    };
    let (name, dtype, bits) = (call(facts, instr), dst.dtype, dst.dtype.bits());
    let message = match facts.program.scalars.as_int(count) {
        Some(count) if count < 0 => format!("{name} by {count} bits; a shift is not negative"),
        // A shift by exactly the width of an element is left alone.
        Some(count) if count > bits => {
            format!("{name} by {count} bits; {dtype} elements have {bits}")
        }
        None if is_float(facts, count) => {
            let text = arg
                .span()
                .map_or("the count", |span| facts.source.slice(span));
            format!("{name} by `{text}`, which is a float; the count is an integer")
        }
        _ => return,
    };
    let span = arg.span().unwrap_or(stmt.span);
    let help = match facts.program.scalars.as_int(count) {
        Some(count) if count < 0 => {
            let other = match instr.row().computes(Operator::ShiftLeft) {
                true => Opcode::ShiftRs.row(),
                false => Opcode::ShiftLs.row(),
            };
            format!("shift the other way: {}()", other.name)
        }
        Some(_) if instr.row().computes(Operator::ShiftRight) && dtype.is_signed() => {
            format!("a shift by {} leaves the sign in every bit", bits - 1)
        }
        Some(_) => format!(
            "a shift by {bits} clears the elements, and so does {}()",
            facts.program.name_of(Opcode::Dup)
        ),
        None => format!("hold `{}` in an int Var", snippet(facts, span)),
    };
    sink.report_from(stmt.origin, span, message).help(help);
}

/// Returns whether a scalar is known to be a float.
fn is_float(facts: &Facts, id: ScalarId) -> bool {
    let of = facts.program.scalars.type_of(id);
    of.is_some_and(|of| of.dtype.is_float())
}
