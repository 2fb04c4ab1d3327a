use super::sightings::{Scene, statement};
use super::wording::call;
use super::{Facts, Sink};
use crate::declare_rule;
use crate::machine::FindingKind;
use crate::replay::Sighting;

declare_rule! {
    /// ## What it does
    /// Reports rows of a global tensor that both vec lanes of a core were seen to store with different
    /// values.
    ///
    /// ## Why is this bad?
    /// A core's two vec lanes run the same statements. Without `GetSubBlockIdx()` in the offset, or
    /// with a share that is rounded differently on both sides, they store the same rows, and which of
    /// them wins is a matter of time.
    ///
    /// ## Example
    /// ```python
    /// local = CeilDiv(valid_m, 2)
    /// start = Var(GetSubBlockIdx() * (local - 1))     # the shares overlap by a row
    /// y[m0 + start:m0 + start + local, 0:N] <<= out[0:local, 0:N]
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// start = Min(GetSubBlockIdx() * HALF_M, valid_m)
    /// local = Min(HALF_M, valid_m - start)
    /// y[m0 + start:m0 + start + local, 0:N] <<= out[0:local, 0:N]
    /// ```
    ///
    /// ## Source
    /// Sub-block partition of the easyasc documentation, pitfall 81.
    "MOV006" "sub-block-split" Error
}

fn check(facts: &Facts, sink: &mut Sink) {
    for scene in Scene::all(facts, is_shared) {
        let Some(FindingKind::Overlap { global, other, stmt }) = scene.sighting.kind() else {
            continue;
        };
        let tensor = &facts.program.global(global).name;
        let message = format!(
            "{} on {} stores other values to rows of `{tensor}` that {} of the same core has stored",
            call(scene.instr),
            scene.sighting.lane.kind.name(),
            other.kind.name(),
        );
        let report = scene.report(facts, sink, message).help(
            "give each sub-block rows of its own: `start = sub_block * HALF`, `rows = Min(HALF, valid - start)`",
        );
        if let Some(first) = statement(facts, stmt).filter(|first| first.id != scene.stmt.id) {
            report.label(first.span, "stored here before");
        }
    }
}

fn is_shared(seen: &Sighting) -> bool {
    matches!(seen.kind(), Some(FindingKind::Overlap { other, .. }) if other.core == seen.lane.core)
}
