use crate::declare_rule;
use crate::gather_mask::gathers::calls;
use crate::{GatherFacts, Sink};

declare_rule! {
    /// ## What it does
    /// Reports a pattern tensor whose element type does not fit the data.
    ///
    /// ## Why is this bad?
    /// Words of the pattern are as wide as the elements: uint16 for 2-byte data, uint32 for 4-byte data.
    /// Debug builds assert it, release builds run something else.
    ///
    /// ## Example
    /// ```cpp
    /// LocalTensor<uint32_t> pattern = patternBuf.Get<uint32_t>();
    /// GatherMask(dstHalf, srcHalf, pattern, false, 0, {1, 1, 8, 1}, kept);
    /// ```
    ///
    /// ## Use instead
    /// ```cpp
    /// LocalTensor<uint16_t> pattern = patternBuf.Get<uint16_t>();
    /// GatherMask(dstHalf, srcHalf, pattern, false, 0, {1, 1, 8, 1}, kept);
    /// ```
    ///
    /// ## Source
    /// GatherMask, U.
    "GMK004" "gather-pattern-dtype" Error, basis = Constants, scope = Gathers
}

fn check(facts: &GatherFacts, sink: &mut Sink) {
    for (_, call) in calls(facts) {
        let (Some(tensor), Some(data)) = (call.tensor(), call.element()) else {
            continue;
        };
        let word = match data.bytes() {
            1 => "uint8_t",
            2 => "uint16_t",
            4 => "uint32_t",
            _ => continue,
        };
        let Some(given) = tensor.element.filter(|given| given.name() != word) else {
            continue;
        };
        let message = format!(
            "the pattern of {data} data is a tensor of {word}, and `{}` is {given}",
            tensor.text
        );
        sink.report(tensor.span, message)
            .label(call.src.span, format!("{data}"))
            .help(format!(
                "take it as {word}: `ReinterpretCast<{word}>()` keeps the bits"
            ));
    }
}
