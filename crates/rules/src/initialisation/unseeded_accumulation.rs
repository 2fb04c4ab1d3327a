use crate::declare_rule;
use crate::observations::{Cause, Scene, labelled, undefined_scenes, use_of};
use crate::wording::{call, view_text};
use crate::{Facts, Sink};
use a2lint_analysis::{Dependence, PathState, follow};
use a2lint_ir::finding::Severity;
use a2lint_ir::{BufferId, Instr, LocalView, Program, SpecialScalar, Stmt, StmtId, StmtKind};
use a2lint_isa::Class;
use a2lint_machine::FindingKind;
use a2lint_replay::Observation;

declare_rule! {
    /// ## What it does
    /// Reports sums that start from nothing: an atomic store to an output or workspace that holds no values
    /// yet in a run, a load from one, and a product that is added (`is_init=False`) to a fresh accumulator,
    /// in a run or for any launch.
    ///
    /// Also reports a product that continues the sum of another tile in a run: the sum has been stored, and
    /// the loop that divides the tiles among the cores has advanced. The result then depends on which tiles
    /// a core gets.
    ///
    /// ## Why is this bad?
    /// Outputs and workspaces are undefined when a kernel starts, and so is L0C. Adding to them adds to
    /// arbitrary data. A sum is started with the first step of each tile (`is_init=(k == 0)`), not with the
    /// first step of a core (`is_init=(cnt == 0)`).
    ///
    /// ## Example
    /// ```python
    /// with atomic_add():
    ///     out[row0:row0 + rows, 0:N] <<= partial      # `out` was never zeroed
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// out[row0:row0 + rows, 0:N] <<= zeros
    /// allvec_ready(0)
    /// allvec_wait(0)
    /// with atomic_add():
    ///     out[row0:row0 + rows, 0:N] <<= partial
    /// ```
    ///
    /// ## Source
    /// A2 device constraints, section 6: there is no zero-initialisation.
    "INI005" "unseeded-accumulation" Error, basis = AnyLaunch
}

/// Help: how to start a sum.
const START: &str =
    "start the sum with `is_init=True`, on the first step of a loop as `is_init=(k == 0)`";

fn check(facts: &Facts, sink: &mut Sink) {
    for (stmt, dst) in never_started(facts) {
        let (call, view) = (call_at(facts, stmt), view_text(facts, dst));
        let message = format!("{call} adds to `{view}`, and no product has started its sum");
        sink.report_from(stmt.origin, stmt.span, message)
            .help(START);
    }
    resumed(facts, sink);
    for scene in Scene::all(facts, is_unseeded) {
        let name = call(facts, scene.instr);
        let (message, help) = match scene.observation.kind() {
            Some(FindingKind::UnseededStore(global)) => {
                let global = &facts.program.global(global).name;
                (
                    format!(
                        "an atomic {name} adds to elements of `{global}` that nothing has stored yet"
                    ),
                    format!("store zeros to `{global}` first, and let all lanes meet in between"),
                )
            }
            _ => (
                format!(
                    "{name} adds to {}, and nothing has written it",
                    scene.operand(facts)
                ),
                START.to_owned(),
            ),
        };
        scene.report(facts, sink, message).help(help);
    }
    for (scene, others) in undefined_scenes(facts, Cause::Unseeded) {
        let report = scene
            .report(facts, sink, use_of(facts, &scene))
            .help("store to the tensor before it is loaded, and order the two");
        labelled(report, facts, &scene, &others);
    }
}

fn is_unseeded(seen: &Observation) -> bool {
    matches!(
        seen.kind(),
        Some(FindingKind::UnseededStore(_) | FindingKind::UnseededProduct)
    )
}

fn call_at(facts: &Facts, stmt: &Stmt) -> String {
    match &stmt.kind {
        StmtKind::Instr(instr) => call(facts, instr),
        _ => String::new(),
    }
}

/// Buffers that may have been written on any path.
#[derive(Clone, Debug, Default, PartialEq)]
struct Started(Vec<BufferId>);

