use crate::declare_rule;
use crate::gather_mask::gathers::{calls, only_there};
use crate::{GatherFacts, Sink};
use a2lint_ir::gather::{GatherCall, Tensor};
use a2lint_isa::masks::Target;
use a2lint_isa::masks::gather::{Gather, Pattern};

declare_rule! {
    /// ## What it does
    /// Reports a `GatherMask` whose destination overlaps a part of its source or of its pattern.
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
    "GMK020" "gather-partial-overlap" Error, basis = Constants, scope = Gathers
}

fn check(facts: &GatherFacts, sink: &mut Sink) {
    for (_, call) in calls(facts) {
        let found = |target: Target| {
            let forms = forms(call, target);
            // Every possible form has to overlap: what is unknown must not matter.
            let mut overlaps = forms.iter().map(|gather| overlap(call, gather));
            let first = overlaps.next().flatten()?;
            overlaps.all(|other| other.is_some()).then_some(first)
        };
        let Some(verdict) = facts.unit.targets.judge(|target| found(target).is_some()) else {
            continue;
        };
        if let Some(overlap) = found(verdict.example()) {
            let report = sink.report(call.dst.span, overlap.message(call));
            let report = report
                .label(overlap.tensor.span, "read by the same instruction")
                .help("let the destination start exactly at the source, or nowhere in it");
            only_there(report, &verdict, call.name_span);
        }
    }
}

/// Returns the call with resolved numbers. If some are unknown, returns what its first repeat does at least, for
/// each possible element size.
fn forms(call: &GatherCall, target: Target) -> Vec<Gather> {
    match call.resolve(target) {
        Some(gather) => vec![gather],
        None => {
            let sizes = match call.element() {
                Some(element) => vec![element.bytes() as u64],
                None => vec![4, 2, 1],
            };
            sizes
                .into_iter()
                .filter_map(|size| call.at_least(size))
                .collect()
        }
    }
}

/// Bytes that are written while overlapping bytes are read, as half-open ranges.
struct Overlap<'a> {
    tensor: &'a Tensor,
    written: (i64, i64),
    read: (i64, i64),
}

impl Overlap<'_> {
    fn message(&self, call: &GatherCall) -> String {
        let (dst, tensor) = (&call.dst.text, &self.tensor.text);
        match call.element() {
            Some(_) => format!(
                "`{dst}` is written from byte {} to {} while bytes {} to {} are read through `{tensor}`",
                self.written.0, self.written.1, self.read.0, self.read.1,
            ),
            None => format!(
                "`{dst}` is written while bytes of it are read through `{tensor}`, from another start"
            ),
        }
    }
}

fn overlap<'a>(call: &'a GatherCall, gather: &Gather) -> Option<Overlap<'a>> {
    let size = gather.element_bytes as i64;
    let kept = match call.fixed() {
        Some(fixed) => gather.count(Pattern::Fixed(fixed)),
        // How many elements a tensor pattern keeps is unknown. The first byte of the destination counts as
        // written.
        None => u64::from(call.tensor().is_some()),
    };
    let written = range(&call.dst, size, kept as i64 * size)?;
    let reads = [
        Some((&call.src, gather.source_extent() as i64 * size)),
        call.tensor()
            .map(|tensor| (tensor, gather.pattern_extent() as i64)),
    ];
    reads.into_iter().flatten().find_map(|(tensor, bytes)| {
        let read = range(tensor, size, bytes)?;
        let in_place = tensor.span == call.src.span && read.0 == written.0;
        let apart = read.1 <= written.0 || written.1 <= read.0;
        let meets = tensor.memory? == call.dst.memory? && !in_place && !apart;
        meets.then_some(Overlap {
            tensor,
            written,
            read,
        })
    })
}

fn range(tensor: &Tensor, size: i64, bytes: i64) -> Option<(i64, i64)> {
    let start = tensor.start_for(size)?;
    Some((start, start.checked_add(bytes)?))
}
