//! Which variables expressions and views mention.

use super::{Program, Scalar, ScalarId, VariableId, View};

/// The variables that were mentioned by what has been looked at. Expressions share parts; each part
/// is walked once.
#[derive(Clone, Debug)]
pub struct Mentions<'p> {
    program: &'p Program,
    /// By the number of a variable.
    variables: Vec<bool>,
    /// By the number of a scalar.
    walked: Vec<bool>,
    has_grown: bool,
}

impl<'p> Mentions<'p> {
    /// Nothing has been looked at.
    pub fn new(program: &'p Program) -> Self {
        Self {
            program,
            variables: vec![false; program.variables.len()],
            walked: vec![false; program.scalars.len()],
            has_grown: false,
        }
    }

    /// Whether a variable was mentioned.
    pub fn has(&self, variable: VariableId) -> bool {
        self.variables[variable.index()]
    }

    /// Whether a variable came up for the first time since this was asked last.
    pub fn take_growth(&mut self) -> bool {
        std::mem::take(&mut self.has_grown)
    }

    /// By the number of a variable: whether it was mentioned.
    pub fn into_variables(self) -> Vec<bool> {
        self.variables
    }

    /// Looks at a variable.
    pub fn variable(&mut self, variable: VariableId) {
        let mentioned = &mut self.variables[variable.index()];
        self.has_grown |= !*mentioned;
        *mentioned = true;
    }

    /// Looks at an expression.
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

    /// Looks at several expressions.
    pub fn scalars(&mut self, ids: impl IntoIterator<Item = ScalarId>) {
        ids.into_iter().for_each(|id| self.scalar(id));
    }

    /// Looks at all numbers of a view.
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
}
