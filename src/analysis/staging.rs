//! How much of its operands a product in L1 may load to L0 at once.

use super::scalar::{Given, State, Visitor, walk_within};
use crate::ir::{Instr, Program, ScalarId, Staged, Stmt, StmtId, StmtKind};
use crate::isa::FACTORS;

/// A step of a product that may be too large for a half of L0A or L0B.
#[derive(Clone, Debug, PartialEq)]
pub struct Oversized {
    /// The statement.
    pub stmt: StmtId,
    /// The largest step; `None` where its extents are not known.
    pub staged: Option<Staged>,
    /// The extents that are not constant.
    pub sizes: Vec<ScalarId>,
}

/// The first product with a step that may be too large, in launches that give some parameters such values.
pub fn oversized(program: &Program, given: &[Given]) -> Option<Oversized> {
    let mut instructions = program.instructions().into_iter();
    if !instructions.any(|(_, instr)| instr.row().stages_operands()) {
        return None;
    }
    let mut collect = Collect {
        program,
        found: None,
    };
    walk_within(program, given, None, &mut collect);
    collect.found
}

struct Collect<'p> {
    program: &'p Program,
    found: Option<Oversized>,
}

impl<'p> Visitor<'p> for Collect<'p> {
    fn statement(&mut self, state: &mut State<'p>, stmt: &'p Stmt) {
        if let (None, StmtKind::Instr(instr)) = (&self.found, &stmt.kind)
            && instr.row().stages_operands()
        {
            self.found = self.look_at(state, stmt.id, instr);
        }
    }
}

impl<'p> Collect<'p> {
    fn look_at(&self, state: &mut State<'p>, stmt: StmtId, instr: &Instr) -> Option<Oversized> {
        let extents = ["m", "n", "k"].map(|name| instr.scalar_named(name));
        let is_known = extents.iter().all(Option::is_some);
        let is_variable = |id: &ScalarId| self.program.size(*id).is_none();
        let sizes = extents.into_iter().flatten().filter(is_variable).collect();
        let mut staged = FACTORS
            .iter()
            .filter_map(|&operand| Staged::with(instr, operand, |id| Some(state.range(id).max)));
        let staged = match is_known {
            true => Some(staged.find(|staged| !staged.fits())?),
            false => None,
        };
        Some(Oversized {
            stmt,
            staged,
            sizes,
        })
    }
}
