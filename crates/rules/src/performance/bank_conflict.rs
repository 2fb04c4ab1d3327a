use crate::declare_rule;
use crate::performance::gains::{listed, local_views, names, saves};
use crate::wording::call;
use crate::{Facts, Sink};
use a2lint_costs::{Base, Same, change};
use a2lint_ir::{BufferId, Instr, Stmt};
use a2lint_isa::Position;

declare_rule! {
    /// ## What it does
    /// Reports vector instructions whose operands conflict in the banks of UB, if 256 bytes of padding
    /// before one of the tensors avoid the conflicts and make the kernel at least 2 % faster by the [cost
    /// model](../cost.md), under the launch of the file that takes longest.
    ///
    /// ## Why is this bad?
    /// UB has 16 groups of banks, one for each 32 bytes of 512. A group serves one row to the two
    /// sources in a cycle: where both begin at the same place of 512 bytes, every repeat takes two
    /// cycles in place of one.
    ///
    /// ## Example
    /// ```python
    /// a = Tensor(DT.float, [1, 4096], Position.UB)
    /// b = Tensor(DT.float, [1, 4096], Position.UB)
    /// add(c, a, b)
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// a = Tensor(DT.float, [1, 4096], Position.UB)
    /// _apart = Tensor(DT.float, [1, 64], Position.UB)
    /// b = Tensor(DT.float, [1, 4096], Position.UB)
    /// add(c, a, b)
    /// ```
    ///
    /// ## Source
    /// Published measurements of vector instructions with operands at many addresses.
    "PRF001" "bank-conflict" Info, basis = CostModel, pedantic = true
}

/// Padding in bytes that moves a tensor to other groups of banks.
const APART: i64 = 256;
/// Upper bound on the tensors that are tried.
const MOST: usize = 8;

fn check(facts: &Facts, sink: &mut Sink) {
    if facts.program.rewinds_memory {
        return;
    }
    let Some(base) = facts.costs.base() else {
        return;
    };
    // The loss of all instructions together bounds what any change can gain.
    if !base.may_matter(base.conflicts.values().sum()) {
        return;
    }
    let met = conflicts(facts, base);
    let Some(&(stmt, instr)) = met.first() else {
        return;
    };
    let mut buffers: Vec<BufferId> = Vec::new();
    for view in met.iter().flat_map(|(_, instr)| local_views(instr)) {
        let is_ub = facts.program.buffer(view.buffer).position == Position::Ub;
        if is_ub && buffers.len() < MOST && !buffers.contains(&view.buffer) {
            buffers.push(view.buffer);
        }
    }
    let time = |before: &[BufferId]| {
        let changed = change::padded(facts.program, before, APART);
        facts.costs.time(&changed, &base.launch, Same::Results)
    };
    let Some((chosen, gain)) = facts.costs.fewest(&buffers, &time) else {
        return;
    };
    let operands = names(facts, local_views(instr).map(|view| view.buffer));
    let before = listed(&names(facts, chosen.iter().copied()));
    let message = format!(
        "operands of {} ({}) meet in banks of UB: {APART} bytes before {before} {}",
        call(facts, instr),
        listed(&operands),
        saves(facts, base, &gain, false)
    );
    let mut report = sink.report_from(stmt.origin, stmt.span, message);
    for &buffer in &chosen {
        let what = "a tensor of 256 bytes before this one";
        report = report.label(facts.program.buffer(buffer).span, what);
    }
    report.help(format!(
        "declare a UB tensor of {APART} bytes before {before}; an underscore in front of its name \
         says that nobody uses it"
    ));
}

/// Returns the instructions that lose cycles to conflicts, the most expensive first.
fn conflicts<'a>(facts: &Facts<'a>, base: &Base) -> Vec<(&'a Stmt, &'a Instr)> {
    let lost = |stmt: &Stmt| base.conflicts.get(&stmt.id).copied().unwrap_or(0.0);
    let mut met: Vec<_> = facts
        .instructions()
        .filter(|(stmt, _)| lost(stmt) > 0.0)
        .collect();
    met.sort_by(|(a, _), (b, _)| lost(b).total_cmp(&lost(a)));
    met
}
