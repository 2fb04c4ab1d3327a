use super::sightings::{Cause, labelled, undefined_scenes, use_of};
use super::{Facts, Sink};
use crate::declare_rule;
use crate::isa::Opcode;

declare_rule! {
    /// ## What it does
    /// Reports a reduction that was seen to take in elements which a partial load left undefined,
    /// if something that came from the same load reaches an output, a scalar or an index. What is
    /// reduced and never leaves the kernel is not reported.
    ///
    /// ## Why is this bad?
    /// A load fills the valid part of a tile, and pads every row to 32 bytes with arbitrary bits.
    /// Elementwise work on the rest does no harm as long as it is not stored, but a sum or maximum
    /// mixes it into a valid result.
    ///
    /// ## Example
    /// ```python
    /// tile[0:rows, 0:cols] <<= x[row0:row0 + rows, col0:col0 + cols]
    /// cmax(row_max, tile)                 # also over columns behind `cols`
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// dup(tile, -1.0e30)
    /// filled.set()                        # V before MTE2
    /// filled.wait()
    /// tile[0:rows, 0:cols] <<= x[row0:row0 + rows, col0:col0 + cols]
    /// cmax(row_max, tile)
    /// ```
    /// Rows that do not end on a 32-byte border need a mask or a `select` besides: the load
    /// replaces the rest of the last block.
    ///
    /// ## Source
    /// Padded loads of A2: rows are padded to whole blocks, and the padding is not defined.
    "INI006" "padding-in-reduction" Error, basis = Replayed
}

fn check(facts: &Facts, sink: &mut Sink) {
    for (scene, others) in undefined_scenes(facts, Cause::Padding) {
        let message = format!("{}: the load fills only a part of the tile", use_of(facts, &scene));
        let report = scene.report(facts, sink, message).help(format!(
            "neutralise what the load leaves out: `{}()` the tile before the load, or mask the reduction",
            Opcode::Dup.row().name
        ));
        labelled(report, facts, &scene, &others);
    }
}
