use crate::declare_rule;
use crate::wording::{call, view_text};
use crate::{Facts, Sink};
use a2lint_ir::ArgValue;
use a2lint_isa::{Class, CompareMode, DType, ParamKind, SRC};

declare_rule! {
    /// ## What it does
    /// Reports comparisons of int32 elements with a mode other than `EQ`.
    ///
    /// ## Why is this bad?
    /// The reference of the AscendC instruction lists equality alone for 32-bit integers. Kernels
    /// that compare column numbers with `LT` are in use all the same, so this is a hint for those who
    /// want to stay inside the reference.
    ///
    /// ## Example
    /// ```python
    /// compare_scalar(mask, columns, valid_n, CompareMode.LT)      # columns is int
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// compare_scalar(mask, columns, valid_n, CompareMode.LT)      # columns is float
    /// ```
    ///
    /// ## Source
    /// Element types of the AscendC comparison instructions; the A2 device constraints, section 5.1,
    /// recommend `LT` on an integer template, hence pedantic.
    "TYP007" "int-compare-mode" Warning, basis = Assumption, pedantic = true
}

fn check(facts: &Facts, sink: &mut Sink) {
    for (stmt, instr) in facts.instructions() {
        if instr.row().class != Class::Compare {
            continue;
        }
        let (Some(source), Some(arg)) = (instr.local(SRC), instr.arg(ParamKind::Compare)) else {
            continue;
        };
        if let ArgValue::Compare(mode) = arg.value
            && mode != CompareMode::Eq
            && source.dtype == DType::Int
        {
            let message = format!(
                "{} of {} elements with {mode}: the reference lists EQ only",
                call(facts, instr),
                source.dtype
            );
            let span = arg.span().unwrap_or(stmt.span);
            sink.report_from(stmt.origin, span, message).help(format!(
                "keep `{}` as float: integers up to 2**24 are exact",
                view_text(facts, source)
            ));
        }
    }
}
