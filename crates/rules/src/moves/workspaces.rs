//! Every move to or from a workspace, and what stands around it.

use a2lint_analysis::Dependence;
use a2lint_ir::{GlobalKind, GlobalView, Instr, Program, SpecialScalar, Stmt, StmtKind, View};
use a2lint_isa::{Class, Position};

/// A move to or from a workspace.
pub(crate) struct Access<'p> {
    pub stmt: &'p Stmt,
    pub instr: &'p Instr,
    pub view: &'p GlobalView,
    pub stores: bool,
    /// Whether it is a vec lane's: its other end is in UB.
    pub is_vec: bool,
    pub around: Around,
}

/// What stands around a statement.
#[derive(Clone, Copy, Default)]
pub(crate) struct Around {
    /// A device loop.
    pub in_loop: bool,
    /// A loop that deals its iterations to the cores.
    pub dealt: bool,
    /// A branch that picks cores.
    pub guarded: bool,
    /// `with atomic_add():` and its kin.
    pub atomic: bool,
}

/// What a program does with its workspaces.
pub(crate) struct Workspaces<'p> {
    /// Every access, in order.
    pub accesses: Vec<Access<'p>>,
    /// What depends on the core.
    pub core: Dependence<'p>,
}

impl<'p> Workspaces<'p> {
    /// Follows a program; `None` where it has no workspace.
    pub(crate) fn of(program: &'p Program) -> Option<Self> {
        let mut globals = program.globals.iter();
        globals.find(|global| global.kind == GlobalKind::Workspace)?;
        let core = Dependence::on(program, &[SpecialScalar::CubeIdx, SpecialScalar::VecIdx]);
        let mut walk = Walk {
            program,
            core: &core,
            accesses: Vec::new(),
        };
        walk.block(&program.body, Around::default());
        let accesses = walk.accesses;
        Some(Self { accesses, core })
    }
}

struct Walk<'p, 'd> {
    program: &'p Program,
    core: &'d Dependence<'p>,
    accesses: Vec<Access<'p>>,
}

impl<'p> Walk<'p, '_> {
    fn block(&mut self, block: &'p [Stmt], around: Around) {
        for stmt in block {
            let mut inside = around;
            match &stmt.kind {
                StmtKind::Instr(instr) => self.instruction(stmt, instr, around),
                StmtKind::Loop {
                    start, stop, step, ..
                } => {
                    inside.in_loop = true;
                    inside.dealt |= [start, stop, step].into_iter().any(|&id| self.core.of(id));
                }
                StmtKind::UnknownLoop { .. } => inside.in_loop = true,
                StmtKind::If { arms, .. } => {
                    inside.guarded |= arms.iter().any(|arm| self.core.of(arm.condition));
                }
                StmtKind::Atomic { .. } => inside.atomic = true,
                _ => {}
            }
            for body in stmt.kind.blocks() {
                self.block(body, inside);
            }
        }
    }

    fn instruction(&mut self, stmt: &'p Stmt, instr: &'p Instr, around: Around) {
        if !matches!(instr.row().class, Class::Move | Class::Fixpipe) {
            return;
        }
        let mut locals = instr.operands().filter_map(|(_, _, view)| view.local());
        let is_vec = locals.any(|view| self.program.buffer(view.buffer).position == Position::Ub);
        for (_, operand, view) in instr.operands() {
            let View::Global(view) = view else { continue };
            if self.program.global(view.global).kind == GlobalKind::Workspace {
                self.accesses.push(Access {
                    stmt,
                    instr,
                    view,
                    stores: operand.access.writes(),
                    is_vec,
                    around,
                });
            }
        }
    }
}
