use super::{GatherFacts, Sink};
use crate::declare_rule;
use crate::ir::gather::{GatherCall, Step, StepKind, Sync, Tensor};
use crate::text::Span;

declare_rule! {
    /// ## What it does
    /// Reports a vector instruction that reads the destination of a `GatherMask` without a barrier between
    /// them, and a `GetValue` of it without an event.
    ///
    /// ## Why is this bad?
    /// Dependent vector instructions need `PipeBarrier<PIPE_V>()` unless the compiler inserts it; the scalar
    /// unit sees results of the vector pipe only behind an event from V to S. Without them the reader may see
    /// the old contents.
    ///
    /// ## Example
    /// ```cpp
    /// GatherMask(dst, src, 1, false, 0, params, kept);
    /// Add(sum, dst, other, 64);
    /// ```
    ///
    /// ## Use instead
    /// ```cpp
    /// GatherMask(dst, src, 1, false, 0, params, kept);
    /// PipeBarrier<PIPE_V>();
    /// Add(sum, dst, other, 64);
    /// ```
    ///
    /// ## Source
    /// GatherMask and the synchronisation of the vector pipe.
    "GMK018" "gather-missing-barrier" Warning, scope = Gathers
}

fn check(facts: &GatherFacts, sink: &mut Sink) {
    for (at, step, call) in facts.function.calls() {
        let Some((reader, place, is_scalar)) = next_reader(facts, at, step, call) else {
            continue;
        };
        let (message, help) = match is_scalar {
            true => (
                format!("GetValue reads `{}` without an event from V to S behind GatherMask",
                    call.dst.text
                ),
                "set and wait for HardEvent::V_S between them",
            ),
            false => (
                format!("{reader} reads `{}` right behind GatherMask, without a barrier of the vector pipe",
                    call.dst.text
                ),
                "write `PipeBarrier<PIPE_V>();` between them",
            ),
        };
        sink.report(place, message)
            .label(step.span, "written here")
            .help(help)
            .possible();
    }
}

/// The next step that reads the destination of a call, if nothing that orders them comes first.
fn next_reader(
    facts: &GatherFacts,
    at: usize,
    step: &Step,
    call: &GatherCall,
) -> Option<(String, Span, bool)> {
    let memory = call.dst.memory?;
    let same = |tensor: &Tensor| tensor.memory == Some(memory);
    for later in facts.function.steps.get(at + 1..)? {
        let related = facts.function.related(step.region, later.region);
        match &later.kind {
            StepKind::Unknown => return None,
            StepKind::Sync(Sync::VectorBarrier | Sync::Event) => return None,
            _ if !related => {}
            StepKind::Vector { name, operands, .. } => {
                if let Some(read) = operands.iter().skip(1).find(|tensor| same(tensor)) {
                    return Some((name.clone(), read.span, false));
                }
            }
            StepKind::Gather(other) => {
                let reads = std::iter::once(&other.src).chain(other.tensor());
                if let Some(read) = reads.into_iter().find(|tensor| same(tensor)) {
                    return Some(("GatherMask".to_owned(), read.span, false));
                }
            }
            StepKind::ScalarRead(tensor) if same(tensor) => {
                return Some((String::new(), later.span, true));
            }
            _ => {}
        }
    }
    None
}
