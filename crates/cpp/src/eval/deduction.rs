//! Deduction of template arguments.

use super::Eval;
use super::names::{Ctx, Entity, Found};
use super::templates::{Deduction, flattened, is_same_argument};
use super::types::{Constant, Kind, TemplateArg, Ty};
use crate::library::Evaluated;
use crate::syntax::ast::{Alias, ExprKind, Path, TemplateArgument, Type, TypeKind};

impl<'u> Eval<'u> {
    /// Deduces parameters from a type; `false` where the pattern cannot be it. What is not dependent is not compared.
    pub(crate) fn deduce(
        &mut self,
        pattern: &'u Type,
        ty: &Ty,
        into: &mut Deduction<'u>,
    ) -> Evaluated<bool> {
        // Conversions apply to parameters that mention none: overload resolution compares them.
        if !into.is_dependent(pattern) {
            return Ok(true);
        }
        match &pattern.kind {
            TypeKind::Path(path) => self.deduce_path(path, pattern.is_const, ty, into),
            TypeKind::Pointer(of, _) => match &ty.kind {
                Kind::Pointer(to, _) => {
                    let to = to.clone();
                    self.deduce(of, &to, into)
                }
                _ => Ok(false),
            },
            TypeKind::Reference(of) => match &ty.kind {
                Kind::Reference(to, false) => {
                    let to = to.clone();
                    self.deduce(of, &to, into)
                }
                _ => Ok(false),
            },
            TypeKind::RvalueReference(of) => match &ty.kind {
                Kind::Reference(to, true) => {
                    let to = to.clone();
                    self.deduce(of, &to, into)
                }
                _ => Ok(false),
            },
            TypeKind::Array(of, length) => {
                let Kind::Array(element, count) = &ty.kind else {
                    return Ok(false);
                };
                let (element, count) = (element.clone(), *count);
                if let (Some(length), Some(count)) = (length, count)
                    && let ExprKind::Path(path) = &length.kind
                    && let Some(at) = into.alone(path)
                {
                    let of = super::types::IntType::UnsignedLong.into();
                    let constant = TemplateArg::Value(of, Constant::Int(count.into()));
                    if !into.bind(at, constant) {
                        return Ok(false);
                    }
                } else if length.is_some() != count.is_some() {
                    return Ok(false);
                }
                self.deduce(of, &element, into)
            }
            TypeKind::Function(returns, parameters) => {
                let Kind::Function(of) = &ty.kind else {
                    return Ok(false);
                };
                let of = of.clone();
                let mut fits = self.deduce(returns, &of.returns, into)?;
                fits &= parameters.len() == of.parameters.len();
                for (pattern, ty) in parameters.iter().zip(&of.parameters) {
                    fits = fits && self.deduce(pattern, ty, into)?;
                }
                Ok(fits)
            }
            _ => Ok(true),
        }
    }

    pub(super) fn deduce_path(
        &mut self,
        path: &'u Path,
        is_const: bool,
        ty: &Ty,
        into: &mut Deduction<'u>,
    ) -> Evaluated<bool> {
        if let Some(at) = into.alone(path) {
            if is_const && !ty.is_const && !into.is_call {
                return Ok(false);
            }
            let argument = match is_const {
                true => ty.clone().unqualified(),
                false => ty.clone(),
            };
            return Ok(into.bind(at, TemplateArg::Type(argument)));
        }
        let last = path.segments.last().expect("paths are not empty");
        let Some(patterns) = &last.arguments else {
            // `typename T::type` is not deduced.
            return Ok(true);
        };
        if is_const && !ty.is_const && !into.is_call {
            return Ok(false);
        }
        let head = match path.segments.as_slice() {
            [only] => into.parameter(&only.name),
            // `typename C<T>::type` is not deduced from either.
            [first, ..] if first.arguments.is_some() => return Ok(true),
            _ => None,
        };
        let is_named = matches!(&ty.kind, Kind::Library(of) if of.name == last.name);
        if head.is_none()
            && !is_named
            && let Some(alias) = self.alias_template(path)?
        {
            return self.nested(|eval| eval.deduce_alias(alias, patterns, ty, into));
        }
        match &ty.kind {
            Kind::Class(class) => self.deduce_class(path, head, patterns, *class, into),
            Kind::Library(of) => {
                let is_same = match head {
                    Some(at) => into.bind(at, TemplateArg::OfLibrary(of.name.clone())),
                    None => is_named,
                };
                let arguments = of.arguments.clone();
                Ok(is_same && self.deduce_arguments(patterns, &arguments, into)?)
            }
            _ => Ok(false),
        }
    }

    /// Returns the alias template that a path names, with the scope of its declaration.
    fn alias_template(&mut self, path: &'u Path) -> Evaluated<Option<(&'u Alias, Ctx<'u>)>> {
        let Found::Entities(entities, context, _) = self.find_path(path)? else {
            return Ok(None);
        };
        let alias = entities.iter().find_map(|entity| match entity {
            Entity::Alias(alias) => Some(*alias),
            _ => None,
        });
        Ok(alias.map(|alias| (alias, context)))
    }

