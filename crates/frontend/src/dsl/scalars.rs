//! Python values as scalars of the program.

use super::value::Value;
use a2lint_ir::build::Builder;
use a2lint_ir::{Number, PythonNote, ScalarId, VariableId};
use a2lint_isa::DType;

/// Conversion of Python values to scalars of a builder's program.
pub(super) trait PythonScalars {
    /// Returns the scalar that a plain number or device variable has now, and an unknown scalar for everything else.
    fn scalar(&mut self, value: &Value) -> ScalarId;

    /// Returns the type of the device scalar that a value is or becomes; `None` if it is unknown.
    fn scalar_dtype(&self, value: &Value) -> Option<DType>;

    /// Notes that a variable is read although it has no value.
    fn note_unset(&mut self, variable: VariableId);
}

impl PythonScalars for Builder {
    fn scalar(&mut self, value: &Value) -> ScalarId {
        if let Value::Var(id) = value {
            // Reported at the first read only: `take_unset` clears the mark.
            if self.take_unset(*id) {
                self.note_unset(*id);
            }
            return self.read(*id);
        }
        match number(value) {
            Some(number) => self.number(number),
            None => self.unknown(),
        }
    }

    fn scalar_dtype(&self, value: &Value) -> Option<DType> {
        match value {
            Value::Var(id) => self.program.variable(*id).dtype,
            Value::Float(_) => Some(DType::Float),
            Value::Int(_) | Value::Bool(_) => Some(DType::Int),
            _ => None,
        }
    }

    fn note_unset(&mut self, variable: VariableId) {
        let name = &self.program.variable(variable).name;
        let kind = PythonNote::TraceError {
            exception: "E0301",
            message: format!("`{name}` is read before it has a value"),
            help: None,
        };
        self.note(self.statement, kind);
    }
}

/// Returns the number that a value is; `None` if it is none.
pub(super) fn number(value: &Value) -> Option<Number> {
    match value {
        Value::Float(number) => Some(Number::Float(*number)),
        other => other.as_int().map(Number::Int),
    }
}
