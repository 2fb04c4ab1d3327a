use crate::declare_rule;
use crate::{Sink, TileFacts};
use a2lint_ir::tile::{StepKind, Sync};

declare_rule! {
    /// ## What it does
    /// Reports a `wait_flag` of a kernel that comes before the only `set_flag` it could wait for.
    ///
    /// ## Why is this bad?
    /// A flag is set once and waited for once. The pipe that waits does not go on before the flag is set, and
    /// where the set comes later in the same stream it is never reached: the kernel hangs.
    ///
    /// ## Example
    /// ```cpp
    /// wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
    /// TLOAD(src0, gm0);
    /// set_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
    /// TSEL(dst, mask, src0, src1, tmp);
    /// ```
    ///
    /// ## Use instead
    /// ```cpp
    /// TLOAD(src0, gm0);
    /// set_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
    /// wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
    /// TSEL(dst, mask, src0, src1, tmp);
    /// ```
    ///
    /// ## Source
    /// Manual mode of the tile library: flags and events.
    "PTO025" "flag-wait-first" Error, basis = Shape, scope = Tiles
}

fn check(facts: &TileFacts, sink: &mut Sink) {
    let steps = &facts.function.steps;
    // The caller of a function that is no kernel may have set the flag.
    if !facts.function.entry || facts.unit.targets.judge(|_| true).is_none() {
        return;
    }
    for (at, step) in steps.iter().enumerate() {
        let StepKind::Sync(Sync::Wait(from, to)) = step.kind else {
            continue;
        };
        let sets = |kind: &StepKind| *kind == StepKind::Sync(Sync::Set(from, to));
        let mut before = steps[..at].iter();
        if step.region != 0 || before.any(|step| sets(&step.kind) || step.kind == StepKind::Unknown)
        {
            continue;
        }
        let Some(set) = steps[at + 1..]
            .iter()
            .find(|later| later.region == 0 && sets(&later.kind))
        else {
            continue;
        };
        let (from, to) = (from.name(), to.name());
        let message =
            format!("nothing has set a flag from {from} to {to} before this waits for it");
        sink.report(step.span, message)
            .label(set.span, "set only here")
            .help("set the flag first, after what it stands for");
        return;
    }
}
