//! Accesses to workspaces, with the control flow around them.

use a2lint_analysis::Dependence;
use a2lint_ir::sync::side_of;
use a2lint_ir::{
    GlobalKind, GlobalView, Instr, Program, SpecialScalar, Stmt, StmtId, StmtKind, View,
};
use a2lint_isa::{Class, Side};

/// An access of a move to a workspace.
pub(crate) struct Access<'p> {
    pub stmt: &'p Stmt,
    pub instr: &'p Instr,
    pub view: &'p GlobalView,
    pub stores: bool,
    /// Whether a vec lane executes it.
    pub is_vec: bool,
    pub around: Around,
}

/// The control flow around a statement.
#[derive(Clone, Copy, Default)]
pub(crate) struct Around {
    /// Whether the statement is in a device loop.
    pub in_loop: bool,
    /// Whether it is in a loop that shares its iterations out among the cores.
    pub dealt: bool,
    /// Whether it is in a branch that depends on the core.
    pub guarded: bool,
    /// Whether it is in `with atomic_add():` or a similar block.
    pub atomic: bool,
}

/// The workspace accesses of a program.
pub(crate) struct Workspaces<'p> {
    /// All accesses, in program order.
    pub accesses: Vec<Access<'p>>,
    /// Values that depend on the core.
    pub core: Dependence<'p>,
}

impl<'p> Workspaces<'p> {
    /// Collects the accesses of a program; `None` if it has no workspace.
    pub(crate) fn of(program: &'p Program) -> Option<Self> {
        let mut globals = program.globals.iter();
        globals.find(|global| global.kind == GlobalKind::Workspace)?;
        let core = Dependence::on(program, &[SpecialScalar::CubeIdx, SpecialScalar::VecIdx]);
        let accesses = accesses(program, &core);
        Some(Self { accesses, core })
    }
}

fn accesses<'p>(program: &'p Program, core: &Dependence) -> Vec<Access<'p>> {
    let mut accesses = Vec::new();
    for (stmt, instr) in program.instructions() {
        if !matches!(instr.row().class, Class::Move | Class::Fixpipe) {
            continue;
        }
        let is_vec = side_of(program, instr) == Side::Vec;
        for (_, operand, view) in instr.operands() {
            let View::Global(view) = view else { continue };
            let is_table = program.table(view.global).is_some();
            if program.global(view.global).kind == GlobalKind::Workspace && !is_table {
                accesses.push(Access {
                    stmt,
                    instr,
                    view,
                    stores: operand.access.writes(),
                    is_vec,
                    around: around(program, core, stmt.id),
                });
            }
        }
    }
    accesses
}

fn around(program: &Program, core: &Dependence, id: StmtId) -> Around {
    let mut found = Around {
        in_loop: !program.loops(id).is_empty(),
        atomic: program.is_atomic(id),
        ..Around::default()
    };
    for stmt in program.ancestors(id) {
        match &stmt.kind {
            StmtKind::Loop {
                start, stop, step, ..
            } => found.dealt |= [start, stop, step].into_iter().any(|&id| core.of(id)),
            StmtKind::If { arms, .. } => {
                found.guarded |= arms.iter().any(|arm| core.of(arm.condition));
            }
            _ => {}
        }
    }
    found
}
