use crate::declare_rule;
use crate::observations::{Cause, labelled, undefined_scenes, use_of};
use crate::{Facts, Sink};

declare_rule! {
    /// ## What it does
    /// Reports rows of global memory that the cube reads in a run although no vec lane has written them, if
    /// a result computed from them is used.
    ///
    /// ## Why is this bad?
    /// The two vec lanes of a core share a tile between them. A workspace that only one of them
    /// fills, or that both fill with fewer rows than the cube reads, hands arbitrary bits to the
    /// product.
    ///
    /// ## Example
    /// ```python
    /// ws[core, 0:HALF_M, 0:N] <<= p       # both lanes write the upper half
    /// bridge.ready()
    /// bridge.wait()
    /// l1_p <<= ws[core, 0:TILE_M, 0:N]
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// half_row = Var(GetSubBlockIdx() * HALF_M)
    /// ws[core, half_row:half_row + HALF_M, 0:N] <<= p
    /// bridge.ready()
    /// bridge.wait()
    /// l1_p <<= ws[core, 0:TILE_M, 0:N]
    /// ```
    ///
    /// ## Source
    /// Vec to cube bridges of the easyasc documentation: sub-block rows of a workspace.
    "MOV005" "half-written-workspace" Error, basis = Replayed, property = Initialised
}

fn check(facts: &Facts, sink: &mut Sink) {
    for (scene, others) in undefined_scenes(facts, Cause::HalfWritten) {
        let message = format!(
            "{}: the cube has read rows that no vec lane wrote",
            use_of(facts, &scene)
        );
        let report = scene.report(facts, sink, message).help(
            "let each sub-block store its own rows, `sub_block * HALF` onwards, and all that the cube reads",
        );
        labelled(report, facts, &scene, &others);
    }
}
