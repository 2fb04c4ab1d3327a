use crate::declare_rule;
use crate::performance::gains::{listed, local_views, names, saves};
use crate::{Facts, Sink};
use a2lint_costs::{Same, change};
use a2lint_ir::{BufferId, Program, StmtId, StmtKind};
use a2lint_isa::Pipe;

declare_rule! {
    /// ## What it does
    /// Reports tensors with one slot that a loop in `auto_sync` fills and uses up in each
    /// iteration, where a second slot fits, changes no result, and makes the kernel at least 2 %
    /// faster by the [cost model](../cost.md), under the launch of the file that takes longest.
    ///
    /// ## Why is this bad?
    /// While one pipe works on the only slot, the next iteration cannot fill it: loads, arithmetic
    /// and stores take turns instead of overlapping.
    ///
    /// ## Example
    /// ```python
    /// tile = Tensor(DT.float, [64, 64], Position.UB)
    /// with auto_sync():
    ///     for i in range(0, N):
    ///         tile <<= x[i * 64:i * 64 + 64, 0:64]
    ///         exp(tile, tile)
    ///         y[i * 64:i * 64 + 64, 0:64] <<= tile
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// tile = DBuff(DT.float, [64, 64], Position.UB)
    /// with auto_sync():
    ///     for i in range(0, N):
    ///         tile[i] <<= x[i * 64:i * 64 + 64, 0:64]
    ///         exp(tile[i], tile[i])
    ///         y[i * 64:i * 64 + 64, 0:64] <<= tile[i]
    /// ```
    ///
    /// ## Source
    /// Pipes of A2 work at the same time on what nothing orders.
    "PRF003" "single-slot" Info, basis = CostModel, evidence = Inferred, pedantic = true
}

/// Upper bound on the tensors that are tried.
const MOST: usize = 8;

fn check(facts: &Facts, sink: &mut Sink) {
    let candidates = candidates(facts.program);
    if candidates.is_empty() {
        return;
    }
    let Some(base) = facts.costs.base() else {
        return;
    };
    let time = |buffers: &[(BufferId, StmtId)]| {
        let changed = change::doubled(facts.program, buffers);
        facts.costs.time(&changed, &base.launch, Same::Results)
    };
    let Some((chosen, gain)) = facts.costs.fewest(&candidates, &time) else {
        return;
    };
    let Some(&(first, _)) = chosen.first() else {
        return;
    };
    let names = names(facts, chosen.iter().map(|(buffer, _)| *buffer));
    let (have, second) = match names.len() {
        1 => ("has", "a second one"),
        _ => ("have", "a second one each"),
    };
    let message = format!(
        "{} {have} one slot, which pipes take in turn: {second} {}",
        listed(&names),
        saves(facts, base, &gain, true)
    );
    let mut report = sink.report_once(facts.program.buffer(first).span, message);
    for &(buffer, _) in &chosen[1..] {
        report = report.label(facts.program.buffer(buffer).span, "this one too");
    }
    report.help("make it a `DBuff`, and let the number of the iteration pick the slot");
}

/// A use of a tensor.
struct Use {
    buffer: BufferId,
    /// The loops around the use, outermost first.
    loops: Vec<StmtId>,
    pipe: Option<Pipe>,
    is_synchronised: bool,
}

/// Returns tensors of one slot, with the innermost loop around all of their uses, if several pipes use them and
/// `auto_sync` orders the uses.
fn candidates(program: &Program) -> Vec<(BufferId, StmtId)> {
    if program.hides_instructions() {
        return Vec::new();
    }
    let uses = uses(program);
    let all = 0..program.buffers.len() as u32;
    let found = all
        .map(BufferId)
        .filter(|id| program.buffer(*id).slots == 1);
    let found = found.filter_map(|id| {
        let own: Vec<&Use> = uses.iter().filter(|used| used.buffer == id).collect();
        let first = own.first()?;
        let is_around = |depth: &usize| {
            own.iter()
                .all(|used| used.loops.get(*depth) == first.loops.get(*depth))
        };
        let depth = (0..first.loops.len()).take_while(is_around).last()?;
        let is_shared = own.iter().any(|used| used.pipe != first.pipe);
        let is_synchronised = own.iter().all(|used| used.is_synchronised);
        (is_shared && is_synchronised).then_some((id, first.loops[depth]))
    });
    found.take(MOST).collect()
}

/// Returns every use of a tensor.
fn uses(program: &Program) -> Vec<Use> {
    let is_loop = |id: &StmtId| {
        let stmt = program.statement(*id);
        stmt.is_some_and(|stmt| matches!(stmt.kind, StmtKind::Loop { .. }))
    };
    let mut uses = Vec::new();
    for (stmt, instr) in program.instructions() {
        let loops = program.loops(stmt.id).iter().copied().filter(is_loop);
        let loops: Vec<StmtId> = loops.collect();
        uses.extend(local_views(instr).map(|view| Use {
            buffer: view.buffer,
            loops: loops.clone(),
            pipe: instr.pipe(),
            is_synchronised: program.region(stmt.id).is_some(),
        }));
    }
    uses
}
