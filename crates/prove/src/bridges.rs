//! Flags that the two sides of a core set for each other in parts of the kernel that are written apart.
//!
//! Such a kernel in program order is no schedule: the first wait of the cube may need a flag that the vec lanes set in
//! a later part. A schedule is built instead. Of each side, only the flags and the control around them are kept; a
//! step of one side is a flag it sets, or awaits while that is set. Where both sides have come to loops with the same
//! bounds, these are walked together, iteration by iteration, and each iteration has to leave the counters as it found
//! them. A flag has one taker, and control depends neither on the lane nor on data (which `progress` checks), so no
//! schedule stops if this one does not.
//!
//! No counter may exceed 15 in any schedule. A side that sets flag F has awaited flag G a number of times by then, and
//! the other side has awaited F at most a fixed number of times less often when it sets G; the difference bounds the
//! counter.

use super::progress::{Doubt, FLAG_LIMIT};
use a2lint_analysis::is_core_index;
use a2lint_ir::sync::{Act, Call, Route, Token, call};
use a2lint_ir::{
    Branch, Program, Scalar, ScalarId, SpecialScalar, Stmt, StmtId, StmtKind, VariableId, assigned,
};
use a2lint_isa::Side;

use rustc_hash::{FxHashMap, FxHashSet};

/// A step of one side.
enum Step<'p> {
    Flag(Call<'p>),
    Loop {
        stmt: &'p Stmt,
        bounds: [ScalarId; 3],
        variable: VariableId,
        body: Vec<Step<'p>>,
    },
    Branch {
        stmt: &'p Stmt,
        conditions: Vec<ScalarId>,
        /// The steps of each arm, and of what runs where no arm does.
        arms: Vec<Vec<Step<'p>>>,
    },
}

/// The counter of a flag on the lanes of a side.
type Counter = (Route, i64);
/// The values of counters; one that is missing is 0.
type Counters = FxHashMap<Counter, i64>;

/// Proves that no wait for a flag between lanes lasts for ever, no counter overflows, and none is left set.
pub(super) fn prove(program: &Program) -> Result<(), Doubt> {
    let sides = [Side::Cube, Side::Vec];
    let [cube, vec] = sides.map(|side| steps(program, side, &program.body));
    let (cube, vec) = (cube?, vec?);
    let mut both = Both {
        program,
        assigned: assigned(&program.body).into_iter().collect(),
        pairs: Vec::new(),
    };
    let end = both.walk(&cube, &vec, Counters::default())?;
    if end.values().any(|&value| value != 0) {
        return Err((
            "a token is left over, or missing, at the end".to_owned(),
            None,
        ));
    }
    overflow(&cube, &vec)
}

/// Collects the steps of a side.
fn steps<'p>(program: &'p Program, side: Side, block: &'p [Stmt]) -> Result<Vec<Step<'p>>, Doubt> {
    let mut found = Vec::new();
    for stmt in block {
        match &stmt.kind {
            StmtKind::Instr(_) => {
                let flag = call(program, stmt).filter(|call| owner(call) == Some(side));
                found.extend(flag.map(Step::Flag));
            }
            StmtKind::Loop {
                variable,
                start,
                stop,
                step,
                body,
            } => {
                let inner = steps(program, side, body)?;
                if inner.is_empty() {
                    continue;
                }
                if body.iter().any(leaves) {
                    return Err(uneven(stmt));
                }
                found.push(Step::Loop {
                    stmt,
                    bounds: [*start, *stop, *step],
                    variable: *variable,
                    body: inner,
                });
            }
            StmtKind::UnknownLoop { body } => {
                let inside = steps(program, side, body)?;
                if !inside.is_empty() {
                    return Err(uneven(stmt));
                }
            }
            StmtKind::If { arms, otherwise } => {
                let bodies = arms.iter().map(|arm: &Branch| &arm.body);
                let bodies = bodies.chain([otherwise]);
                let bodies: Result<Vec<_>, _> =
                    bodies.map(|body| steps(program, side, body)).collect();
                let bodies = bodies?;
                if bodies.iter().any(|body| !body.is_empty()) {
                    found.push(Step::Branch {
                        stmt,
                        conditions: arms.iter().map(|arm| arm.condition).collect(),
                        arms: bodies,
                    });
                }
            }
            StmtKind::Scope { side: of, body } if *of == side || *of == Side::Both => {
                found.extend(steps(program, side, body)?);
            }
            StmtKind::AutoSync { body } | StmtKind::Atomic { body, .. } => {
                found.extend(steps(program, side, body)?);
            }
            _ => {}
        }
    }
    Ok(found)
}

