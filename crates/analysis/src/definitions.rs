//! The values of variables that are assigned once.

use rustc_hash::FxHashMap;

use a2lint_ir::{Program, Scalar, ScalarId, StmtKind, VariableId, VariableKind};

/// The values of the variables of a program that are assigned once. A value holds where it is computed;
/// variables in it may have changed since.
#[derive(Debug)]
pub struct Definitions<'p> {
    program: &'p Program,
    values: FxHashMap<VariableId, ScalarId>,
}

impl<'p> Definitions<'p> {
    /// Collects the values of a program.
    pub fn of(program: &'p Program) -> Self {
        let mut values = FxHashMap::default();
        program.walk(&mut |stmt| {
            if let StmtKind::Assign { variable, value } = stmt.kind {
                let declared = program.variable(variable);
                // A parameter has another value before its assignment.
                if declared.assignments == 1 && declared.kind != VariableKind::Param {
                    values.insert(variable, value);
                }
            }
        });
        Definitions { program, values }
    }

    /// Returns the node of an expression, with variables replaced by their values.
    pub fn resolve(&self, id: ScalarId) -> Scalar {
        let scalars = &self.program.scalars;
        let mut scalar = scalars.get(scalars.without_cut(id));
        while let Scalar::Variable(variable) = scalar {
            match self.values.get(&variable) {
                Some(&value) => scalar = scalars.get(scalars.without_cut(value)),
                None => break,
            }
        }
        scalar
    }
}
