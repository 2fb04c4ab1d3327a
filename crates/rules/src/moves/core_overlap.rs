use crate::declare_rule;
use crate::observations::Scene;
use crate::rule::Report;
use crate::wording::{apart, call, has_lane_blocks};
use crate::{Facts, Sink};
use a2lint_ir::StmtId;
use a2lint_machine::FindingKind;
use a2lint_replay::Observation;

declare_rule! {
    /// ## What it does
    /// Reports elements of a global tensor that two cores store with different values in a run, without
    /// atomics and without a synchronisation of the cores in between.
    ///
    /// ## Why is this bad?
    /// Cores run at the same time and in no order. Which value stays depends on which core comes last.
    ///
    /// ## Example
    /// ```python
    /// for tile in range(GetCubeIdx(), tiles, GetCubeNum()):
    ///     row0 = Var(tile * STEP)             # STEP < TILE_M: tiles overlap
    ///     y[row0:row0 + TILE_M, 0:N] <<= out
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// for tile in range(GetCubeIdx(), tiles, GetCubeNum()):
    ///     row0 = Var(tile * TILE_M)
    ///     rows = Min(TILE_M, M - row0)
    ///     y[row0:row0 + rows, 0:N] <<= out[0:rows, 0:N]
    /// ```
    ///
    /// ## Source
    /// Races between cores of the vendor's sanitizers; atomic stores are exempt.
    "MOV008" "core-overlap" Error, basis = Replayed, property = Ownership,
    causes = ["MOV", "DEV014"]
}

fn check(facts: &Facts, sink: &mut Sink) {
    let counts_lanes = has_lane_blocks(facts.program);
    let is_shared = |seen: &Observation| {
        matches!(seen.kind(), Some(FindingKind::Overlap { other, .. })
            if counts_lanes || other.core != seen.lane.core)
    };
    for scene in Scene::all(facts, is_shared) {
        let Some(FindingKind::Overlap {
            global,
            other,
            stmt,
        }) = scene.observation.kind()
        else {
            continue;
        };
        if leaves_tensor(facts, scene.stmt.id) {
            continue;
        }
        let tensor = &facts.program.global(global).name;
        let [here, there] = apart(facts, scene.observation.lane, other);
        let message = format!(
            "{} on {} stores other values to elements of `{tensor}` that {} has stored",
            call(facts, scene.instr),
            here,
            there,
        );
        let report = scene
            .report(facts, sink, message)
            .help(
                "partition the work so that every element has one core, or add with `atomic_add()`",
            )
            .in_cpp(
                "partition the work so that every element has one core, or add with `SetAtomicAdd`",
            );
        label_earlier_store(facts, &scene, stmt, report);
    }
}

/// Returns whether a store also leaves its tensor: then it is too long or in the wrong place, and is reported for that.
fn leaves_tensor(facts: &Facts, stmt: StmtId) -> bool {
    let mut seen = facts.replay.observations.iter();
    seen.any(|seen| {
        let leaves = matches!(
            seen.kind(),
            Some(FindingKind::GlobalBounds { write: true, .. })
        );
        seen.stmt == Some(stmt) && leaves && !facts.replay.execution(seen).is_invented
    })
}

/// Labels the statement that stored before; a statement of which two lanes meet is labelled already.
pub(crate) fn label_earlier_store(
    facts: &Facts,
    scene: &Scene,
    earlier: StmtId,
    report: Report<'_>,
) {
    let earlier = facts.program.statement(earlier);
    if let Some(earlier) = earlier.filter(|earlier| earlier.id != scene.stmt.id) {
        report.label(earlier.span, "stored here before");
    }
}
