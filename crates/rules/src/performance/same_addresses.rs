use crate::declare_rule;
use crate::performance::gains::saves;
use crate::wording::call;
use crate::{Facts, Sink};
use a2lint_costs::{Base, Gain, change};
use a2lint_ir::{StmtId, StmtKind, Variable};

declare_rule! {
    /// ## What it does
    /// Reports a load that all lanes make of the same addresses in the same order, where the kernel
    /// gets at least 2 % faster by the [cost model](../cost.md) if each lane begins a loop around
    /// it at another iteration, under the launch of the file that takes longest.
    ///
    /// ## Why is this bad?
    /// Requests for the same 512 bytes of global memory are served one after the other, whichever lane
    /// makes them. Lanes that read the same data in different orders hardly ever conflict.
    ///
    /// ## Example
    /// ```python
    /// for tile in range(0, TILES):
    ///     weights <<= w[tile * 64:tile * 64 + 64, 0:64]
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// for step in range(0, TILES):
    ///     tile = (step + GetCubeIdx()) % TILES
    ///     weights <<= w[tile * 64:tile * 64 + 64, 0:64]
    /// ```
    ///
    /// ## Source
    /// Published measurements of all cores loading one matrix, in the same and in different orders.
    "PRF007" "same-addresses" Info, basis = CostModel, pedantic = true
}

/// Upper bound on the loads that are examined.
const MOST: usize = 4;

fn check(facts: &Facts, sink: &mut Sink) {
    let Some(base) = facts.costs.base() else {
        return;
    };
    let mut told: Vec<StmtId> = Vec::new();
    for &load in base.estimate.shared_loads.iter().take(MOST) {
        let loops = facts.program.loops(load);
        if loops.iter().any(|around| told.contains(around)) {
            continue;
        }
        let Some((around, gain)) = best(facts, base, loops) else {
            continue;
        };
        told.push(around);
        report(facts, sink, base, (load, around), &gain);
    }
}

/// Returns the loop with the largest gain if each lane starts it at another iteration.
fn best(facts: &Facts, base: &Base, loops: &[StmtId]) -> Option<(StmtId, Gain)> {
    let gains = loops.iter().filter_map(|&around| {
        let changed = change::rotated(facts.program, around)?;
        Some((around, facts.costs.gain(&changed, &base.launch)?))
    });
    gains.min_by(|(_, a), (_, b)| a.after.total_cmp(&b.after))
}

fn report(
    facts: &Facts,
    sink: &mut Sink,
    base: &Base,
    (load, around): (StmtId, StmtId),
    gain: &Gain,
) {
    let Some(stmt) = facts.program.statement(load) else {
        return;
    };
    let Some(instr) = stmt.kind.instr() else {
        return;
    };
    let message = format!(
        "all lanes make this {} of the same addresses at once: lanes that begin at different iterations {}",
        call(facts, instr),
        saves(facts, base, gain, false)
    );
    let report = sink.report_from(stmt.origin, stmt.span, message);
    let report = match counter(facts, around) {
        Some(counter) => report.label(counter.span, "each lane begins this loop elsewhere"),
        None => report,
    };
    report.help(
        "add the number of the lane to the number of the iteration, modulo how many there are",
    );
}

/// Returns the counter of a loop.
fn counter<'a>(facts: &Facts<'a>, around: StmtId) -> Option<&'a Variable> {
    match facts.program.statement(around)?.kind {
        StmtKind::Loop { variable, .. } => Some(facts.program.variable(variable)),
        _ => None,
    }
}
