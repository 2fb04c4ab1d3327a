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

    /// The members of an object of class type, or the elements of an array, with how they follow its name: `.rows`, `[2]`.
    ///
    /// # Errors
    /// Evaluation cannot go on.
    pub fn parts(&mut self, _object: &Operand) -> Evaluated<Vec<(String, Operand)>> {
        Ok(Vec::new())
    }

    /// Runs a kernel. `argument` makes the argument of each parameter, of which it is told the name, type and place.
    ///
    /// # Errors
    /// Evaluation cannot go on.
    pub fn run_entry(
        &mut self,
        _entry: &std::sync::Arc<crate::syntax::ast::Function>,
        _template: &[super::TemplateArg],
        _argument: &mut dyn FnMut(&mut Self, &str, &Ty, Span) -> Evaluated<Operand>,
    ) -> Evaluated<()> {
        Ok(())
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
