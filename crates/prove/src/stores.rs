//! Scalar stores to UB without a barrier after them, in toolchains where no region waits for the scalar pipe.

use a2lint_ir::{BufferId, Instr, Program, ScalarStores, Stmt, StmtId, StmtKind, View};
use a2lint_isa::{Class, Pipe, Side};

/// Returns a scalar store whose buffer another pipe may access before a barrier of all pipes.
pub(super) fn unawaited(program: &Program) -> Option<StmtId> {
    if program.toolchain.lowering.scalar_stores == ScalarStores::Ordered {
        return None;
    }
    let instructions = program.instructions().into_iter();
    let mut stores = instructions.filter_map(|(stmt, instr)| {
        let buffer = stored(instr)?;
        Some(Store {
            stmt: stmt.id,
            buffer,
        })
    });
    let is_open = |store: &Store| store.block(&program.body, Waiting::No) == Waiting::Met;
    stores.find(is_open).map(|store| store.stmt)
}

/// Returns the buffer that a scalar instruction stores to.
fn stored(instr: &Instr) -> Option<BufferId> {
    let mut operands = instr.operands().filter(|_| instr.pipe() == Some(Pipe::S));
    operands.find_map(|(_, operand, view)| {
        let view = view.local().filter(|_| operand.access.writes());
        view.map(|view| view.buffer)
    })
}

struct Store {
    stmt: StmtId,
    buffer: BufferId,
}

/// Whether a store still needs a barrier, the best state first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Waiting {
    /// The store has not run, or a barrier has followed it.
    No,
    /// The store has run.
    Yes,
    /// The store has run, and another pipe may have accessed its buffer.
    Met,
}

impl Store {
    fn block(&self, block: &[Stmt], before: Waiting) -> Waiting {
        block
            .iter()
            .fold(before, |waiting, stmt| self.after(stmt, waiting))
    }

    /// Returns the worst state after a statement.
    fn after(&self, stmt: &Stmt, before: Waiting) -> Waiting {
        let is_open = before == Waiting::Yes;
        match &stmt.kind {
            // `Met` is final: a later barrier does not undo the access.
            _ if before == Waiting::Met => before,
            StmtKind::Instr(_) if stmt.id == self.stmt => Waiting::Yes,
            StmtKind::Instr(instr) if is_barrier(instr) => Waiting::No,
            StmtKind::Instr(instr) if is_open && self.is_met_by(instr) => Waiting::Met,
            StmtKind::Havoc(views) if is_open && views.iter().any(|view| self.is_mine(view)) => {
                Waiting::Met
            }
            // The jump may skip the next barrier.
            StmtKind::Break | StmtKind::Continue if is_open => Waiting::Met,
            StmtKind::Loop { body, .. } | StmtKind::UnknownLoop { body } => {
                // Twice, because an access at the start of the body follows a store of the iteration before.
                let once = self.block(body, before);
                before.max(self.block(body, once.max(before)))
            }
            // A barrier in a cube scope holds up the cube only.
            StmtKind::Scope {
                side: Side::Cube,
                body,
            } => before.max(self.block(body, before)),
            // The fold starts with `before`, because no arm may be taken.
            StmtKind::If { .. } => {
                let arms = stmt.kind.blocks().map(|arm| self.block(arm, before));
                arms.fold(before, Waiting::max)
            }
            kind => kind
                .blocks()
                .fold(before, |waiting, body| self.block(body, waiting)),
        }
    }

    fn is_met_by(&self, instr: &Instr) -> bool {
        let mut operands = instr.operands();
        // Instructions of the scalar pipe execute in program order, so they follow the store.
        instr.pipe() != Some(Pipe::S) && operands.any(|(_, _, view)| self.is_mine(view))
    }

    fn is_mine(&self, view: &View) -> bool {
        view.local().is_some_and(|view| view.buffer == self.buffer)
    }
}

fn is_barrier(instr: &Instr) -> bool {
    instr.row().class == Class::Barrier && instr.pipe() == Some(Pipe::All)
}