/// Returns the side that makes a call of a flag between lanes.
fn owner(call: &Call) -> Option<Side> {
    let Token::Flag(route, _) = call.token else {
        return None;
    };
    Some(match (route, call.act) {
        (Route::AllVecs | Route::CoreVecs, _) => Side::Vec,
        (Route::AllCubes, _) => Side::Cube,
        (Route::CubeToVec, Act::Set) | (Route::VecToCube, Act::Wait) => Side::Cube,
        (Route::CubeToVec, Act::Wait) | (Route::VecToCube, Act::Set) => Side::Vec,
    })
}

/// Returns whether a statement may end an iteration of the loop around it, or the loop.
fn leaves(stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::Break | StmtKind::Continue => true,
        StmtKind::Loop { .. } | StmtKind::UnknownLoop { .. } => false,
        kind => kind.blocks().flatten().any(leaves),
    }
}

fn uneven(stmt: &Stmt) -> Doubt {
    let because = "not shown: that both sides of a core reach the flags here equally often";
    (because.to_owned(), Some(stmt.id))
}

/// The walk of both sides together.
struct Both<'p> {
    program: &'p Program,
    /// The variables to which the kernel assigns values, counters of loops included; the others are parameters.
    assigned: FxHashSet<VariableId>,
    /// The counters of the loops that are walked together: that of the cube and that of the vec lanes.
    pairs: Vec<(VariableId, VariableId)>,
}

impl<'p> Both<'p> {
    /// Walks steps of the cube and of the vec lanes, and returns the counters after them.
    fn walk(
        &mut self,
        cube: &[Step<'p>],
        vec: &[Step<'p>],
        mut counters: Counters,
    ) -> Result<Counters, Doubt> {
        let (mut cube, mut vec) = (cube, vec);
        loop {
            let before = (cube.len(), vec.len());
            advance(&mut cube, &mut counters);
            advance(&mut vec, &mut counters);
            // A flag that one side has set may let the other one go on.
            if (cube.len(), vec.len()) != before {
                continue;
            }
            match (cube, vec) {
                ([], []) => return Ok(counters),
                ([first, rest @ ..], [second, others @ ..]) if self.are_alike(first, second) => {
                    counters = self.together(first, second, counters)?;
                    (cube, vec) = (rest, others);
                }
                ([first @ (Step::Loop { .. } | Step::Branch { .. }), rest @ ..], _) => {
                    counters = self.alone(first, Side::Cube, counters)?;
                    cube = rest;
                }
                (_, [first @ (Step::Loop { .. } | Step::Branch { .. }), rest @ ..]) => {
                    counters = self.alone(first, Side::Vec, counters)?;
                    vec = rest;
                }
                ([Step::Flag(call), ..], _) | (_, [Step::Flag(call), ..]) => {
                    let because = "a wait may come before its set".to_owned();
                    return Err((because, Some(call.stmt.id)));
                }
            }
        }
    }

    /// Returns whether both sides execute loops equally often, or the same arm of branches.
    fn are_alike(&self, cube: &Step, vec: &Step) -> bool {
        match (cube, vec) {
            (Step::Loop { bounds: a, .. }, Step::Loop { bounds: b, .. }) => {
                a.iter().zip(b).all(|(&a, &b)| self.is_same(a, b))
            }
            (Step::Branch { conditions: a, .. }, Step::Branch { conditions: b, .. }) => {
                a.len() == b.len() && a.iter().zip(b).all(|(&a, &b)| self.is_same(a, b))
            }
            _ => false,
        }
    }

    fn together(
        &mut self,
        cube: &Step<'p>,
        vec: &Step<'p>,
        counters: Counters,
    ) -> Result<Counters, Doubt> {
        match (cube, vec) {
            (
                Step::Loop {
                    stmt,
                    variable: a,
                    body: first,
                    ..
                },
                Step::Loop {
                    variable: b,
                    body: second,
                    ..
                },
            ) => {
                self.pairs.push((*a, *b));
                let end = self.walk(first, second, counters.clone());
                self.pairs.pop();
                unchanged(stmt.id, counters, end?)
            }
            (
                Step::Branch {
                    stmt, arms: first, ..
                },
                Step::Branch { arms: second, .. },
            ) => {
                let arms = first.iter().zip(second);
                let ends: Result<Vec<_>, _> = arms
                    .map(|(first, second)| self.walk(first, second, counters.clone()))
                    .collect();
                one(stmt.id, ends?)
            }
            _ => Err(uneven(stmt_of(cube))),
        }
    }

    /// Walks a loop or branch that one side has alone.
    fn alone(
        &mut self,
        step: &Step<'p>,
        side: Side,
        counters: Counters,
    ) -> Result<Counters, Doubt> {
        let mut of = |body: &[Step<'p>]| match side {
            Side::Cube => self.walk(body, &[], counters.clone()),
            _ => self.walk(&[], body, counters.clone()),
        };
        match step {
            Step::Loop { stmt, body, .. } => {
                let end = of(body).map_err(|_| uneven(stmt))?;
                unchanged(stmt.id, counters, end)
            }
            Step::Branch { stmt, arms, .. } => {
                let ends: Result<Vec<_>, _> = arms.iter().map(|arm| of(arm)).collect();
                one(stmt.id, ends.map_err(|_| uneven(stmt))?)
            }
            Step::Flag(call) => Err(uneven(call.stmt)),
        }
    }

    /// Returns whether a scalar of the cube and one of the vec lanes of its core have the same value.
    fn is_same(&self, cube: ScalarId, vec: ScalarId) -> bool {
        let scalars = &self.program.scalars;
        let is_core = [
            is_core_index(self.program, cube, Side::Cube),
            is_core_index(self.program, vec, Side::Vec),
        ];
        if is_core == [true, true] {
            return true;
        }
        // A node does not hold the type of its operation: conversions to two types look alike. Of one type, equal
        // expressions wrap alike, so that nothing is assumed about types.
        if scalars.operation_type(cube) != scalars.operation_type(vec) {
            return false;
        }
        match (scalars.get(cube), scalars.get(vec)) {
            (Scalar::Variable(a), Scalar::Variable(b)) => {
                self.pairs.contains(&(a, b)) || a == b && !self.assigned.contains(&a)
            }
            (Scalar::Special(a), Scalar::Special(b)) => {
                a == b && matches!(a, SpecialScalar::CubeNum | SpecialScalar::VecNum)
            }
            (Scalar::Unary(f, a), Scalar::Unary(g, b)) => f == g && self.is_same(a, b),
            (Scalar::Binary(f, a, c), Scalar::Binary(g, b, d)) => {
                f == g && self.is_same(a, b) && self.is_same(c, d)
            }
            (Scalar::Compare(f, a, c), Scalar::Compare(g, b, d)) => {
                f == g && self.is_same(a, b) && self.is_same(c, d)
            }
            (Scalar::Unknown(_), _) => false,
            (a, b) => a == b,
        }
    }
}

fn stmt_of<'p>(step: &Step<'p>) -> &'p Stmt {
    match step {
        Step::Flag(call) => call.stmt,
        Step::Loop { stmt, .. } | Step::Branch { stmt, .. } => stmt,
    }
}