impl Started {
    fn add(&mut self, buffer: BufferId) {
        if let Err(at) = self.0.binary_search(&buffer) {
            self.0.insert(at, buffer);
        }
    }
}

impl PathState for Started {
    fn join(&mut self, other: &Self) {
        other.0.iter().for_each(|&buffer| self.add(buffer));
    }
}

/// Returns products that certainly accumulate, onto accumulators that nothing can have written before.
fn never_started<'a>(facts: &Facts<'a>) -> Vec<(&'a Stmt, &'a LocalView)> {
    let program = facts.program;
    let mut found: Vec<(&Stmt, &LocalView)> = Vec::new();
    let mut denied: Vec<StmtId> = Vec::new();
    let mut is_known = true;
    let end = follow(
        &program.body,
        Started::default(),
        &mut |stmt, state: &mut Started| {
            let instr = match &stmt.kind {
                StmtKind::Instr(instr) => instr,
                StmtKind::Opaque | StmtKind::Havoc(_) | StmtKind::UnknownLoop { .. } => {
                    is_known = false;
                    return;
                }
                _ => return,
            };
            let written = instr
                .operands()
                .filter(|(_, operand, _)| operand.access.writes());
            for (_, _, view) in written {
                let Some(view) = view.local() else { continue };
                let is_fresh =
                    instr.row().class == Class::Matmul && !state.0.contains(&view.buffer);
                match is_fresh && adds(program, instr) {
                    true if found.iter().all(|(known, _)| known.id != stmt.id) => {
                        found.push((stmt, view))
                    }
                    true => {}
                    // A product that accumulates onto undefined data does not start the sum either.
                    false => {
                        denied.push(stmt.id);
                        state.add(view.buffer);
                    }
                }
            }
        },
    );
    let is_certain = end.is_some() && is_known;
    let erroneous = &facts.analysis.overwritten;
    found.retain(|(stmt, view)| {
        is_certain && !denied.contains(&stmt.id) && !erroneous.contains(&view.buffer)
    });
    found
}

/// Returns whether a product certainly accumulates.
fn adds(program: &Program, instr: &Instr) -> bool {
    instr.flag_named(program, "is_init") == Some(false)
}

/// Reports sums that continue from one tile to the next.
fn resumed(facts: &Facts, sink: &mut Sink) {
    const SHARED: &[SpecialScalar] = &[
        SpecialScalar::CubeIdx,
        SpecialScalar::CubeNum,
        SpecialScalar::VecIdx,
        SpecialScalar::VecNum,
    ];
    let sharing = Dependence::on(facts.program, SHARED);
    let is_resumed =
        |seen: &Observation| matches!(seen.kind(), Some(FindingKind::StoredAccumulator { .. }));
    for scene in Scene::all(facts, is_resumed) {
        let Some(FindingKind::StoredAccumulator { depth, in_output }) = scene.observation.kind()
        else {
            continue;
        };
        // A product that starts from undefined data is already reported.
        let mut observations = facts.replay.observations.iter();
        if observations.any(|seen| seen.stmt == Some(scene.stmt.id) && is_unseeded(seen)) {
            continue;
        }
        let loops = facts.program.loops(scene.stmt.id).iter();
        let loops = loops.filter_map(|&id| Some(&facts.program.statement(id)?.kind));
        let mut loops = loops.filter(|kind| matches!(kind, StmtKind::Loop { .. }));
        let Some(StmtKind::Loop {
            start, stop, step, ..
        }) = loops.nth(depth)
        else {
            continue;
        };
        // A sum over the iterations of a core's own loop may be intended: a state, a running total.
        if ![start, stop, step]
            .into_iter()
            .any(|&bound| sharing.of(bound))
        {
            continue;
        }
        let message = format!(
            "{} adds to {}, which holds the stored sum of the tile before: a core's next tile starts from it",
            call(facts, scene.instr),
            scene.operand(facts)
        );
        let report = scene.report(facts, sink, message).help(
            "start the sum with the first step of each tile: `is_init=(k == 0)`, `k` counting the steps of the tile",
        );
        if !in_output {
            report.severity(Severity::Warning);
        }
    }
}
