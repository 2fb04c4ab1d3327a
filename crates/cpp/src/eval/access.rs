//! Access of a library to objects of the sources.

use a2lint_source::text::Span;

use super::values::{CellId, Operand, Value};
use super::{Eval, Ty};
use crate::library::Evaluated;

impl Eval<'_> {
    /// The cell of a member of an object of class type.
    pub fn member(&mut self, _object: &Operand, _name: &str) -> Option<CellId> {
        None
    }

    /// The cell of an element, counted from where a pointer points.
    pub fn element(&mut self, _pointer: &Value, _index: u32) -> Option<CellId> {
        None
    }

    /// The name of the class of an operand.
    pub fn class_name(&self, _operand: &Operand) -> Option<String> {
        None
    }

    /// Makes a new object.
    ///
    /// # Errors
    /// Evaluation cannot go on.
    pub fn new_object(&mut self, ty: Ty, _span: Span) -> Evaluated<CellId> {
        Ok(self.memory.push(ty, None, false))
    }
}