    /// Deduces from a type that a pattern names by an alias template: what the arguments of the alias are, its type
    /// tells. Arguments that it does not tell (`enable_if_t`, `void_t`) are not deduced from.
    fn deduce_alias(
        &mut self,
        (alias, context): (&'u Alias, Ctx<'u>),
        patterns: &'u [TemplateArgument],
        ty: &Ty,
        into: &mut Deduction<'u>,
    ) -> Evaluated<bool> {
        let Some(template) = &alias.template else {
            return Ok(true);
        };
        let mut of_alias = Deduction::new(template, &[]);
        of_alias.is_call = into.is_call;
        if !self.in_context(context, |eval| eval.deduce(&alias.ty, ty, &mut of_alias))? {
            return Ok(false);
        }
        for (at, found) in of_alias.found().into_iter().enumerate() {
            let rest = patterns.get(at..).unwrap_or_default();
            let fits = match found {
                None => true,
                Some(TemplateArg::Pack(items)) => self.deduce_arguments(rest, &items, into)?,
                Some(argument) => match rest.first() {
                    Some(pattern) => self.deduce_argument(pattern, &argument, into)?,
                    None => true,
                },
            };
            if !fits {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Deduces from a class or the first of its bases that is an instance of the template.
    pub(super) fn deduce_class(
        &mut self,
        path: &'u Path,
        head: Option<usize>,
        patterns: &'u [TemplateArgument],
        class: super::types::ClassId,
        into: &mut Deduction<'u>,
    ) -> Evaluated<bool> {
        let info = &self.classes[class.index()];
        let (template, arguments) = (info.template, info.arguments.clone());
        if let Some(template) = template {
            let is_same = match head {
                Some(at) => into.bind(at, TemplateArg::Template(template)),
                None => match self.find_path(path)? {
                    Found::Entities(entities, context, _) => match entities.first() {
                        Some(Entity::Own(own)) => {
                            self.classes[own.index()].template == Some(template)
                        }
                        _ => self.template_of(&entities, &context) == template,
                    },
                    Found::Argument(TemplateArg::Template(id)) => id == template,
                    _ => false,
                },
            };
            if is_same {
                return self.deduce_arguments(patterns, &arguments, into);
            }
        }
        self.complete(class)?;
        let bases = self.classes[class.index()].bases.clone();
        for base in bases {
            if self.nested(|eval| eval.deduce_class(path, head, patterns, base.class, into))? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    pub(super) fn deduce_arguments(
        &mut self,
        patterns: &'u [TemplateArgument],
        arguments: &[TemplateArg],
        into: &mut Deduction<'u>,
    ) -> Evaluated<bool> {
        let arguments = flattened(arguments.to_vec());
        let mut rest = arguments.iter();
        for pattern in patterns {
            if let TemplateArgument::Pack(pattern) = pattern {
                for argument in rest.by_ref() {
                    if !self.deduce_argument(pattern, argument, into)? {
                        return Ok(false);
                    }
                }
                return Ok(true);
            }
            let Some(argument) = rest.next() else {
                return Ok(false);
            };
            if !self.deduce_argument(pattern, argument, into)? {
                return Ok(false);
            }
        }
        // A pattern may leave out arguments that have defaults.
        Ok(true)
    }

    pub(super) fn deduce_argument(
        &mut self,
        pattern: &'u TemplateArgument,
        argument: &TemplateArg,
        into: &mut Deduction<'u>,
    ) -> Evaluated<bool> {
        match (pattern, argument) {
            (TemplateArgument::Type(pattern), TemplateArg::Type(ty)) => {
                if !into.is_dependent(pattern) {
                    return Ok(self.ty(pattern)? == *ty);
                }
                self.deduce(pattern, ty, into)
            }
            (TemplateArgument::Type(pattern), argument) => match &pattern.kind {
                TypeKind::Path(path) => match into.alone(path) {
                    Some(at) => Ok(into.bind(at, argument.clone())),
                    None => {
                        let known = self.path_argument(path, pattern)?;
                        Ok(is_same_argument(&known, argument))
                    }
                },
                _ => Ok(false),
            },
            (TemplateArgument::Value(pattern), argument) => {
                if let ExprKind::Path(path) = &pattern.kind
                    && let Some(at) = into.alone(path)
                {
                    return Ok(into.bind(at, argument.clone()));
                }
                let mut is_dependent = false;
                super::visit::names_in_expr(pattern, &mut |name| {
                    is_dependent |= into.parameter(name).is_some();
                });
                if is_dependent {
                    return Ok(true);
                }
                let known = self.value_argument(pattern)?;
                Ok(is_same_argument(&known, argument))
            }
            (TemplateArgument::Pack(_), _) => Ok(false),
        }
    }
}
