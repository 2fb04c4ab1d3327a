use crate::declare_rule;
use crate::operand_walks::{inferred_strides, is_broadcast, operand_name};
use crate::source_forms::append_argument;
use crate::wording::{call, elements, elements_in, tensor};
use crate::{Facts, Report, Sink};
use a2lint_analysis::{type_fault, view_bytes};
use a2lint_ir::{Instr, LocalView, OriginId, Stmt};
use a2lint_isa::{Access, Class, DST, ParamKind};

declare_rule! {
    /// ## What it does
    /// Reports elementwise arithmetic into a tensor that is one block wide and several rows high, and
    /// `cast` from or to one, where the strides are inferred: the block stride becomes 0.
    ///
    /// Where nothing reads the rows that are not reached, nothing is said.
    ///
    /// As a *source* of arithmetic such a tensor is fine: that is how one value per row is applied
    /// to a whole row.
    ///
    /// ## Why is this bad?
    /// With block stride 0 each repeat writes the same block eight times. An instruction that should
    /// produce 64 rows of one block produces eight of them, and the others keep what they held.
    ///
    /// ## Example
    /// ```python
    /// scale8 = Tensor(DT.float, [64, 8], Position.UB)
    /// muls(scale8, scale8, 0.5)            # 8 repeats: rows 0 to 7
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// muls(scale8, scale8, 0.5, count=512)
    /// ```
    /// or do it on the row scalars, before `brcb`.
    ///
    /// ## Fix safety
    /// `count=` makes the instruction work on all elements in a row. That matches the shape, but it changes
    /// the other lanes, and the vector mask no longer has an effect.
    ///
    /// ## Source
    /// Public DSL documentation on stride inference; A2 device constraints, section 6, on the same
    /// tensors under `dup`. Measured on a 910B3: a cast repeats its first row, unary instructions on [8,8] tiles
    /// misbehave. It is a warning where no run shows what is left out.
    "COV006" "narrow-destination" Warning, basis = Shape, evidence = Measured, property = Initialised, fix = Unsafe
}

fn check(facts: &Facts, sink: &mut Sink) {
    for (stmt, instr) in facts.instructions() {
        if instr.is_counted() || type_fault(facts.program, instr).is_some() {
            continue;
        }
        if let Some(index) = narrow(facts, instr)
            && let Some(view) = instr.local(index)
            && (index != DST || is_used_beyond(facts, stmt, view))
        {
            report(facts, sink, (stmt, instr), index, view);
        }
    }
}

/// Returns the index of an operand that is narrow where a block stride of 0 is wrong.
fn narrow(facts: &Facts, instr: &Instr) -> Option<usize> {
    let mut operands = instr
        .operands()
        .filter(|(index, operand, _)| match instr.row().class {
            Class::Unary | Class::Binary | Class::ScalarOp | Class::Select => {
                *index == DST && operand.access != Access::Read
            }
            // In toolchains that print the strides of a cast, `count=` does not help, and `narrow-cast` reports
            // it.
            Class::Cast => !facts.program.toolchain.lowering.prints_cast_strides,
            _ => false,
        });
    operands
        .find(|&(index, ..)| is_broadcast(facts, instr, index))
        .map(|(index, ..)| index)
}

/// Returns whether an instruction reads elements of a destination that are not written.
fn is_used_beyond(facts: &Facts, stmt: &Stmt, view: &LocalView) -> bool {
    let extent = facts.analysis.extent(stmt.id, 0);
    let written = extent.and_then(|extent| extent.footprint.exact());
    let Some((written, seen)) = written.zip(view_bytes(facts.program, view)) else {
        return false;
    };
    let missing = seen.minus(written);
    let mut readers = facts.analysis.readers(view.buffer);
    readers.any(|reader| reader.footprint.must().intersects(&missing))
}

fn report(
    facts: &Facts,
    sink: &mut Sink,
    (stmt, instr): (&Stmt, &Instr),
    index: usize,
    view: &LocalView,
) {
    let extent = facts.analysis.extent(stmt.id, index);
    let walked = extent.and_then(|extent| extent.footprint.exact());
    let reach = walked
        .zip(view_bytes(facts.program, view))
        .map(|(walked, seen)| elements_in(walked.intersection(&seen).len(), view.dtype));
    let total = elements(facts, view);
    let message = match (reach, total) {
        (Some(reach), Some(total)) => format!(
            "{} reaches {reach} of {total} elements of its `{}` {}: rows of one block get block stride 0",
            call(facts, instr),
            operand_name(instr, index),
            tensor(facts, view)
        ),
        _ => format!(
            "{} gives its `{}` {} block stride 0: its rows are one block wide",
            call(facts, instr),
            operand_name(instr, index),
            tensor(facts, view)
        ),
    };
    let report = sink
        .report_from(stmt.origin, stmt.span, message)
        .help(help(facts, instr));
    offer_count(facts, report, stmt, instr);
}

fn help(facts: &Facts, instr: &Instr) -> String {
    let count = match contiguous(facts, instr) {
        Some(count) => format!("add `count={count}` to work on all elements in a row"),
        None => "give block stride 1 and repeat stride 8".to_owned(),
    };
    format!("{count}, or compute on one scalar per row and expand it afterwards")
}

/// Returns the number of elements, if all operands are contiguous and have the same number.
fn contiguous(facts: &Facts, instr: &Instr) -> Option<i64> {
    let count = elements(facts, instr.local(DST)?)?;
    let takes_count = instr.row().index_of(ParamKind::Count).is_some();
    let all = instr.operands().all(|(index, _, view)| {
        let one_run = |view: &LocalView| {
            let bytes = view_bytes(facts.program, view);
            bytes.is_some_and(|bytes| bytes.iter().count() == 1)
        };
        let fits = |view: &LocalView| elements(facts, view) == Some(count) && one_run(view);
        view.local().is_some_and(fits) && inferred_strides(instr, index)
    });
    (takes_count && all).then_some(count)
}

fn offer_count(facts: &Facts, report: Report, stmt: &Stmt, instr: &Instr) {
    let plain = instr.explicit && stmt.origin == OriginId(0);
    let Some(count) = contiguous(facts, instr).filter(|_| plain) else {
        return;
    };
    if let Some(edit) = append_argument(facts, stmt, &format!("count={count}")) {
        report.fix(format!("work on all {count} elements"), false, vec![edit]);
    }
}
