use rustc_hash::FxHashMap;

use crate::declare_rule;
use crate::observations::Scene;
use crate::reached::later_rounds;
use crate::synchronisation::event_balance::{Imbalance, imbalances};
use crate::tokens::{Call, Token, call_text, may_have_unknown_tokens};
use crate::wording::{call, counted};
use crate::{Facts, Sink};
use a2lint_ir::finding::Severity;
use a2lint_ir::sync::{self, Act};
use a2lint_ir::{EventId, Instr, Note, NoteKind, QueueFault, Stmt, StmtId};
use a2lint_machine::{EventRef, FindingKind};
use a2lint_replay::Observation;
use a2lint_source::text::Span;

declare_rule! {
    /// ## What it does
    /// Reports events and flags whose sets and waits do not match.
    ///
    /// That is so for
    ///
    /// * one that is set and never awaited in the kernel, or awaited and never set,
    /// * an event that is set while it is still set, on every path or in a run,
    /// * more waits than sets on every path,
    /// * a loop in which each iteration sets an event more often than it waits for it, or the other way
    ///   round (a warning where the number of iterations is not known),
    /// * a counted flag that exceeds its limit of 15 in a run,
    /// * a queue of AscendC that is given more tensors than its depth, or back a tensor of another one,
    /// * in AscendC, a flag or a tensor in a queue that is left over when the kernel ends.
    ///
    /// An event that was set from the start (`preset=True`) and is set again at the end is balanced.
    ///
    /// ## Why is this bad?
    /// An event is one bit for each hardware id. A second set is lost, and the wait that belongs to it
    /// takes the next set instead: from then on the pipes are one step apart, or they deadlock. A wait
    /// without a set blocks its pipe for ever, and a set without a wait is still pending when the next
    /// kernel starts.
    ///
    /// ## Example
    /// ```python
    /// for tile in range(tiles):
    ///     x_in <<= x[tile, 0:N]
    ///     loaded.set()                    # no wait inside the loop
    /// loaded.wait()
    /// ```
    ///
    /// ```cpp
    /// auto a = in.AllocTensor<float>();             // in a loop, and never freed
    /// DataCopy(a, gx[i * 64], 64);
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// for tile in range(tiles):
    ///     x_in <<= x[tile, 0:N]
    ///     loaded.set()
    ///     loaded.wait()
    ///     exp(y_out, x_in)
    /// ```
    ///
    /// ```cpp
    /// auto a = in.AllocTensor<float>();
    /// DataCopy(a, gx[i * 64], 64);
    /// in.EnQue(a);
    /// a = in.DeQue<float>();
    /// Add(b, a, a, 64);
    /// in.FreeTensor(a);
    /// ```
    ///
    /// ## Source
    /// A2 events: one bit per pair of pipes and id.
    "SYN002" "event-unbalanced" Error, basis = AnyLaunch, property = Progress
}

fn check(facts: &Facts, sink: &mut Sink) {
    let mut reported = Vec::new();
    if !may_have_unknown_tokens(facts.program) {
        let (crossed, others) = crossed(imbalances(facts.program));
        for [set, wait] in crossed {
            report_crossed(facts, &set, &wait, sink);
            reported.extend([set.stmt.span, wait.stmt.span]);
        }
        for imbalance in others {
            report(facts, &imbalance, sink);
            reported.push(imbalance.call().stmt.span);
        }
    }
    of_protocol(facts, &reported, sink);
    seen(facts, sink);
}

/// Separates sets and waits between two pipes that are alone with their ids: a set that nothing awaits, and a wait for
/// another id that nothing sets. One of the two ids is wrong.
fn crossed(all: Vec<Imbalance<'_>>) -> (Vec<[Call<'_>; 2]>, Vec<Imbalance<'_>>) {
    let pipes = |call: &Call| match call.token {
        Token::Raw(src, dst, _) => Some((src, dst)),
        _ => None,
    };
    let mut sets: Vec<Call> = Vec::new();
    // By pair of pipes, the number of sets and waits, and the last wait.
    let mut known: FxHashMap<_, (usize, Option<Call>)> = FxHashMap::default();
    for imbalance in &all {
        let (call, wait) = match imbalance {
            Imbalance::NeverAwaited(set) => (set, None),
            Imbalance::NeverSet(wait) => (wait, Some(*wait)),
            _ => continue,
        };
        let Some(pipes) = pipes(call) else { continue };
        let (number, last) = known.entry(pipes).or_default();
        *number += 1;
        *last = wait.or(*last);
        if wait.is_none() {
            sets.push(*call);
        }
    }
    let pairs = sets.into_iter().filter_map(|set| {
        let (number, wait) = known.get(&pipes(&set)?)?;
        (*number == 2).then_some([set, (*wait)?])
    });
    let pairs: Vec<[Call; 2]> = pairs.collect();
    let is_paired = |imbalance: &Imbalance| {
        let mut calls = pairs.iter().flatten();
        calls.any(|call| call.stmt.id == imbalance.call().stmt.id)
    };
    let others = all.into_iter().filter(|it| !is_paired(it)).collect();
    (pairs, others)
}

