use crate::declare_rule;
use crate::wording::call;
use crate::{Facts, Sink};
use a2lint_isa::{Opcode, Role};

declare_rule! {
    /// ## What it does
    /// Reports `set_cmpmask`.
    ///
    /// ## Why is this bad?
    /// It loads a comparison mask for a form of `select` that the DSL no longer emits: `select` takes
    /// its packed control as an operand, and `compare` and `compare_scalar` write one.
    ///
    /// ## Example
    /// ```python
    /// set_cmpmask(flags)
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// compare_scalar(flags, x, 0.0, CompareMode.GT)
    /// select(y, flags, x, zero, SelectMode.TENSOR_SCALAR)
    /// ```
    ///
    /// ## Source
    /// Vector mask constraints, section 5.
    "DEV009" "deprecated-set-cmpmask" Warning, basis = Constants, property = None
}

fn check(facts: &Facts, sink: &mut Sink) {
    for (stmt, instr) in facts.instructions() {
        if instr.row().role == Role::SetsComparison {
            let message = format!(
                "{} is deprecated: no instruction takes its mask",
                call(facts, instr)
            );
            sink.report_from(stmt.origin, stmt.span, message)
                .help(format!(
                    "hand the packed bits to {}() as its control operand",
                    facts.program.name_of(Opcode::Select)
                ));
        }
    }
}
