use crate::declare_rule;
use crate::guards::{Crossing, End, Guards, is_launched, mutexes, producer};
use crate::hazards::{Fault, clashes, unfollowed};
use crate::tokens::{
    Act, FirstCalls, Token, call_text, calls, first_calls, may_have_unknown_tokens,
};
use crate::wording::{call, snippet};
use crate::{Facts, Sink};
use a2lint_ir::MutexId;

declare_rule! {
    /// ## What it does
    /// Reports calls of a mutex that do not match, and accesses outside of the section that they guard.
    ///
    /// That is so where
    ///
    /// * one of `lock`, `ready`, `wait`, `free` is missing,
    /// * `ready` without `lock` before it, or `free` without `wait`,
    /// * data that crosses between cube and vec is accessed before `lock` or `wait`, or after `ready` or
    ///   `free` (a warning for a kernel that the file does not launch),
    /// * `ready` or `free` follow another pipe than that of the access, and a run shows that the other side
    ///   proceeds too early.
    ///
    /// ## Why is this bad?
    /// A token covers the work before it. The consumer has not waited for a store after `ready()`, and a
    /// load after `free()` reads a slot that the producer may be filling again.
    ///
    /// ## Example
    /// ```python
    /// bridge.wait()
    /// bridge.free()
    /// tile <<= ws[core, half_row:half_row + HALF_M, 0:N]
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// bridge.wait()
    /// tile <<= ws[core, half_row:half_row + HALF_M, 0:N]
    /// bridge.free()
    /// ```
    ///
    /// ## Source
    /// Mutex cycle of the DSL: producer `lock … ready`, consumer `wait … free`.
    "SYN009" "mutex-protocol" Error, basis = AnyLaunch
}

fn check(facts: &Facts, sink: &mut Sink) {
    if !facts.program.mutexes.is_empty()
        && !may_have_unknown_tokens(facts.program)
        && !uses_flags(facts)
    {
        let guards = Guards::of(facts.program);
        let calls = first_calls(&calls(facts.program));
        for id in mutexes(facts.program) {
            missing(facts, &calls, id, sink);
        }
        unopened(facts, &guards, &calls, sink);
        if !is_launched(facts) {
            outside(facts, &guards, sink);
        }
    }
    seen(facts, sink);
    handed_over_early(facts, sink);
}

/// Returns whether the kernel sets or awaits flags between the sides by hand, which may be those of a mutex.
fn uses_flags(facts: &Facts) -> bool {
    let calls = calls(facts.program);
    calls
        .iter()
        .any(|call| matches!(call.token, Token::Flag(..)))
}

