use super::sightings::{Cause, Scene, labelled, undefined_scenes, use_of};
use super::wording::call;
use super::{Facts, Sink};
use crate::declare_rule;
use crate::machine::FindingKind;
use crate::replay::Sighting;

declare_rule! {
    /// ## What it does
    /// Reports sums that were seen to start from nothing: an atomic store to an output or workspace
    /// that holds no values yet, a load from one, and a product that is added (`is_init=False`) to
    /// a fresh accumulator.
    ///
    /// ## Why is this bad?
    /// Outputs and workspaces are undefined when a kernel starts, and so is L0C. Adding to them
    /// adds to whatever was there.
    ///
    /// ## Example
    /// ```python
    /// with atomic_add():
    ///     out[row0:row0 + rows, 0:N] <<= partial      # nobody has zeroed `out`
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
    "INI005" "unseeded-accumulation" Error
}

fn check(facts: &Facts, sink: &mut Sink) {
    for scene in Scene::all(facts, is_unseeded) {
        let name = call(scene.instr);
        let (message, help) = match scene.sighting.kind() {
            Some(FindingKind::UnseededStore(global)) => {
                let global = &facts.program.global(global).name;
                (
                    format!("an atomic {name} adds to elements of `{global}` that nothing has stored yet"),
                    format!("store zeros to `{global}` first, and let all lanes meet in between"),
                )
            }
            _ => (
                format!("{name} adds to {}, and nothing has written it", scene.operand(facts)),
                "start the sum with `is_init=True`, on the first step of a loop as `is_init=(k == 0)`"
                    .to_owned(),
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

fn is_unseeded(seen: &Sighting) -> bool {
    matches!(
        seen.kind(),
        Some(FindingKind::UnseededStore(_) | FindingKind::UnseededProduct)
    )
}
