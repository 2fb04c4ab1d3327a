use crate::declare_rule;
use crate::{Sink, TileFacts};
use a2lint_ir::tile::{Operand, Step, StepKind, Sync, TilePipe};

declare_rule! {
    /// ## What it does
    /// Reports a select or compare that reads a loaded tile without waiting for the load, and a store that
    /// does not wait for the select or compare that wrote its tile, in functions that place their tiles and
    /// synchronise themselves.
    ///
    /// ## Why is this bad?
    /// `TLOAD` runs on MTE2, selects and compares on V, `TSTORE` on MTE3. The pipes run at their own pace;
    /// in manual mode only flags, events and barriers hold one back. Without `MTE2 -> V` the select reads
    /// what was there before, without `V -> MTE3` the old destination is stored.
    ///
    /// ## Example
    /// ```cpp
    /// TLOAD(src0, gm0);
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
    "PTO019" "tsel-sync-missing" Error, basis = Shape, scope = Tiles
}

fn check(facts: &TileFacts, sink: &mut Sink) {
    let steps = &facts.function.steps;
    let places = steps
        .iter()
        .any(|step| matches!(step.kind, StepKind::Assign(_)));
    if !facts.function.manual || facts.function.assembly || !places || !synchronises(facts) {
        return;
    }
    for (at, step) in steps.iter().enumerate() {
        let (reads, edge): (Vec<&Operand>, _) = match &step.kind {
            StepKind::Store(tile) => (vec![tile], (TilePipe::V, TilePipe::Mte3)),
            _ => (
                step.parts()
                    .into_iter()
                    .skip(1)
                    .filter(|(part, _)| *part != "tmp")
                    .map(|(_, o)| o)
                    .collect(),
                (TilePipe::Mte2, TilePipe::V),
            ),
        };
        for read in reads {
            let Some(writer) = last_writer(facts, at, read) else {
                continue;
            };
            let before = &steps[writer];
            let relevant = match (&before.kind, edge.0) {
                (StepKind::Load(_), TilePipe::Mte2) => true,
                (_, TilePipe::V) => !before.parts().is_empty(),
                _ => false,
            };
            let apart = !facts.function.related(before.region, step.region);
            if !relevant
                || apart
                || before.events
                || step.events
                || waits(&steps[writer + 1..at], edge)
            {
                continue;
            }
            report(sink, before, step, read, edge);
            break;
        }
    }
}

/// Returns whether the author synchronises by hand. A file without any flag is for the CPU simulator, or for a compiler
/// that inserts flags, unless it names a device.
fn synchronises(facts: &TileFacts) -> bool {
    let targets = &facts.unit.targets;
    let by_hand = |step: &Step| step.events || matches!(step.kind, StepKind::Sync(_));
    let mut functions = facts.unit.functions.iter();
    targets.judge(|_| true).is_some()
        && (targets.are_named() || functions.any(|function| function.steps.iter().any(by_hand)))
}

/// Returns the step that last wrote a tile before another step, or unknown code that may have written it.
fn last_writer(facts: &TileFacts, at: usize, read: &Operand) -> Option<usize> {
    let steps = facts.function.steps.get(..at)?;
    let tile = read.tile?;
    steps.iter().rposition(|step| match &step.kind {
        StepKind::Assign(_) | StepKind::Store(_) | StepKind::Sync(_) => false,
        StepKind::Unknown => true,
        _ => step
            .operands()
            .first()
            .is_some_and(|dst| dst.tile == Some(tile)),
    })
}

/// Returns whether a step in between orders the two pipes, or may order them.
fn waits(between: &[Step], (source, destination): (TilePipe, TilePipe)) -> bool {
    between.iter().any(|step| match step.kind {
        StepKind::Sync(Sync::Wait(from, to)) => from == source && to == destination,
        StepKind::Sync(Sync::Barrier(pipe)) => pipe == TilePipe::All,
        StepKind::Sync(Sync::Set(..)) => false,
        StepKind::Sync(Sync::Other) | StepKind::Unknown => true,
        _ => step.events,
    })
}

fn report(
    sink: &mut Sink,
    before: &Step,
    step: &Step,
    read: &Operand,
    (source, destination): (TilePipe, TilePipe),
) {
    let (from, to) = (source.name(), destination.name());
    let message = format!(
        "{} on {to} takes `{}` without waiting for {} on {from}: the edge {from} -> {to} is missing",
        step.name, read.text, before.name,
    );
    sink.report(read.span, message)
        .label(before.span, format!("written here, on {from}"))
        .help(format!(
            "between them write `set_flag(PIPE_{from}, PIPE_{to}, id); wait_flag(PIPE_{from}, PIPE_{to}, id);`"
        ));
}
