use crate::declare_rule;
use crate::source_forms::{accepts, zero_literal};
use crate::wording::{allocated_at, allocation, call, tensor, view_text};
use crate::{Facts, Report, Sink};
use a2lint_analysis::UndefinedRead;
use a2lint_ir::finding::{Edit, Severity};
use a2lint_ir::{ArgSource, Instr, LocalView, Stmt};
use a2lint_isa::{Class, DST, Opcode, Operator, ParamKind, SRC, param};

declare_rule! {
    /// ## What it does
    /// Reports arithmetic that is meant to clear a tensor nothing has written yet: a product with
    /// zero or a tensor of zeros, or a difference with itself.
    ///
    /// ## Why is this bad?
    /// UB holds arbitrary bits when a kernel starts. Where they happen to be NaN or infinity, the
    /// product with zero is NaN, and so is the difference.
    ///
    /// ## Example
    /// ```python
    /// acc = Tensor(DT.float, [64, 64], Position.UB)
    /// muls(acc, acc, 0.0)
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// dup(acc, 0.0)
    /// ```
    ///
    /// ## Fix safety
    /// `dup` writes the same lanes as the instruction it replaces, with the value that was meant; safe where the
    /// kernel is then proved to read nothing undefined.
    ///
    /// ## Severity
    /// A remark for integers that clear the whole buffer: they hold no NaN.
    ///
    /// ## Source
    /// A2 device constraints, section 6: UB contents are undefined at kernel entry.
    "INI002" "zero-by-multiply" Error, basis = AnyLaunch, fix = Safe
}

fn check(facts: &Facts, sink: &mut Sink) {
    for read in &facts.analysis.undefined_reads {
        let touch = &facts.analysis.touches[read.touch];
        if clears(facts, read) {
            report(facts, sink, touch.stmt, read.instr, touch.view);
        }
    }
}

/// Returns whether a read of undefined memory is an attempt to clear it.
pub(crate) fn clears(facts: &Facts, read: &UndefinedRead) -> bool {
    read.entirely && makes_zero(facts, read)
}

/// Indices of the source operands of a binary instruction.
const SOURCES: [usize; 2] = [param!(class Binary.src1), param!(class Binary.src2)];

fn makes_zero(facts: &Facts, read: &UndefinedRead) -> bool {
    let (instr, touch) = (read.instr, &facts.analysis.touches[read.touch]);
    let row = instr.row();
    match (row.class, row.operator()) {
        (Class::ScalarOp, Some(Operator::Mul)) => instr
            .scalar(ParamKind::Value)
            .and_then(|value| facts.program.scalars.as_float(value))
            .is_some_and(|value| value == 0.0),
        // The other factor has to be a tensor of zeros.
        (Class::Binary, Some(Operator::Mul)) => {
            let mut others = SOURCES.into_iter().filter(|&other| other != touch.operand);
            others.all(|other| {
                let values = facts.analysis.values(facts.program);
                let found = values.found_by(touch.stmt.id, other);
                found.and_then(|value| value.number(touch.view.dtype)) == Some(0.0)
            })
        }
        (Class::Binary, Some(Operator::Sub)) => match SOURCES.map(|index| instr.local(index)) {
            [Some(a), Some(b)] => same_place(a, b),
            _ => false,
        },
        _ => false,
    }
}

fn same_place(a: &LocalView, b: &LocalView) -> bool {
    let place = |view: &LocalView| (view.buffer, view.slot, view.offset, view.span, view.shape);
    place(a) == place(b)
}

fn report(facts: &Facts, sink: &mut Sink, stmt: &Stmt, instr: &Instr, view: &LocalView) {
    let fill = facts.program.name_of(Opcode::Dup);
    let zero = zero_literal(view.dtype);
    let (call, tensor) = (call(facts, instr), tensor(facts, view));
    // What a run shows of the other elements of a buffer would be taken for this remark.
    let dst = instr.local(DST).unwrap_or(view);
    let is_float = view.dtype.is_float();
    let is_harmless = !is_float && [view, dst].iter().all(|it| is_whole(facts, it));
    let message = match (is_float, is_harmless) {
        (true, _) => format!(
            "{call} does not clear {tensor}: nothing has written it, and undefined memory may hold NaN"
        ),
        (_, true) => format!("{call} clears {tensor}, which nothing has written"),
        (_, false) => format!("{call} clears a part of its buffer: nothing has written {tensor}"),
    };
    let buffer = facts.program.buffer(view.buffer);
    let mut report = sink.report_from(stmt.origin, stmt.span, message);
    if is_harmless {
        report = report.severity(Severity::Info);
    }
    let report = report
        .help(format!(
            "fill it: `{fill}({}, {zero})`",
            view_text(facts, dst)
        ))
        .label(
            allocated_at(facts, view),
            format!("{} is undefined at the start", allocation(facts, buffer)),
        );
    offer_fill(facts, report, stmt, instr);
}

/// Returns whether a view is its whole buffer.
fn is_whole(facts: &Facts, view: &LocalView) -> bool {
    let count = |pair| {
        let [rows, columns] = facts.program.constant_pair(pair)?;
        rows.checked_mul(columns)
    };
    let buffer = facts.program.buffer(view.buffer);
    count(view.span).is_some_and(|it| Some(it) == count(buffer.shape))
}

/// Offers to replace the statement by a fill, if its repeats and strides are inferred.
fn offer_fill(facts: &Facts, report: Report, stmt: &Stmt, instr: &Instr) {
    let (Some(dst), Some(src)) = (instr.local(DST), instr.local(SRC)) else {
        return;
    };
    let tail = instr.args.iter().skip(instr.row().head.len());
    let inferred = tail
        .clone()
        .all(|arg| !matches!(arg.source, ArgSource::Given(_)));
    let fillable = accepts(Opcode::Dup, dst.dtype);
    let same_extent = dst.span == src.span && dst.shape == src.shape;
    if !(inferred && fillable && same_extent) {
        return;
    }
    let text = format!(
        "{}({}, {})",
        facts.program.name_of(Opcode::Dup),
        facts.source.slice(dst.site),
        zero_literal(dst.dtype)
    );
    let edit = Edit {
        span: stmt.span,
        text,
    };
    report.fix("fill it with zero", true, vec![edit]);
}
