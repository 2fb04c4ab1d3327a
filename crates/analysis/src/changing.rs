//! The scalars that may differ from one iteration of a loop to the next.

use rustc_hash::FxHashSet;

use a2lint_ir::{GlobalView, Program, Scalar, ScalarId, StmtKind, VariableId, assigned};

/// The variables that loops change: their counters and what is assigned in their bodies.
#[derive(Debug)]
pub struct Changing<'p> {
    program: &'p Program,
    variables: FxHashSet<VariableId>,
}

impl<'p> Changing<'p> {
    /// Collects the variables that any loop of a program changes.
    pub fn in_loops_of(program: &'p Program) -> Self {
        let mut variables = FxHashSet::default();
        program.walk(&mut |stmt| match &stmt.kind {
            StmtKind::Loop { variable, body, .. } => {
                variables.insert(*variable);
                variables.extend(assigned(body));
            }
            StmtKind::UnknownLoop { body } => variables.extend(assigned(body)),
            _ => {}
        });
        Changing { program, variables }
    }

    /// Returns whether a loop changes a variable.
    pub fn of_variable(&self, variable: VariableId) -> bool {
        self.variables.contains(&variable)
    }

    /// Returns whether an expression may differ between iterations; unknown values may.
    pub fn of(&self, id: ScalarId) -> bool {
        match self.program.scalars.get(id) {
            Scalar::Variable(variable) => self.of_variable(variable),
            Scalar::Unary(_, a) => self.of(a),
            Scalar::Binary(_, a, b) | Scalar::Compare(_, a, b) => self.of(a) || self.of(b),
            // An unknown value may be another one in every iteration.
            Scalar::Unknown(_) => true,
            _ => false,
        }
    }

    /// Returns whether the start of a global view may differ between iterations.
    pub fn of_place(&self, view: &GlobalView) -> bool {
        view.axes.iter().any(|axis| self.of(axis.start))
    }
}
