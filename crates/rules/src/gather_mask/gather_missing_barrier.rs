use crate::declare_rule;
use crate::{GatherFacts, Sink};
use a2lint_ir::gather::{GatherCall, Offset, Step, StepKind, Sync, Tensor};
use a2lint_source::text::Span;

declare_rule! {
    /// ## What it does
    /// Reports a vector instruction that reads the destination of a `GatherMask` without a barrier between
    /// them, and a `GetValue` of it without an event.
    ///
    /// ## Why is this bad?
    /// The compiler inserts barriers between dependent vector instructions unless it is told not to. A
    /// function that places `PipeBarrier<PIPE_V>()` between another `GatherMask` and its reader, or a file
    /// that says `// a2lint: auto-sync off`, is taken to order them by hand; the scalar unit sees results of
    /// the vector pipe only after an event from V to S. Without them the reader may see the old contents.
    ///
    /// ## Example
    /// ```cpp
    /// GatherMask(even, src, 1, false, 0, params, kept);
    /// PipeBarrier<PIPE_V>();
    /// Muls(even, even, scale, 64);
    /// GatherMask(odd, src, 2, false, 0, params, kept);
    /// Add(sum, odd, other, 64);
    /// ```
    ///
    /// ## Use instead
    /// ```cpp
    /// GatherMask(odd, src, 2, false, 0, params, kept);
    /// PipeBarrier<PIPE_V>();
    /// Add(sum, odd, other, 64);
    /// ```
    ///
    /// ## Source
    /// GatherMask and the synchronisation of the vector pipe.
    "GMK018" "gather-missing-barrier" Warning, basis = Assumption, scope = Gathers
}

fn check(facts: &GatherFacts, sink: &mut Sink) {
    let function = facts.function;
    let is_ordered = |(at, step, call)| matches!(next_reader(facts, at, step, call), Next::Ordered);
    if !function.without_compiler && !function.calls().any(is_ordered) {
        return;
    }
    for (at, step, call) in facts.function.calls() {
        let Next::Unordered(reader, place, is_scalar) = next_reader(facts, at, step, call) else {
            continue;
        };
        let (message, help) = match is_scalar {
            true => (
                format!(
                    "GetValue reads `{}` without an event from V to S after GatherMask",
                    call.dst.text
                ),
                "set and wait for HardEvent::V_S between them",
            ),
            false => (
                format!(
                    "{reader} reads `{}` right after GatherMask, without a barrier of the vector pipe",
                    call.dst.text
                ),
                "write `PipeBarrier<PIPE_V>();` between them",
            ),
        };
        sink.report_once(place, message)
            .label(step.span, "written here")
            .help(help)
            .possible();
    }
}

/// How the destination of a call is read next.
enum Next {
    /// By the named instruction at a place, without a barrier. The flag says whether the scalar unit reads it.
    Unordered(String, Span, bool),
    /// After a barrier.
    Ordered,
    /// Not at all, or unknown.
    Unknown,
}

/// Finds the next step that reads the destination of a call, and whether a barrier precedes it.
fn next_reader(facts: &GatherFacts, at: usize, step: &Step, call: &GatherCall) -> Next {
    let same = |tensor: &Tensor| is_written(&call.dst, tensor);
    let mut barrier = false;
    for later in facts.function.steps.get(at + 1..).unwrap_or(&[]) {
        let related = facts.function.related(step.region, later.region);
        let reader = match &later.kind {
            StepKind::Unknown | StepKind::Sync(Sync::Event) => return Next::Unknown,
            StepKind::Sync(Sync::VectorBarrier) => {
                barrier = true;
                continue;
            }
            _ if !related => continue,
            StepKind::Vector { name, operands, .. } if operands.iter().skip(1).any(same) => {
                (name.clone(), later.span, false)
            }
            StepKind::Gather(other) => {
                let reads = std::iter::once(&other.src).chain(other.tensor());
                match reads.into_iter().any(same) {
                    true => ("GatherMask".to_owned(), later.span, false),
                    false => continue,
                }
            }
            StepKind::ScalarRead(tensor) if same(tensor) => (String::new(), later.span, true),
            _ => continue,
        };
        return match barrier {
            true => Next::Ordered,
            false => Next::Unordered(reader.0, reader.1, reader.2),
        };
    }
    Next::Unknown
}

/// Whether a tensor certainly starts where the destination does. Other parts of the same memory may be disjoint
/// from it.
fn is_written(dst: &Tensor, tensor: &Tensor) -> bool {
    let same_start = match (dst.offset, tensor.offset) {
        (Offset::Known(one), Offset::Known(other)) => one == other,
        (Offset::Elements(one), Offset::Elements(other)) => one == other,
        _ => dst.text == tensor.text,
    };
    dst.memory.is_some() && dst.memory == tensor.memory && same_start
}
