//! Proposals about events and mutexes: where tokens are released and acquired, how many there are, and their ids.

use super::Propose;
use super::places::{Role, places};
use crate::repair::Candidate;
use crate::repair::lifted::Lifted;
use crate::repair::scene::{Scene, guess, order, replace};
use a2lint_ir::Mutex;
use a2lint_ir::finding::Edit;
use a2lint_ir::sync::{Call, Token, calls as calls_of};
use a2lint_rules::fix::is_sound;
use a2lint_source::text::Span;

pub(super) const PROPOSALS: &[(&str, Propose)] = &[
    ("event-unbalanced", tokens),
    ("deadlock", tokens),
    ("mutex-protocol", tokens),
    ("one-lane-token", tokens),
    ("release-unguarded", tokens),
    ("ring-contract", tokens),
    ("missing-mutex", out_of_place),
    ("mutex-depth", depth),
    ("ring-contract", depth),
    ("event-budget", fewer_slots),
    ("flag-id", free_id),
];

/// Number of moved calls that are proposed for a finding that names no token.
const MOST_PUT_RIGHT: usize = 12;

/// Number of statements of its block that a call is moved over.
const REACH: usize = 3;

/// A call of an event or mutex in the source, `name.method()`.
#[derive(Clone, Copy)]
struct TokenCall<'a> {
    span: Span,
    name: &'a str,
    method: &'a str,
}

/// Returns the calls of the tokens that a finding concerns, nearest first; of all tokens if it names none.
fn own_calls<'a>(scene: &Scene<'a>) -> Vec<TokenCall<'a>> {
    let all = calls(scene);
    let line = scene.lines(scene.finding.span);
    let mut places: Vec<Span> = scene.labels().map(|span| scene.lines(span)).collect();
    places.push(line);
    let declares = |name: &str| {
        places.iter().any(|&place| {
            let declared = scene.text(place).split('=').next().unwrap_or_default();
            declared.trim() == name
        })
    };
    let is_near = |call: &TokenCall| {
        places
            .iter()
            .any(|place| place.start <= call.span.start && call.span.end <= place.end)
    };
    let near: Vec<&str> = all
        .iter()
        .filter(|call| is_near(call))
        .map(|call| call.name)
        .collect();
    let named = |name: &str| near.contains(&name) || declares(name);
    let has_own = all.iter().any(|call| named(call.name));
    let mut own: Vec<TokenCall> = all
        .into_iter()
        .filter(|it| !has_own || named(it.name))
        .collect();
    own.sort_by_key(|call| call.span.start.abs_diff(scene.finding.span.start));
    own
}

/// Returns all calls of events and mutexes in the kernel.
fn calls<'a>(scene: &Scene<'a>) -> Vec<TokenCall<'a>> {
    let Some(program) = scene.program() else {
        return Vec::new();
    };
    let mut all: Vec<TokenCall> = Vec::new();
    for (stmt, _) in program.instructions() {
        let text = scene.text(stmt.span);
        let Some((name, method)) = text.strip_suffix("()").and_then(|it| it.rsplit_once('.'))
        else {
            continue;
        };
        let is_token = ["set", "wait", "lock", "ready", "free"].contains(&method);
        if is_token && !all.iter().any(|known| known.span == stmt.span) {
            all.push(TokenCall {
                span: stmt.span,
                name,
                method,
            });
        }
    }
    all
}

/// Returns the methods that a call waits for or that wait for it.
fn partners(method: &str) -> &'static [&'static str] {
    match method {
        "lock" => &["ready"],
        "ready" => &["lock", "wait"],
        "free" => &["wait"],
        "set" => &["wait"],
        _ => &["free", "set", "ready"],
    }
}

fn tokens(scene: &Scene) -> Vec<Candidate> {
    let calls = own_calls(scene);
    let lacking = lacking(scene, &calls);
    let mut all: Vec<Candidate> = Vec::new();
    for (partner, wanted) in &lacking {
        all.extend(added(scene, partner, wanted, &calls));
    }
    all.extend(given_twice(scene, &calls));
    for call in &calls {
        all.extend(put_right(scene, call, &calls));
    }
    for (partner, wanted) in &lacking {
        all.extend(added_below(scene, partner, wanted));
    }
    // The place of a `set` is where the work is done; the `wait` is what may be misplaced.
    let is_event = scene.finding.name == "event-unbalanced";
    let (waits, others): (Vec<TokenCall>, Vec<TokenCall>) = calls
        .iter()
        .partition(|call| is_event && call.method == "wait");
    for call in waits.iter().chain(&others) {
        all.extend(beside_partner(scene, call, &calls));
    }
    for call in &calls {
        all.extend(moved(scene, call));
    }
    all
}