/// Returns the four calls of a mutex. Calls of one side are neighbours.
fn steps(id: MutexId) -> [(&'static str, Token, Act); 4] {
    [
        ("lock", Token::Credit(id), Act::Wait),
        ("ready", Token::Data(id), Act::Set),
        ("wait", Token::Data(id), Act::Wait),
        ("free", Token::Credit(id), Act::Set),
    ]
}

/// Reports a mutex that lacks one of its calls.
fn missing(facts: &Facts, calls: &FirstCalls, id: MutexId, sink: &mut Sink) {
    let of = |step: &(&str, Token, Act)| calls.get(&(step.1, step.2));
    let steps = steps(id);
    let Some(first) = steps.iter().find_map(of) else {
        return;
    };
    let Some(at) = steps.iter().position(|step| of(step).is_none()) else {
        return;
    };
    // The other call of the same side shows where the missing one belongs.
    let partner = of(&steps[at ^ 1]).unwrap_or(first);
    let mutex = facts.program.mutex(id);
    let (name, step) = (&mutex.name, steps[at].0);
    let consequence = match step {
        "lock" => "the producer never waits for a free slot",
        "ready" => "the consumer waits for ever",
        "wait" => "the consumer reads what may not be there yet",
        _ => "the producer runs out of free tokens",
    };
    let message = format!("`{name}.{step}()` is never called: {consequence}");
    let help = "the producer calls `lock()` and `ready()`, the consumer `wait()` and `free()`, \
                once each for a handover";
    sink.report_from(partner.stmt.origin, partner.stmt.span, message)
        .label(mutex.span, "the mutex")
        .help(help);
}

/// Reports `ready` and `free` calls without a `lock` or `wait` before them.
fn unopened(facts: &Facts, guards: &Guards, calls: &FirstCalls, sink: &mut Sink) {
    for close in &guards.unopened {
        let (opening, token) = match close.token {
            Token::Data(id) => ("lock", Token::Credit(id)),
            Token::Credit(id) => ("wait", Token::Data(id)),
            _ => continue,
        };
        // A call that is missing altogether is reported by `missing`.
        let Some(open) = calls.get(&(token, Act::Wait)) else {
            continue;
        };
        let message = format!(
            "{} without `{opening}()` before it",
            call_text(facts, close)
        );
        sink.report_from(close.stmt.origin, close.stmt.span, message)
            .label(open.stmt.span, format!("`{opening}()` comes after it"))
            .help(format!("call `{opening}()` first"));
    }
}

/// Reports accesses outside of the mutex that guards other accesses to the same workspace.
fn outside(facts: &Facts, guards: &Guards, sink: &mut Sink) {
    for workspace in guards.workspaces() {
        let of_it = guards
            .crossings
            .iter()
            .filter(|crossing| crossing.view.global == workspace);
        let crossings: Vec<&Crossing> = of_it.collect();
        let guarding = mutexes(facts.program).find(|&id| {
            let ends = [(End::Producer, true), (End::Consumer, false)];
            ends.into_iter().any(|(end, stores)| {
                let at_end =
                    |at: &&Crossing| at.stores == stores && at.is_at(facts.program, id, end);
                crossings
                    .iter()
                    .any(|at| at_end(at) && at.held.of(id, end) == Some(true))
            })
        });
        // `ring-contract` reports rings.
        let is_ring = facts.program.global(workspace).ring.is_some();
        let Some(id) = guarding.filter(|_| !is_ring) else {
            continue;
        };
        let mutex = facts.program.mutex(id);
        // A workspace that only one side uses needs no mutex.
        let crosses = [End::Producer, End::Consumer].into_iter().all(|end| {
            let stores = end == End::Producer;
            crossings
                .iter()
                .any(|at| at.stores == stores && at.is_at(facts.program, id, end))
        });
        let concerned = |at: &&&Crossing| {
            at.stores == (at.side == producer(mutex)) && crosses && at.held.is_nothing()
        };
        for at in crossings.iter().filter(concerned) {
            let message = format!(
                "{} of `{}` stands outside of `{}`, which guards it elsewhere",
                call(facts, at.instr),
                facts.program.global(workspace).name,
                mutex.name
            );
            sink.report_from(at.stmt.origin, at.stmt.span, message)
                .label(mutex.span, "the mutex")
                .help("store between `lock()` and `ready()`, load between `wait()` and `free()` of one mutex")
                .possible();
        }
    }
}

/// Reports what the replay saw.
fn seen(facts: &Facts, sink: &mut Sink) {
    for clash in clashes(facts, |fault| fault == Fault::Outside) {
        if clash.is_in_ring(facts.program) {
            continue;
        }
        let message = format!(
            "{}: `{}` stands outside of what a mutex or flag guards",
            clash.sentence(facts),
            snippet(facts, clash.outsider(facts.program).span),
        );
        let help =
            "store between `lock()` and `ready()`, load between `wait()` and `free()` of one mutex";
        clash
            .report_at(clash.outsider(facts.program), facts, sink, message)
            .help(help);
    }
}

/// Reports a token that is handed over before the access that it guards has ended.
fn handed_over_early(facts: &Facts, sink: &mut Sink) {
    for clash in clashes(facts, |fault| matches!(fault, Fault::OtherPipe(_))) {
        let Fault::OtherPipe(id) = clash.fault else {
            continue;
        };
        let mutex = facts.program.mutex(id);
        let Some((closes, argument)) = unfollowed(mutex, clash.hazard) else {
            continue;
        };
        if clash.is_in_ring(facts.program) {
            continue;
        }
        let (name, pipe) = (&mutex.name, clash.hazard.first.pipe.name());
        let message = format!(
            "{}: `{name}` is handed over on {}, which does not wait for {pipe}",
            clash.sentence(facts),
            closes.name(),
        );
        clash
            .report(facts, sink, message)
            .label(mutex.span, format!("`{argument}` is {}", closes.name()))
            .help(format!("write `{argument}=Pipe.{pipe}`"));
    }
}
