use crate::declare_rule;
use crate::sightings::Scene;
use crate::synchronisation::event_balance::{Imbalance, imbalances};
use crate::tokens::{Call, Token, are_obscure, call_text};
use crate::wording::{call, counted};
use crate::{Facts, Sink};
use a2lint_machine::FindingKind;
use a2lint_replay::Sighting;

declare_rule! {
    /// ## What it does
    /// Reports events and flags whose sets and waits do not match.
    ///
    /// That is so for
    ///
    /// * one that is set and never awaited in the kernel, or awaited and never set,
    /// * an event that is set while it is still set, on every path or as it was seen to happen,
    /// * more waits than sets on every path,
    /// * a loop in which each iteration sets an event more often than it waits for it, or the other way
    ///   round (a warning where the number of iterations is not known),
    /// * a counted flag that was seen to pass its limit of 15.
    ///
    /// An event that was set from the start (`preset=True`) and is set again at the end is balanced.
    ///
    /// ## Why is this bad?
    /// An event is one bit for each hardware id. A second set is lost, and the wait that belongs to
    /// it takes the next one's place: from there on the pipes are one step apart, or stand still. A
    /// wait without a set holds up its pipe for ever, and a set without a wait is what the next
    /// kernel finds.
    ///
    /// ## Example
    /// ```python
    /// for tile in range(tiles):
    ///     x_in <<= x[tile, 0:N]
    ///     loaded.set()                    # nobody waits inside the loop
    /// loaded.wait()
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
    /// ## Source
    /// A2 events: one bit per pair of pipes and id.
    "SYN002" "event-unbalanced" Error, basis = AnyLaunch, property = Progress
}

fn check(facts: &Facts, sink: &mut Sink) {
    if !are_obscure(facts.program) {
        for imbalance in imbalances(facts.program) {
            report(facts, &imbalance, sink);
        }
    }
    seen(facts, sink);
}

/// Reports an imbalance that holds for any launch.
fn report(facts: &Facts, imbalance: &Imbalance, sink: &mut Sink) {
    const HELP: &str = "let every set be followed by one wait, on every path and around every loop";
    let (call, message) = match imbalance {
        Imbalance::NeverAwaited(call) => {
            let what = name(facts, call);
            (
                call,
                format!(
                    "nothing in the kernel waits for {what}, which {} sets",
                    call_text(facts, call)
                ),
            )
        }
        Imbalance::NeverSet(call) => {
            let what = name(facts, call);
            (
                call,
                format!(
                    "{} waits for ever: nothing in the kernel sets {what}",
                    call_text(facts, call)
                ),
            )
        }
        Imbalance::SetTwice(call) => (
            call,
            format!(
                "{} sets {} while it is still set",
                call_text(facts, call),
                name(facts, call)
            ),
        ),
        Imbalance::Starved(call, by) => {
            let more = counted(*by, "more wait");
            (
                call,
                format!(
                    "{} has {more} than sets: the last of them waits for ever",
                    name(facts, call)
                ),
            )
        }
        Imbalance::Drift { call, by, .. } => {
            let what = name(facts, call);
            let [more, fewer] = if *by > 0 {
                ["set", "waited for"]
            } else {
                ["waited for", "set"]
            };
            (
                call,
                format!(
                    "{what} is {more} more often than it is {fewer} in each iteration of the loop"
                ),
            )
        }
    };
    let mut report = sink
        .report_from(call.stmt.origin, call.stmt.span, message)
        .help(HELP);
    if let Imbalance::Drift { body, trips, .. } = imbalance {
        report = report.label(body.span, "the loop");
        if trips.is_none() {
            report = report.possible();
        }
    }
    drop(report);
}

/// Formats a token: `` the event `loaded` ``, `flag 3 from V to MTE2`.
fn name(facts: &Facts, call: &Call) -> String {
    match call.token {
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
        let message = match scene.sighting.kind() {
            Some(FindingKind::RepeatedSet(event)) => {
                let event = &facts.program.event(event).name;
                format!("{name} sets the event `{event}` while it is still set")
            }
            Some(FindingKind::FlagOverflow(id)) => {
                format!("{name} counts flag {id} past the 15 that the hardware holds")
            }
            _ => continue,
        };
        scene
            .report(facts, sink, message)
            .help("let every set be followed by one wait, on every path and around every loop");
    }
}

fn is_unbalanced(seen: &Sighting) -> bool {
    use FindingKind::{FlagOverflow, RepeatedSet};
    matches!(seen.kind(), Some(RepeatedSet(_) | FlagOverflow(_)))
}
