use crate::declare_rule;
use crate::operand_walks::{is_broadcast, operand_name};
use crate::wording::{call, tensor};
use crate::{Facts, Sink};
use a2lint_analysis::type_fault;
use a2lint_ir::finding::Severity;
use a2lint_isa::{Class, DST};

declare_rule! {
    /// ## What it does
    /// Reports a `cast` of an Ascriptor kernel with an operand of several rows, each one block wide, whose
    /// block stride was left to inference.
    ///
    /// ## Why is this bad?
    /// The inferred block stride is 0, which means the same block eight times over: on silicon every row
    /// becomes a copy of the first one. That is measured of sources; of a destination it is a warning.
    /// Simulators ignore the stride and show correct results. `count=` does not help, since the inferred
    /// strides are printed all the same.
    ///
    /// ## Example
    /// ```python
    /// half = Tensor(f16, [64, 16], Position.UB)     # 16 halves are one block
    /// cast(wide, half)
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// cast(wide, half, dst_blk_stride=1, src_blk_stride=1)
    /// ```
    ///
    /// ## Source
    /// Measured on a 910B3: gradients wrong by orders of magnitude, every simulator right.
    "TYP012" "narrow-cast" Error, basis = Assumption, evidence = Measured
}

fn check(facts: &Facts, sink: &mut Sink) {
    if !facts.program.toolchain.lowering.prints_cast_strides {
        return;
    }
    for (stmt, instr) in facts.instructions() {
        if instr.row().class != Class::Cast || type_fault(facts.program, instr).is_some() {
            continue;
        }
        let mut operands = instr.operands();
        let narrow = operands.find(|&(index, _, view)| {
            let rows = view
                .local()
                .and_then(|view| facts.program.size(view.span[0]));
            is_broadcast(facts, instr, index) && rows.is_some_and(|rows| rows > 1)
        });
        let Some((index, _, view)) = narrow else {
            continue;
        };
        let Some(view) = view.local() else { continue };
        let name = operand_name(instr, index);
        let message = format!(
            "{} gives its `{name}` {} block stride 0: silicon repeats the first block of it",
            call(facts, instr),
            tensor(facts, view)
        );
        let report = sink
            .report_from(stmt.origin, stmt.span, message)
            .help(format!(
                "write `{name}_blk_stride=1`, or cast one row at a time"
            ));
        // For destinations, the behaviour of the device has not been measured.
        if index == DST {
            report.severity(Severity::Warning);
        }
    }
}
