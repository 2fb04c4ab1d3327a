use crate::declare_rule;
use crate::performance::gains::saves;
use crate::{Facts, Sink};
use a2lint_costs::change;
use a2lint_ir::{Stmt, StmtKind};
use a2lint_isa::Class;

declare_rule! {
    /// ## What it does
    /// Reports a loop that does nothing but move a row in each iteration, where one move of all
    /// rows does the same, and makes the kernel at least 2 % faster by the
    /// [cost model](../cost.md), under the launch of the file that takes longest.
    ///
    /// ## Why is this bad?
    /// A move takes a hundred cycles and more before its first byte is there; rows of one move
    /// take twenty each.
    ///
    /// ## Example
    /// ```python
    /// for row in range(0, 64):
    ///     tile[row:row + 1, 0:64] <<= x[row:row + 1, 0:64]
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// tile <<= x[0:64, 0:64]
    /// ```
    ///
    /// ## Source
    /// Published measurements of moves of many sizes.
    "PRF005" "small-moves" Info, basis = CostModel, pedantic = true
}

/// Upper bound on the loops that are tried.
const MOST: usize = 8;

fn check(facts: &Facts, sink: &mut Sink) {
    let mut loops = Vec::new();
    facts.program.walk(&mut |stmt| {
        if let StmtKind::Loop { body, .. } = &stmt.kind
            && !body.is_empty()
            && body.iter().all(is_move)
        {
            loops.push((stmt, &body[0]));
        }
    });
    for (around, first) in loops.into_iter().take(MOST) {
        let Some(base) = facts.costs.base() else {
            return;
        };
        let changed = change::joined(facts.program, around.id);
        let Some(gain) = changed.and_then(|changed| facts.costs.gain(&changed, &base.launch))
        else {
            continue;
        };
        let message = format!(
            "each iteration moves one row: one move of all rows {}",
            saves(facts, base, &gain, true)
        );
        sink.report_from(first.origin, first.span, message)
            .help("move all rows at once, without the loop");
    }
}

fn is_move(stmt: &Stmt) -> bool {
    matches!(&stmt.kind, StmtKind::Instr(instr) if instr.row().class == Class::Move)
}
