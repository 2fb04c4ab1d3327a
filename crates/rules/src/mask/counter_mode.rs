use crate::declare_rule;
use crate::mask::lane_notes::noted;
use crate::{Facts, Sink};
use a2lint_ir::LaneFault;

declare_rule! {
    /// ## What it does
    /// Reports vector calls of AscendC with a mask and several repeats, where counter mode is on and the mask counts
    /// fewer elements than the repeats have.
    ///
    /// ## Why is this bad?
    /// In counter mode the mask is the number of elements in all, whatever the number of repeats: a mask of 64
    /// computes 64 elements. Often an earlier part of the kernel has left the mode on.
    ///
    /// ## Example
    /// ```cpp
    /// SetMaskCount();
    /// Adds<float, false>(x, x, 1.0f, MASK_PLACEHOLDER, 1, {1, 1, 8, 8});
    /// Muls(x, x, 2.0f, 64, 16, {1, 1, 8, 8});       // 64 elements, not 1024
    /// ```
    ///
    /// ## Use instead
    /// ```cpp
    /// SetMaskCount();
    /// Adds<float, false>(x, x, 1.0f, MASK_PLACEHOLDER, 1, {1, 1, 8, 8});
    /// SetMaskNorm();
    /// Muls(x, x, 2.0f, 64, 16, {1, 1, 8, 8});
    /// ```
    ///
    /// ## Source
    /// AscendC reference on counter and normal mode; its headers pass the mask on as a count.
    "MSK015" "counter-mode" Warning, basis = Constants, evidence = Read
}

fn check(facts: &Facts, sink: &mut Sink) {
    for (note, name, fault) in noted(facts) {
        let LaneFault::Counted {
            elements,
            repeats,
            lanes,
        } = *fault
        else {
            continue;
        };
        let message = format!(
            "{name} computes {elements} elements, not {repeats} repeats of {lanes}: counter mode is on, where the mask \
             is their number"
        );
        sink.report_from(note.origin, note.span, message)
            .help("call `SetMaskNorm()` before it, or give the number of all elements");
    }
}
