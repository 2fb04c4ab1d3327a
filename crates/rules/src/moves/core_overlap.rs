use crate::declare_rule;
use crate::sightings::Scene;
use crate::wording::call;
use crate::{Facts, Sink};
use a2lint_machine::FindingKind;
use a2lint_replay::Sighting;

declare_rule! {
    /// ## What it does
    /// Reports elements of a global tensor that two cores were seen to store with different values,
    /// without atomics and without a meeting of the cores in between.
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
    for scene in Scene::all(facts, is_shared) {
        let Some(FindingKind::Overlap {
            global,
            other,
            stmt,
        }) = scene.sighting.kind()
        else {
            continue;
        };
        let tensor = &facts.program.global(global).name;
        let message = format!(
            "{} on core {} stores other values to elements of `{tensor}` that core {} has stored",
            call(facts, scene.instr),
            scene.sighting.lane.core,
            other.core,
        );
        let report = scene.report(facts, sink, message).help(
            "partition the work so that every element has one core, or add with `atomic_add()`",
        );
        if let Some(first) = facts
            .program
            .statement(stmt)
            .filter(|first| first.id != scene.stmt.id)
        {
            report.label(first.span, "stored here before");
        }
    }
}

fn is_shared(seen: &Sighting) -> bool {
    matches!(seen.kind(), Some(FindingKind::Overlap { other, .. }) if other.core != seen.lane.core)
}
