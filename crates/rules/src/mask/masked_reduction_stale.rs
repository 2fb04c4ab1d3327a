use crate::declare_rule;
use crate::observations::{Cause, labelled, undefined_scenes, use_of};
use crate::{Facts, Sink};
use a2lint_isa::Opcode;

declare_rule! {
    /// ## What it does
    /// Reports results of a masked reduction that are used in a run although the reduction never wrote
    /// them: every lane of their repeat or block was masked off.
    ///
    /// ## Why is this bad?
    /// A reduction whose repeat (of `cadd`, `cmax`, `cmin`) or block (of the `cg` forms) has no
    /// active lane writes nothing. Its result keeps what was there before, which at first is
    /// arbitrary.
    ///
    /// ## Example
    /// ```python
    /// set_mask(0, 0xFF)                   # one block of eight
    /// cgmax(peaks, tile)                  # seven results of each repeat are left alone
    /// reset_mask()
    /// out[0:rows, 0:8] <<= peaks
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// dup(peaks, -1.0e30)
    /// set_mask(0, 0xFF)
    /// cgmax(peaks, tile)
    /// reset_mask()
    /// out[0:rows, 0:8] <<= peaks
    /// ```
    ///
    /// ## Source
    /// Contract of the vector mask: fully masked repeats and blocks leave the destination alone.
    "MSK007" "masked-reduction-stale" Warning, basis = Replayed, property = Initialised
}

fn check(facts: &Facts, sink: &mut Sink) {
    for (scene, others) in undefined_scenes(facts, Cause::MaskedReduction) {
        let message = format!(
            "{}; a masked reduction writes no result where all lanes are off",
            use_of(facts, &scene)
        );
        let report = scene.report(facts, sink, message).help(format!(
            "fill the results before the reduction with `{}()`",
            facts.program.name_of(Opcode::Dup)
        ));
        labelled(report, facts, &scene, &others);
    }
}
