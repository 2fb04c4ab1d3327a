use super::sightings::Scene;
use super::wording::call;
use super::{Facts, Sink};
use crate::declare_rule;
use crate::machine::FindingKind;
use crate::replay::Sighting;

declare_rule! {
    /// ## What it does
    /// Reports events and flags that were seen to be set more often than they are awaited: an event
    /// that is set while it is still set, and a counted flag past its limit of 15.
    ///
    /// ## Why is this bad?
    /// An event is one bit for each hardware id. A second set is lost, and the wait that belongs to
    /// it takes the next one's place: from there on the pipes are one step apart, or stand still.
    ///
    /// ## Example
    /// ```python
    /// for tile in range(tiles):
    ///     x_in <<= x[tile, 0:N]
    ///     loaded.set()                    # nobody waits inside the loop
    /// loaded.wait()
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// for tile in range(tiles):
    ///     x_in <<= x[tile, 0:N]
    ///     loaded.set()
    ///     loaded.wait()
    ///     exp(y_out, x_in)
    /// ```
    ///
    /// ## Source
    /// A2 events: one bit per pair of pipes and id.
    "SYN002" "event-unbalanced" Error
}

fn check(facts: &Facts, sink: &mut Sink) {
    for scene in Scene::all(facts, is_unbalanced) {
        let name = call(scene.instr);
        let message = match scene.sighting.kind() {
            Some(FindingKind::RepeatedSet(event)) => {
                let event = &facts.program.event(event).name;
                format!("{name} sets the event `{event}` while it is still set")
            }
            Some(FindingKind::FlagOverflow(id)) => {
                format!("{name} counts flag {id} past the 15 that the hardware holds")
            }
            _ => continue,
        };
        scene
            .report(facts, sink, message)
            .help("let every set be followed by one wait, on every path and around every loop");
    }
}

fn is_unbalanced(seen: &Sighting) -> bool {
    use FindingKind::{FlagOverflow, RepeatedSet};
    matches!(seen.kind(), Some(RepeatedSet(_) | FlagOverflow(_)))
}
