use crate::declare_rule;
use crate::gather_mask::gathers::{depends_on_data, resolved};
use crate::{GatherFacts, Sink};
use a2lint_ir::gather::{GatherCall, Step, StepKind, Tensor};
use a2lint_isa::masks::gather::Pattern;

declare_rule! {
    /// ## What it does
    /// Reports a copy to GM that takes more elements of a destination than `GatherMask` kept, or a fixed
    /// number of them although the code never reads the count.
    ///
    /// ## Why is this bad?
    /// Only the first `rsvdCnt` elements of the destination are defined. The number that a fixed pattern
    /// keeps is known in advance; the number that a tensor pattern keeps is known only from `rsvdCnt`.
    ///
    /// ## Example
    /// ```cpp
    /// GatherMask(dst, src, pattern, true, 64, params, kept);
    /// DataCopy(out, dst, 64);
    /// ```
    ///
    /// ## Use instead
    /// ```cpp
    /// GatherMask(dst, src, pattern, true, 64, params, kept);
    /// DataCopyPad(out, dst, {1, static_cast<uint32_t>(kept * sizeof(float)), 0, 0, 0});
    /// ```
    ///
    /// ## Source
    /// GatherMask, rsvdCnt.
    "GMK017" "gather-count-ignored" Warning, basis = Constants, scope = Gathers
}

fn check(facts: &GatherFacts, sink: &mut Sink) {
    for (at, step, call) in facts.function.calls() {
        let Some((copy, source, count)) = copied_out(facts, at, step, call) else {
            continue;
        };
        let whole = match count {
            Some(count) => format!("{count} elements"),
            None => "elements".to_owned(),
        };
        if let Some(fixed) = call.fixed() {
            let kept = resolved(facts, call)
                .map(|(_, gather)| gather.count(Pattern::Fixed(fixed)))
                .max();
            let (Some(kept), Some(count), Some(element)) = (kept, count, call.element()) else {
                continue;
            };
            // A copy moves whole blocks, so a rounded count is right.
            let block = 32 / element.bytes().max(1);
            let padded = (kept as i64 + block - 1) / block * block;
            if count > padded {
                let message = format!(
                    "{count} elements of `{}` are copied, and pattern {} kept {kept}",
                    source.text,
                    fixed.number()
                );
                sink.report(copy.span, message)
                    .label(step.span, format!("keeps {kept} elements"))
                    .help(format!("copy {padded}, or as many as rsvdCnt says"));
            }
            continue;
        }
        let ignored = call.count.as_ref().filter(|count| !count.used);
        let Some(ignored) = ignored.filter(|_| depends_on_data(facts, at, call)) else {
            continue;
        };
        let message = format!(
            "{whole} of `{}` are copied, and `{}`, which says how many are defined, is never looked at",
            source.text, ignored.name
        );
        sink.report(copy.span, message)
            .label(step.span, "keeps as many as the pattern has ones")
            .help(format!("copy `{}` elements with DataCopyPad", ignored.name))
            .possible();
    }
}

/// Returns the copy that reads the destination of a call before anything else writes it, with its source and
/// count.
fn copied_out<'a>(
    facts: &GatherFacts<'a>,
    at: usize,
    step: &Step,
    call: &GatherCall,
) -> Option<(&'a Step, &'a Tensor, Option<i64>)> {
    let memory = call.dst.memory?;
    let same = |tensor: &Tensor| tensor.memory == Some(memory);
    for later in facts.function.steps.get(at + 1..)? {
        match &later.kind {
            StepKind::Copy {
                source: Some(source),
                count,
                ..
            } if same(source) => {
                let fits = source.start() == call.dst.start()
                    && facts.function.related(step.region, later.region);
                return fits.then_some((later, source, *count));
            }
            StepKind::Gather(other) if same(&other.dst) => return None,
            StepKind::Vector { operands, .. } if operands.first().is_some_and(same) => return None,
            StepKind::Unknown => return None,
            _ => {}
        }
    }
    None
}
