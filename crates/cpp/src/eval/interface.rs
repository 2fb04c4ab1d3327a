//! What a library and the entry points of kernels use of an evaluation.

use a2lint_ir::ScalarId;
use a2lint_source::text::Span;

use super::values::{CellId, Operand, Value};
use super::{Eval, Place};
use crate::library::Evaluated;

impl Eval<'_> {
    /// Returns the value that an operand has: of an object, what its cell holds.
    ///
    /// # Errors
    /// Evaluation cannot go on.
    pub fn value_of(&mut self, operand: &Operand) -> Evaluated<Value> {
        match &operand.place {
            Place::Value(value) => Ok(value.clone()),
            Place::Cell(cell) | Place::Moved(cell) | Place::Temporary(cell) => self.read(*cell),
            Place::Remote(address) => {
                let library = self.library;
                let loaded = library.load(self, address, &operand.ty, operand.span)?;
                Ok(loaded.unwrap_or(Value::Unknown))
            }
            Place::Braces(_) | Place::Overloads(_) => Ok(Value::Unknown),
        }
    }

    /// Returns what a cell holds.
    ///
    /// # Errors
    /// Evaluation cannot go on.
    pub fn read(&mut self, cell: CellId) -> Evaluated<Value> {
        self.load_cell(cell)
    }

    /// Changes what a cell holds.
    ///
    /// # Errors
    /// Evaluation cannot go on.
    pub fn write(&mut self, cell: CellId, value: Value) -> Evaluated<()> {
        self.store_cell(cell, value)
    }

    /// Returns the scalar of a number; a new unknown one where it is not known.
    pub fn scalar(&mut self, value: &Value) -> ScalarId {
        self.number_scalar(value)
    }

    /// Notes a place that could not be evaluated, and returns an operand of which nothing is known; `what` is a clause.
    pub fn unknown(&mut self, span: Span, what: impl Into<String>) -> Operand {
        self.builder.note_unknown(span, what.into());
        Operand::unknown(span)
    }
}
