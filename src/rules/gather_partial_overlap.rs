use super::gathers::{calls, resolved};
use super::{GatherFacts, Sink};
use crate::declare_rule;
use crate::ir::gather::Tensor;
use crate::masks::gather::{Gather, Pattern};

declare_rule! {
    /// ## What it does
    /// Reports a `GatherMask` whose destination lies over a part of its source or of its pattern.
    ///
    /// ## Why is this bad?
    /// Destination and source may coincide: what is kept never overtakes what is read. With another start, or
    /// over the pattern, elements are replaced before they are read.
    ///
    /// ## Example
    /// ```cpp
    /// GatherMask(buffer[64], buffer, 1, false, 0, {1, 4, 8, 0}, kept);
    /// ```
    ///
    /// ## Use instead
    /// ```cpp
    /// GatherMask(buffer, buffer, 1, false, 0, {1, 4, 8, 0}, kept);
    /// ```
    ///
    /// ## Source
    /// GatherMask, address overlap of vector instructions.
    "GMK020" "gather-partial-overlap" Error, scope = Gathers
}

fn check(facts: &GatherFacts, sink: &mut Sink) {
    for (_, call) in calls(facts) {
        let (Some((_, gather)), Some(element)) = (resolved(facts, call).next(), call.element()) else {
            continue;
        };
        let size = element.bytes();
        let kept = match call.fixed() {
            Some(fixed) => gather.count(Pattern::Fixed(fixed)),
            // How many a tensor keeps is not known; that it writes its first is.
            None => u64::from(call.tensor().is_some()),
        };
        let Some(written) = range(&call.dst, kept as i64 * size) else {
            continue;
        };
        let reads = [
            Some((&call.src, gather.source_extent() as i64 * size)),
            call.tensor().map(|tensor| (tensor, gather.pattern_extent() as i64)),
        ];
        for (tensor, bytes) in reads.into_iter().flatten() {
            let Some(read) = range(tensor, bytes) else {
                continue;
            };
            let in_place = tensor.span == call.src.span && read.1 == written.1;
            if read.0 != written.0 || in_place || read.2 <= written.1 || written.2 <= read.1 {
                continue;
            }
            report(sink, &call.dst, tensor, written, read, &gather);
        }
    }
}

/// Memory, first byte, and the byte past the last.
fn range(tensor: &Tensor, bytes: i64) -> Option<(usize, i64, i64)> {
    let start = tensor.start()?;
    Some((tensor.memory?, start, start.checked_add(bytes)?))
}

fn report(
    sink: &mut Sink,
    dst: &Tensor,
    tensor: &Tensor,
    written: (usize, i64, i64),
    read: (usize, i64, i64),
    gather: &Gather,
) {
    let message = format!(
        "`{}` is written from byte {} to {} while bytes {} to {} are read through `{}`",
        dst.text, written.1, written.2, read.1, read.2, tensor.text,
    );
    sink.report(dst.span, message)
        .label(tensor.span, format!("read by {} repeats", gather.repeats()))
        .help("let the destination start exactly at the source, or nowhere in it");
}
