use crate::declare_rule;
use crate::wording::{call, tensor};
use crate::{Facts, Sink};
use a2lint_analysis::type_fault;
use a2lint_ir::{ArgValue, Instr, LocalView, Stmt};
use a2lint_isa::{Class, CompareMode, ParamKind, SRC, param};

declare_rule! {
    /// ## What it does
    /// Reports comparisons that are meant to find NaN or infinity and that NaN defeats: a tensor
    /// compared with itself for inequality, and a test against ±inf that gives NaN the same answer
    /// as a finite number.
    ///
    /// ## Why is this bad?
    /// Every comparison with NaN is false on the vector unit, that for inequality included: `x != x` finds no NaN.
    /// `x == inf` is false for NaN as it is for 1.0, and `x != inf` is true for both, so NaN passes
    /// for finite.
    ///
    /// ## Example
    /// ```python
    /// compare(bad, x, x, CompareMode.NE)                        # is NaN?
    /// compare_scalar(bad, x, float("inf"), CompareMode.EQ)      # is not finite?
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// compare_scalar(fine, x, 3.0e38, CompareMode.LT)           # false for inf and for NaN
    /// ```
    ///
    /// ## Source
    /// Public DSL documentation, notes on comparisons; IEEE 754 comparisons.
    "MSK009" "compare-nan" Warning, basis = Shape, property = None
}

fn check(facts: &Facts, sink: &mut Sink) {
    for (stmt, instr) in facts.instructions() {
        let float = instr.local(SRC).filter(|view| view.dtype.is_float());
        let (Some(view), None) = (float, type_fault(facts.program, instr)) else {
            continue;
        };
        let row = instr.row();
        match row.class {
            Class::Compare if row.compares_scalar() => {
                with_infinity(facts, sink, stmt, instr, view)
            }
            Class::Compare => with_itself(facts, sink, stmt, instr, view),
            _ => {}
        }
    }
}

fn mode(instr: &Instr) -> Option<CompareMode> {
    match instr.arg(ParamKind::Compare)?.value {
        ArgValue::Compare(mode) => Some(mode),
        _ => None,
    }
}

fn with_itself(facts: &Facts, sink: &mut Sink, stmt: &Stmt, instr: &Instr, view: &LocalView) {
    let place = |view: &LocalView| (view.buffer, view.slot, view.offset, view.span, view.shape);
    let same = instr.local(param!(Compare.src2)).map(place) == Some(place(view));
    let Some(mode @ CompareMode::Ne) = mode(instr).filter(|_| same) else {
        return;
    };
    let message = format!(
        "{} of {} with itself ({mode}) finds no NaN: every comparison with NaN is false",
        call(facts, instr),
        tensor(facts, view)
    );
    sink.report_from(stmt.origin, stmt.span, message).help(
        "compare for equality and take what is not equal, or test against a large finite number",
    );
}

fn with_infinity(facts: &Facts, sink: &mut Sink, stmt: &Stmt, instr: &Instr, view: &LocalView) {
    let value = instr.scalar(ParamKind::Value);
    let value = value.and_then(|value| facts.program.scalars.as_float(value));
    let (Some(value), Some(mode)) = (value.filter(|value| value.is_infinite()), mode(instr)) else {
        return;
    };
    let blind = match mode {
        CompareMode::Eq | CompareMode::Ne => true,
        CompareMode::Ge => value > 0.0,
        CompareMode::Le => value < 0.0,
        CompareMode::Lt | CompareMode::Gt => false,
    };
    if !blind {
        return;
    }
    let sign = if value < 0.0 { "-" } else { "" };
    let message = format!(
        "{} of {} with {sign}inf ({mode}) gives the same answer for NaN as for finite numbers",
        call(facts, instr),
        tensor(facts, view)
    );
    sink.report_from(stmt.origin, stmt.span, message)
        .help("ask what is finite instead: `x < 3.0e38` and `x > -3.0e38` are false for NaN");
}
