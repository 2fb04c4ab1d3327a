use crate::declare_rule;
use crate::observations::Scene;
use crate::wording::call;
use crate::{Facts, Report, Sink};
use a2lint_ir::finding::Severity;
use a2lint_ir::{Mutex, Program, Stmt};
use a2lint_isa::{Act, Channel, Class};
use a2lint_machine::FindingKind;
use a2lint_replay::Observation;
use a2lint_source::text::Span;

declare_rule! {
    /// ## What it does
    /// Reports two mutexes with one flag id, and flag ids out of range: an error above 15 or below 0,
    /// a warning above 10, or where a function of the library takes the id by itself.
    ///
    /// ## Why is this bad?
    /// A flag is taken by whichever side waits for its id. Two mutexes that share an id take each other's
    /// tokens: one side continues although its data is not there, and the other one waits for ever.
    ///
    /// ## Example
    /// ```python
    /// scores = CvMutex(0)
    /// weights = VcMutex(0)
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// scores = CvMutex(0)
    /// weights = VcMutex(1)
    /// ```
    ///
    /// ## Source
    /// Public DSL documentation on synchronisation, section 2.1. The hardware references disagree on
    /// the range: 0..10 in the older one, 0..15 in the newer.
    "SYN011" "flag-id" Error, basis = Constants, property = Progress
}

fn check(facts: &Facts, sink: &mut Sink) {
    let mutexes = &facts.program.mutexes;
    for (at, mutex) in mutexes.iter().enumerate() {
        let Some(id) = mutex.flag_id else { continue };
        let first = mutexes[..at].iter().find(|other| other.flag_id == Some(id));
        if let Some(first) = first.filter(|first| first.span != mutex.span) {
            shared(facts, first, mutex, id, sink);
        } else if let Some((severity, message)) = out_of_range(facts.program, id) {
            ranged(facts, sink.report(mutex.span, message), severity);
        }
    }
    let library = library_call(facts);
    for (stmt, instr) in facts.instructions() {
        if instr.row().class != Class::CrossFlag {
            continue;
        }
        let id = instr
            .scalar_named("flag_id")
            .and_then(|id| facts.program.scalars.as_int(id));
        if let Some((call, span)) = library
            && let Some(id) = id
            && instr.called.as_deref() != Some(call)
            && is_taken(facts.program, id)
        {
            taken(facts, stmt, (id, call, span), sink);
        }
        if let Some((severity, message)) = id.and_then(|id| out_of_range(facts.program, id)) {
            let message = format!("{} with {message}", call(facts, instr));
            ranged(
                facts,
                sink.report_from(stmt.origin, stmt.span, message),
                severity,
            );
        }
    }
    let is_id = |seen: &Observation| matches!(seen.kind(), Some(FindingKind::FlagId(_)));
    for scene in Scene::all(facts, is_id) {
        let flag_id = scene.instr.scalar_named("flag_id");
        // Constants are looked at above.
        let is_computed = flag_id.is_some_and(|id| facts.program.scalars.as_int(id).is_none());
        let Some(FindingKind::FlagId(id)) = scene.observation.kind().filter(|_| is_computed) else {
            continue;
        };
        if let Some((severity, message)) = out_of_range(facts.program, id) {
            let message = format!("{} with {message}", call(facts, scene.instr));
            ranged(facts, scene.report(facts, sink, message), severity);
        }
    }
}

/// Returns the name and the place of the first library call that uses flags internally. Such a call both sets and
/// awaits flags.
fn library_call<'p>(facts: &Facts<'p>) -> Option<(&'p str, Span)> {
    facts.program.toolchain.ids.library_flags?;
    let calls = facts.instructions().filter_map(|(stmt, instr)| {
        let (act, channel) = instr.row().signal()?;
        let is_flag = matches!(channel, Channel::Flag(_));
        Some((
            &**instr.called.as_ref().filter(|_| is_flag)?,
            stmt.span,
            act,
        ))
    });
    let calls: Vec<_> = calls.collect();
    let sets = calls.iter().filter(|(_, _, act)| *act == Act::Set);
    sets.copied().find_map(|(name, span, _)| {
        let awaits = |&&(other, place, act): &&(&str, Span, Act)| {
            (other, place, act) == (name, span, Act::Wait)
        };
        calls.iter().find(awaits).map(|_| (name, span))
    })
}

fn is_taken(program: &Program, id: i64) -> bool {
    let taken = program.toolchain.ids.library_flags;
    taken.is_some_and(|(first, last)| (first..=last).contains(&id))
}

fn taken(facts: &Facts, stmt: &Stmt, (id, by, span): (i64, &str, Span), sink: &mut Sink) {
    let (first, last) = facts
        .program
        .toolchain
        .ids
        .library_flags
        .unwrap_or((id, id));
    let message = format!("flag id {id} is one of those that `{by}` takes, {first} to {last}");
    sink.report_from(stmt.origin, stmt.span, message)
        .severity(Severity::Warning)
        .label(span, "called here")
        .help(format!("use an id from 0 to {}", first - 1));
}

fn shared(facts: &Facts, first: &Mutex, second: &Mutex, id: i64, sink: &mut Sink) {
    let ids = facts
        .program
        .mutexes
        .iter()
        .filter_map(|mutex| mutex.flag_id);
    let used: Vec<i64> = ids.collect();
    let ids = ids_for_authors(facts.program);
    let free = (0..ids).find(|id| !used.contains(id));
    let message = format!(
        "flag id {id} belongs to {} already: both mutexes take each other's tokens",
        name(first)
    );
    let report = sink
        .report(second.span, message)
        .label(first.span, format!("id {id} first used here"));
    if let Some(free) = free {
        report.help(format!(
            "give {} an id of its own: {free} is free",
            name(second)
        ));
    }
}

fn name(mutex: &Mutex) -> String {
    match mutex.name.as_str() {
        "" => "another mutex".to_owned(),
        name => format!("`{name}`"),
    }
}

fn out_of_range(program: &Program, id: i64) -> Option<(Severity, String)> {
    let ids = program.toolchain.flag_ids(program.device);
    let last = ids - 1;
    if !(0..ids).contains(&id) {
        return Some((
            Severity::Error,
            format!("flag id {id}; ids go from 0 to {last}"),
        ));
    }
    let documented = ids_for_authors(program);
    (id >= documented).then(|| {
        let safe = documented - 1;
        let message =
            format!("flag id {id}; ids above {safe} are not documented for every A2 device");
        (Severity::Warning, message)
    })
}

fn ranged(facts: &Facts, report: Report, severity: Severity) {
    let ids = ids_for_authors(facts.program);
    report
        .severity(severity)
        .help(format!("use an id from 0 to {}", ids - 1));
}

/// Returns the number of ids that authors may use on every A2 device.
fn ids_for_authors(program: &Program) -> i64 {
    program.toolchain.documented_flag_ids(program.device)
}
