//! Substitution of template arguments: what it makes ill-formed is no candidate, and which specialisation is meant.

use super::Eval;
use super::classes::class_name;
use super::names::{ContextKind, Ctx, Entity};
use super::resolve::is_unknown;
use super::templates::{Bound, Deduction, flattened, is_same_argument, specificity};
use super::types::TemplateArg;
use crate::library::Evaluated;
use crate::syntax::ast::{Class, Template, TemplateArgument, Variable};

/// What the names and template arguments of something that is tried mean.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Failure {
    /// All of them mean something.
    #[default]
    No,
    /// What one means is not known.
    NotKnown,
    /// One means nothing, as a compiler says as well: whatever the others mean, it is no candidate.
    IllFormed,
}

/// Whether a specialisation is for some arguments.
enum Fit {
    No,
    /// It is, with these arguments of its own parameters.
    Yes(Bound),
    NotKnown,
}

/// The specialisation of a template for some arguments.
pub(crate) enum Special<T> {
    /// None: the template itself is meant.
    No,
    /// This one, with the arguments of its own parameters.
    Of(T, Bound),
    /// Whether there is one is not known.
    NotKnown,
}

impl<'u> Eval<'u> {
    /// Records that something means nothing, or that what it means is not known.
    pub(crate) fn fails(&mut self, how: Failure) {
        self.failure = self.failure.max(how);
    }

    /// Evaluates something that may fail to mean anything, as substitution does: its notes are not kept, and `None` is
    /// returned where it fails.
    pub(crate) fn quietly<T>(
        &mut self,
        work: impl FnOnce(&mut Self) -> Evaluated<Option<T>>,
    ) -> Evaluated<Option<T>> {
        let (result, failure) = self.tried(work)?;
        Ok(result.filter(|_| failure == Failure::No))
    }

    /// Evaluates something as [`Eval::quietly`] does, and returns how it has failed as well.
    pub(super) fn tried<T>(
        &mut self,
        work: impl FnOnce(&mut Self) -> Evaluated<T>,
    ) -> Evaluated<(T, Failure)> {
        let former = std::mem::take(&mut self.failure);
        let state = self.state();
        let result = work(self);
        let failure = std::mem::replace(&mut self.failure, former);
        self.roll_back(&state);
        self.leave_state(&state);
        Ok((result?, failure))
    }

    /// Returns the specialisation of a class template that matches some arguments.
    pub(crate) fn specialisation(
        &mut self,
        entities: &[Entity<'u>],
        context: &Ctx<'u>,
        arguments: &[TemplateArg],
    ) -> Evaluated<Special<&'u Class>> {
        let all = entities.iter().filter_map(|entity| {
            let Entity::Class(class) = *entity else {
                return None;
            };
            let last = class.path.as_ref()?.segments.last()?;
            Some((class, last.arguments.as_deref()?, class.template.as_ref()?))
        });
        let is_member = matches!(context.kind, ContextKind::Class(_));
        let name = entities.iter().find_map(|entity| match entity {
            Entity::Class(class) => Some(class_name(class)),
            _ => None,
        });
        // `template <> template <> struct Outer<int>::Inner<2>` may be for these arguments.
        if is_member && name.is_some_and(|name| self.outside_templates.contains(&name)) {
            return Ok(Special::NotKnown);
        }
        self.most_special(all, context, arguments)
    }

    /// Returns the specialisation of a variable template that matches some arguments.
    pub(crate) fn special_variable(
        &mut self,
        entities: &[Entity<'u>],
        context: &Ctx<'u>,
        arguments: &[TemplateArg],
    ) -> Evaluated<Special<&'u Variable>> {
        let all = entities.iter().filter_map(|entity| match *entity {
            Entity::Variable(it) => Some((it, it.patterns.as_deref()?, it.template.as_ref()?)),
            _ => None,
        });
        self.most_special(all, context, arguments)
    }

    fn most_special<T>(
        &mut self,
        all: impl Iterator<Item = (T, &'u [TemplateArgument], &'u Template)>,
        context: &Ctx<'u>,
        arguments: &[TemplateArg],
    ) -> Evaluated<Special<T>> {
        let mut best: Option<(u32, T, Bound)> = None;
        for (decl, patterns, template) in all {
            let bound = match self.fitted(context, (patterns, template), arguments)? {
                Fit::No => continue,
                Fit::Yes(bound) => bound,
                Fit::NotKnown => return Ok(Special::NotKnown),
            };
            let weight = specificity(patterns, template);
            if best.as_ref().is_none_or(|(known, ..)| weight > *known) {
                best = Some((weight, decl, bound));
            }
        }
        Ok(match best {
            Some((_, decl, bound)) => Special::Of(decl, bound),
            None => Special::No,
        })
    }

    /// Returns whether a specialisation is for some arguments.
    fn fitted(
        &mut self,
        context: &Ctx<'u>,
        (patterns, template): (&'u [TemplateArgument], &'u Template),
        arguments: &[TemplateArg],
    ) -> Evaluated<Fit> {
        self.in_context(context.clone(), |eval| {
            let (fit, failure) = eval.tried(|eval| {
                let mut deduction = Deduction::new(template, &[]);
                if !eval.deduce_arguments(patterns, arguments, &mut deduction)? {
                    return Ok(Fit::No);
                }
                // The patterns of a specialisation tell all of its parameters.
                let Some(bound) = eval.deduced(deduction)? else {
                    return Ok(Fit::NotKnown);
                };
                // Parts that are not deduced, `enable_if_t<…>` among them, have to be the arguments as well.
                let noted = std::mem::take(&mut eval.builder.program.unknown);
                let whole = eval.with_arguments(&bound, |it| it.template_arguments(patterns));
                let noted = std::mem::replace(&mut eval.builder.program.unknown, noted);
                let whole = flattened(whole?);
                let is_known = noted.is_empty() && !whole.iter().any(is_unknown);
                if !is_known && eval.failure == Failure::No {
                    return Ok(Fit::NotKnown);
                }
                let given = flattened(arguments.to_vec());
                let mut pairs = whole.iter().zip(&given);
                let fits = whole.len() <= given.len() && pairs.all(|(a, b)| is_same_argument(a, b));
                Ok(if fits { Fit::Yes(bound) } else { Fit::No })
            })?;
            Ok(match (fit, failure) {
                (Fit::No, _) | (_, Failure::IllFormed) => Fit::No,
                (_, Failure::NotKnown) => Fit::NotKnown,
                (fit, Failure::No) => fit,
            })
        })
    }
}
