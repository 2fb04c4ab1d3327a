use crate::declare_rule;
use crate::observations::witnessed;
use crate::synchronisation::unit_flag;
use crate::{Facts, Sink};
use a2lint_machine::{BlockedLane, EventRef, Waiting};
use a2lint_replay::Event;

declare_rule! {
    /// ## What it does
    /// Reports a launch in whose run all remaining lanes wait for ever, and names what each of them waits
    /// for.
    ///
    /// ## Why is this bad?
    /// The kernel never ends. The host gives up after a timeout and has to reset the device.
    ///
    /// ## Example
    /// ```python
    /// bridge.lock()
    /// ws[core, 0:TILE_M, 0:N] <<= l0c
    /// # bridge.ready() is missing: the vec lanes wait below
    /// bridge.wait()
    /// tile <<= ws[core, half_row:half_row + HALF_M, 0:N]
    /// bridge.free()
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// bridge.lock()
    /// ws[core, 0:TILE_M, 0:N] <<= l0c
    /// bridge.ready()
    /// bridge.wait()
    /// tile <<= ws[core, half_row:half_row + HALF_M, 0:N]
    /// bridge.free()
    /// ```
    ///
    /// ## Source
    /// Events, flags and mutexes of A2: a wait takes one token and blocks without one.
    "SYN003" "deadlock" Error, basis = Replayed, property = Progress
}

/// Upper bound on the lanes that the message names.
const NAMED_LANES: usize = 3;

fn check(facts: &Facts, sink: &mut Sink) {
    for observation in &facts.replay.observations {
        let Event::Deadlock(lanes) = &observation.event else {
            continue;
        };
        if is_reported_by_unit_flag(facts, lanes) {
            continue;
        }
        let waits = lanes.iter().take(NAMED_LANES).map(|blocked| {
            let (core, kind) = (blocked.lane.core, blocked.lane.kind.name());
            format!(
                "core {core} {kind} waits {}",
                blocked.waiting.describe(facts.program)
            )
        });
        let mut text = waits.collect::<Vec<_>>().join(", ");
        if lanes.len() > NAMED_LANES {
            text += &format!(", and {} more lanes wait", lanes.len() - NAMED_LANES);
        }
        let message = match lanes
            .first()
            .and_then(|blocked| queue(facts, &blocked.waiting))
        {
            Some((name, true)) => {
                format!("`AllocTensor` finds no free buffer of queue `{name}`: {text}")
            }
            Some((name, false)) => {
                format!("`DeQue` finds no tensor in queue `{name}`: {text}")
            }
            None => format!("no lane can go on: {text}"),
        };
        let stmt = observation.stmt.and_then(|id| facts.program.statement(id));
        let mut report = match stmt {
            Some(stmt) => sink.report_seen(stmt.origin, stmt.span, message),
            None => sink.report(facts.program.name_span, message),
        };
        for blocked in lanes.iter().skip(1).take(NAMED_LANES - 1) {
            let place = blocked
                .waits_at()
                .and_then(|id| facts.program.statement(id));
            if let Some(place) = place.filter(|place| Some(place.id) != observation.stmt) {
                let text = format!("{} waits here", blocked.lane.kind.name());
                report = report.label(place.span, text);
            }
        }
        let report = report
            .help("give every wait the set, ready or free that it waits for, on every path")
            .in_cpp(
                "give every tensor its `EnQue`, `DeQue` and `FreeTensor`, and every `WaitFlag` its `SetFlag`, \
                 on every path",
            );
        witnessed(report, facts, observation);
    }
}

/// Returns whether a lane waits for a unit flag in a kernel where `unit-flag` reports the cause.
fn is_reported_by_unit_flag(facts: &Facts, lanes: &[BlockedLane]) -> bool {
    let mut waits = lanes.iter().map(|lane| &lane.waiting);
    waits.any(|it| matches!(it, Waiting::UnitFlag { .. })) && !unit_flag::faults(facts).is_empty()
}

/// Returns the name of the queue that a lane waits for, and whether it waits for a free buffer.
fn queue<'a>(facts: &Facts<'a>, waiting: &Waiting) -> Option<(&'a str, bool)> {
    let (Waiting::Event(EventRef::Event(id))
    | Waiting::Pipe {
        event: EventRef::Event(id),
        ..
    }) = waiting
    else {
        return None;
    };
    let event = facts.program.event(*id);
    Some((&*event.name, event.queue?.counts_free))
}
