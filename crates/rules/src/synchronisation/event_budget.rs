use crate::declare_rule;
use crate::reached::later_rounds;
use crate::tokens::{Call, Token, calls};
use crate::wording::counted;
use crate::{Facts, Sink};
use a2lint_analysis::{IdFaultKind, id_faults};
use a2lint_ir::finding::Severity;
use a2lint_ir::{Event, NoteKind, Program};
use a2lint_isa::Pipe;
use a2lint_source::text::Span;
use rustc_hash::FxHashMap;

declare_rule! {
    /// ## What it does
    /// Adds up the hardware ids of the events between each ordered pair of pipes: more than 8 are an
    /// error, more than 6 a warning.
    ///
    /// `SEvent`, `DEvent`, `TEvent` and `QEvent` take 1, 2, 3 and 4 ids. The ids that `auto_sync` takes
    /// come on top and are not counted here. In AscendC, a buffer of a queue holds an id from `EnQue` to `DeQue`, and
    /// one from `FreeTensor` to the next `AllocTensor`: more than 8 at once are an error. A flag set by hand with an id
    /// that a queue holds is a remark. The number of a raw flag (`setflag`, `waitflag`) is such
    /// an id, too: 0 to 5 are free, 6 and 7 belong to the toolchain, there is none above.
    ///
    /// ## Why is this bad?
    /// There are 8 ids for a pair, and the toolchain keeps the last two for itself. Events that share
    /// an id release each other's waits.
    ///
    /// ## Example
    /// ```python
    /// loads = [QEvent(Pipe.MTE2, Pipe.V) for _ in unroll(3)]     # 12 ids
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// loads = [DEvent(Pipe.MTE2, Pipe.V) for _ in unroll(3)]     # 6 ids
    /// ```
    ///
    /// ## Source
    /// Public DSL documentation on synchronisation: 8 ids per ordered pair of pipes.
    "SYN004" "event-budget" Error, basis = Constants, property = Progress
}

/// Number of ids that kernels of AscendC without a `TPipe` leave to the compiler and the API.
const KEPT: i64 = 2;

fn check(facts: &Facts, sink: &mut Sink) {
    let mut pairs: Vec<(Pipe, Pipe)> = Vec::new();
    let are_pooled = facts.program.toolchain.ids.are_pooled;
    for event in facts.program.events.iter().filter(|_| !are_pooled) {
        if let Some(pair) = pair(event)
            && !pairs.contains(&pair)
        {
            pairs.push(pair);
        }
    }
    for of in pairs {
        let events = facts.program.events.iter();
        let events: Vec<&Event> = events.filter(|event| pair(event) == Some(of)).collect();
        report(facts.program, &events, of, sink);
    }
    pooled(facts, sink);
    // An id that a loop computes is several calls at one place: the largest says most.
    let mut raws: Vec<(&Call, (Pipe, Pipe, i64))> = Vec::new();
    let mut places: FxHashMap<(Span, Pipe, Pipe), usize> = FxHashMap::default();
    let all = calls(facts.program);
    for call in all.iter() {
        let Token::Raw(src, dst, id) = call.token else {
            continue;
        };
        let at = *places
            .entry((call.stmt.span, src, dst))
            .or_insert(raws.len());
        match raws.get_mut(at) {
            Some((_, of)) if of.2 >= id => {}
            Some(known) => *known = (call, (src, dst, id)),
            None => raws.push((call, (src, dst, id))),
        }
    }
    for (call, token) in raws {
        raw(facts.program, call, token, sink);
    }
}

/// Reports queues of AscendC whose ids are exhausted or taken by hand.
fn pooled(facts: &Facts, sink: &mut Sink) {
    let program = facts.program;
    for fault in id_faults(program).iter().filter(|fault| fault.is_certain) {
        let Some(stmt) = program.statement(fault.stmt) else {
            continue;
        };
        let (src, dst) = fault.pair;
        let (_, all) = ids(program);
        let (severity, message, help) = match fault.kind {
            IdFaultKind::Exhausted => (
                Severity::Error,
                format!(
                    "this buffer needs an event id from {src} to {dst}, and other buffers hold all {all} of them"
                ),
                "give the queues of one position 8 buffers in all at most",
            ),
            // The manual leaves open what two sets do, and public kernels live with it: progress is not proved.
            IdFaultKind::Shared { id, queue } => (
                Severity::Info,
                format!(
                    "flag {id} from {src} to {dst} is set by hand, and queue `{}` has taken the id and set it as well",
                    program.event(queue).name
                ),
                "take an id from the pool: `GetTPipePtr()->AllocEventID<HardEvent::…>()`",
            ),
            IdFaultKind::Unknown => continue,
        };
        let mut report = sink
            .report_from(stmt.origin, stmt.span, message)
            .severity(severity)
            .help(help);
        for event in program
            .events
            .iter()
            .filter(|event| pair(event) == Some(fault.pair))
        {
            report = report.label(event.span, counted(i64::from(event.ids), "buffer"));
        }
        if let Some(around) = later_rounds(facts, fault.stmt) {
            let report = report.label(around.span, "if this loop runs");
            // A remark stays one.
            if severity == Severity::Error {
                report.possible();
            }
        }
    }
}

/// Returns how many ids of a pair the toolchain leaves to authors, and how many the hardware has.
fn ids(program: &Program) -> (i64, i64) {
    let all = program.device.limits.event_ids;
    (program.toolchain.event_ids(program.device), all)
}

/// Reports a raw flag whose number is out of range or reserved.
fn raw(program: &Program, call: &Call, (src, dst, id): (Pipe, Pipe, i64), sink: &mut Sink) {
    let (mut free, all) = ids(program);
    // The compiler and the API synchronise by these where a kernel has no pool of ids.
    if program
        .notes
        .iter()
        .any(|note| note.kind == NoteKind::WithoutPipe)
    {
        free = free.min(all - KEPT);
    }
    if (0..free).contains(&id) {
        return;
    }
    let (why, severity) = match (free..all).contains(&id) {
        true => (
            "the toolchain keeps it for itself".to_owned(),
            Severity::Warning,
        ),
        false => (format!("the pair has 0 to {}", all - 1), Severity::Error),
    };
    let message = format!("flag {id} from {src} to {dst}: {why}");
    sink.report_from(call.stmt.origin, call.stmt.span, message)
        .severity(severity)
        .help(format!("use an id from 0 to {}", free - 1));
}

fn pair(event: &Event) -> Option<(Pipe, Pipe)> {
    event.src.zip(event.dst)
}

fn report(program: &Program, events: &[&Event], (src, dst): (Pipe, Pipe), sink: &mut Sink) {
    let (free, all) = ids(program);
    let mut total = 0;
    let mut first = None;
    for event in events {
        total += i64::from(event.ids);
        if total > free && first.is_none() {
            first = Some(event.span);
        }
    }
    let Some(span) = first else { return };
    let (limit, severity) = match total > all {
        true => (format!("the pair has {all}"), Severity::Error),
        false => (
            format!("{free} are free, the toolchain keeps {}", all - free),
            Severity::Warning,
        ),
    };
    let message = format!(
        "{} events from {src} to {dst} take {total} ids; {limit}",
        events.len()
    );
    let mut report = sink
        .report(span, message)
        .severity(severity)
        .help("use events with fewer slots, or one event for buffers that turn over together");
    for event in events.iter().filter(|event| event.span != span) {
        let ids = match event.ids {
            1 => "1 id".to_owned(),
            ids => format!("{ids} ids"),
        };
        report = report.label(event.span, ids);
    }
}
