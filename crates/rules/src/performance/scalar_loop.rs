use crate::declare_rule;
use crate::performance::gains::saves;
use crate::{Facts, Sink};
use a2lint_costs::change;
use a2lint_ir::{Stmt, StmtKind};

declare_rule! {
    /// ## What it does
    /// Reports a loop that stores one element of a row in each iteration, where one vector
    /// instruction does the same (`dup`, `ub_to_ub`, `adds`, `muls`, `vmaxs`, `vmins`), and makes the
    /// kernel at least 2 % faster by the [cost model](../cost.md), under the launch of the file
    /// that takes longest.
    ///
    /// ## Why is this bad?
    /// The scalar unit takes one element at a time, and the vector unit 256 bytes.
    ///
    /// ## Example
    /// ```python
    /// for column in range(0, 1024):
    ///     bound.SetValueTo(bounds[0:1, column:column + 1])
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// dup(bounds[0:1, 0:1024], bound)
    /// ```
    ///
    /// ## Source
    /// Rates of the vector unit; the cost of a single element has not been measured. The model assumes one
    /// cycle, so that the real gain is larger than the reported one.
    "PRF008" "scalar-loop" Info, basis = CostModel, evidence = Inferred, pedantic = true
}

/// Upper bound on the loops that are tried.
const MOST: usize = 8;

fn check(facts: &Facts, sink: &mut Sink) {
    let mut loops = Vec::new();
    facts.program.walk(&mut |stmt| {
        if let StmtKind::Loop { body, .. } = &stmt.kind
            && let Some(last) = body.last().filter(|last| stores_element(last))
        {
            loops.push((stmt, last));
        }
    });
    for (around, last) in loops.into_iter().take(MOST) {
        let Some(base) = facts.costs.base() else {
            return;
        };
        let Some(changed) = change::vectorised(facts.program, around.id) else {
            continue;
        };
        let Some(gain) = facts.costs.gain(&changed.program, &base.launch) else {
            continue;
        };
        let name = changed.opcode.row().name;
        let message = format!(
            "each iteration stores one element: one {name}() {}",
            saves(facts, base, &gain, true)
        );
        sink.report_from(last.origin, last.span, message)
            .help(format!("write the row with `{name}`, without the loop"));
    }
}

fn stores_element(stmt: &Stmt) -> bool {
    matches!(&stmt.kind, StmtKind::Instr(instr) if instr.row().writes_scalar())
}
