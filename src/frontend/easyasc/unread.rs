//! Removal of assignments that nothing reads.

use crate::ir::{
    ArgValue, Instr, Program, Scalar, ScalarId, Stmt, StmtKind, VariableId, VariableKind, View,
};

/// Drops assignments to variables that nothing reads, until there is none. Parameters stay.
pub(super) fn remove_unread(program: &Program, body: &mut Vec<Stmt>) {
    loop {
        let mut reads = Reads::new(program);
        for stmt in body.iter() {
            stmt.walk(&mut |stmt| reads.statement(stmt));
        }
        for buffer in &program.buffers {
            reads.scalars(buffer.shape);
        }
        for global in &program.globals {
            reads.scalars(global.shape.iter().copied());
        }
        if !reads.prune(body) {
            return;
        }
    }
}

/// Which variables a program reads.
struct Reads<'p> {
    program: &'p Program,
    /// By the number of a variable: whether it is read.
    variables: Vec<bool>,
    /// By the number of a scalar: whether it was walked. Expressions share parts.
    walked: Vec<bool>,
}

impl<'p> Reads<'p> {
    fn new(program: &'p Program) -> Self {
        Self {
            program,
            variables: vec![false; program.variables.len()],
            walked: vec![false; program.scalars.len()],
        }
    }

    /// What a statement itself reads.
    fn statement(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Assign { value, .. } => self.scalar(*value),
            StmtKind::Loop {
                start, stop, step, ..
            } => self.scalars([*start, *stop, *step]),
            StmtKind::If { arms, .. } => self.scalars(arms.iter().map(|arm| arm.condition)),
            StmtKind::Havoc(views) => {
                for view in views {
                    self.scalar(view.slot);
                    self.scalars(view.offset);
                    self.scalars(view.span);
                }
            }
            StmtKind::Instr(instr) => self.instruction(instr),
            _ => {}
        }
    }

    fn instruction(&mut self, instr: &Instr) {
        for arg in &instr.args {
            match &arg.value {
                ArgValue::Scalar(id) => self.scalar(*id),
                ArgValue::View(view) => self.view(view),
                _ => {}
            }
        }
        // The first argument may be a variable that the instruction loads a value into.
        if let Some(ArgValue::Variable(variable)) = instr.args.first().map(|arg| &arg.value) {
            self.variable(*variable);
        }
    }

    fn view(&mut self, view: &View) {
        match view {
            View::Local(view) => {
                self.scalar(view.slot);
                self.scalars(view.shape);
                self.scalars(view.offset);
                self.scalars(view.span);
            }
            View::Global(view) => {
                for axis in &view.axes {
                    self.scalars([axis.extent, axis.start, axis.span]);
                }
            }
        }
    }

    fn scalars(&mut self, ids: impl IntoIterator<Item = ScalarId>) {
        ids.into_iter().for_each(|id| self.scalar(id));
    }

    fn scalar(&mut self, id: ScalarId) {
        if std::mem::replace(&mut self.walked[id.0 as usize], true) {
            return;
        }
        match self.program.scalars.get(id) {
            Scalar::Variable(variable) => self.variable(variable),
            Scalar::Unary(_, a) => self.scalar(a),
            Scalar::Binary(_, a, b) | Scalar::Compare(_, a, b) => self.scalars([a, b]),
            _ => {}
        }
    }

    fn variable(&mut self, variable: VariableId) {
        self.variables[variable.index()] = true;
    }

    /// Whether anything could be dropped from a block.
    fn prune(&self, block: &mut Vec<Stmt>) -> bool {
        let before = block.len();
        block.retain(|stmt| match &stmt.kind {
            StmtKind::Assign { variable, .. } => {
                self.variables[variable.index()]
                    || self.program.variable(*variable).kind == VariableKind::Param
            }
            _ => true,
        });
        let mut pruned = block.len() != before;
        for stmt in block {
            match &mut stmt.kind {
                StmtKind::Loop { body, .. }
                | StmtKind::UnknownLoop { body }
                | StmtKind::AutoSync { body, .. }
                | StmtKind::Scope { body, .. }
                | StmtKind::Atomic { body, .. } => pruned |= self.prune(body),
                StmtKind::If { arms, otherwise } => {
                    for arm in arms {
                        pruned |= self.prune(&mut arm.body);
                    }
                    pruned |= self.prune(otherwise);
                }
                _ => {}
            }
        }
        pruned
    }
}
