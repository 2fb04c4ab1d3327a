//! Follows a state along every path through a program.
//!
//! Branches are joined where they meet, loops are walked until the state no longer changes. The first walk
//! through a loop is its first iteration, which a follower sees on its own. If conditions distinguish the
//! last iteration, that one is walked on its own, too ([`Phase`]).

use super::control::{ControlFacts, Phase};
use a2lint_ir::{Branch, Stmt, StmtId, StmtKind};

/// The state at one place; a join keeps what holds on both paths.
pub trait PathState: Clone + PartialEq {
    /// Forgets what does not hold in the other state.
    fn join(&mut self, other: &Self);
}

/// The transfer functions that change a state along its path.
pub trait Follower<'p, S> {
    /// Visits a statement with the state before it, loops and branches before their contents. It may be
    /// called several times for a statement.
    fn step(&mut self, stmt: &'p Stmt, state: &mut S);

    /// Ends an iteration of a loop, after which another one may begin.
    fn again(&mut self, _stmt: &'p Stmt, _state: &mut S) {}

    /// Leaves a loop or an `auto_sync` region.
    fn leave(&mut self, _stmt: &'p Stmt, _state: &mut S) {}

    /// Returns known decisions of control. With them, the first iteration of each loop is followed on its
    /// own, and the last one where it matters.
    fn control(&self) -> Option<&ControlFacts> {
        None
    }

    /// Returns the number of iterations of a loop whose iterations are to be followed one by one.
    fn iterations(&self, _stmt: &'p Stmt) -> Option<usize> {
        None
    }

    /// Begins an iteration of such a loop.
    fn begin(&mut self, _stmt: &'p Stmt, _iteration: usize) {}

    /// Announces the phase of the iterations that the next statements belong to.
    fn enter(&mut self, _phase: Phase) {}

    /// Returns whether nothing further matters.
    fn is_done(&self) -> bool {
        false
    }
}

/// Maximum number of passes over one loop. States reach a fixed point within a few; otherwise the analysis fails.
const MAX_ROUNDS: usize = 24;
/// Maximum number of statements that are visited in all: nested loops are walked repeatedly.
const MAX_STEPS: usize = 100_000;

/// The result of following a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Followed<S> {
    /// The state at the end of the block.
    End(S),
    /// The end is not reached.
    Nowhere,
    /// There are too many steps, or a loop did not settle: the observations are incomplete.
    TooFar,
}

/// Follows a state through a block and returns the state at its end, or `None` if the end is not reached or
/// took too many steps. `step` visits every statement with the state before it, loops and branches before
/// their contents, and changes the state. It may be called several times for a statement.
pub fn follow<'p, S: PathState>(
    block: &'p [Stmt],
    start: S,
    step: &mut dyn FnMut(&'p Stmt, &mut S),
) -> Option<S> {
    struct Steps<'a, 'p, S>(&'a mut dyn FnMut(&'p Stmt, &mut S));
    impl<'p, S> Follower<'p, S> for Steps<'_, 'p, S> {
        fn step(&mut self, stmt: &'p Stmt, state: &mut S) {
            (self.0)(stmt, state);
        }
    }
    match follow_with(block, start, &mut Steps(step)) {
        Followed::End(state) => Some(state),
        Followed::Nowhere | Followed::TooFar => None,
    }
}

/// Follows a state through a block.
pub fn follow_with<'p, S: PathState>(
    block: &'p [Stmt],
    start: S,
    follower: &mut dyn Follower<'p, S>,
) -> Followed<S> {
    let mut walk = Walk {
        follower,
        left: MAX_STEPS,
        leaving: Vec::new(),
        regions: Vec::new(),
        phase: Phase::ANY,
    };
    let end = walk.block(block, start);
    // Without steps left, the walk was cut short, whatever state it returned.
    match (end, walk.left) {
        (_, 0) => Followed::TooFar,
        (Some(state), _) => Followed::End(state),
        (None, _) => Followed::Nowhere,
    }
}

