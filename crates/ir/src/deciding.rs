//! The parameters of a kernel that decide about a statement: what it accesses, and whether and how often it runs.

use rustc_hash::FxHashSet;

use super::{
    ArgValue, BufferId, Mentions, Program, ScalarId, StmtId, StmtKind, VariableId, VariableKind,
    View,
};
use a2lint_isa::{Class, ParamKind};

/// What values of a statement are followed to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Through {
    /// The values that are computed with.
    Data,
    /// The trip counts of loops and the conditions of branches around assignments and around the statement, too.
    Control,
}

/// Collects the parameters that decide about statements, whatever path leads to them.
pub struct Deciding<'p> {
    program: &'p Program,
    through: Through,
    read: Mentions<'p>,
    /// The loops and branches that count already.
    visited: FxHashSet<StmtId>,
}

impl<'p> Deciding<'p> {
    /// Makes an empty set.
    pub fn new(program: &'p Program, through: Through) -> Self {
        Deciding {
            program,
            through,
            read: Mentions::new(program),
            visited: FxHashSet::default(),
        }
    }

    /// Adds what decides about the extents of an operand of an instruction and about the size of its buffer. The place
    /// of the operand in its tensor counts, those of the other operands do not.
    pub fn extents(&mut self, stmt: StmtId, operand: usize) {
        let program = self.program;
        let Some(instr) = program.instruction(stmt) else {
            return;
        };
        for (at, arg) in instr.args.iter().enumerate() {
            // Operands of the computation decide about no extent.
            let is_value = instr.row().param(at).is_some_and(|param| {
                matches!(param.kind, ParamKind::Value | ParamKind::OperandOrValue(_))
            });
            match &arg.value {
                ArgValue::Scalar(id) if !is_value => self.read.scalar(*id),
                ArgValue::View(view) if at == operand => self.view(view),
                _ => {}
            }
        }
        self.control(stmt);
    }

    /// Adds what decides which elements an operand of an instruction is, or all of its operands if none is given.
    /// Numbers that it computes with, and what is around it, do not count.
    pub fn elements(&mut self, stmt: StmtId, operand: Option<usize>) {
        let program = self.program;
        let Some(instr) = program.instruction(stmt) else {
            return;
        };
        let is_mask = instr.row().class == Class::Mask;
        for (at, arg) in instr.args.iter().enumerate() {
            let is_number = instr.row().param(at).is_some_and(|param| {
                use ParamKind::{Ignored, OperandOrValue, Step, Value};
                matches!(param.kind, Value | Step | OperandOrValue(_) | Ignored)
            });
            match &arg.value {
                ArgValue::Scalar(id) if is_mask || !is_number => self.read.scalar(*id),
                ArgValue::View(view) if operand.is_none_or(|it| it == at) => self.view(view),
                _ => {}
            }
        }
    }

    /// Adds the conditions of the branches around a statement.
    pub fn branches(&mut self, stmt: StmtId) {
        let program = self.program;
        for guard in program.guards(stmt) {
            let found = program.statement(guard.branch).map(|it| &it.kind);
            if let Some(StmtKind::If { arms, .. }) = found {
                self.read.scalars(arms.iter().map(|arm| arm.condition));
            }
        }
    }

    /// Adds what decides about all operands of an instruction.
    pub fn statement(&mut self, stmt: StmtId) {
        let program = self.program;
        if let Some(instr) = program.instruction(stmt) {
            for arg in &instr.args {
                match &arg.value {
                    ArgValue::Scalar(id) => self.read.scalar(*id),
                    ArgValue::View(view) => self.view(view),
                    _ => {}
                }
            }
        } else if let Some(stmt) = program.statement(stmt) {
            self.own(&stmt.kind);
        }
        self.control(stmt);
    }

    /// Adds what decides whether a statement is executed.
    pub fn reach(&mut self, stmt: StmtId) {
        self.control(stmt);
    }

    fn view(&mut self, view: &View) {
        self.read.view(view);
        if let View::Local(view) = view {
            self.buffer(view.buffer);
        }
    }

    /// Adds what decides about the size of a buffer.
    pub fn buffer(&mut self, id: BufferId) {
        self.read.scalars(self.program.buffer(id).shape);
    }

    /// Adds what decides about an expression.
    pub fn scalar(&mut self, id: ScalarId) {
        self.read.scalar(id);
    }

    /// Returns whether something that decides is read from memory.
    pub fn reads_memory(mut self) -> bool {
        self.close();
        let instructions = self.program.instructions();
        let mut loaded = instructions.iter().filter_map(|(_, it)| it.reads_into());
        loaded.any(|variable| self.read.has(variable))
    }

    /// Returns the variables that are read from memory.
    pub fn loaded(mut self) -> Vec<VariableId> {
        self.close();
        let instructions = self.program.instructions();
        let loaded = instructions.iter().filter_map(|(_, it)| it.reads_into());
        let mut loaded: Vec<VariableId> = loaded.filter(|it| self.read.has(*it)).collect();
        loaded.sort_unstable();
        loaded.dedup();
        loaded
    }

    /// Returns the parameters, in the order in which the kernel takes them.
    pub fn parameters(mut self) -> Vec<VariableId> {
        self.close();
        let program = self.program;
        let all = (0..program.variables.len()).map(|at| VariableId(at as u32));
        let is_param = |id: &VariableId| program.variable(*id).kind == VariableKind::Param;
        let found = all.filter(|id| is_param(id) && self.read.has(*id));
        found.collect()
    }

    /// Adds what decides about the variables in the set.
    fn close(&mut self) {
        let program = self.program;
        while self.read.take_growth() {
            let mut reached = Vec::new();
            program.walk(&mut |stmt| {
                let writes = match &stmt.kind {
                    StmtKind::Assign { variable, .. } | StmtKind::Loop { variable, .. } => {
                        Some(*variable)
                    }
                    StmtKind::Instr(instr) => instr.reads_into(),
                    _ => None,
                };
                if writes.is_some_and(|variable| self.read.has(variable)) {
                    reached.push(stmt);
                }
            });
            for stmt in reached {
                self.own(&stmt.kind);
                self.control(stmt.id);
            }
        }
    }

    /// Adds the values that a statement reads by itself.
    fn own(&mut self, kind: &StmtKind) {
        match kind {
            StmtKind::Assign { value, .. } => self.read.scalar(*value),
            StmtKind::Loop {
                start, stop, step, ..
            } => {
                self.read.scalars([*start, *step]);
                if self.through == Through::Control {
                    self.read.scalar(*stop);
                }
            }
            _ => {}
        }
    }

    /// Adds the loops and branches around a statement.
    fn control(&mut self, stmt: StmtId) {
        if self.through == Through::Data {
            return;
        }
        let program = self.program;
        for &around in program.loops(stmt) {
            let found = program.statement(around);
            if let Some(found) = found.filter(|_| self.visited.insert(around)) {
                self.own(&found.kind);
            }
        }
        self.branches(stmt);
    }

    /// Adds what decides how often a loop runs, or which arm of a branch.
    pub fn way(&mut self, kind: &StmtKind) {
        match kind {
            StmtKind::If { arms, .. } => self.read.scalars(arms.iter().map(|arm| arm.condition)),
            StmtKind::Loop {
                start, stop, step, ..
            } => self.read.scalars([*start, *stop, *step]),
            _ => {}
        }
    }
}