/// Takes the steps of one side that are flags, up to one that it has to await.
fn advance(steps: &mut &[Step], counters: &mut Counters) {
    while let [Step::Flag(call), rest @ ..] = *steps {
        let Token::Flag(route, id) = call.token else {
            break;
        };
        let counter = counters.entry((route, id)).or_insert(0);
        match call.act {
            Act::Set => *counter += 1,
            Act::Wait if *counter > 0 => *counter -= 1,
            Act::Wait => break,
        }
        *steps = rest;
    }
}

/// Returns the counters after any number of iterations, each of which changes them like this.
fn unchanged(at: StmtId, before: Counters, after: Counters) -> Result<Counters, Doubt> {
    match before.iter().chain(&after).all(|(flag, _)| {
        let value = |counters: &Counters| counters.get(flag).copied().unwrap_or(0);
        value(&before) == value(&after)
    }) {
        true => Ok(before),
        false => {
            let because =
                "an iteration may set a flag more often than the other side awaits it, or less";
            Err((because.to_owned(), Some(at)))
        }
    }
}

/// Returns the counters that all ways through a branch lead to.
fn one(at: StmtId, ends: Vec<Counters>) -> Result<Counters, Doubt> {
    let mut ends = ends.into_iter();
    let first = ends.next().unwrap_or_default();
    ends.try_fold(first, |first, end| {
        unchanged(at, first, end).map_err(|_| {
            let because = "how many sets of this flag are not awaited yet depends on the path";
            (because.to_owned(), Some(at))
        })
    })
}

