use crate::declare_rule;
use crate::types::operands::{Typed, typed};
use crate::wording::{alternatives, call, type_name};
use crate::{Facts, Sink};
use a2lint_analysis::{TypeFault, type_fault};
use a2lint_ir::{Instr, Stmt};
use a2lint_isa::{Class, DType, TypeRule};

declare_rule! {
    /// ## What it does
    /// Reports products whose operands, accumulator and bias do not fit together.
    ///
    /// Half, bfloat16 and float operands accumulate in float, 8-bit and 4-bit integers in int. The
    /// bias has the type of the accumulator.
    ///
    /// ## Why is this bad?
    /// The cube unit has no other combinations. It adds up in the accumulator's own type, whatever
    /// the tensor is declared as, and later readers take the bits for something else.
    ///
    /// ## Example
    /// ```python
    /// acc = Tensor(DT.float, [128, 128], Position.L0C)
    /// matmul(acc, l1_a, l1_b, m=128, n=128, k=64)      # both operands int8
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// acc = Tensor(DT.int, [128, 128], Position.L0C)
    /// matmul(acc, l1_a, l1_b, m=128, n=128, k=64)
    /// ```
    ///
    /// ## Source
    /// Types of the AscendC `Mmad` instruction on Atlas A2.
    "TYP010" "accumulator-dtype" Error, basis = Constants
}

fn check(facts: &Facts, sink: &mut Sink) {
    for (stmt, instr) in facts.instructions() {
        if instr.row().class != Class::Matmul {
            continue;
        }
        let operands = typed(facts, instr);
        match type_fault(facts.program, instr) {
            Some(TypeFault::Operands) => product(facts, (stmt, instr), &operands, sink),
            _ => bias(facts, stmt, instr, &operands, sink),
        }
    }
}

fn product(facts: &Facts, (stmt, instr): (&Stmt, &Instr), operands: &[Typed], sink: &mut Sink) {
    let ([dst, a, b, ..], TypeRule::Rows(rows)) = (operands, instr.row().types) else {
        return;
    };
    let accumulator = |x: DType, y: DType| {
        let row = rows.iter().find(|row| row[1..] == [x, y]);
        row.map(|row| row[0])
    };
    if let Some(wanted) = accumulator(a.dtype, b.dtype) {
        let message = format!(
            "{} of {} operands accumulates in {wanted}; `{}` is {}",
            call(facts, instr),
            a.dtype,
            dst.text,
            dst.dtype
        );
        sink.report_from(stmt.origin, stmt.span, message)
            .label(dst.declared, format!("{} here", dst.dtype))
            .help(format!(
                "allocate `{}` as {}",
                dst.text,
                type_name(facts, wanted)
            ));
        return;
    }
    let message = format!(
        "{} multiplies operands of one type; `{}` is {}, `{}` is {}",
        call(facts, instr),
        a.text,
        a.dtype,
        b.text,
        b.dtype
    );
    let legal: Vec<&str> = rows.iter().map(|row| row[1].name()).collect();
    sink.report_from(stmt.origin, stmt.span, message)
        .label(a.declared, format!("{} here", a.dtype))
        .label(b.declared, format!("{} here", b.dtype))
        .help(format!("both operands are {}", alternatives(&legal)));
}

fn bias(facts: &Facts, stmt: &Stmt, instr: &Instr, operands: &[Typed], sink: &mut Sink) {
    let Some(view) = instr
        .row()
        .index_named("bias")
        .and_then(|at| instr.local(at))
    else {
        return;
    };
    let Some(dst) = operands.first() else { return };
    if view.dtype == dst.dtype {
        return;
    }
    let bias = operands.iter().find(|operand| operand.site == view.site);
    let message = format!(
        "the bias of {} is {}; a product in {} takes a bias of {}",
        call(facts, instr),
        view.dtype,
        dst.dtype,
        dst.dtype
    );
    let declared = facts.program.buffer(view.buffer).span;
    let text = bias.map_or("the bias", |bias| &bias.text);
    sink.report_from(stmt.origin, view.site, message)
        .label(declared, format!("{} here", view.dtype))
        .help(format!("hand `{text}` over as {}", dst.dtype));
}
