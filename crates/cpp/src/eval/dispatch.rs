//! Virtual calls.

use super::Eval;
use super::types::ClassId;
use super::values::{CellId, FunctionId};
use crate::library::Evaluated;
use crate::syntax::ast::Name;

impl<'u> Eval<'u> {
    /// Returns the function that a virtual call on an object reaches, and the subobject that is its `this`.
    pub(crate) fn dispatched(
        &mut self,
        function: FunctionId,
        object: CellId,
    ) -> Evaluated<(FunctionId, CellId)> {
        let info = self.info(function);
        let (decl, Some(class)) = (info.decl, info.class) else {
            return Ok((function, object));
        };
        if !self.classes[class.index()].layout.has_virtual || !self.is_virtual(function)? {
            return Ok((function, object));
        }
        // A base subobject knows the object around it, whose class has the last overrider. While a constructor or
        // destructor of a base runs, the object is one of that base only.
        let whole = self.whole_object(object);
        let mut incomplete = self.constructing.iter().rev().copied();
        let part = incomplete.find(|&part| self.whole_object(part) == whole);
        let whole = part.unwrap_or(whole);
        let Some(dynamic) = self.memory.get(whole).ty.class() else {
            return Ok((function, object));
        };
        let Some(name) = decl.path.segments.last().map(|last| last.name.clone()) else {
            return Ok((function, object));
        };
        match self.overrider(dynamic, &name, function)? {
            Some((found, owner)) => {
                let offset = self.base_offset(dynamic, owner).unwrap_or(0);
                Ok((found, whole.plus(offset)))
            }
            None => Ok((function, object)),
        }
    }

    /// Returns the final overrider of a virtual function in a class.
    pub(super) fn overrider(
        &mut self,
        class: ClassId,
        name: &Name,
        of: FunctionId,
    ) -> Evaluated<Option<(FunctionId, ClassId)>> {
        let wanted = self.signature(of, &Vec::new())?;
        let is_const = self.info(of).decl.is_const;
        let info = &self.classes[class.index()];
        let (members, context) = (info.members.clone(), info.context.clone());
        let bases = info.bases.clone();
        for entity in members.names.get(name).cloned().unwrap_or_default() {
            let super::names::Entity::Function(decl) = entity else {
                continue;
            };
            let own = self.function(decl, &context, Some(class));
            let signature = self.signature(own, &Vec::new())?;
            if signature.parameters == wanted.parameters && decl.is_const == is_const {
                return Ok(Some((own, class)));
            }
        }
        for base in bases {
            if let Some(found) = self.overrider(base.class, name, of)? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// Returns whether a function is virtual: declared so, or overriding one that is.
    pub(super) fn is_virtual(&mut self, function: FunctionId) -> Evaluated<bool> {
        let info = self.info(function);
        if info.decl.is_virtual {
            return Ok(true);
        }
        let (Some(class), Some(last)) = (info.class, info.decl.path.segments.last()) else {
            return Ok(false);
        };
        let name = last.name.clone();
        for base in self.classes[class.index()].bases.clone() {
            if let Some((found, _)) = self.overrider(base.class, &name, function)?
                && self.nested(|eval| eval.is_virtual(found))?
            {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
