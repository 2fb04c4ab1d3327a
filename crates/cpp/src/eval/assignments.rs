//! Assignment.

use a2lint_source::text::Span;

use super::Eval;
use super::conversions::is_untyped;
use super::types::{Kind, Ty};
use super::values::{CellId, Operand, Place, Value};
use crate::library::Evaluated;
use crate::syntax::ast::Name;

impl<'u> Eval<'u> {
    /// Evaluates `target = value`.
    pub(crate) fn assign(
        &mut self,
        target: Operand,
        value: Operand,
        span: Span,
    ) -> Evaluated<Operand> {
        if target.ty.kind == Kind::Unknown {
            if let Some(cell) = target.object() {
                // The type is unknown, so the store makes the whole object unknown.
                self.forget_object(cell)?;
            }
            return Ok(target);
        }
        match &target.ty.kind {
            Kind::Class(_) | Kind::Library(_) => {
                let assigned = target.object();
                let made = self.assign_object(target, value, span)?;
                if let Some(cell) = assigned {
                    self.forget_union_siblings(cell)?;
                }
                Ok(made)
            }
            Kind::Array(..) => {
                if let (Some(to), Some(from)) = (target.object(), value.object()) {
                    // Arrays are assigned only as members of a class, by its defaulted operator.
                    self.copy_cells(to, from)?;
                }
                Ok(target)
            }
            _ => {
                let ty = target.ty.clone().unqualified();
                let converted = self.convert(value, &ty, false)?;
                let value = self.value_of(&converted)?;
                self.store(&target, value, span)?;
                Ok(target)
            }
        }
    }

    /// Stores a value where an operand is.
    pub(crate) fn store(&mut self, target: &Operand, value: Value, span: Span) -> Evaluated<()> {
        match &target.place {
            Place::Cell(cell) | Place::Moved(cell) | Place::Temporary(cell) => {
                self.name_value(target.span, &value);
                self.store_cell(*cell, value)?;
                self.forget_union_siblings(*cell)
            }
            Place::Remote(address) => {
                let library = self.library;
                // An element in global memory: the library emits a statement of the program for it.
                if !library.store(self, address, &target.ty, &value, span)? {
                    let what = "what this store reaches is not known";
                    self.unknown_call(what, Some(target), &[], span)?;
                }
                Ok(())
            }
            _ => {
                if target.ty.kind != Kind::Unknown {
                    let what = "what this assignment changes is not known";
                    self.builder.note_unknown(span, what.to_owned());
                }
                Ok(())
            }
        }
    }

    /// Assigns an object of class type.
    pub(crate) fn assign_object(
        &mut self,
        target: Operand,
        value: Operand,
        span: Span,
    ) -> Evaluated<Operand> {
        if let (Kind::Library(_), Some(cell)) = (&target.ty.kind, target.object()) {
            // Handles of the library are values: assigning one copies the handle, not the data.
            if value.ty.is_same(&target.ty) && !is_untyped(&value) {
                let value = self.value_of(&value)?;
                let library = self.library;
                let value = library.assigned(self, &target, value)?;
                self.store_cell(cell, value)?;
                return Ok(target);
            }
            if let Some(made) =
                self.library_method("operator=", &[target.clone(), value.clone()], span)?
            {
                return Ok(made);
            }
            let ty = target.ty.clone().unqualified();
            let converted = self.convert(value, &ty, false)?;
            let value = self.value_of(&converted)?;
            self.store_cell(cell, value)?;
            return Ok(target);
        }
        let (Kind::Class(class), Some(cell)) = (&target.ty.kind, target.object()) else {
            return self.assign_remote(target, value, span);
        };
        let class = *class;
        self.complete(class)?;
        let name: Name = "operator=".into();
        let members = self.classes[class.index()].members.clone();
        if members.names.contains_key(&name) && !self.is_defaulted_assignment(class, &name) {
            let found = self.find_in_class(class, &name)?;
            let functions = found
                .map(|found| self.functions_of(&found))
                .unwrap_or_default();
            let arguments = vec![value.clone()];
            let chosen = self.choose(&functions, None, Some(&target), &arguments)?;
            // A class without a fitting assignment operator is assigned member by member.
            if let Ok(chosen) = chosen {
                return self.call_method(chosen, target, arguments, true, (span, span));
            }
        }
        let ty = target.ty.clone().unqualified();
        let from = self.convert_to_class(value, class, &ty)?;
        let Some(from) = from else {
            self.forget_object(cell)?;
            return Ok(target);
        };
        self.assign_parts(cell, class, from, span)?;
        Ok(target)
    }

    pub(super) fn is_defaulted_assignment(&self, class: super::ClassId, name: &Name) -> bool {
        let members = &self.classes[class.index()].members;
        let own = members.names.get(name);
        own.is_some_and(|own| {
            own.iter().all(|entity| match entity {
                super::names::Entity::Function(decl) => decl.is_defaulted,
                _ => false,
            })
        })
    }

    pub(super) fn convert_to_class(
        &mut self,
        value: Operand,
        class: super::ClassId,
        ty: &Ty,
    ) -> Evaluated<Option<CellId>> {
        if let (Some(from), Some(cell)) = (value.ty.class(), value.object()) {
            self.complete(from)?;
            // A derived object is sliced to its base part.
            if let Some(offset) = self.base_offset(from, class) {
                return Ok(Some(cell.plus(offset)));
            }
        }
        let converted = self.convert(value, ty, false)?;
        Ok(converted.object())
    }

    /// Assigns base classes and members one by one.
    pub(super) fn assign_parts(
        &mut self,
        to: CellId,
        class: super::ClassId,
        from: CellId,
        span: Span,
    ) -> Evaluated<()> {
        // No member has a user-defined operator, so the cells can be copied at once.
        if !self.classes[class.index()].layout.assigns {
            return self.copy_cells(to, from);
        }
        let info = &self.classes[class.index()];
        let (bases, fields) = (info.bases.clone(), info.fields.clone());
        for base in bases {
            let ty: Ty = Kind::Class(base.class).into();
            let target = Operand::cell(ty.clone(), to.plus(base.cell), span);
            let value = Operand::cell(ty, from.plus(base.cell), span);
            self.assign_object(target, value, span)?;
        }
        for field in fields {
            let target = Operand::cell(field.ty.clone(), to.plus(field.cell), span);
            let value = Operand::cell(field.ty.clone(), from.plus(field.cell), span);
            match field.ty.kind {
                Kind::Class(_) => self.assign_object(target, value, span)?,
                _ => {
                    self.copy_cells(to.plus(field.cell), from.plus(field.cell))?;
                    target
                }
            };
        }
        Ok(())
    }

    /// Assigns to an object in memory of the library (a struct in global memory), member by member.
    pub(super) fn assign_remote(
        &mut self,
        target: Operand,
        value: Operand,
        span: Span,
    ) -> Evaluated<Operand> {
        let Kind::Class(class) = target.ty.kind else {
            let value = self.value_of(&value)?;
            self.store(&target, value, span)?;
            return Ok(target);
        };
        let ty = target.ty.clone().unqualified();
        let value = self.convert(value, &ty, false)?;
        for field in self.classes[class.index()].fields.clone() {
            let to = self.member_of(target.clone(), &field.name, span)?;
            let from = self.member_of(value.clone(), &field.name, span)?;
            self.assign(to, from, span)?;
        }
        Ok(target)
    }
}
