//! Collects the variables that expressions and views mention.

use super::{Program, Scalar, ScalarId, VariableId, View};

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
}
