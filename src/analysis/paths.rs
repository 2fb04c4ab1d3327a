//! A state that is followed along every path through a program.
//!
//! Branches are joined where they meet, loops are walked until nothing new comes round. The first
//! walk through a loop is the first trip, so whoever looks on sees that one by itself.

use crate::ir::{Branch, Stmt, StmtKind};

/// What is known at one place; a join knows what holds on either way there.
pub trait PathState: Clone + PartialEq {
    /// Forgets what does not hold in the other state.
    fn join(&mut self, other: &Self);
}

/// Most walks through one loop. States of the rules are small lattices and settle in a few.
const MAX_ROUNDS: usize = 8;
/// Most statements that are passed in all: loops in loops are walked over and over.
const MAX_STEPS: usize = 100_000;

/// Follows a state through a block: the state at its end, or `None` if nothing holds, because the
/// end is not reached or was too far. `step` is told every statement, loops and branches before
/// what is in them, with the state before it, and changes that. It may be told of a statement
/// several times.
pub fn follow<'p, S: PathState>(
    block: &'p [Stmt],
    start: S,
    step: &mut dyn FnMut(&'p Stmt, &mut S),
) -> Option<S> {
    let mut walk = Walk {
        step,
        left: MAX_STEPS,
        leaving: Vec::new(),
    };
    let end = walk.block(block, start);
    end.filter(|_| walk.left > 0)
}

struct Walk<'s, 'p, S> {
    step: &'s mut dyn FnMut(&'p Stmt, &mut S),
    left: usize,
    /// For each open loop, the states at its `break_` and `continue_`.
    leaving: Vec<Exits<S>>,
}

/// Where a loop body is left before its end.
struct Exits<S> {
    breaks: Vec<S>,
    continues: Vec<S>,
}

impl<'p, S: PathState> Walk<'_, 'p, S> {
    /// The state behind a block; `None` if its end is not reached.
    fn block(&mut self, block: &'p [Stmt], mut state: S) -> Option<S> {
        for stmt in block {
            self.left = self.left.saturating_sub(1);
            if self.left == 0 {
                return None;
            }
            (self.step)(stmt, &mut state);
            state = self.stmt(stmt, state)?;
        }
        Some(state)
    }

    fn stmt(&mut self, stmt: &'p Stmt, state: S) -> Option<S> {
        match &stmt.kind {
            StmtKind::Loop { body, .. } | StmtKind::UnknownLoop { body } => {
                Some(self.repeat(body, state))
            }
            StmtKind::If { arms, otherwise } => self.branch(arms, otherwise, &state),
            StmtKind::AutoSync { body, .. }
            | StmtKind::Scope { body, .. }
            | StmtKind::Atomic { body, .. } => self.block(body, state),
            StmtKind::Break => {
                self.leave(|exits| exits.breaks.push(state));
                None
            }
            StmtKind::Continue => {
                self.leave(|exits| exits.continues.push(state));
                None
            }
            _ => Some(state),
        }
    }

    fn leave(&mut self, note: impl FnOnce(&mut Exits<S>)) {
        if let Some(exits) = self.leaving.last_mut() {
            note(exits);
        }
    }

    fn branch(&mut self, arms: &'p [Branch], otherwise: &'p [Stmt], state: &S) -> Option<S> {
        let bodies = arms
            .iter()
            .map(|arm| arm.body.as_slice())
            .chain([otherwise]);
        let ends: Vec<S> = bodies
            .filter_map(|body| self.block(body, state.clone()))
            .collect();
        joined(ends)
    }

    /// The state behind a loop that runs any number of times.
    fn repeat(&mut self, body: &'p [Stmt], state: S) -> S {
        let mut head = state;
        for _ in 0..MAX_ROUNDS {
            self.leaving.push(Exits {
                breaks: Vec::new(),
                continues: Vec::new(),
            });
            let end = self.block(body, head.clone());
            let exits = self.leaving.pop().expect("pushed above");
            let ways = end.into_iter().chain(exits.continues).chain(exits.breaks);
            let before = head.clone();
            ways.for_each(|way| head.join(&way));
            if head == before || self.left == 0 {
                break;
            }
        }
        head
    }
}

fn joined<S: PathState>(ends: Vec<S>) -> Option<S> {
    ends.into_iter().reduce(|mut a, b| {
        a.join(&b);
        a
    })
}
