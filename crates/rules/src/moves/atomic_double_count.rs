use crate::declare_rule;
use crate::observations::Scene;
use crate::wording::{apart, call};
use crate::{Facts, Sink};
use a2lint_ir::finding::Severity;
use a2lint_machine::FindingKind;
use a2lint_replay::Observation;

declare_rule! {
    /// ## What it does
    /// Reports an atomic sum that includes the same data twice in a run: two lanes loaded the same
    /// elements, did the same with them, and add the result to the same place.
    ///
    /// Partial sums of different data are what atomics are for. What a value was computed from is followed
    /// through loads and instructions, so partial sums that happen to be equal are silent. It is an error
    /// under a launch of the file, and a warning under sizes that the checker chose.
    ///
    /// ## Why is this bad?
    /// Both vec lanes of a core execute the same statements. Where neither `GetSubBlockIdx()` nor
    /// `GetVecIdx()` tells them apart, each of them adds the whole tile, and the result is twice as
    /// large. Without `GetCubeIdx()`, every core does.
    ///
    /// ## Example
    /// ```python
    /// for m0 in range(GetCubeIdx() * 64, M, GetCubeNum() * 64):
    ///     tile <<= x[m0:m0 + 64, 0:N]
    ///     with atomic_add():
    ///         total[0:64, 0:N] <<= tile             # once for each vec lane
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// for m0 in range(GetVecIdx() * 64, M, GetVecNum() * 64):
    ///     tile <<= x[m0:m0 + 64, 0:N]
    ///     with atomic_add():
    ///         total[0:64, 0:N] <<= tile
    /// ```
    ///
    /// ## Source
    /// Stated: the AscendC manual on `SetAtomicAdd` (every store adds), and on mixed kernels (both vec lanes of a core
    /// run the whole program).
    "MOV013" "atomic-double-count" Warning, basis = Replayed, evidence = Stated, property = Ownership
}

fn check(facts: &Facts, sink: &mut Sink) {
    for scene in Scene::all(facts, is_counted_twice) {
        let Some(FindingKind::DoubleCount { global, other }) = scene.observation.kind() else {
            continue;
        };
        let lane = scene.observation.lane;
        let tensor = &facts.program.global(global).name;
        let same_core = other.core == lane.core;
        let [who, first] = apart(facts, lane, other);
        let message = format!(
            "{} on {who} adds to `{tensor}` what {first} has computed of the same data and added already",
            call(facts, scene.instr)
        );
        let help = match same_core {
            true => {
                "give each sub-block rows of its own, or let one of them add: `if GetSubBlockIdx() == 0:`"
            }
            false => {
                "share the loop out among the cores: `range(GetCubeIdx(), tiles, GetCubeNum())`"
            }
        };
        let is_invented = facts.replay.execution(scene.observation).is_invented;
        let severity = if is_invented {
            Severity::Warning
        } else {
            Severity::Error
        };
        scene
            .report(facts, sink, message)
            .severity(severity)
            .help(help);
    }
}

fn is_counted_twice(seen: &Observation) -> bool {
    matches!(seen.kind(), Some(FindingKind::DoubleCount { .. }))
}
