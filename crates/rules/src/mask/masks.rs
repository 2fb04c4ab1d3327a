//! The statements that set the vector mask, for the rules about it.

use rustc_hash::FxHashMap;

use crate::Facts;
use a2lint_analysis::is_partial;
use a2lint_ir::{Instr, Stmt, StmtId};
use a2lint_isa::Class;

/// The instructions of a kernel that mask rules point at, by statement.
pub(crate) struct Setters<'a> {
    statements: FxHashMap<StmtId, (&'a Stmt, &'a Instr)>,
}

impl<'a> Setters<'a> {
    /// The vector instructions of a kernel; none where it never sets the mask.
    pub fn of(facts: &Facts<'a>) -> Setters<'a> {
        let sets = |instr: &Instr| instr.row().class == Class::Mask;
        let statements = match facts.instructions().any(|(_, instr)| sets(instr)) {
            true => facts
                .instructions()
                .filter(|(_, instr)| instr.row().is_vector())
                .map(|(stmt, instr)| (stmt.id, (stmt, instr)))
                .collect(),
            false => FxHashMap::default(),
        };
        Setters { statements }
    }

    /// A statement with its instruction.
    pub fn get(&self, stmt: StmtId) -> Option<(&'a Stmt, &'a Instr)> {
        self.statements.get(&stmt).copied()
    }
}

/// Whether a `set_mask` switches off some of the lanes of a repeat.
pub(crate) fn partial_for(facts: &Facts, setters: &Setters, set: StmtId, lanes: i64) -> bool {
    let set = setters.get(set);
    set.is_some_and(|(_, instr)| is_partial(facts.program, instr, lanes))
}
