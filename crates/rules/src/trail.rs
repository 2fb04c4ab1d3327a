//! Collects the statements that take part in an observation. A rule that blames one of them explains the observation.

use crate::Facts;
use crate::hazards::guarding;
use crate::observations::writers;
use crate::tokens::{self, Act, Token};
use a2lint_ir::{BufferId, Program, Stmt, StmtId, StmtKind};
use a2lint_isa::Position;
use a2lint_machine::hazards::Hazard;
use a2lint_machine::{BlockedLane, EventRef, FindingKind};
use a2lint_replay::{Event, Observation, Source};
use a2lint_source::text::Span;

/// Returns the spans that take part in an observation: where it shows, where undefined data was read first, the
/// writers of the memory it comes from, the guards of a hazard, the calls of a deadlock.
pub(crate) fn trail(facts: &Facts, observation: &Observation) -> Vec<Span> {
    let place = |id| facts.program.statement(id).map(|stmt| stmt.span);
    let mut spans: Vec<Span> = observation.stmt.and_then(place).into_iter().collect();
    match &observation.event {
        Event::Hazard(hazard) => {
            spans.extend(place(hazard.first.stmt));
            // A mutex that hands over on the wrong pipe does not guard the access, so a rule that blames the
            // mutex explains the race.
            let mutexes = guarding(facts.program, hazard).into_iter();
            spans.extend(mutexes.map(|mutex| mutex.span));
            spans.extend(region_left(facts.program, hazard));
            spans.extend(unawaited(facts.program, hazard));
        }
        Event::Machine(FindingKind::RepeatedSet(event) | FindingKind::LeftSet(event)) => {
            spans.extend(crossed_waits(facts.program, *event));
        }
        Event::Deadlock(lanes) => {
            let calls = handshakes(facts, lanes).into_iter();
            spans.extend(calls.map(|stmt| stmt.span));
        }
        _ => {}
    }
    let wrapped = wraps_around(facts, observation).into_iter();
    spans.extend(wrapped.map(|stmt| stmt.span));
    if let Some(FindingKind::Overrun { buffer, .. }) = observation.kind() {
        // The layout of a matrix in L1 is decided by the load that writes it, so that load may be the cause of
        // an overrun.
        let layout = laid_out(facts, buffer).into_iter();
        spans.extend(layout.map(|stmt| stmt.span));
    }
    if let Some(origin) = &observation.origin {
        spans.extend(place(origin.stmt));
        spans.extend(origin.through.iter().copied().filter_map(place));
        let writers = writers(facts, origin.source).into_iter();
        spans.extend(writers.map(|stmt| stmt.span));
        if let Source::Buffer(id) = origin.source {
            spans.push(facts.program.buffer(id).span);
        }
    }
    spans.sort();
    spans.dedup();
    spans
}

/// Returns the sets between two unordered accesses of a lane that would order them if anything awaited them.
fn unawaited(program: &Program, hazard: &Hazard) -> Vec<Span> {
    let (first, second) = (&hazard.first, &hazard.second);
    if !hazard.is_within_lane() || first.stmt >= second.stmt {
        return Vec::new();
    }
    let all = tokens::calls(program);
    let is_awaited = |token: Token| {
        let mut calls = all.iter();
        calls.any(|call| call.act == Act::Wait && call.token == token)
    };
    let joins = |token: Token| match token {
        Token::Raw(src, dst, _) => (src, dst) == (first.pipe, second.pipe),
        Token::Event(id) => {
            let event = program.event(id);
            (event.src, event.dst) == (Some(first.pipe), Some(second.pipe))
        }
        _ => false,
    };
    let sets = all.iter().filter(|call| {
        let is_between = first.stmt < call.stmt.id && call.stmt.id < second.stmt;
        call.act == Act::Set && is_between && joins(call.token) && !is_awaited(call.token)
    });
    sets.map(|call| call.stmt.span).collect()
}

/// Returns the waits between the pipes of a raw flag that is set and never awaited: they name other flags.
fn crossed_waits(program: &Program, event: EventRef) -> Vec<Span> {
    let EventRef::Raw(src, dst, id) = event else {
        return Vec::new();
    };
    let waits = tokens::calls(program).into_iter().filter(|call| {
        let is_of_pipes = matches!(call.token, Token::Raw(a, b, _) if (a, b) == (src, dst));
        call.act == Act::Wait && is_of_pipes
    });
    let waits: Vec<_> = waits.collect();
    match waits
        .iter()
        .any(|wait| wait.token == Token::Raw(src, dst, id))
    {
        true => Vec::new(),
        false => waits.iter().map(|wait| wait.stmt.span).collect(),
    }
}

/// Returns the automatic synchronisation region that contains both ends of a hazard and that was left between
/// them, in an iteration of a loop around it.
fn region_left(program: &Program, hazard: &Hazard) -> Option<Span> {
    let ends = [&hazard.first, &hazard.second];
    let around: Vec<&Stmt> = program.ancestors(hazard.first.stmt).collect();
    let is_loop = |stmt: &&&Stmt| matches!(stmt.kind, StmtKind::Loop { .. });
    let mut outside = around.iter().rev().enumerate();
    let (_, region) = outside.find(|(at, stmt)| {
        let depth = around.iter().rev().take(*at).filter(is_loop).count();
        let [first, second] = ends.map(|end| end.iterations.get(..depth));
        let is_region = matches!(stmt.kind, StmtKind::AutoSync { .. });
        is_region && program.contains(stmt.id, hazard.second.stmt) && first != second
    })?;
    Some(region.span)
}

/// Returns the statements with an overflowed number that decide the observation: its own statement and the loops
/// around it, or around the stores that did not happen.
fn wraps_around<'a>(facts: &Facts<'a>, observation: &Observation) -> Vec<&'a Stmt> {
    let stores = match observation.event {
        Event::Hole { global, .. } => writers(facts, Source::Global(global)),
        _ => Vec::new(),
    };
    let stores = stores.iter().map(|stmt| stmt.id);
    let concerned: Vec<StmtId> = observation.stmt.into_iter().chain(stores).collect();
    let holds = |stmt: &Stmt| {
        let mut concerned = concerned.iter();
        concerned.any(|&id| facts.program.contains(stmt.id, id))
    };
    let seen = facts.replay.observations.iter().filter(|seen| {
        let wraps = matches!(seen.kind(), Some(FindingKind::ScalarOverflow(_)));
        wraps && seen.execution == observation.execution
    });
    seen.filter_map(|seen| facts.program.statement(seen.stmt?))
        .filter(|stmt| holds(stmt))
        .collect()
}

/// Returns the loads that lay out a matrix in an L1 tensor.
fn laid_out<'a>(facts: &Facts<'a>, buffer: BufferId) -> Vec<&'a Stmt> {
    match facts.program.buffer(buffer).position {
        Position::L1 => writers(facts, Source::Buffer(buffer)),
        _ => Vec::new(),
    }
}

/// Returns the statements that set or await the tokens that the lanes of a deadlock wait for.
fn handshakes<'a>(facts: &Facts<'a>, lanes: &[BlockedLane]) -> Vec<&'a Stmt> {
    let all = tokens::calls(facts.program);
    let at: Vec<Token> = lanes
        .iter()
        .filter_map(|blocked| {
            tokens::call(facts.program, facts.program.statement(blocked.waits_at()?)?)
        })
        .map(|call| call.token)
        .collect();
    let concerned = |call: &&tokens::Call| at.iter().any(|token| token.is_kin(call.token));
    all.iter().filter(concerned).map(|call| call.stmt).collect()
}
