//! The way that paths take, as far as scalars decide it: loops that have an iteration in any case, and
//! branches that are taken always or never, in general or in the first iteration of the loop around.

use rustc_hash::{FxHashMap, FxHashSet};

use super::Structure;
use super::scalar::{Pass, State, Visitor, walk_under};
use crate::ir::{Program, ScalarId, Stmt, StmtId, StmtKind, VariableId};
use crate::isa::ParamKind;

/// What is known of the way that paths take.
#[derive(Debug, Default)]
pub struct Course {
    entered: FxHashSet<StmtId>,
    /// Loops whose counter moves by at least 1.
    moving: FxHashSet<StmtId>,
    /// By branch, whether each of its conditions holds: whenever it is asked, and in the first iteration of
    /// the innermost loop around it. The same of the flags of an instruction.
    conditions: FxHashMap<StmtId, Vec<[Option<bool>; 2]>>,
}

impl Course {
    /// Of a program whose launches give some parameters at least 1.
    pub fn of(program: &Program, structure: &Structure, positive: &[VariableId]) -> Course {
        let mut collect = Collect {
            structure,
            marks: FxHashMap::default(),
            course: Course::default(),
        };
        walk_under(program, positive, &mut collect);
        collect.course
    }

    /// Whether a loop has an iteration in any case.
    pub fn enters(&self, id: StmtId) -> bool {
        self.entered.contains(&id)
    }

    /// Whether the counter of a loop moves, so that it ends.
    pub fn ends(&self, id: StmtId) -> bool {
        self.moving.contains(&id)
    }

    /// Whether a condition of a branch, or a flag of an instruction, holds where it is asked.
    pub fn takes(&self, branch: StmtId, arm: usize, is_first: bool) -> Option<bool> {
        let [always, first] = *self.conditions.get(&branch)?.get(arm)?;
        always.or(first.filter(|_| is_first))
    }
}

struct Collect<'a> {
    structure: &'a Structure,
    /// By loop, symbols before its body.
    marks: FxHashMap<StmtId, u32>,
    course: Course,
}

impl<'p> Visitor<'p> for Collect<'_> {
    fn statement(&mut self, state: &mut State<'p>, stmt: &'p Stmt) {
        match &stmt.kind {
            StmtKind::Loop {
                start, stop, step, ..
            } => {
                let step_range = state.range(*step);
                if step_range.min >= 1 || step_range.max <= -1 {
                    self.course.moving.insert(stmt.id);
                }
                if enters(state, [*start, *stop, *step]) {
                    self.course.entered.insert(stmt.id);
                }
            }
            StmtKind::If { arms, .. } => {
                let conditions = arms.iter().map(|arm| arm.condition).collect();
                self.conditions(state, stmt, conditions);
            }
            StmtKind::Instr(instr) => {
                let flags = instr.row().params().zip(&instr.args);
                let flags = flags.filter(|(param, _)| param.kind == ParamKind::Flag);
                let flags: Vec<ScalarId> =
                    flags.filter_map(|(_, arg)| arg.value.scalar()).collect();
                if !flags.is_empty() {
                    self.conditions(state, stmt, flags);
                }
            }
            _ => {}
        }
    }

    fn body(&mut self, _state: &State<'p>, pass: Pass) {
        self.marks.insert(pass.id, pass.mark);
    }
}

impl Collect<'_> {
    fn conditions(&mut self, state: &mut State, stmt: &Stmt, conditions: Vec<ScalarId>) {
        let innermost = self.structure.around(stmt.id).loops.last();
        let mark = innermost.and_then(|id| self.marks.get(id)).copied();
        let known = conditions.into_iter().map(|condition| {
            let first = mark.and_then(|mark| state.decide(condition, Some(mark)));
            [state.decide(condition, None), first]
        });
        self.course.conditions.insert(stmt.id, known.collect());
    }
}

/// Whether a loop has a first iteration.
fn enters(state: &mut State, bounds: [ScalarId; 3]) -> bool {
    let [start, stop, step] = bounds.map(|id| state.number(id));
    let (Some(start), Some(stop), Some(step)) = (start, stop, step) else {
        return false;
    };
    let step = state.range_of(&step);
    let (from, to) = match (step.min >= 1, step.max <= -1) {
        (true, _) => (start, stop),
        (_, true) => (stop, start),
        _ => return false,
    };
    from.plus(1)
        .is_some_and(|next| state.is_not_above(&next, &to))
}
