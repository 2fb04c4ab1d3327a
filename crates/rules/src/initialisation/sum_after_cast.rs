use crate::declare_rule;
use crate::wording::{call, tensor};
use crate::{Facts, Sink};
use a2lint_analysis::Touch;
use a2lint_ir::{Instr, LocalView, Stmt};
use a2lint_isa::{Class, DType, MaskUse, SRC};

declare_rule! {
    /// ## What it does
    /// Reports a sum over half values that were converted from float just for another purpose: the
    /// float tensor is still at hand.
    ///
    /// ## Why is this bad?
    /// Half keeps 11 bits. A row sum of rounded values, accumulated in half, is off by far more than
    /// the values themselves; the normalisation of a softmax shows it.
    ///
    /// ## Example
    /// ```python
    /// cast(p_half, p)
    /// cadd(row_sum, p_half)
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// cadd(row_sum, p)
    /// cast(p_half, p)
    /// ```
    ///
    /// ## Source
    /// Public DSL documentation, mixed-precision notes: sum in float before the conversion.
    "INI009" "sum-after-cast" Warning, basis = Shape, property = None, pedantic = true
}

fn check(facts: &Facts, sink: &mut Sink) {
    for (stmt, instr) in facts.instructions() {
        let sums = instr.row().mask == MaskUse::ZeroSource;
        let half = instr
            .local(SRC)
            .filter(|view| sums && view.dtype == DType::Half);
        if let Some(view) = half
            && let Some((conversion, from)) = converted(facts, stmt)
        {
            report(facts, sink, (stmt, instr), view, conversion, from);
        }
    }
}

/// Returns the conversion from float that is the only writer of a tensor, and its source, if that still holds the
/// same values.
fn converted<'a>(facts: &Facts<'a>, sum: &Stmt) -> Option<(&'a Touch<'a>, &'a LocalView)> {
    let writers = facts.analysis.values(facts.program).writers(sum.id, 1)?;
    let &[writer] = writers.as_slice() else {
        return None;
    };
    let writer = &facts.analysis.touches[writer];
    let from = writer.instr.local(SRC)?;
    let conversion = writer.instr.row().class == Class::Cast && from.dtype == DType::Float;
    let changed = facts
        .analysis
        .writers(from.buffer)
        .any(|other| writer.stmt.id < other.stmt.id && other.stmt.id < sum.id);
    (conversion && !changed && writer.stmt.id < sum.id).then_some((writer, from))
}

fn report(
    facts: &Facts,
    sink: &mut Sink,
    (stmt, instr): (&Stmt, &Instr),
    view: &LocalView,
    conversion: &Touch,
    from: &LocalView,
) {
    let name = call(facts, instr);
    let message = format!(
        "{name} sums {} in half, and {} still holds the values in float",
        tensor(facts, view),
        tensor(facts, from)
    );
    sink.report_from(stmt.origin, stmt.span, message)
        .help(format!(
            "sum {} with {name} before it is converted",
            tensor(facts, from)
        ))
        .label(conversion.stmt.span, "converted to half here");
}
