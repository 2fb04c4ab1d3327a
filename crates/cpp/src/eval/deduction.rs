//! Deduction of template arguments, and the choice of specialisations by it.

use super::Eval;
use super::names::{Ctx, Entity, Found};
use super::templates::{Bound, Deduction, flattened, is_same_argument, specificity};
use super::types::{Constant, Kind, TemplateArg, Ty};
use crate::library::Evaluated;
use crate::syntax::ast::{
    Class, ExprKind, Path, Template, TemplateArgument, Type, TypeKind, Variable,
};

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
        match &ty.kind {
            Kind::Class(class) => self.deduce_class(path, head, patterns, *class, into),
            Kind::Library(of) => {
                let is_same = match head {
                    Some(at) => into.bind(at, TemplateArg::OfLibrary(of.name.clone())),
                    None => of.name == last.name,
                };
                let arguments = of.arguments.clone();
                Ok(is_same && self.deduce_arguments(patterns, &arguments, into)?)
            }
            _ => Ok(false),
        }
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

    /// Returns the specialisation of a class template that matches some arguments, and the arguments of its own
    /// parameters.
    pub(crate) fn specialisation(
        &mut self,
        entities: &[Entity<'u>],
        context: &Ctx<'u>,
        arguments: &[TemplateArg],
    ) -> Evaluated<Option<(&'u Class, Bound)>> {
        let mut best: Option<(u32, &'u Class, Bound)> = None;
        for entity in entities {
            let Entity::Class(class) = *entity else {
                continue;
            };
            let last = class.path.as_ref().and_then(|path| path.segments.last());
            let (Some(patterns), Some(template)) = (
                last.and_then(|last| last.arguments.as_deref()),
                &class.template,
            ) else {
                continue;
            };
            let fitting = self.fitted(context, (patterns, template), arguments)?;
            if let Some(bound) = fitting {
                let weight = specificity(patterns, template);
                if best.as_ref().is_none_or(|(known, ..)| weight > *known) {
                    best = Some((weight, class, bound));
                }
            }
        }
        Ok(best.map(|(_, class, bound)| (class, bound)))
    }

    /// Returns the specialisation of a variable template that matches some arguments, and the arguments of its own
    /// parameters.
    pub(crate) fn special_variable(
        &mut self,
        entities: &[Entity<'u>],
        context: &Ctx<'u>,
        arguments: &[TemplateArg],
    ) -> Evaluated<Option<(&'u Variable, Bound)>> {
        let mut best: Option<(u32, &'u Variable, Bound)> = None;
        for entity in entities {
            let Entity::Variable(variable) = *entity else {
                continue;
            };
            let (Some(patterns), Some(template)) = (&variable.patterns, &variable.template) else {
                continue;
            };
            if let Some(bound) = self.fitted(context, (patterns, template), arguments)? {
                let weight = specificity(patterns, template);
                if best.as_ref().is_none_or(|(known, ..)| weight > *known) {
                    best = Some((weight, variable, bound));
                }
            }
        }
        Ok(best.map(|(_, variable, bound)| (variable, bound)))
    }

    /// Returns the arguments of a specialisation's own parameters, if what it is for fits some arguments.
    fn fitted(
        &mut self,
        context: &Ctx<'u>,
        (patterns, template): (&'u [TemplateArgument], &'u Template),
        arguments: &[TemplateArg],
    ) -> Evaluated<Option<Bound>> {
        self.in_context(context.clone(), |eval| {
            eval.quietly(|eval| {
                let mut deduction = Deduction::new(template, &[]);
                if !eval.deduce_arguments(patterns, arguments, &mut deduction)? {
                    return Ok(None);
                }
                let Some(bound) = eval.deduced(deduction)? else {
                    return Ok(None);
                };
                // Parts that are not deduced, `enable_if_t<…>` among them, have to be the arguments as well.
                let whole =
                    eval.with_arguments(&bound, |eval| eval.template_arguments(patterns))?;
                let whole = flattened(whole);
                let given = flattened(arguments.to_vec());
                let mut pairs = whole.iter().zip(&given);
                let fits = whole.len() <= given.len() && pairs.all(|(a, b)| is_same_argument(a, b));
                Ok(fits.then_some(bound))
            })
        })
    }
}
