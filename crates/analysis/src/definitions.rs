//! What variables that are assigned once stand for.

use rustc_hash::FxHashMap;

use a2lint_ir::{Program, Scalar, ScalarId, StmtKind, VariableId, VariableKind};

/// The values of the variables of a program that are assigned once. The value holds where it is
/// computed; what it is made of may have changed since.
#[derive(Debug)]
pub struct Definitions<'p> {
    program: &'p Program,
    values: FxHashMap<VariableId, ScalarId>,
}

impl<'p> Definitions<'p> {
    /// Collects them.
    pub fn of(program: &'p Program) -> Self {
        let mut values = FxHashMap::default();
        program.walk(&mut |stmt| {
            if let StmtKind::Assign { variable, value } = stmt.kind {
                let declared = program.variable(variable);
                if declared.assignments == 1 && declared.kind != VariableKind::Param {
                    values.insert(variable, value);
                }
            }
        });
        Definitions { program, values }
    }

    /// The node of an expression, seen through variables.
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
