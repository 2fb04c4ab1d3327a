use crate::declare_rule;
use crate::gather_mask::gathers::{calls, tensors};
use crate::{GatherFacts, Sink};
use a2lint_ir::gather::Offset;

declare_rule! {
    /// ## What it does
    /// Reports tensors of `GatherMask` that do not start at a multiple of 32 bytes: a constant offset is an
    /// error, an offset by a running count of kept elements a warning.
    ///
    /// ## Why is this bad?
    /// All three tensors are addressed in blocks of 32 bytes. Appending the results of several calls at
    /// `dst[total]` works only while every count happens to fill blocks.
    ///
    /// ## Example
    /// ```cpp
    /// GatherMask(dst[total], src, pattern, true, 64, params, kept);
    /// total += kept;
    /// ```
    ///
    /// ## Use instead
    /// ```cpp
    /// GatherMask(tmp, src, pattern, true, 64, params, kept);
    /// PipeBarrier<PIPE_V>();
    /// DataCopyPad(out[total], tmp, {1, static_cast<uint32_t>(kept * sizeof(float)), 0, 0, 0});
    /// total += kept;
    /// ```
    ///
    /// ## Source
    /// GatherMask, alignment of the operands.
    "GMK006" "gather-alignment" Error, basis = Constants, scope = Gathers
}

fn check(facts: &GatherFacts, sink: &mut Sink) {
    for (_, call) in calls(facts) {
        for (role, tensor) in tensors(call) {
            match tensor.offset {
                Offset::Known(start) if start.rem_euclid(32) != 0 => {
                    let over = start.rem_euclid(32);
                    let message = format!(
                        "{role} starts {start} bytes into its memory, {over} past a multiple of 32",
                    );
                    let block = tensor
                        .element
                        .map_or(32, |element| 32 / element.bytes().max(1));
                    sink.report(tensor.span, message).help(format!(
                        "use an offset that is a multiple of {block} elements"
                    ));
                }
                // Elements have 1, 2 or 4 bytes: if 8 does not divide the count, no size makes it a multiple of
                // 32 bytes.
                Offset::Elements(count) if count.rem_euclid(8) != 0 => {
                    let message = format!(
                        "{role} starts {count} elements into its memory, no multiple of 32 bytes for any type",
                    );
                    sink.report(tensor.span, message).help(
                        "use an offset of whole blocks: 8 elements of 4 bytes, 16 of 2 bytes",
                    );
                }
                Offset::Running => {
                    let message = format!(
                        "{role} starts after a count of kept elements, which need not fill blocks of 32 bytes",
                    );
                    sink.report(tensor.span, message)
                        .help("gather into an aligned tensor and append with DataCopyPad, or round the count up")
                        .possible();
                }
                _ => {}
            }
        }
    }
}
