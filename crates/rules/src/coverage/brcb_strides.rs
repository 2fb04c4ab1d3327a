use crate::declare_rule;
use crate::source_forms::append_argument;
use crate::wording::{call, tensor};
use crate::{Facts, Report, Sink};
use a2lint_analysis::{resolved, type_fault};
use a2lint_ir::finding::Cause;
use a2lint_ir::{ArgSource, Instr, LocalView, OriginId, Stmt};
use a2lint_isa::{BLOCKS_PER_REPEAT, Class, DST, ParamKind};

declare_rule! {
    /// ## What it does
    /// Reports `brcb` without a repeat stride into a tensor whose shape implies another one than 8.
    ///
    /// ## Why is this bad?
    /// Each repeat expands eight scalars into eight blocks. For a destination one block wide, a
    /// repeat stride of 1 is inferred: the next repeat starts one block further and overwrites
    /// seven of the eight blocks.
    ///
    /// ## Example
    /// ```python
    /// max8 = Tensor(DT.float, [64, 8], Position.UB)
    /// brcb(max8, row_max, repeat=8)
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// brcb(max8, row_max, repeat=8, dst_blk_stride=1, dst_rep_stride=8)
    /// ```
    ///
    /// ## Fix safety
    /// The strides that are added are those that write every block once.
    ///
    /// ## Source
    /// Public DSL documentation on `brcb`: the useful form has block stride 1 and repeat stride 8.
    "COV009" "brcb-strides" Warning, basis = Constants, fix = Safe
}

fn check(facts: &Facts, sink: &mut Sink) {
    for (stmt, instr) in facts.instructions() {
        if instr.row().class == Class::Broadcast
            && type_fault(facts.program, instr).is_none()
            && let Some(stride) = overlapping(facts, instr)
            && let Some(view) = instr.local(DST)
        {
            report(facts, sink, (stmt, instr), view, stride);
        }
    }
}

/// Returns the inferred repeat stride in blocks, if it makes the repeats overlap.
fn overlapping(facts: &Facts, instr: &Instr) -> Option<i64> {
    let given = |kind| matches!(instr.arg(kind)?.source, ArgSource::Given(_)).then_some(());
    let number = |kind| resolved(facts.program, instr, kind);
    let stride = number(ParamKind::RepeatStride(0))?;
    let several = number(ParamKind::Repeat)? > 1;
    let inferred = given(ParamKind::RepeatStride(0)).is_none();
    (several && inferred && stride < BLOCKS_PER_REPEAT).then_some(stride)
}

fn report(
    facts: &Facts,
    sink: &mut Sink,
    (stmt, instr): (&Stmt, &Instr),
    view: &LocalView,
    stride: i64,
) {
    let message = format!(
        "{} writes eight blocks per repeat, and its repeats are {stride} apart in {}: they \
         overwrite each other",
        call(facts, instr),
        tensor(facts, view)
    );
    let strides = missing_strides(instr);
    let report = sink
        .report_from(stmt.origin, stmt.span, message)
        .help(format!("add `{strides}`"))
        .cause(Cause::Strides {
            buffer: view.buffer,
        });
    offer_strides(facts, report, stmt, instr, &strides);
}

/// Formats the stride arguments that the call lacks.
fn missing_strides(instr: &Instr) -> String {
    let wanted = [
        (ParamKind::BlockStride(0), "dst_blk_stride=1"),
        (ParamKind::RepeatStride(0), "dst_rep_stride=8"),
    ];
    let missing = wanted.iter().filter(|(kind, _)| {
        let source = instr.arg(*kind).map(|arg| arg.source);
        !matches!(source, Some(ArgSource::Given(_)))
    });
    missing
        .map(|(_, text)| *text)
        .collect::<Vec<_>>()
        .join(", ")
}

fn offer_strides(facts: &Facts, report: Report, stmt: &Stmt, instr: &Instr, strides: &str) {
    let plain = instr.explicit && stmt.origin == OriginId(0);
    if let Some(edit) = plain
        .then(|| append_argument(facts, stmt, strides))
        .flatten()
    {
        report.fix(format!("add {strides}"), true, vec![edit]);
    }
}
