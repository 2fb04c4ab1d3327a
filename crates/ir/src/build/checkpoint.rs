//! Checkpoints and rollback: removes everything that was built since a checkpoint.
//!
//! A front end may find in the middle of a block that a declaration is missing before the block. It then rolls back and
//! builds the block again. A rollback removes statements, declarations and notes. Scalars stay in the arena until the
//! program is finished, since the front end may still hold their ids.

use rustc_hash::FxHashMap;

use super::builder::Builder;
use crate::{BufferId, OriginId, ScalarId, Stmt, StmtKind, VariableId};
use a2lint_source::text::Span;

/// A saved state of a [`Builder`]. It can be restored until the block that was open when it was saved is closed.
#[must_use]
pub struct Checkpoint {
    statement: Span,
    origin: OriginId,
    /// How many blocks are open, and the length of the innermost one.
    blocks: (usize, usize),
    device_depth: usize,
    loops: usize,
    stmt_count: u32,
    variables: usize,
    declared: [usize; 4],
    origins: usize,
    notes: usize,
    unknown: usize,
    named: usize,
    dropped: usize,
    params: usize,
    loaded: FxHashMap<BufferId, [ScalarId; 2]>,
}

impl Builder {
    /// Returns a checkpoint of the present state.
    pub fn checkpoint(&self) -> Checkpoint {
        let program = &self.program;
        Checkpoint {
            statement: self.statement,
            origin: self.origin,
            blocks: self.open_blocks(),
            device_depth: self.device_path.len(),
            loops: self.loops.len(),
            stmt_count: program.stmt_count,
            variables: program.variables.len(),
            declared: [
                program.buffers.len(),
                program.globals.len(),
                program.events.len(),
                program.mutexes.len(),
            ],
            origins: program.origins.len(),
            notes: program.notes.len(),
            unknown: program.unknown.len(),
            named: program.named.len(),
            dropped: program.dropped.len(),
            params: program.params.len(),
            loaded: self.loaded.clone(),
        }
    }

    /// Goes back to a checkpoint. Blocks that were opened since are closed.
    pub fn roll_back(&mut self, to: &Checkpoint) {
        let removed = self.cut_blocks(to.blocks);
        for stmt in &removed {
            stmt.walk(&mut |stmt| self.take_back(stmt));
        }
        self.statement = to.statement;
        self.origin = to.origin;
        self.device_path.truncate(to.device_depth);
        self.loops.truncate(to.loops);
        self.loaded.clone_from(&to.loaded);
        let variables = to.variables;
        // Each is taken out by its number: a front end goes back often, and from little.
        for at in variables..self.program.variables.len() {
            let id = VariableId(at as u32);
            self.declared_in.remove(&id);
            self.typed_by.remove(&id);
            self.unset.remove(&id);
            self.made_of.remove(&id);
            self.forget_name(id);
        }
        let program = &mut self.program;
        program.stmt_count = to.stmt_count;
        program.variables.truncate(variables);
        program.buffers.truncate(to.declared[0]);
        program.globals.truncate(to.declared[1]);
        program
            .tables
            .retain(|table| table.global.index() < to.declared[1]);
        program.events.truncate(to.declared[2]);
        program.mutexes.truncate(to.declared[3]);
        program.origins.truncate(to.origins);
        program.notes.truncate(to.notes);
        program.unknown.truncate(to.unknown);
        program.named.truncate(to.named);
        program.dropped.truncate(to.dropped);
        program.params.truncate(to.params);
    }

    /// Subtracts a removed statement from the number of assignments of its variable.
    fn take_back(&mut self, stmt: &Stmt) {
        let assigned = match &stmt.kind {
            StmtKind::Assign { variable, .. } => Some(*variable),
            StmtKind::Instr(instr) => instr.reads_into(),
            _ => None,
        };
        if let Some(variable) = assigned {
            let variable = &mut self.program.variables[variable.index()];
            variable.assignments = variable.assignments.saturating_sub(1);
        }
    }
}
