//! What rules over `GatherMask` share.

use super::GatherFacts;
use crate::ir::gather::{GatherCall, Step, Tensor};
use crate::masks::Target;
use crate::masks::gather::Gather;

/// Every call.
pub(super) fn calls<'a>(
    facts: &GatherFacts<'a>,
) -> impl Iterator<Item = (&'a Step, &'a GatherCall)> + use<'a> {
    facts.function.calls().map(|(_, step, call)| (step, call))
}

/// The call in numbers, on every target of the file where they are known.
pub(super) fn resolved<'a>(
    facts: &GatherFacts<'a>,
    call: &'a GatherCall,
) -> impl Iterator<Item = (Target, Gather)> + use<'a> {
    let targets = facts.unit.targets.iter();
    targets.filter_map(|&target| Some((target, call.resolve(target)?)))
}

/// The operands that are tensors, with their names in the signature.
pub(super) fn tensors(call: &GatherCall) -> impl Iterator<Item = (&'static str, &Tensor)> {
    [("dstLocal", &call.dst), ("src0Local", &call.src)]
        .into_iter()
        .chain(call.tensor().map(|tensor| ("src1Pattern", tensor)))
}

/// How a message names what the instruction does: `2 repeats of 64 elements`.
pub(super) fn work(gather: &Gather) -> String {
    let (repeats, length) = (gather.repeats(), gather.length(0));
    match repeats {
        1 => format!("1 repeat of {length} elements"),
        _ => format!("{repeats} repeats of {length} elements"),
    }
}