struct Walk<'s, 'p, S> {
    follower: &'s mut dyn Follower<'p, S>,
    /// Steps that are left; 0 once a loop did not settle.
    left: usize,
    /// For each open loop, the states at its `break_` and `continue_`.
    leaving: Vec<Exits<S>>,
    /// The open `auto_sync` regions.
    regions: Vec<&'p Stmt>,
    /// The phase of the iterations that are being followed.
    phase: Phase,
}

/// The states with which a loop body is left before its end.
struct Exits<S> {
    breaks: Vec<S>,
    continues: Vec<S>,
    /// Number of regions that are open around the loop.
    regions: usize,
}

impl<'p, S: PathState> Walk<'_, 'p, S> {
    /// Returns the state after a block, or `None` if its end is not reached.
    fn block(&mut self, block: &'p [Stmt], mut state: S) -> Option<S> {
        for stmt in block {
            self.left = self.left.saturating_sub(1);
            if self.left == 0 || self.follower.is_done() {
                return None;
            }
            self.follower.step(stmt, &mut state);
            state = self.stmt(stmt, state)?;
        }
        Some(state)
    }

    fn stmt(&mut self, stmt: &'p Stmt, state: S) -> Option<S> {
        match &stmt.kind {
            StmtKind::Loop { body, .. } | StmtKind::UnknownLoop { body } => {
                let outer = self.phase;
                let enters = self
                    .follower
                    .control()
                    .map(|control| control.enters(stmt.id));
                let end = match (self.follower.iterations(stmt), enters) {
                    (Some(count), _) => self.one_by_one(stmt, body, state, count),
                    (None, Some(enters)) => self.repeat_apart(stmt, body, state, enters),
                    (None, None) => {
                        let (head, breaks) = self.repeat(stmt, body, state);
                        joined([vec![head], breaks].concat())
                    }
                };
                // Statements after the loop belong to the phase of the loop around it.
                self.set_phase(outer);
                end.map(|mut state| {
                    self.follower.leave(stmt, &mut state);
                    state
                })
            }
            StmtKind::If { arms, otherwise } => self.branch(stmt, arms, otherwise, &state),
            StmtKind::AutoSync { body, .. } => {
                self.regions.push(stmt);
                let end = self.block(body, state);
                self.regions.pop();
                end.map(|mut state| {
                    self.follower.leave(stmt, &mut state);
                    state
                })
            }
            StmtKind::Scope { body, .. } | StmtKind::Atomic { body, .. } => self.block(body, state),
            StmtKind::Break => {
                self.jump(state, |exits| &mut exits.breaks);
                None
            }
            StmtKind::Continue => {
                self.jump(state, |exits| &mut exits.continues);
                None
            }
            _ => Some(state),
        }
    }

    /// Handles `break_()` and `continue_()`, which leave the regions inside of the loop.
    fn jump(&mut self, mut state: S, list: impl FnOnce(&mut Exits<S>) -> &mut Vec<S>) {
        let Some(exits) = self.leaving.last_mut() else {
            return;
        };
        for region in self.regions[exits.regions..].iter().rev() {
            self.follower.leave(region, &mut state);
        }
        list(exits).push(state);
    }

    fn branch(
        &mut self,
        stmt: &'p Stmt,
        arms: &'p [Branch],
        otherwise: &'p [Stmt],
        state: &S,
    ) -> Option<S> {
        let mut ends = Vec::new();
        for (at, arm) in arms.iter().enumerate() {
            let control = self.follower.control();
            let taken = control.and_then(|control| control.takes(stmt.id, at, self.phase));
            if taken != Some(false) {
                ends.extend(self.block(&arm.body, state.clone()));
            }
            // Later arms are not evaluated once an arm is certainly taken.
            if taken == Some(true) {
                return joined(ends);
            }
        }
        ends.extend(self.block(otherwise, state.clone()));
        joined(ends)
    }

    fn set_phase(&mut self, phase: Phase) {
        self.phase = phase;
        self.follower.enter(phase);
    }

    /// Returns the state after a loop with a known trip count.
    fn one_by_one(
        &mut self,
        stmt: &'p Stmt,
        body: &'p [Stmt],
        state: S,
        count: usize,
    ) -> Option<S> {
        let (mut head, mut ends) = (Some(state), Vec::new());
        for iteration in 0..count {
            let Some(state) = head.take() else { break };
            self.set_phase(Phase {
                first: Some(iteration == 0),
                last: Some(iteration + 1 == count),
            });
            self.follower.begin(stmt, iteration);
            let (ways, breaks) = self.iteration(stmt, body, state);
            ends.extend(breaks);
            head = joined(ways);
        }
        joined(head.into_iter().chain(ends).collect())
    }

    /// Returns the state after a loop whose first iteration is followed on its own, and whose last one is
    /// where it matters; `enters` says that it has one in every execution. `None` if no iteration ends.
    fn repeat_apart(
        &mut self,
        stmt: &'p Stmt,
        body: &'p [Stmt],
        state: S,
        enters: bool,
    ) -> Option<S> {
        let control = self.follower.control();
        let of_control = |asks: fn(&ControlFacts, StmtId) -> bool| {
            control.is_some_and(|control| asks(control, stmt.id))
        };
        let (distinguishes_last, repeats) = (
            of_control(ControlFacts::distinguishes_last),
            of_control(ControlFacts::repeats),
        );
        let mut ends = Vec::new();
        // The loop may have no iteration.
        if !enters {
            ends.push(state.clone());
        }
        if !distinguishes_last {
            let head = self.phase(Phase::FIRST, stmt, body, state, &mut ends);
            let rest = head.map(|head| {
                self.set_phase(Phase::LATER);
                self.repeat(stmt, body, head)
            });
            if let Some((head, breaks)) = rest {
                ends.push(head);
                ends.extend(breaks);
            }
            return joined(ends);
        }
        if !repeats {
            let only = self.phase(Phase::ONLY, stmt, body, state.clone(), &mut ends);
            ends.extend(only);
        }
        if let Some(head) = self.phase(Phase::OPENING, stmt, body, state, &mut ends) {
            self.set_phase(Phase::MIDDLE);
            let (head, breaks) = self.repeat(stmt, body, head);
            ends.extend(breaks);
            let closed = self.phase(Phase::CLOSING, stmt, body, head, &mut ends);
            ends.extend(closed);
        }
        joined(ends)
    }

    /// Follows one iteration of a phase, and returns the state at its end, if that is reached. Its breaks are
    /// ends of the loop.
    fn phase(
        &mut self,
        phase: Phase,
        stmt: &'p Stmt,
        body: &'p [Stmt],
        state: S,
        ends: &mut Vec<S>,
    ) -> Option<S> {
        self.set_phase(phase);
        let (ways, breaks) = self.iteration(stmt, body, state);
        ends.extend(breaks);
        joined(ways)
    }

    /// Follows one iteration; returns the states with which it can end, and those at its breaks.
    fn iteration(&mut self, stmt: &'p Stmt, body: &'p [Stmt], head: S) -> (Vec<S>, Vec<S>) {
        self.leaving.push(Exits {
            breaks: Vec::new(),
            continues: Vec::new(),
            regions: self.regions.len(),
        });
        let end = self.block(body, head);
        let exits = self.leaving.pop().expect("pushed above");
        let mut ways: Vec<S> = end.into_iter().chain(exits.continues).collect();
        for way in &mut ways {
            self.follower.again(stmt, way);
        }
        (ways, exits.breaks)
    }

    /// Returns the state after any number of iterations, and those at their breaks.
    fn repeat(&mut self, stmt: &'p Stmt, body: &'p [Stmt], state: S) -> (S, Vec<S>) {
        let mut head = state;
        for _ in 0..MAX_ROUNDS {
            let (ways, breaks) = self.iteration(stmt, body, head.clone());
            let before = head.clone();
            ways.iter().for_each(|way| head.join(way));
            // A join only forgets, so an unchanged state is a fixed point.
            if head == before || self.left == 0 {
                return (head, breaks);
            }
        }
        // Marks the walk as incomplete.
        self.left = 0;
        (head, Vec::new())
    }
}

fn joined<S: PathState>(ends: Vec<S>) -> Option<S> {
    ends.into_iter().reduce(|mut a, b| {
        a.join(&b);
        a
    })
}
