//! Access of a library to objects of the sources.

use a2lint_source::text::Span;

use super::values::{CellId, Operand, Value};
use super::{Eval, Ty};
use crate::library::Evaluated;

/// What makes the argument of a parameter, of which it is told the name, type and place.
pub type MakeArgument<'a, 'u> =
    dyn FnMut(&mut Eval<'u>, &str, &Ty, Span) -> Evaluated<Operand> + 'a;

impl<'u> Eval<'u> {
    #![allow(missing_docs, clippy::missing_errors_doc)]
    pub fn member(&mut self, _object: &Operand, _name: &str) -> Evaluated<Option<CellId>> {
        Ok(None)
    }
    pub fn element_at(&mut self, _pointer: &Value, _index: u32) -> Evaluated<Option<CellId>> {
        Ok(None)
    }
    pub fn parts(&mut self, _object: &Operand) -> Evaluated<Vec<(String, Operand)>> {
        Ok(Vec::new())
    }
    pub fn run_entry(
        &mut self,
        _entry: &'u std::sync::Arc<crate::syntax::ast::Function>,
        _template: &[super::TemplateArg],
        _argument: &mut MakeArgument<'_, 'u>,
    ) -> Evaluated<()> {
        Ok(())
    }
    pub fn class_name(&self, _operand: &Operand) -> Option<String> {
        None
    }
    pub fn object_of(&mut self, ty: Ty, _span: Span) -> Evaluated<CellId> {
        Ok(self.memory.push(ty, None, false))
    }
}
