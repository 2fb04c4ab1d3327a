//! How many tokens of each event are on their way, on every path: what holds for any launch.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::tokens::{Act, Call, Token, call, calls, first_calls};
use a2lint_analysis::{PathState, follow};
use a2lint_ir::{Program, Stmt, StmtId, StmtKind};
use a2lint_isa::Side;
use a2lint_machine::side_of;

/// Something whose sets and waits do not balance.
#[derive(Clone, Debug)]
pub(crate) enum Imbalance<'p> {
    /// Set, and nothing in the kernel awaits it.
    NeverAwaited(Call<'p>),
    /// Awaited, and nothing in the kernel sets it.
    NeverSet(Call<'p>),
    /// Set while all of its ids are set.
    SetTwice(Call<'p>),
    /// Awaited more often than it is set.
    Starved(Call<'p>, i64),
    /// An iteration of a loop leaves so many more tokens than it found, or fewer.
    Drift {
        /// The loop.
        body: &'p Stmt,
        /// The call that is one too many, or lacks its partner.
        call: Call<'p>,
        /// By how many.
        by: i64,
        /// Trips, if they are known.
        trips: Option<i64>,
    },
}

/// Tokens on their way; what differs from path to path is missing.
#[derive(Clone, Debug, Default, PartialEq)]
struct Balance(FxHashMap<Token, i64>);

impl PathState for Balance {
    fn join(&mut self, other: &Self) {
        self.0
            .retain(|token, count| other.0.get(token) == Some(count));
    }
}

/// Most tokens that are counted; there are ids for fewer.
const MAX_TOKENS: usize = 128;

/// Most loops that are walked for themselves.
const MAX_LOOPS: usize = 64;

/// What does not balance in a kernel.
pub(crate) fn imbalances(program: &Program) -> Vec<Imbalance<'_>> {
    let mut found = Vec::new();
    let calls: Vec<Call> = calls(program)
        .into_iter()
        .filter(|call| !call.token.is_of_mutex(program))
        .collect();
    let first = first_calls(&calls);
    let tokens = ordered(&calls);
    for &token in &tokens {
        let of = |act| first.get(&(token, act));
        match (of(Act::Set), of(Act::Wait)) {
            (Some(set), None) => found.push(Imbalance::NeverAwaited(*set)),
            (None, Some(wait)) if posted(program, token) == 0 => {
                found.push(Imbalance::NeverSet(*wait))
            }
            _ => {}
        }
    }
    let has = |token: &Token, act| first.contains_key(&(*token, act));
    // One that is set from the start may be waited for so often, and no more.
    let is_used = |token: &Token| {
        has(token, Act::Wait) && (has(token, Act::Set) || posted(program, *token) > 0)
    };
    let counted: FxHashSet<Token> = tokens
        .into_iter()
        .filter(|token| matches!(token, Token::Event(_) | Token::Raw(..)) && is_used(token))
        .collect();
    if counted.len() > MAX_TOKENS {
        return found;
    }
    let mut reported: FxHashSet<StmtId> = found.iter().map(Imbalance::stmt).collect();
    for side in [Side::Vec, Side::Cube] {
        let walk = Walk::new(program, side, &counted);
        let mut seen = walk.straight();
        seen.extend(walk.loops());
        for imbalance in seen {
            if reported.insert(imbalance.stmt()) {
                found.push(imbalance);
            }
        }
    }
    found
}

impl Imbalance<'_> {
    fn stmt(&self) -> StmtId {
        match self {
            Imbalance::NeverAwaited(call)
            | Imbalance::NeverSet(call)
            | Imbalance::SetTwice(call)
            | Imbalance::Starved(call, _)
            | Imbalance::Drift { call, .. } => call.stmt.id,
        }
    }
}

/// Tokens in the order in which they first appear.
fn ordered(calls: &[Call]) -> Vec<Token> {
    let mut seen = FxHashSet::default();
    let tokens = calls.iter().map(|call| call.token);
    tokens.filter(|token| seen.insert(*token)).collect()
}

/// Ids of an event: how many tokens can be on their way.
fn ids(program: &Program, token: Token) -> i64 {
    match token {
        Token::Event(id) => i64::from(program.event(id).ids.max(1)),
        _ => 1,
    }
}

/// Tokens that are there from the start.
fn posted(program: &Program, token: Token) -> i64 {
    match token {
        Token::Event(id) if program.event(id).preset => ids(program, token),
        _ => 0,
    }
}

/// The walk of one side.
struct Walk<'w, 'p> {
    program: &'p Program,
    counted: &'w FxHashSet<Token>,
    side: Side,
    /// Tokens that the kernel sets.
    sets: FxHashSet<Token>,
}

impl<'w, 'p> Walk<'w, 'p> {
    fn new(program: &'p Program, side: Side, counted: &'w FxHashSet<Token>) -> Self {
        let sets = calls(program).into_iter();
        let sets = sets.filter(|call| call.act == Act::Set);
        Walk {
            program,
            counted,
            side,
            sets: sets.map(|call| call.token).collect(),
        }
    }

    fn call(&self, stmt: &'p Stmt) -> Option<Call<'p>> {
        let call = call(self.program, stmt)?;
        let side = side_of(self.program, call.instr);
        let is_ours = side == self.side || side == Side::Both;
        (is_ours && self.counted.contains(&call.token) && !self.is_foreign(stmt.id)).then_some(call)
    }

    /// Whether the other side alone executes a statement.
    fn is_foreign(&self, id: StmtId) -> bool {
        let mut around = self.program.ancestors(id);
        around.any(|stmt| matches!(stmt.kind, StmtKind::Scope { side, .. } if side != self.side))
    }

    /// What goes wrong on every path to a place.
    fn straight(&self) -> Vec<Imbalance<'p>> {
        let mut found = Vec::new();
        let start = self
            .counted
            .iter()
            .map(|&token| (token, posted(self.program, token)));
        let start = Balance(start.collect());
        let mut waits: FxHashMap<Token, Call<'p>> = FxHashMap::default();
        let end = follow(
            &self.program.body,
            start,
            &mut |stmt, state: &mut Balance| {
                let Some(call) = self.call(stmt) else {
                    if matches!(stmt.kind, StmtKind::Opaque) {
                        state.0.clear();
                    }
                    return;
                };
                if call.act == Act::Wait {
                    waits.insert(call.token, call);
                }
                let Some(count) = state.0.get_mut(&call.token) else {
                    return;
                };
                match call.act {
                    Act::Wait => *count -= 1,
                    Act::Set if *count >= ids(self.program, call.token) => {
                        found.push(Imbalance::SetTwice(call));
                    }
                    Act::Set => *count += 1,
                }
            },
        );
        let Some(state) = end else { return Vec::new() };
        let mut starved: Vec<Imbalance> = state
            .0
            .iter()
            .filter(|(_, count)| **count < 0)
            .filter_map(|(token, count)| Some(Imbalance::Starved(*waits.get(token)?, -count)))
            .collect();
        starved.sort_by_key(Imbalance::stmt);
        found.extend(starved);
        found
    }

    /// Loops whose iterations do not balance.
    fn loops(&self) -> Vec<Imbalance<'p>> {
        let mut loops = Vec::new();
        self.program.walk(&mut |stmt| {
            if let StmtKind::Loop {
                start,
                stop,
                step,
                body,
                ..
            } = &stmt.kind
                && body.iter().any(|inner| self.call(inner).is_some())
            {
                loops.push((stmt, body, [*start, *stop, *step]));
            }
        });
        let first = loops.into_iter().take(MAX_LOOPS);
        first
            .flat_map(|(stmt, body, bounds)| self.drifts(stmt, body, self.trips(bounds)))
            .collect()
    }

    fn trips(&self, bounds: [a2lint_ir::ScalarId; 3]) -> Option<i64> {
        let [start, stop, step] = bounds.map(|id| self.program.size(id));
        let (start, stop, step) = (start?, stop?, step?);
        (step > 0).then(|| (stop - start + step - 1).div_euclid(step).max(0))
    }

    fn drifts(&self, stmt: &'p Stmt, body: &'p [Stmt], trips: Option<i64>) -> Vec<Imbalance<'p>> {
        let start = Balance(self.counted.iter().map(|&token| (token, 0)).collect());
        let mut last: FxHashMap<(Token, Act), Call<'p>> = FxHashMap::default();
        let mut leaves = false;
        let end = follow(body, start, &mut |stmt, state: &mut Balance| {
            leaves |= matches!(
                stmt.kind,
                StmtKind::Break | StmtKind::Continue | StmtKind::Opaque
            );
            let Some(call) = self.call(stmt) else { return };
            last.insert((call.token, call.act), call);
            if let Some(count) = state.0.get_mut(&call.token) {
                *count += if call.act == Act::Set { 1 } else { -1 };
            }
        });
        let mut found: Vec<Imbalance> = Vec::new();
        let state = end.filter(|_| !leaves).unwrap_or_default();
        for (&token, &by) in state.0.iter().filter(|(_, by)| **by != 0) {
            let act = if by > 0 { Act::Set } else { Act::Wait };
            let Some(&call) = last.get(&(token, act)) else {
                continue;
            };
            // Several ids may be meant to be set ahead, or to be used up.
            let room = ids(self.program, token);
            let goes_wrong = match trips {
                Some(trips) => trips * by.abs() > room,
                None => room == 1 || !self.sets.contains(&token),
            };
            if goes_wrong {
                found.push(Imbalance::Drift {
                    body: stmt,
                    call,
                    by,
                    trips,
                });
            }
        }
        found.sort_by_key(Imbalance::stmt);
        found
    }
}
