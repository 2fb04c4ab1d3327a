//! Deduction of the template arguments of a class from what initialises an object: `Iterator it(tensor);`.

use std::rc::Rc;

use super::Eval;
use super::classes::Members;
use super::functions::own_template;
use super::names::{Entities, Entity, Found, Local};
use super::resolve::primary;
use super::templates::{Bound, Deduction};
use super::types::{Kind, LibraryType, TemplateArg, TemplateId, Ty};
use super::values::{Operand, Place};
use crate::library::Evaluated;
use crate::syntax::ast::{Class, Expr, Function, Init, Path, Template, Type, TypeKind, Variable};

impl<'u> Eval<'u> {
    /// Returns the class template that a type names without arguments, where an initialiser tells them.
    pub(crate) fn open_template(&mut self, ty: &'u Type) -> Evaluated<Option<TemplateId>> {
        match &ty.kind {
            TypeKind::Path(path) => self.open_template_of(path),
            _ => Ok(None),
        }
    }

    /// Returns the class template that a path names without arguments (`Tile` of `Tile t(x)`), whose arguments are to
    /// be deduced.
    pub(crate) fn open_template_of(&mut self, path: &'u Path) -> Evaluated<Option<TemplateId>> {
        let last = path.segments.last().expect("paths are not empty");
        if last.arguments.is_some() || last.decltype.is_some() {
            return Ok(None);
        }
        let found = self.find_path(path)?;
        Ok(self.found_open_template(&found))
    }

    /// Returns the class template among what lookup has found.
    pub(crate) fn found_open_template(&mut self, found: &Found<'u>) -> Option<TemplateId> {
        let (entities, context) = match found {
            Found::Entities(entities, context, _)
            | Found::Local(Local::Entities(entities, context)) => (entities, context),
            Found::Argument(TemplateArg::Template(id)) => return Some(*id),
            _ => return None,
        };
        primary(entities)?;
        Some(self.template_of(entities, context))
    }

