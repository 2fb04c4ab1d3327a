//! Counts the pending tokens of each event on every path, for any launch.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::tokens::{Act, Call, Token, call, calls, first_calls};
use a2lint_analysis::{PathState, follow};
use a2lint_ir::{Program, ScalarId, Stmt, StmtId, StmtKind, trip_count};
use a2lint_isa::Side;
use a2lint_machine::side_of;

/// Sets and waits that do not balance.
#[derive(Clone, Debug)]
pub(crate) enum Imbalance<'p> {
    /// An event that is set and never awaited in the kernel.
    NeverAwaited(Call<'p>),
    /// An event that is awaited and never set in the kernel.
    NeverSet(Call<'p>),
    /// A set while all ids of the event are set.
    SetTwice(Call<'p>),
    /// A token that is still set when the kernel ends.
    LeftSet(Call<'p>),
    /// Waits that exceed the sets by this number at the end of the kernel.
    Starved(Call<'p>, i64),
    /// An iteration of a loop changes the number of pending tokens.
    Drift {
        /// The loop.
        body: &'p Stmt,
        /// The last call of the kind that is too frequent in the loop.
        call: Call<'p>,
        /// The change per iteration; positive if sets exceed waits.
        by: i64,
        /// The number of iterations, if it is constant.
        trips: Option<i64>,
    },
}

/// Pending tokens. A token whose number depends on the path is missing.
#[derive(Clone, Debug, Default, PartialEq)]
struct Balance(FxHashMap<Token, i64>);

impl PathState for Balance {
    fn join(&mut self, other: &Self) {
        self.0
            .retain(|token, count| other.0.get(token) == Some(count));
    }
}

/// Upper bound on the tokens that are counted. The hardware has fewer ids.
const MAX_TOKENS: usize = 128;

/// Upper bound on the loops that are examined.
const MAX_LOOPS: usize = 64;

/// Returns the imbalances of a kernel.
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
    // A preset event may be awaited without a set, as often as it has ids.
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
        // A second set is lost, so that a wait too many follows from it.
        let twice = seen.iter().filter_map(|imbalance| match imbalance {
            Imbalance::SetTwice(call) => Some(call.token),
            _ => None,
        });
        let twice: FxHashSet<Token> = twice.collect();
        seen.retain(|imbalance| match imbalance {
            Imbalance::Starved(call, _) => !twice.contains(&call.token),
            _ => true,
        });
        for imbalance in seen {
            if reported.insert(imbalance.stmt()) {
                found.push(imbalance);
            }
        }
    }
    found
}

impl<'p> Imbalance<'p> {
    /// Returns the call to blame.
    pub(crate) fn call(&self) -> &Call<'p> {
        match self {
            Imbalance::NeverAwaited(call)
            | Imbalance::NeverSet(call)
            | Imbalance::SetTwice(call)
            | Imbalance::LeftSet(call)
            | Imbalance::Starved(call, _)
            | Imbalance::Drift { call, .. } => call,
        }
    }

    fn stmt(&self) -> StmtId {
        self.call().stmt.id
    }
}

/// Returns tokens in the order of their first call.
fn ordered(calls: &[Call]) -> Vec<Token> {
    let mut seen = FxHashSet::default();
    let tokens = calls.iter().map(|call| call.token);
    tokens.filter(|token| seen.insert(*token)).collect()
}

/// Returns the number of ids of an event: how many of its tokens can be pending.
fn ids(program: &Program, token: Token) -> i64 {
    match token {
        Token::Event(id) => i64::from(program.event(id).ids.max(1)),
        _ => 1,
    }
}

/// Returns the number of tokens that are pending at the start.
fn posted(program: &Program, token: Token) -> i64 {
    match token {
        Token::Event(id) if program.event(id).preset => ids(program, token),
        _ => 0,
    }
}

/// Counts the tokens of the calls that one side executes.
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

    /// Returns whether only the other side executes a statement.
    fn is_foreign(&self, id: StmtId) -> bool {
        let mut around = self.program.ancestors(id);
        around.any(|stmt| matches!(stmt.kind, StmtKind::Scope { side, .. } if side != self.side))
    }

    /// Returns whether a statement is in an arm of a branch inside of a loop.
    fn is_in_branch_of_loop(&self, id: StmtId) -> bool {
        let mut around = self.program.ancestors(id).map(|stmt| &stmt.kind);
        around.any(|it| matches!(it, StmtKind::If { .. }))
            && around.any(|it| matches!(it, StmtKind::Loop { .. } | StmtKind::UnknownLoop { .. }))
    }

    /// Returns the imbalances that occur on every path.
    fn straight(&self) -> Vec<Imbalance<'p>> {
        let mut found = Vec::new();
        let start = self
            .counted
            .iter()
            .map(|&token| (token, posted(self.program, token)));
        let start = Balance(start.collect());
        let mut waits: FxHashMap<Token, Call<'p>> = FxHashMap::default();
        let mut sets: FxHashMap<Token, Call<'p>> = FxHashMap::default();
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
                let before = match call.act {
                    Act::Wait => waits.insert(call.token, call),
                    Act::Set => sets.insert(call.token, call),
                };
                let Some(count) = state.0.get_mut(&call.token) else {
                    return;
                };
                match call.act {
                    Act::Wait => *count -= 1,
                    Act::Set if *count >= ids(self.program, call.token) => {
                        // The first iteration of a loop may not take an arm that later ones do. Two sets in one block
                        // belong to the same iteration.
                        let block = self.program.ancestors(stmt.id).next().map(|it| it.id);
                        let is_same = before.is_some_and(|it| {
                            self.program.ancestors(it.stmt.id).next().map(|it| it.id) == block
                        });
                        if is_same || !self.is_in_branch_of_loop(stmt.id) {
                            found.push(Imbalance::SetTwice(call));
                        }
                    }
                    Act::Set => *count += 1,
                }
            },
        );
        // A path that was not followed to its end could balance the counts.
        let Some(state) = end else { return Vec::new() };
        let mut starved: Vec<Imbalance> = state
            .0
            .iter()
            .filter(|(_, count)| **count < 0)
            .filter_map(|(token, count)| Some(Imbalance::Starved(*waits.get(token)?, -count)))
            .collect();
        starved.sort_by_key(Imbalance::stmt);
        found.extend(starved);
        if self.program.toolchain.ids.outlive_kernels && self.program.unknown.is_empty() {
            let left = state
                .0
                .iter()
                .filter(|(token, count)| **count > 0 && posted(self.program, **token) == 0);
            let mut left: Vec<Imbalance> = left
                .filter_map(|(token, _)| Some(Imbalance::LeftSet(*sets.get(token)?)))
                .collect();
            left.sort_by_key(Imbalance::stmt);
            found.extend(left);
        }
        found
    }

    /// Returns the imbalances of loop iterations.
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

    fn trips(&self, bounds: [ScalarId; 3]) -> Option<i64> {
        let [start, stop, step] = bounds.map(|id| self.program.size(id));
        trip_count(start?, stop?, step?)
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
        // An iteration that is left early may skip calls, so the count at its end proves nothing.
        let state = end.filter(|_| !leaves).unwrap_or_default();
        for (&token, &by) in state.0.iter().filter(|(_, by)| **by != 0) {
            let act = if by > 0 { Act::Set } else { Act::Wait };
            let Some(&call) = last.get(&(token, act)) else {
                continue;
            };
            // An event of several ids may be set ahead, or used up, on purpose.
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