/// Proposes to move misplaced calls of any token, nearest first.
pub(super) fn out_of_place(scene: &Scene) -> Vec<Candidate> {
    let mut calls = calls(scene);
    calls.sort_by_key(|call| call.span.start.abs_diff(scene.finding.span.start));
    let all = calls.iter().flat_map(|call| put_right(scene, call, &calls));
    let elsewhere = all.filter(|candidate| is_sound(scene.source, &candidate.edits));
    elsewhere.take(MOST_PUT_RIGHT).collect()
}

/// Returns the method that ends or begins the same critical section.
fn counterpart<'m>(call: &TokenCall, calls: &[TokenCall], method: &'m str) -> &'m str {
    let is_mutex = |it: &TokenCall| matches!(it.method, "lock" | "ready" | "free");
    let is_event = !calls.iter().any(|it| it.name == call.name && is_mutex(it));
    match method {
        "lock" => "ready",
        "ready" => "lock",
        "free" => "wait",
        "wait" if is_event => "set",
        "wait" => "free",
        _ => "wait",
    }
}

/// Returns the calls without a counterpart, with the missing method.
fn lacking<'a>(scene: &Scene, calls: &[TokenCall<'a>]) -> Vec<(TokenCall<'a>, &'static str)> {
    let all = [
        ("lock", "ready"),
        ("ready", "lock"),
        ("wait", "free"),
        ("free", "wait"),
        ("wait", "set"),
        ("set", "wait"),
    ];
    let mut found = Vec::new();
    for call in calls {
        let wanted = all.into_iter().find(|(method, wanted)| {
            *method == call.method && counterpart(call, calls, method) == *wanted
        });
        let Some((_, wanted)) = wanted else { continue };
        let chain = scene.in_function(call.span.start);
        let block = chain.last().map_or(&[][..], |within| within.block);
        let within = block.first().zip(block.last());
        let within = within.map_or(call.span, |(first, last)| first.span.to(last.span));
        let count = |method: &str, whole: Option<Span>| {
            let own = calls.iter().filter(|it| it.name == call.name);
            let own = own.filter(|it| it.method == method);
            own.filter(|it| whole.is_none_or(|whole| whole.to(it.span) == whole))
                .count()
        };
        // The counterpart may be in another block, so the total numbers count, too.
        let is_lacking = count(wanted, None) == 0
            || count(wanted, Some(within)) < count(call.method, Some(within))
                && count(wanted, None) < count(call.method, None);
        if is_lacking {
            found.push((*call, wanted));
        }
    }
    found
}

/// Proposes to add a missing call where it belongs.
fn added(scene: &Scene, partner: &TokenCall, wanted: &str, calls: &[TokenCall]) -> Vec<Candidate> {
    let text = format!("{}.{wanted}()", partner.name);
    let edits = belonging(scene, partner, wanted, calls, std::slice::from_ref(&text));
    let candidate = |edit| order(format!("add `{text}`"), vec![edit]);
    edits.into_iter().map(candidate).collect()
}

/// Returns the insertions of lines at the places of a method, near its partner call.
fn belonging(
    scene: &Scene,
    partner: &TokenCall,
    method: &str,
    calls: &[TokenCall],
    lines: &[String],
) -> Vec<Edit> {
    let Some(role) = Role::of(scene, partner.span, method) else {
        return Vec::new();
    };
    let repeats = |code: Span| {
        let mut same = calls
            .iter()
            .filter(|it| it.name == partner.name && it.method == partner.method);
        same.any(|it| code.to(it.span) == code)
    };
    let places = places(scene, partner.span, &role, &repeats);
    let edits = places.into_iter();
    edits
        .filter_map(|place| place.insert(scene, lines))
        .collect()
}

