//! Values of Python as scalars of the program.

use super::value::Value;
use a2lint_ir::build::Builder;
use a2lint_ir::{Number, PythonNote, ScalarId, VariableId};
use a2lint_isa::DType;

/// What a builder makes of values of Python.
pub(super) trait PythonScalars {
    /// The scalar a plain number or device variable stands for right now; an unknown for everything else.
    fn scalar(&mut self, value: &Value) -> ScalarId;

    /// Type of the device scalar that a value is, or becomes.
    fn scalar_dtype(&self, value: &Value) -> Option<DType>;

    /// Notes that a variable is read which has no value.
    fn note_unset(&mut self, variable: VariableId);
}

impl PythonScalars for Builder {
    fn scalar(&mut self, value: &Value) -> ScalarId {
        if let Value::Var(id) = value {
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

/// The number that a value is.
pub(super) fn number(value: &Value) -> Option<Number> {
    match value {
        Value::Float(number) => Some(Number::Float(*number)),
        other => other.as_int().map(Number::Int),
    }
}