    /// Returns the type of a variable that is declared with the name of a class template alone (`Tile t(x)`); `None`
    /// for other types, and if the arguments cannot be deduced.
    pub(crate) fn deduced_variable_class(
        &mut self,
        variable: &'u Variable,
    ) -> Evaluated<Option<Ty>> {
        let values: &'u [Expr] = match &variable.init {
            Init::None => return Ok(None),
            Init::Assign(value) => std::slice::from_ref(value),
            Init::Parens(values) | Init::Braces(values) => values,
        };
        let template = self.open_template(&variable.ty)?;
        let library = match template {
            Some(_) => None,
            None => self.open_library_class(&variable.ty)?,
        };
        if template.is_none() && library.is_none() {
            return Ok(None);
        }
        // Only the types of the values count here: the initialisation evaluates them.
        let was_typing = std::mem::replace(&mut self.is_typing, true);
        let operands = self.dry(|eval| eval.arguments(values));
        self.is_typing = was_typing;
        let operands = match operands?.as_slice() {
            [
                Operand {
                    place: Place::Braces(items),
                    ..
                },
            ] => items.iter().map(|item| item.value.clone()).collect(),
            operands => operands.to_vec(),
        };
        if let Some(template) = template {
            return self.deduced_class(template, &operands);
        }
        // `LocalTensor rows = queue.AllocTensor<half>()` copies an object of the class.
        Ok(match (&operands[..], library) {
            ([only], Some(named)) => match &only.ty.kind {
                Kind::Library(of) if of.name == named.name => Some(only.ty.clone().unqualified()),
                _ => None,
            },
            _ => None,
        })
    }

    /// Returns the class of the library that a type names without arguments.
    fn open_library_class(&mut self, ty: &'u Type) -> Evaluated<Option<Rc<LibraryType>>> {
        let TypeKind::Path(path) = &ty.kind else {
            return Ok(None);
        };
        let last = path.segments.last().expect("paths are not empty");
        if last.arguments.is_some() || !matches!(self.find_path(path)?, Found::Library(_)) {
            return Ok(None);
        }
        Ok(match self.ty(ty)?.kind {
            Kind::Library(of) if of.arguments.is_empty() => Some(of),
            _ => None,
        })
    }
    /// Returns the instance of a class template that the operands of its initialiser imply; `None` if there is none.
    pub(crate) fn deduced_class(
        &mut self,
        id: TemplateId,
        operands: &[Operand],
    ) -> Evaluated<Option<Ty>> {
        if let [only] = operands
            && let Some(class) = only.ty.class()
            && self.classes[class.index()].template == Some(id)
        {
            return Ok(Some(only.ty.clone().unqualified()));
        }
        let entities = self.templates[id.index()].entities.clone();
        let Some((class, template)) = primary_template(&entities) else {
            return Ok(None);
        };
        let members = self.members_of(class);
        let mut found: Option<Ty> = None;
        for bound in self.class_bounds(id, template, &members, operands)? {
            let arguments = bound.into_iter().map(|(_, argument)| argument).collect();
            let span = operands.first().map_or_else(Default::default, |it| it.span);
            let ty = self.template_instance(id, arguments, span)?;
            let Kind::Class(instance) = ty.kind else {
                continue;
            };
            self.complete(instance)?;
            let constructors = self.constructors(instance)?;
            let is_viable = constructors.is_empty()
                || self.choose(&constructors, None, None, operands)?.is_ok();
            match &found {
                // Two constructors make two classes, and the better one is not looked for.
                Some(known) if is_viable && *known != ty => return Ok(None),
                _ if is_viable => found = Some(ty),
                _ => {}
            }
        }
        Ok(found)
    }

    /// Returns the template arguments that each constructor implies, or else the members of an aggregate in order.
    fn class_bounds(
        &mut self,
        id: TemplateId,
        template: &'u Template,
        members: &Members<'u>,
        operands: &[Operand],
    ) -> Evaluated<Vec<Bound>> {
        let context = self.templates[id.index()].context.clone();
        let mut all = Vec::new();
        let constructors = members.constructors.iter().copied();
        for constructor in constructors.filter(|it| may_take(it, operands.len())) {
            let bound = self.quietly(|eval| {
                eval.in_context(context.clone(), |eval| {
                    let mut deduction = Deduction::new(template, &[]);
                    deduction.is_call = true;
                    match eval.deduce_call(constructor, operands, 0, &mut deduction)? {
                        true => eval.deduced(deduction),
                        false => Ok(None),
                    }
                })
            })?;
            all.extend(bound);
        }
        if !members.constructors.is_empty() || members.fields.len() < operands.len() {
            return Ok(all);
        }
        let bound = self.quietly(|eval| {
            eval.in_context(context, |eval| {
                let mut deduction = Deduction::new(template, &[]);
                deduction.is_call = true;
                for (field, operand) in members.fields.iter().zip(operands) {
                    if !eval.deduce_from(&field.ty, operand, &mut deduction)? {
                        return Ok(None);
                    }
                }
                eval.deduced(deduction)
            })
        })?;
        all.extend(bound);
        Ok(all)
    }
}

/// Returns the declaration of a class template itself, not of a specialisation, with its parameters.
fn primary_template<'u>(entities: &Entities<'u>) -> Option<(&'u Class, &'u Template)> {
    let entities: &[Entity<'u>] = entities;
    let class = primary(entities)?;
    Some((class, class.template.as_ref()?))
}

/// Returns whether class template arguments may be deduced from a call of a constructor with `count` arguments.
/// Constructors that are templates themselves are left out.
fn may_take(constructor: &Function, count: usize) -> bool {
    let parameters = &constructor.parameters;
    let needed = parameters
        .iter()
        .filter(|it| matches!(it.init, Init::None) && !it.is_pack);
    let is_open = constructor.is_variadic || parameters.iter().any(|it| it.is_pack);
    own_template(constructor).is_none()
        && !constructor.is_deleted
        && needed.count() <= count
        && (count <= parameters.len() || is_open)
}