/// Proposes to add a missing call after each statement that follows its partner, or directly before the partner.
fn added_below(scene: &Scene, partner: &TokenCall, wanted: &str) -> Vec<Candidate> {
    let text = format!("{}.{wanted}()", partner.name);
    let lines = std::slice::from_ref(&text);
    let chain = scene.in_function(partner.span.start);
    let Some(within) = chain.last() else {
        return Vec::new();
    };
    let above = scene.above(partner.span, lines);
    let following = within.block.iter().skip(within.at);
    let below = following.filter_map(|code| scene.below(code.span, lines));
    let edits: Vec<Edit> = match wanted {
        "lock" | "set" => above.into_iter().chain(below).collect(),
        _ => below.chain(above).collect(),
    };
    let candidate = |edit| order(format!("add `{text}`"), vec![edit]);
    edits.into_iter().map(candidate).collect()
}

/// Proposes to move a call to where it belongs, near its counterparts.
fn put_right(scene: &Scene, call: &TokenCall, calls: &[TokenCall]) -> Vec<Candidate> {
    let Some(lifted) = Lifted::of(scene, call.span) else {
        return Vec::new();
    };
    let wanted = counterpart(call, calls, call.method);
    let partners = calls
        .iter()
        .filter(|it| it.name == call.name && it.method == wanted);
    let mut all = Vec::new();
    for partner in partners {
        for edit in belonging(scene, partner, call.method, calls, &lifted.lines) {
            let line = scene.source.line_column(edit.span.start).line;
            let title = format!("move `{}` to line {line}", scene.text(call.span));
            all.push(order(title, vec![edit, lifted.edit.clone()]));
        }
    }
    all
}

/// Proposes to remove one of two equal calls: that of the finding, or one directly after its equal.
fn given_twice(scene: &Scene, calls: &[TokenCall]) -> Vec<Candidate> {
    let repeats = |call: &TokenCall| {
        let chain = scene.in_function(call.span.start);
        let before = chain.last().and_then(|within| {
            let before = within.block.get(within.at.checked_sub(1)?)?;
            Some(scene.text(before.span))
        });
        before == Some(scene.text(call.span))
    };
    let here = calls
        .iter()
        .filter(|call| scene.lines(call.span) == scene.lines(scene.finding.span) || repeats(call));
    let twice = here.filter(|call| {
        let same = |other: &&TokenCall| (other.name, other.method) == (call.name, call.method);
        calls.iter().filter(same).count() > 1
    });
    let remove = |call: &TokenCall| {
        let title = format!("leave out the second `{}`", scene.text(call.span));
        order(title, vec![scene.without(call.span)])
    };
    twice.map(remove).collect()
}

/// Proposes to move a call directly before or after its partner.
fn beside_partner(scene: &Scene, call: &TokenCall, calls: &[TokenCall]) -> Vec<Candidate> {
    let partners = partners(call.method);
    let others = calls
        .iter()
        .filter(|it| it.name == call.name && partners.contains(&it.method));
    let mut all = Vec::new();
    let Some(lifted) = Lifted::of(scene, call.span) else {
        return all;
    };
    let text = scene.text(call.span);
    for other in others {
        let edits = [
            scene.below(other.span, &lifted.lines),
            scene.above(other.span, &lifted.lines),
        ];
        for edit in edits.into_iter().flatten() {
            let title = format!("move `{text}` to `{}`", scene.text(other.span));
            all.push(order(title, vec![edit, lifted.edit.clone()]));
        }
    }
    all
}

