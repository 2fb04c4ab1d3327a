//! Instructions that set the vector mask, for the rules about it.

use crate::Facts;
use a2lint_analysis::is_partial;
use a2lint_ir::{Instr, Program, Stmt, StmtId};
use a2lint_isa::Class;

/// The vector instructions of a kernel, for labels at those that set the mask.
pub(crate) struct Setters<'a> {
    program: &'a Program,
    /// Whether the kernel ever sets the mask.
    sets_mask: bool,
}

impl<'a> Setters<'a> {
    /// Collects the vector instructions of a kernel; empty if it never sets the mask.
    pub fn of(facts: &Facts<'a>) -> Setters<'a> {
        let mut instructions = facts.instructions();
        Setters {
            program: facts.program,
            sets_mask: instructions.any(|(_, instr)| instr.row().class == Class::Mask),
        }
    }

    /// Returns a statement with its vector instruction.
    pub fn get(&self, stmt: StmtId) -> Option<(&'a Stmt, &'a Instr)> {
        let stmt = self.program.statement(stmt).filter(|_| self.sets_mask)?;
        let instr = stmt.kind.instr()?;
        instr.row().is_vector().then_some((stmt, instr))
    }
}

/// Returns whether a `set_mask` switches off some lanes of a repeat.
pub(crate) fn partial_for(facts: &Facts, setters: &Setters, set: StmtId, lanes: i64) -> bool {
    let set = setters.get(set);
    set.is_some_and(|(_, instr)| is_partial(facts.program, instr, lanes))
}
