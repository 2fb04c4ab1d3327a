//! Iterators over `GatherMask` calls, and texts that their rules share.

use crate::{GatherFacts, Report};
use a2lint_ir::gather::{GatherCall, Step, StepKind, Tensor};
use a2lint_isa::masks::gather::Gather;
use a2lint_isa::masks::{Target, Verdict};
use a2lint_source::text::Span;

/// Iterates over the calls of a function.
pub(crate) fn calls<'a>(
    facts: &GatherFacts<'a>,
) -> impl Iterator<Item = (&'a Step, &'a GatherCall)> + use<'a> {
    facts.function.calls().map(|(_, step, call)| (step, call))
}

/// Iterates over the targets of the file on which all numbers of the call are known, with these numbers.
pub(crate) fn resolved<'a>(
    facts: &GatherFacts<'a>,
    call: &'a GatherCall,
) -> impl Iterator<Item = (Target, Gather)> + use<'a> {
    let targets = facts.unit.targets.iter();
    targets.filter_map(|target| Some((target, call.resolve(target)?)))
}

/// Returns the targets on which a call is wrong, and its numbers on one of them.
pub(crate) fn wrong(
    facts: &GatherFacts,
    call: &GatherCall,
    is_wrong: impl Fn(&Gather) -> bool,
) -> Option<(Verdict, Gather)> {
    let verdict = facts
        .unit
        .targets
        .judge(|target| call.resolve(target).is_some_and(|gather| is_wrong(&gather)))?;
    let gather = call.resolve(verdict.example())?;
    Some((verdict, gather))
}

/// Adds the targets on which a finding holds, if that is not certain for all of them.
pub(crate) fn only_there<'r>(report: Report<'r>, verdict: &Verdict, place: Span) -> Report<'r> {
    match verdict.is_certain() {
        true => report,
        false => report.label(place, verdict.reading()).possible(),
    }
}

/// Whether the pattern of a call depends on data: a comparison in the function writes it.
pub(crate) fn depends_on_data(facts: &GatherFacts, at: usize, call: &GatherCall) -> bool {
    let Some(memory) = call.tensor().and_then(|tensor| tensor.memory) else {
        return false;
    };
    let before = facts.function.steps.iter().take(at);
    let last = before.rev().find_map(|step| match &step.kind {
        StepKind::Vector { name, operands, .. } => {
            let dst = operands.first()?;
            (dst.memory == Some(memory)).then_some(name.as_str())
        }
        _ => None,
    });
    last.is_some_and(|name| name.starts_with("Compare"))
}

/// Iterates over the tensor operands, with their names in the signature.
pub(crate) fn tensors(call: &GatherCall) -> impl Iterator<Item = (&'static str, &Tensor)> {
    [("dstLocal", &call.dst), ("src0Local", &call.src)]
        .into_iter()
        .chain(call.tensor().map(|tensor| ("src1Pattern", tensor)))
}

/// Formats the work of a call: `2 repeats of 64 elements`.
pub(crate) fn work(gather: &Gather) -> String {
    let (repeats, length) = (gather.repeats(), gather.length(0));
    match repeats {
        1 => format!("1 repeat of {length} elements"),
        _ => format!("{repeats} repeats of {length} elements"),
    }
}
