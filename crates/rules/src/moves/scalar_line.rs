use crate::declare_rule;
use crate::moves::core_overlap::label_earlier_store;
use crate::observations::Scene;
use crate::wording::{apart, call};
use crate::{Facts, Sink};
use a2lint_machine::FindingKind;
use a2lint_replay::Observation;

declare_rule! {
    /// ## What it does
    /// Reports numbers that two cores store to different elements of one cache line of global memory in a run, without
    /// a synchronisation of the cores in between. A line has 64 bytes.
    ///
    /// ## Why is this bad?
    /// The scalar unit stores through a cache of its core, which writes back whole lines. Of two cores that store into
    /// one line, the one that writes back last puts old bytes over what the other one has stored. A simulator without
    /// that cache gives the right values.
    ///
    /// ## Example
    /// ```cpp
    /// yGm.SetValue(GetBlockIdx(), total);
    /// ```
    ///
    /// ## Use instead
    /// ```cpp
    /// yGm.SetValue(GetBlockIdx() * 16, total);       // 16 floats are a line
    /// ```
    /// or store the number from UB, by `DataCopyPad`.
    ///
    /// ## Source
    /// Stated by the AscendC manual on the data cache: its lines of 64 bytes are written back whole, and the caches of
    /// cores are not coherent. Tensors count as starting on a line. It is a warning, since it was not measured.
    "MOV017" "scalar-line" Warning, basis = Replayed, property = None
}

fn check(facts: &Facts, sink: &mut Sink) {
    let is_shared =
        |seen: &Observation| matches!(seen.kind(), Some(FindingKind::SharedLine { .. }));
    for scene in Scene::all(facts, is_shared) {
        let Some(FindingKind::SharedLine {
            global,
            other,
            stmt,
        }) = scene.observation.kind()
        else {
            continue;
        };
        let tensor = &facts.program.global(global).name;
        let [here, there] = apart(facts, scene.observation.lane, other);
        let message = format!(
            "{} on {here} stores into a cache line of `{tensor}` in which {there} has stored other elements: of their \
             64 bytes, those of one of the two are lost",
            call(facts, scene.instr),
        );
        let report = scene
            .report(facts, sink, message)
            .help("give each core a line of 64 bytes, or store the numbers from UB");
        label_earlier_store(facts, &scene, stmt, report);
    }
}