/// Returns an error if a counter may exceed what it can hold, whichever side runs ahead.
fn overflow(cube: &[Step], vec: &[Step]) -> Result<(), Doubt> {
    let sides = [cube, vec];
    let mut flags = Vec::new();
    sides.iter().for_each(|steps| collect(steps, &mut flags));
    for set in flags.iter().filter(|call| call.act == Act::Set) {
        // What the lane that sets it awaits in between holds it back.
        let mut held = flags.iter().filter(|of| {
            let is_returned = !is_collective(of) && owner(of) == owner(set);
            of.act == Act::Wait
                && match is_collective(set) {
                    true => of.token == set.token,
                    false => is_returned,
                }
        });
        let is_bounded = held.any(|of| {
            let most = most_pending(sides, set.token, of.token);
            most.is_some_and(|most| most <= FLAG_LIMIT)
        });
        if !is_bounded {
            let because = format!(
                "not shown: that this flag is set at most {FLAG_LIMIT} times before it is awaited"
            );
            return Err((because, Some(set.stmt.id)));
        }
    }
    Ok(())
}

fn is_collective(call: &Call) -> bool {
    matches!(call.token, Token::Flag(route, _) if route.is_collective())
}

fn collect<'p>(steps: &[Step<'p>], into: &mut Vec<Call<'p>>) {
    for step in steps {
        match step {
            Step::Flag(call) => into.push(*call),
            Step::Loop { body, .. } => collect(body, into),
            Step::Branch { arms, .. } => arms.iter().for_each(|arm| collect(arm, into)),
        }
    }
}

/// Returns the largest number of sets of a flag that may be pending, if the lane that sets it awaits another flag.
fn most_pending(sides: [&[Step]; 2], set: Token, back: Token) -> Option<i64> {
    let at_sets = |awaited, set| {
        let mut leads = sides.into_iter().map(|steps| {
            let mut lead = Lead::default();
            lead.follow(steps, awaited, set);
            lead.at_sets
        });
        leads.find_map(|lead| lead)
    };
    let own = at_sets(back, set)?.0?;
    if set == back {
        return Some(1 - own);
    }
    // A wait for `back` ends after the set of the same number, before which the other lane had awaited `set` at least
    // as often, less the one it has set itself, plus `other`.
    let other = at_sets(set, back)?.0?;
    Some(1 - own + (1 - other).max(0))
}

/// The least number by which the waits of a lane for one flag exceed its sets of another one; `None` without a bound.
#[derive(Clone, Copy, Debug, PartialEq)]
struct LowerBound(Option<i64>);

impl LowerBound {
    fn plus(self, by: i64) -> LowerBound {
        LowerBound(self.0.map(|least| least + by))
    }

    fn meet(self, other: LowerBound) -> LowerBound {
        LowerBound(self.0.zip(other.0).map(|(a, b)| a.min(b)))
    }
}

#[derive(Clone, Copy, Debug)]
struct Lead {
    now: LowerBound,
    /// Just before sets of the second flag; `None` if there are none.
    at_sets: Option<LowerBound>,
}

impl Default for Lead {
    fn default() -> Lead {
        Lead {
            now: LowerBound(Some(0)),
            at_sets: None,
        }
    }
}

impl Lead {
    fn follow(&mut self, steps: &[Step], awaited: Token, set: Token) {
        for step in steps {
            match step {
                Step::Flag(call) if call.act == Act::Wait && call.token == awaited => {
                    self.now = self.now.plus(1);
                }
                Step::Flag(call) if call.act == Act::Set && call.token == set => {
                    self.seen(Some(self.now));
                    self.now = self.now.plus(-1);
                }
                Step::Flag(_) => {}
                Step::Loop { body, .. } => {
                    let mut one = Lead {
                        now: self.now,
                        at_sets: None,
                    };
                    one.follow(body, awaited, set);
                    // If an iteration does not lower the number, it is lowest in the first one.
                    let is_kept = self.now.0.zip(one.now.0).is_some_and(|(a, b)| a <= b);
                    if !is_kept {
                        self.now = LowerBound(None);
                    }
                    self.seen(
                        one.at_sets
                            .map(|seen| LowerBound(seen.0.filter(|_| is_kept))),
                    );
                }
                Step::Branch { arms, .. } => {
                    let ends: Vec<Lead> = arms
                        .iter()
                        .map(|arm| {
                            let mut one = *self;
                            one.follow(arm, awaited, set);
                            one
                        })
                        .collect();
                    for end in &ends {
                        self.seen(end.at_sets);
                    }
                    self.now = ends
                        .iter()
                        .map(|end| end.now)
                        .reduce(LowerBound::meet)
                        .unwrap_or(self.now);
                }
            }
        }
    }

    fn seen(&mut self, least: Option<LowerBound>) {
        self.at_sets = match (self.at_sets, least) {
            (Some(a), Some(b)) => Some(a.meet(b)),
            (a, b) => a.or(b),
        };
    }
}
