//! Access of a library to the parts of objects.

use a2lint_source::text::Span;

use super::Eval;
use super::types::{Kind, Ty};
use super::values::{CellId, Operand, Pointer, Value};
use crate::library::Evaluated;
use crate::syntax::ast::Name;

/// Most elements of a constant array that are read, since each use reads them all.
const MAX_TABLE: u64 = 1 << 12;

/// A constant array, and the element of it that a pointer points to.
#[derive(Clone, Debug)]
pub struct ConstantArray {
    /// The name of the variable.
    pub name: String,
    /// The place of its declaration.
    pub span: Span,
    /// The type of the elements.
    pub of: Ty,
    /// The elements.
    pub values: Vec<Value>,
    /// The index of the element.
    pub index: i128,
}

impl Eval<'_> {
    /// Makes a new object without a name.
    ///
    /// # Errors
    /// Evaluation cannot go on.
    pub fn object_of(&mut self, ty: Ty, span: Span) -> Evaluated<CellId> {
        let name: Name = "".into();
        self.new_object(&ty, &name, span)
    }

    /// Names what a cell holds: variables of the program that hold it are called so.
    pub fn set_name(&mut self, cell: CellId, name: &str, span: Span) {
        self.memory.set_label(cell, &name.into(), span);
    }

    /// Returns whether a store is being evaluated whose array element is chosen by a scalar of the program.
    pub fn stores_to_chosen(&self) -> bool {
        self.is_chosen_store
    }

    /// Returns the constant array of static storage that a pointer points into, with the index of the element;
    /// `None` for other objects and where an element is not known.
    ///
    /// # Errors
    /// Evaluation cannot go on.
    pub fn constant_array(&mut self, pointer: &Value) -> Evaluated<Option<ConstantArray>> {
        let Some((array, index)) = self.position(pointer)? else {
            return Ok(None);
        };
        let mut all = self.static_locals.values();
        let is_const = all.any(|(cell, ty)| {
            let of_const = matches!(&ty.kind, Kind::Array(of, _) if of.is_const);
            *cell == array && (ty.is_const || of_const)
        });
        let Kind::Array(of, Some(length)) = self.memory.get(array).ty.kind.clone() else {
            return Ok(None);
        };
        if !is_const || length > MAX_TABLE {
            return Ok(None);
        }
        let mut values = Vec::new();
        for at in 0..length {
            match self.element(array, at)? {
                Some(cell) => values.push(self.load_cell(cell)?),
                None => return Ok(None),
            }
        }
        let (name, span) = self.label(array);
        let of = of.as_ref().clone();
        Ok(Some(ConstantArray {
            name,
            span,
            of,
            values,
            index,
        }))
    }

    /// Returns the cell of a member of an operand of class type.
    ///
    /// # Errors
    /// Evaluation cannot go on.
    pub fn member_cell(&mut self, object: &Operand, name: &str) -> Evaluated<Option<CellId>> {
        match object.object() {
            Some(cell) => self.field_cell(cell, name),
            None => Ok(None),
        }
    }

    /// Returns the cell of the element `index` places after the element that a pointer points to; `None` if the cell is
    /// unknown.
    ///
    /// # Errors
    /// Evaluation cannot go on.
    pub fn element_at(&mut self, pointer: &Value, index: u32) -> Evaluated<Option<CellId>> {
        let Value::Pointer(Pointer::To(first)) = pointer else {
            return Ok(None);
        };
        let Some(array) = self.memory.parent(*first) else {
            return Ok((index == 0).then_some(*first));
        };
        let Kind::Array(of, length) = self.memory.get(array).ty.kind.clone() else {
            return Ok((index == 0).then_some(*first));
        };
        let stride = self.cells_of(&of)?.max(1);
        let at = (first.0 - array.0 - 1) / stride;
        let is_in = u64::from(at) + u64::from(index) < length.unwrap_or(0);
        Ok(is_in.then(|| first.plus(stride * index)))
    }

    /// Returns the members of an object of class type, or the elements of an array, each with the text that selects it:
    /// `.rows`, `[2]`.
    ///
    /// # Errors
    /// Evaluation cannot go on.
    pub fn parts(&mut self, object: &Operand) -> Evaluated<Vec<(String, Operand)>> {
        let Some(cell) = object.object() else {
            return Ok(Vec::new());
        };
        let mut parts = Vec::new();
        match object.ty.kind.clone() {
            Kind::Class(class) => {
                self.complete(class)?;
                for base in self.classes[class.index()].bases.clone() {
                    let ty = Kind::Class(base.class).into();
                    let base = Operand::cell(ty, cell.plus(base.cell), object.span);
                    parts.append(&mut self.parts(&base)?);
                }
                for field in &self.classes[class.index()].fields {
                    let place = cell.plus(field.cell);
                    let operand = Operand::cell(field.ty.clone(), place, object.span);
                    parts.push((format!(".{}", field.name), operand));
                }
            }
            Kind::Array(of, length) => {
                let stride = self.cells_of(&of)?;
                for at in 0..length.unwrap_or(0) as u32 {
                    let place = cell.plus(1 + at * stride);
                    let operand = Operand::cell(of.as_ref().clone(), place, object.span);
                    parts.push((format!("[{at}]"), operand));
                }
            }
            _ => {}
        }
        Ok(parts)
    }
}
