//! Bounds of each scalar that an instruction uses.

use rustc_hash::{FxHashMap, FxHashSet};

use super::scalar::{Congruence, Interval, State, Visitor, walk};
use a2lint_ir::{Instr, Program, Scalar, ScalarId, Stmt, StmtId, StmtKind, View};

/// The values of one scalar at its instruction, in any execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bound {
    /// The scalar.
    pub scalar: ScalarId,
    /// An interval that contains its values.
    pub interval: Interval,
    /// A residue class that contains its values.
    pub congruence: Congruence,
}

/// Returns bounds of the integers that each instruction is given, and of all their subexpressions.
pub fn bounds(program: &Program) -> FxHashMap<StmtId, Vec<Bound>> {
    let mut collect = Collect {
        program,
        found: FxHashMap::default(),
    };
    walk(program, &mut collect);
    collect.found
}

struct Collect<'p> {
    program: &'p Program,
    found: FxHashMap<StmtId, Vec<Bound>>,
}

impl<'p> Visitor<'p> for Collect<'p> {
    fn statement(&mut self, state: &mut State<'p>, stmt: &'p Stmt) {
        let StmtKind::Instr(instr) = &stmt.kind else {
            return;
        };
        let mut scalars = FxHashSet::default();
        for scalar in used(instr) {
            add_parts(self.program, scalar, &mut scalars);
        }
        let bound = |scalar| {
            let number = state.number(scalar)?;
            Some(Bound {
                scalar,
                interval: state.range_of(&number),
                congruence: state.congruence_of(&number),
            })
        };
        self.found
            .insert(stmt.id, scalars.into_iter().filter_map(bound).collect());
    }
}

/// Adds a scalar and its operands. The arena limits the depth of expressions, so recursion is safe.
fn add_parts(program: &Program, scalar: ScalarId, found: &mut FxHashSet<ScalarId>) {
    // Expressions share parts; each is visited once.
    if !found.insert(scalar) {
        return;
    }
    match program.scalars.get(scalar) {
        Scalar::Unary(_, a) => add_parts(program, a, found),
        Scalar::Binary(_, a, b) | Scalar::Compare(_, a, b) => {
            add_parts(program, a, found);
            add_parts(program, b, found);
        }
        _ => {}
    }
}

/// Returns the scalars of arguments and views.
fn used(instr: &Instr) -> Vec<ScalarId> {
    let mut scalars: Vec<ScalarId> = instr
        .args
        .iter()
        .filter_map(|arg| arg.value.scalar())
        .collect();
    for (_, _, view) in instr.operands() {
        if let View::Local(view) = view {
            scalars.push(view.slot);
            scalars.extend(view.offset.iter().chain(&view.span));
        }
    }
    scalars
}
