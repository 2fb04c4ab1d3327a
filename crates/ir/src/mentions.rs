//! Collects the variables that expressions and views mention.

use super::{ArgValue, Instr, Program, Scalar, ScalarId, Stmt, StmtKind, VariableId, View};

/// The variables that the visited expressions mention. Expressions share subexpressions; each is visited
/// once.
#[derive(Clone, Debug)]
pub struct Mentions<'p> {
    program: &'p Program,
    /// Whether each variable is mentioned, by its number.
    variables: Vec<bool>,
    /// Whether each scalar was visited, by its number.
    walked: Vec<bool>,
    has_grown: bool,
}

impl<'p> Mentions<'p> {
    /// Makes an empty set.
    pub fn new(program: &'p Program) -> Self {
        Self {
            program,
            variables: vec![false; program.variables.len()],
            walked: vec![false; program.scalars.len()],
            has_grown: false,
        }
    }

    /// Collects the variables that these statements and the extents of the program's buffers and tensors read.
    pub fn of(program: &'p Program, body: &[Stmt]) -> Self {
        let mut read = Self::new(program);
        for stmt in body {
            stmt.walk(&mut |stmt| read.statement(stmt));
        }
        for buffer in &program.buffers {
            read.scalars(buffer.shape);
        }
        for global in &program.globals {
            read.scalars(global.shape.iter().copied());
        }
        read
    }

    /// Returns whether a parameter is a field of a struct and the program does not read it. Host code passes the whole
    /// struct, but a launch needs to give only the fields that the program reads.
    pub fn lacks_field(&self, name: &str, variable: VariableId) -> bool {
        name.contains('.') && !self.has(variable)
    }

    /// Returns whether a variable is mentioned.
    pub fn has(&self, variable: VariableId) -> bool {
        self.variables[variable.index()]
    }

    /// Returns whether the set has grown since the last call.
    pub fn take_growth(&mut self) -> bool {
        std::mem::take(&mut self.has_grown)
    }

    /// Returns whether each variable is mentioned, by its number.
    pub fn into_variables(self) -> Vec<bool> {
        self.variables
    }

    /// Adds a variable.
    pub fn variable(&mut self, variable: VariableId) {
        let mentioned = &mut self.variables[variable.index()];
        self.has_grown |= !*mentioned;
        *mentioned = true;
    }

    /// Adds the variables of an expression.
    pub fn scalar(&mut self, id: ScalarId) {
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

    /// Adds the variables of several expressions.
    pub fn scalars(&mut self, ids: impl IntoIterator<Item = ScalarId>) {
        ids.into_iter().for_each(|id| self.scalar(id));
    }

    /// Adds the variables of all extents and offsets of a view.
    pub fn view(&mut self, view: &View) {
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

    /// Adds the variables that a statement reads, without those of nested statements.
    fn statement(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Assign { value, .. } => self.scalar(*value),
            StmtKind::Loop {
                start, stop, step, ..
            } => self.scalars([*start, *stop, *step]),
            StmtKind::If { arms, .. } => self.scalars(arms.iter().map(|arm| arm.condition)),
            StmtKind::Havoc(views) => {
                for view in views {
                    self.view(view);
                }
            }
            StmtKind::Instr(instr) => self.arguments(instr),
            _ => {}
        }
    }

    fn arguments(&mut self, instr: &Instr) {
        if let Some(id) = instr.asked {
            self.scalar(id);
        }
        for arg in &instr.args {
            match &arg.value {
                ArgValue::Scalar(id) => self.scalar(*id),
                ArgValue::View(view) => self.view(view),
                _ => {}
            }
        }
        // The receiver of `SetValueTo` is read. That of `GetValueFrom` is only written; to count it as read
        // merely keeps its assignments.
        if let Some(variable) = instr.variable() {
            self.variable(variable);
        }
    }
}