/// Reports a set and a wait between the same pipes with different ids.
fn report_crossed(facts: &Facts, set: &Call, wait: &Call, sink: &mut Sink) {
    let line = facts.source.line_column(set.stmt.span.start).line;
    let message = format!(
        "{} waits for {}, which nothing in the kernel sets; line {line} sets {}, for which nothing waits",
        call_text(facts, wait),
        name(facts, wait),
        name(facts, set)
    );
    let around = later_rounds(facts, wait.stmt.id);
    let report = sink
        .report_from(
            wait.stmt.origin,
            wait.stmt.span,
            conditional(message, around),
        )
        .label(set.stmt.span, "set here")
        .advice("give both the same id");
    if let Some(around) = around {
        report.label(around.span, RUNS).possible();
    }
}

/// Reports an imbalance that holds for any launch.
fn report(facts: &Facts, imbalance: &Imbalance, sink: &mut Sink) {
    let call = imbalance.call();
    let message = of_queue(facts, imbalance).unwrap_or_else(|| message(facts, imbalance));
    let around = match imbalance {
        Imbalance::Drift { .. } => None,
        _ => later_rounds(facts, call.stmt.id),
    };
    let message = conditional(message, around);
    let mut report = sink
        .report_from(call.stmt.origin, call.stmt.span, message)
        .help(HELP)
        .in_cpp(
            missing_wait(facts, imbalance)
                .or_else(|| missing_free(facts, imbalance))
                .unwrap_or_else(|| cpp_help(facts, call.token).to_owned()),
        );
    if let Imbalance::Drift { body, trips, .. } = imbalance {
        report = report.label(body.span, "the loop");
        if trips.is_none() {
            report = report.possible();
        }
    } else if let Some(around) = around {
        report = report.label(around.span, RUNS).possible();
    }
    drop(report);
}

/// The assumption of a finding in a loop that may have no iteration.
const RUNS: &str = "if this loop runs";

/// Adds the assumption to the message of a finding in a loop that may have no iteration.
fn conditional(message: String, around: Option<&Stmt>) -> String {
    match around {
        Some(_) => format!("{message}, if the loop around it runs"),
        None => message,
    }
}

const HELP: &str = "let every set be followed by one wait, on every path and around every loop";

fn message(facts: &Facts, imbalance: &Imbalance) -> String {
    match imbalance {
        Imbalance::NeverAwaited(call) => {
            let what = name(facts, call);
            format!(
                "nothing in the kernel waits for {what}, which {} sets",
                call_text(facts, call)
            )
        }
        Imbalance::NeverSet(call) => {
            let what = name(facts, call);
            format!(
                "{} waits for ever: nothing in the kernel sets {what}",
                call_text(facts, call)
            )
        }
        Imbalance::LeftSet(call) => left_set(&name(facts, call)),
        Imbalance::SetTwice(call) => format!(
            "{} sets {} while it is still set",
            call_text(facts, call),
            name(facts, call)
        ),
        Imbalance::Starved(call, by) => {
            let more = counted(*by, "more wait");
            format!(
                "{} has {more} than sets: the last of them waits for ever",
                name(facts, call)
            )
        }
        Imbalance::Drift { call, by, .. } => {
            let what = name(facts, call);
            let [more, fewer] = if *by > 0 {
                ["set", "waited for"]
            } else {
                ["waited for", "set"]
            };
            format!("{what} is {more} more often than it is {fewer} in each iteration of the loop")
        }
    }
}

