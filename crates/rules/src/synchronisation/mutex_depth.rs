use crate::declare_rule;
use crate::guards::{Crossing, Guards, is_launched, mutexes};
use crate::hazards::{Fault, clashes};
use crate::tokens::may_have_unknown_tokens;
use crate::wording::counted;
use crate::{Facts, Sink};
use a2lint_analysis::Changing;
use a2lint_ir::{BinaryOp, GlobalAxis, Program, Scalar};

declare_rule! {
    /// ## What it does
    /// Reports a mutex with more free tokens than the workspace it guards has slots: in a run, the producer
    /// writes a slot that the consumer has not read yet. For a kernel that the file does not launch, it
    /// warns if `depth` passes the period of the slot index. `workspace-slot` reports workspaces without a
    /// changing index.
    ///
    /// ## Why is this bad?
    /// `depth` tokens let the producer run that many handovers ahead. If the slot index comes
    /// round sooner, it overwrites data silently.
    ///
    /// ## Example
    /// ```python
    /// ws = split_workspace(DT.float, [GetCubeNum(), 2, TILE_M, TILE_N])
    /// bridge = CvMutex(0, depth=3, src_end_pipe=Pipe.FIX, dst_end_pipe=Pipe.MTE2)
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// bridge = CvMutex(0, depth=2, src_end_pipe=Pipe.FIX, dst_end_pipe=Pipe.MTE2)
    /// ```
    /// A plain workspace without a slot dimension takes `depth=1`.
    ///
    /// ## Source
    /// Mutex depth of the DSL: free credits, equal to the slots that the handover rotates.
    "SYN010" "mutex-depth" Error, basis = Replayed
}

fn check(facts: &Facts, sink: &mut Sink) {
    if !is_launched(facts) && !may_have_unknown_tokens(facts.program) {
        deeper_than_period(facts, sink);
    }
    seen(facts, sink);
}

/// Reports mutexes whose depth exceeds the period of the slot index of the workspace.
fn deeper_than_period(facts: &Facts, sink: &mut Sink) {
    let program = facts.program;
    let guards = Guards::of(program);
    let changing = Changing::in_loops_of(program);
    for id in mutexes(program) {
        let mutex = program.mutex(id);
        // `ring-contract` reports rings.
        let is_plain = |at: &&Crossing| program.global(at.view.global).ring.is_none();
        let found = guards
            .crossings
            .iter()
            .filter(|at| at.stores)
            .filter(is_plain)
            .find_map(|at| {
                let period = period(program, &changing, at)?;
                let (tightest, depth) = guards.tightest(program, at)?;
                (tightest == id).then_some((at, period, depth))
            });
        let Some((at, period, depth)) = found.filter(|&(_, period, depth)| depth > period) else {
            continue;
        };
        let message = format!(
            "`{}` has {}, and the slot that it guards comes round after {period}",
            mutex.name,
            counted(depth, "free token"),
        );
        sink.report_from(at.stmt.origin, at.stmt.span, message)
            .label(mutex.span, format!("depth {depth}"))
            .help(format!(
                "write `depth={period}`, or rotate through {depth} slots"
            ))
            .possible();
    }
}

/// Returns the number of handovers after which a store uses its slot again, if exactly one index changes and is
/// taken modulo a constant.
fn period(program: &Program, changing: &Changing, at: &Crossing) -> Option<i64> {
    let mut moving = at.view.axes.iter().filter(|axis| changing.of(axis.start));
    let axis: &GlobalAxis = moving.next()?;
    match (program.scalars.get(axis.start), moving.next()) {
        (Scalar::Binary(BinaryOp::Mod | BinaryOp::FloorMod, _, modulus), None) => {
            program.size(modulus).filter(|&modulus| modulus > 0)
        }
        _ => None,
    }
}

/// Reports what the replay saw.
fn seen(facts: &Facts, sink: &mut Sink) {
    for clash in clashes(facts, |fault| matches!(fault, Fault::TooDeep(_))) {
        if clash.is_in_ring(facts.program) {
            continue;
        }
        let Fault::TooDeep(id) = clash.fault else {
            continue;
        };
        let mutex = facts.program.mutex(id);
        let depth = mutex.depth.unwrap_or_default();
        let message = format!(
            "{}: `{}` lets the producer run {} ahead, and the slot is used again sooner",
            clash.sentence(facts),
            mutex.name,
            counted(depth, "handover"),
        );
        let help = "make `depth` the number of slots that the index of the workspace rotates through: 1 for a \
                    plain workspace, 2 for `[…, 2, …]` indexed by a counter modulo 2";
        clash
            .report(facts, sink, message)
            .label(mutex.span, format!("depth {depth}"))
            .help(help);
    }
}