/// Proposes to move a call by a few statements within its block, or out of the block.
fn moved(scene: &Scene, call: &TokenCall) -> Vec<Candidate> {
    let chain = scene.in_function(call.span.start);
    let (Some(within), Some(lifted)) = (chain.last(), Lifted::of(scene, call.span)) else {
        return Vec::new();
    };
    let text = scene.text(call.span);
    let line = |span: Span| scene.source.line_column(span.start).line;
    let mut all = Vec::new();
    let mut push = |edit: Option<Edit>, title: String| {
        all.extend(edit.map(|edit| order(title, vec![edit, lifted.edit.clone()])));
    };
    for far in 1..=REACH {
        if let Some(code) = within.block.get(within.at + far) {
            let edit = scene.below(code.span, &lifted.lines);
            push(
                edit,
                format!("move `{text}` below line {}", line(code.span)),
            );
        }
        if let Some(code) = within
            .at
            .checked_sub(far)
            .and_then(|at| within.block.get(at))
        {
            let edit = scene.above(code.span, &lifted.lines);
            push(
                edit,
                format!("move `{text}` above line {}", line(code.span)),
            );
        }
    }
    if let Some(outer) = chain.len().checked_sub(2).and_then(|at| chain.get(at)) {
        let edit = scene.below(outer.code().span, &lifted.lines);
        push(edit, format!("move `{text}` out of its block"));
    }
    all
}

/// Proposes a smaller depth for a mutex, down to one token.
fn depth(scene: &Scene) -> Vec<Candidate> {
    let Some(program) = scene.program() else {
        return Vec::new();
    };
    let declared = scene.labels().collect::<Vec<_>>();
    let is_own = |mutex: &&Mutex| {
        declared.contains(&mutex.span)
            || scene.finding.message.contains(&format!("`{}`", mutex.name))
    };
    let mut all = Vec::new();
    for mutex in program.mutexes.iter().filter(is_own) {
        // The default depth is 2.
        let depth = mutex.depth.unwrap_or(2);
        for fewer in (1..depth).rev() {
            let edit = match scene.keyword(mutex.span, "depth") {
                Some(value) => Some(replace(value, fewer.to_string())),
                None => scene.append(mutex.span, &format!("depth={fewer}")),
            };
            all.extend(edit.map(|edit| order(format!("set `depth={fewer}`"), vec![edit])));
        }
    }
    all
}

/// Proposes fewer slots for an event.
fn fewer_slots(scene: &Scene) -> Vec<Candidate> {
    let rings = ["SEvent", "DEvent", "TEvent", "QEvent"];
    let mut all = Vec::new();
    for span in scene.labels().chain([scene.finding.span]) {
        let head = scene.text(span).split('(').next().unwrap_or_default();
        let Some(at) = rings.iter().position(|ring| head.ends_with(ring)) else {
            continue;
        };
        for ring in rings[..at].iter().rev() {
            let end = span.start + head.len() as u32;
            let start = end - rings[at].len() as u32;
            let edit = replace(Span { start, end }, *ring);
            all.push(guess(format!("make it a {ring}"), vec![edit]));
        }
    }
    all
}

/// Proposes an id that is not in use.
fn free_id(scene: &Scene) -> Vec<Candidate> {
    let Some(program) = scene.program() else {
        return Vec::new();
    };
    let ids = program.toolchain.documented_flag_ids(program.device);
    let flag = |call: Call| match call.token {
        Token::Flag(_, id) => Some((*scene.arguments(call.stmt.span).first()?, id)),
        _ => None,
    };
    let flags: Vec<(Span, i64)> = calls_of(program).into_iter().filter_map(flag).collect();
    let taken = |id: &i64| {
        program
            .mutexes
            .iter()
            .any(|mutex| mutex.flag_id == Some(*id))
            || flags.iter().any(|(_, other)| other == id)
    };
    let Some(free) = (0..ids).find(|id| !taken(id)) else {
        return Vec::new();
    };
    let here = scene.finding.span;
    let title = format!("use id {free}");
    // The id of a mutex occurs once; raw flags of one id have several calls, which must agree.
    if let Some(mutex) = program
        .mutexes
        .iter()
        .find(|mutex| mutex.span.start <= here.start && here.end <= mutex.span.end)
    {
        let first = scene.arguments(mutex.span).first().copied();
        return first
            .map(|span| order(title, vec![replace(span, free.to_string())]))
            .into_iter()
            .collect();
    }
    let statement = scene.statement(here).unwrap_or(here);
    let own = flags
        .iter()
        .find(|(span, _)| statement.start <= span.start && span.end <= statement.end);
    let Some((_, id)) = own else {
        return Vec::new();
    };
    let same = flags.iter().filter(|(_, other)| other == id);
    vec![order(
        title,
        same.map(|(span, _)| replace(*span, free.to_string()))
            .collect(),
    )]
}