/// Formats an imbalance of a queue: its tensors are put in, taken out, given back.
fn of_queue(facts: &Facts, imbalance: &Imbalance) -> Option<String> {
    let Token::Event(id) = imbalance.call().token else {
        return None;
    };
    let counts_free = facts.program.event(id).queue?.counts_free;
    let name = queue(facts, id);
    Some(match (imbalance, counts_free) {
        (Imbalance::NeverAwaited(_) | Imbalance::LeftSet(_), false) => in_queue(facts, id),
        (Imbalance::NeverAwaited(_) | Imbalance::LeftSet(_), true) => {
            format!("`FreeTensor` gives back a tensor of {name} that no `AllocTensor` hands out")
        }
        (Imbalance::NeverSet(_), false) => {
            format!("`DeQue` waits for ever: no `EnQue` puts a tensor into {name}")
        }
        (Imbalance::NeverSet(_), true) => {
            format!("`AllocTensor` waits for ever: no `FreeTensor` gives back a tensor of {name}")
        }
        (Imbalance::SetTwice(_), _) => set_again(facts, id),
        (Imbalance::Starved(_, by), false) => format!(
            "{name} has {} than `EnQue`: the last of them waits for ever",
            counted(*by, "more `DeQue` call")
        ),
        (Imbalance::Starved(_, by), true) => format!(
            "{name} has {} than free buffers: the last of them waits for ever",
            counted(*by, "more `AllocTensor` call")
        ),
        (Imbalance::Drift { by, .. }, false) => match *by > 0 {
            true => format!(
                "each iteration of the loop leaves a tensor in {name}: `EnQue` without `DeQue`"
            ),
            false => format!(
                "each iteration of the loop takes more tensors out of {name} than it puts in"
            ),
        },
        (Imbalance::Drift { by, .. }, true) => match *by > 0 {
            true => format!(
                "each iteration of the loop gives back more tensors of {name} than it allocates"
            ),
            false => format!(
                "each iteration of the loop allocates a tensor of {name} and gives none back: \
                 `AllocTensor` without `FreeTensor`"
            ),
        },
    })
}

/// Formats the message for a token that is still set when the kernel ends.
fn left_set(name: &str) -> String {
    format!("{name} is still set when the kernel ends: the next kernel on this core finds it")
}

/// Formats the message for a tensor that is left in a queue.
fn in_queue(facts: &Facts, id: EventId) -> String {
    format!(
        "`EnQue` puts a tensor into {} that no `DeQue` takes out",
        queue(facts, id)
    )
}

/// Formats a set of an event of a queue that is still set.
fn set_again(facts: &Facts, id: EventId) -> String {
    let (event, name) = (facts.program.event(id), queue(facts, id));
    match event.queue.is_some_and(|queue| queue.counts_free) {
        true => format!("`FreeTensor` gives back a tensor of {name} that is free already"),
        false => format!("`EnQue` puts a tensor into {name} while all of its buffers are enqueued"),
    }
}

/// Formats a queue: ``queue `in` (VECIN, 2 x 4096 B)``.
fn queue(facts: &Facts, id: EventId) -> String {
    let event = facts.program.event(id);
    let (mut details, mut bytes) = (Vec::new(), None);
    if let Some(end) = event.queue {
        details.push(end.position.to_owned());
        bytes = facts.memory.get(end.buffer).slot_bytes;
    }
    details.push(match bytes {
        Some(bytes) => format!("{} x {bytes} B", event.ids),
        None => counted(event.ids.into(), "buffer"),
    });
    format!("queue `{}` ({})", event.name, details.join(", "))
}

/// Returns the wait that a set lacks, as the author has written the set.
fn missing_wait(facts: &Facts, imbalance: &Imbalance) -> Option<String> {
    let Imbalance::NeverAwaited(call) = imbalance else {
        return None;
    };
    let set = call_text(facts, call);
    let wait = set.strip_prefix("`SetFlag<")?;
    Some(format!(
        "wait for it before the instruction that needs it: `WaitFlag<{wait}"
    ))
}

/// Returns where a queue whose tensors nothing gives back lacks its `FreeTensor`.
fn missing_free(facts: &Facts, imbalance: &Imbalance) -> Option<String> {
    let program = facts.program;
    let (Imbalance::Drift { call, .. } | Imbalance::Starved(call, _) | Imbalance::NeverSet(call)) =
        imbalance
    else {
        return None;
    };
    let Token::Event(id) = call.token else {
        return None;
    };
    let event = program.event(id);
    let queue = event.queue.filter(|queue| queue.counts_free)?;
    let frees = |it: &Call| it.token == call.token && it.act == Act::Set;
    if sync::calls(program).iter().any(frees) {
        return None;
    }
    let is_used = |(_, instr): &(&Stmt, &Instr)| {
        let mut views = instr.operands().filter_map(|(.., view)| view.local());
        views.any(|view| view.buffer == queue.buffer)
    };
    let (last, instr) = program.instructions().into_iter().rfind(is_used)?;
    let line = facts.source.line_column(last.span.start).line;
    Some(format!(
        "put `{}.FreeTensor(…)` after the last use of the tensor, {} in line {line}, on every path",
        event.name,
        crate::wording::call(facts, instr)
    ))
}

fn cpp_help(facts: &Facts, token: Token) -> &'static str {
    match token {
        Token::Event(id) if facts.program.event(id).queue.is_some() => {
            "call `AllocTensor`, `EnQue`, `DeQue` and `FreeTensor` once for each tensor, on every path"
        }
        _ => {
            "let every `SetFlag` be followed by one `WaitFlag`, on every path and around every loop"
        }
    }
}

/// Formats a token: `` the event `loaded` ``, `flag 3 from V to MTE2`.
fn name(facts: &Facts, call: &Call) -> String {
    token_name(facts, call.token)
}

