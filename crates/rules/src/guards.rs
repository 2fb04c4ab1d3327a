//! Computes which mutexes are held at each instruction on every path, for any launch.

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use crate::Facts;
use crate::tokens::{Call, call};
use a2lint_analysis::{PathState, follow};
pub(crate) use a2lint_ir::sync::{End, end_of, half, producer};
use a2lint_ir::{
    GlobalId, GlobalKind, GlobalView, Instr, MutexId, Program, Stmt, StmtId, StmtKind, View,
};
use a2lint_isa::{Class, Side};
use a2lint_machine::side_of;

/// Upper bound on the number of mutexes that are tracked. The hardware has fewer ids.
const MAX_MUTEXES: usize = 32;

/// For each mutex, whether its producer and its consumer hold it; `None` where the paths that meet disagree.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Held(SmallVec<[[Option<bool>; 2]; 4]>);

impl Held {
    /// Returns whether an end holds a mutex; `None` if that depends on the path.
    pub(crate) fn of(&self, mutex: MutexId, end: End) -> Option<bool> {
        self.0[mutex.index()][end as usize]
    }

    /// Returns whether no end of any mutex can be held.
    pub(crate) fn is_nothing(&self) -> bool {
        self.0.iter().flatten().all(|held| *held == Some(false))
    }
}

impl PathState for Held {
    fn join(&mut self, other: &Self) {
        for (mine, theirs) in self.0.iter_mut().flatten().zip(other.0.iter().flatten()) {
            if *mine != *theirs {
                *mine = None;
            }
        }
    }
}

/// An access of a move or of the fixpipe to a workspace.
#[derive(Clone, Debug)]
pub(crate) struct Crossing<'p> {
    /// The statement of the access.
    pub stmt: &'p Stmt,
    /// The instruction of the access.
    pub instr: &'p Instr,
    /// The view of the workspace.
    pub view: &'p GlobalView,
    /// Whether the workspace is written.
    pub stores: bool,
    /// The side (cube or vec) that executes the access.
    pub side: Side,
    /// The mutexes held at the access.
    pub held: Held,
}

impl Crossing<'_> {
    /// Returns whether the access runs on the side that is this end of the mutex.
    pub(crate) fn is_at(&self, program: &Program, mutex: MutexId, end: End) -> bool {
        let side = self.side;
        side != Side::Both && end_of(program.mutex(mutex), side) == end
    }
}

/// The mutexes held at each instruction of a kernel, and the workspace accesses that they guard.
#[derive(Debug, Default)]
pub(crate) struct Guards<'p> {
    /// The mutexes held at each instruction.
    held: FxHashMap<StmtId, Held>,
    /// Accesses to workspaces, in program order.
    pub crossings: Vec<Crossing<'p>>,
    /// `ready` and `free` calls on paths without a `lock` or `wait` before them.
    pub unopened: Vec<Call<'p>>,
}

impl<'p> Guards<'p> {
    /// Analyses a kernel. The result is empty if it has too many mutexes, or if its paths cannot be followed
    /// to the end.
    pub(crate) fn of(program: &'p Program) -> Self {
        if program.mutexes.len() > MAX_MUTEXES {
            return Guards::default();
        }
        let start = Held(SmallVec::from_elem([Some(false); 2], program.mutexes.len()));
        let mut held: FxHashMap<StmtId, Held> = FxHashMap::default();
        let mut unopened: Vec<Call<'p>> = Vec::new();
        let mut seen: FxHashSet<StmtId> = FxHashSet::default();
        let end = follow(&program.body, start, &mut |stmt, state: &mut Held| {
            if let Some(call) = call(program, stmt) {
                if let Some((mutex, end, opens)) = half(&call) {
                    let is_open = state.of(mutex, end) != Some(false);
                    // An end that is held on some paths only is not reported: `state.of` is `None` there.
                    if !opens && !is_open && seen.insert(stmt.id) {
                        unopened.push(call);
                    }
                    state.0[mutex.index()][end as usize] = Some(opens);
                }
            } else if let StmtKind::Instr(_) = stmt.kind {
                held.insert(stmt.id, state.clone());
            }
        });
        if end.is_none() {
            return Guards::default();
        }
        Guards {
            crossings: crossings(program, &held),
            held,
            unopened,
        }
    }

    /// Returns the mutexes that a side holds at an instruction on all paths.
    pub(crate) fn holding(&self, program: &Program, stmt: StmtId, side: Side) -> Vec<MutexId> {
        let Some(held) = self.held.get(&stmt) else {
            return Vec::new();
        };
        let is_held = |&id: &MutexId| held.of(id, end_of(program.mutex(id), side)) == Some(true);
        mutexes(program).filter(is_held).collect()
    }

    /// Returns the mutex that limits how far the producer of a workspace runs ahead at a store, with its number
    /// of tokens. If several mutexes guard the store and the loads, it is the one with the fewest tokens; `None`
    /// if no mutex does, or if a depth is unknown.
    pub(crate) fn tightest(&self, program: &Program, store: &Crossing) -> Option<(MutexId, i64)> {
        let loads = || {
            let all = self.crossings.iter();
            all.filter(|at| !at.stores && at.view.global == store.view.global)
        };
        let holds = |at: &Crossing, id, end| at.held.of(id, end) == Some(true);
        let mut guarding: Vec<MutexId> = mutexes(program)
            .filter(|&id| holds(store, id, End::Producer))
            .collect();
        let at_a_load = |&id: &MutexId| loads().any(|load| holds(load, id, End::Consumer));
        if guarding.iter().any(at_a_load) {
            guarding.retain(at_a_load);
        }
        fewest_tokens(program, &guarding)
    }

    /// Returns the workspaces in the order of their first access.
    pub(crate) fn workspaces(&self) -> Vec<GlobalId> {
        let mut found = Vec::new();
        for crossing in &self.crossings {
            if !found.contains(&crossing.view.global) {
                found.push(crossing.view.global);
            }
        }
        found
    }
}

/// Returns the mutex with the fewest tokens and their number; `None` if one of them has an unknown depth.
pub(crate) fn fewest_tokens(program: &Program, mutexes: &[MutexId]) -> Option<(MutexId, i64)> {
    let depths = mutexes
        .iter()
        .map(|&id| Some((id, program.mutex(id).depth?)))
        .collect::<Option<Vec<_>>>()?;
    depths.into_iter().min_by_key(|&(_, depth)| depth)
}

/// Iterates over the mutexes of a kernel.
pub(crate) fn mutexes(program: &Program) -> impl Iterator<Item = MutexId> + use<> {
    (0..program.mutexes.len() as u32).map(MutexId)
}

fn crossings<'p>(program: &'p Program, held: &FxHashMap<StmtId, Held>) -> Vec<Crossing<'p>> {
    let mut found = Vec::new();
    for (stmt, instr) in program.instructions() {
        if !matches!(instr.row().class, Class::Move | Class::Fixpipe) {
            continue;
        }
        for (_, operand, view) in instr.operands() {
            let (View::Global(view), Some(held)) = (view, held.get(&stmt.id)) else {
                continue;
            };
            if program.global(view.global).kind == GlobalKind::Workspace {
                found.push(Crossing {
                    stmt,
                    instr,
                    view,
                    stores: operand.access.writes(),
                    side: side_of(program, instr),
                    held: held.clone(),
                });
            }
        }
    }
    found
}

/// Returns whether the file launches the kernel. If it does, rules leave it to the replay to decide what can happen.
pub(crate) fn is_launched(facts: &Facts) -> bool {
    facts
        .replay
        .executions
        .iter()
        .any(|execution| !execution.is_invented)
}
