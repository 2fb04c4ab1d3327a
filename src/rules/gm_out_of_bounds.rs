use super::sightings::Scene;
use super::wording::call;
use super::{Facts, Sink};
use crate::declare_rule;
use crate::machine::FindingKind;
use crate::replay::Sighting;

declare_rule! {
    /// ## What it does
    /// Reports a transfer that was seen to leave its global tensor under a launch of the file, of
    /// the configuration or of `--bind`.
    ///
    /// ## Why is this bad?
    /// Behind a tensor lies other data, or nothing: the transfer reads it, overwrites it, or stops
    /// the device. Along an inner axis it takes the next row instead.
    ///
    /// ## Example
    /// ```python
    /// row0 = Var(tile * TILE_M)
    /// x_in[0:TILE_M, 0:N] <<= x[row0:row0 + TILE_M, 0:N]      # the last tile has fewer rows
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// row0 = Var(tile * TILE_M)
    /// rows = Min(TILE_M, M - row0)
    /// x_in[0:rows, 0:N] <<= x[row0:row0 + rows, 0:N]
    /// ```
    ///
    /// ## Source
    /// A2 transfers check no bounds of global tensors.
    "MOV001" "gm-out-of-bounds" Error, basis = Replayed, property = Bounds,
    causes = ["MOV", "DEV014"]
}

fn check(facts: &Facts, sink: &mut Sink) {
    for scene in Scene::all(facts, leaves_bounds) {
        let Some(FindingKind::GlobalBounds {
            global,
            axis,
            write,
        }) = scene.sighting.kind()
        else {
            continue;
        };
        let name = call(scene.instr);
        let verb = if write { "writes" } else { "reads" };
        let shape = &facts.replay.execution(scene.sighting).bound.globals[global.index()].shape;
        let tensor = &facts.program.global(global).name;
        let message = match axis.and_then(|axis| Some((axis, shape.get(axis)?))) {
            Some((axis, extent)) => {
                format!("{name} {verb} outside of `{tensor}` {shape:?}: axis {axis} has {extent} elements")
            }
            None => format!("{name} {verb} outside of `{tensor}` {shape:?}"),
        };
        scene
            .report(facts, sink, message)
            .help("cut the transfer to what is left: `Min(tile, extent - start)`, on both sides");
    }
}

fn leaves_bounds(seen: &Sighting) -> bool {
    matches!(seen.kind(), Some(FindingKind::GlobalBounds { .. }))
}