fn token_name(facts: &Facts, token: Token) -> String {
    match token {
        Token::Event(id) => format!("the event `{}`", facts.program.event(id).name),
        Token::Raw(src, dst, id) => format!("flag {id} from {src} to {dst}"),
        Token::Flag(route, id) => format!("flag {id} from {}", route.awaited()),
        Token::Data(id) | Token::Credit(id) => format!("`{}`", facts.program.mutex(id).name),
    }
}

/// Reports what the replay saw.
fn seen(facts: &Facts, sink: &mut Sink) {
    for scene in Scene::all(facts, is_unbalanced) {
        let name = call(facts, scene.instr);
        let (message, token) = match scene.observation.kind() {
            Some(FindingKind::RepeatedSet(event)) => (repeated(facts, &name, event), event),
            Some(FindingKind::LeftSet(event)) => (left(facts, event), event),
            Some(FindingKind::FlagOverflow(id)) => {
                let message =
                    format!("{name} counts flag {id} past the 15 that the hardware holds");
                scene
                    .report(facts, sink, message)
                    .help(HELP)
                    .in_cpp("wait for the flag as often as it is set");
                continue;
            }
            _ => continue,
        };
        scene
            .report(facts, sink, message)
            .help(HELP)
            .in_cpp(cpp_help(facts, token_of(token)));
    }
}

fn token_of(event: EventRef) -> Token {
    match event {
        EventRef::Event(id) => Token::Event(id),
        EventRef::Raw(src, dst, id) => Token::Raw(src, dst, id),
    }
}

/// Reports the tracer's notes on queues. Where a tensor too many is `reported` already, the depth says nothing more.
fn of_protocol(facts: &Facts, reported: &[Span], sink: &mut Sink) {
    for note in &facts.program.notes {
        let NoteKind::Queue { name, fault } = &note.kind else {
            continue;
        };
        let is_here = |span: &Span| span.start <= note.span.start && note.span.end <= span.end;
        let (message, help) = match fault {
            QueueFault::AboveDepth(_) | QueueFault::Empty if reported.iter().any(is_here) => {
                continue;
            }
            QueueFault::AboveDepth(depth) => (
                format!(
                    "`EnQue` puts a tensor into queue `{name}`, which holds {} by its type, while as many are enqueued",
                    counted(*depth, "tensor")
                ),
                "call `DeQue` before the next `EnQue`, or give the queue a greater depth",
            ),
            QueueFault::Empty => (
                format!("`DeQue` takes a tensor of queue `{name}`, and none is enqueued"),
                "call `EnQue` before `DeQue`: a `DeQue` of an empty queue does not wait",
            ),
            QueueFault::Foreign { owner, .. } => (
                format!("`FreeTensor` gives queue `{name}` a tensor of `{owner}`"),
                "give a tensor back to the queue that it was allocated from",
            ),
        };
        let around = at_note(facts, note).and_then(|id| later_rounds(facts, id));
        let message = conditional(message, around);
        let mut report = sink.report_from(note.origin, note.span, message).help(help);
        // The device sets the flag of the tensor, which is then the right one: the simulator of the toolchain objects.
        if let QueueFault::Foreign {
            has_same_pipes: true,
            ..
        } = fault
        {
            report = report.severity(Severity::Warning);
        }
        if let Some(around) = around {
            report.label(around.span, RUNS).possible();
        }
    }
}

/// Returns a statement at the place of a note, of the same call of the function around it.
fn at_note(facts: &Facts, note: &Note) -> Option<StmtId> {
    let (origin, span) = (note.origin, note.span);
    let mut instructions = facts.instructions();
    instructions
        .find(|(stmt, _)| {
            let is_there = stmt.span.start <= span.start && span.end <= stmt.span.end;
            is_there && stmt.origin == origin
        })
        .map(|(stmt, _)| stmt.id)
}

/// Formats the message for setting a token, or a queue's event, that is still set.
fn repeated(facts: &Facts, call: &str, event: EventRef) -> String {
    match event {
        EventRef::Event(id) if facts.program.event(id).queue.is_some() => set_again(facts, id),
        _ => format!(
            "{call} sets {} while it is still set",
            token_name(facts, token_of(event))
        ),
    }
}

/// Formats the message for a token, or a queue's event, that is still set when the kernel ends.
fn left(facts: &Facts, event: EventRef) -> String {
    match event {
        EventRef::Event(id) if facts.program.event(id).queue.is_some() => in_queue(facts, id),
        _ => left_set(&token_name(facts, token_of(event))),
    }
}

fn is_unbalanced(seen: &Observation) -> bool {
    use FindingKind::{FlagOverflow, LeftSet, RepeatedSet};
    matches!(
        seen.kind(),
        Some(RepeatedSet(_) | LeftSet(_) | FlagOverflow(_))
    )
}
