//! Template arguments that a call leaves out: deduced from its arguments, or defaults.

use super::arguments::{Argument, Arguments, bound};
use super::evaluate::View;
use a2lint_syntax::cpp::{Expr, Function, Parameter, Path};

impl<'a> View<'_, 'a> {
    /// Returns the template arguments of a call of a function template; `None` if one cannot be deduced, or all of
    /// them are unknown.
    pub fn deduced(
        self,
        function: &Function<'a>,
        given: &[Expr<'a>],
        passed: &[Expr<'a>],
    ) -> Option<Arguments<'a>> {
        let parameters = &function.template_parameters;
        if parameters.last().is_some_and(|last| last.pack) || given.len() > parameters.len() {
            return None;
        }
        let mut known: Vec<Option<Argument<'a>>> = vec![None; parameters.len()];
        for (slot, argument) in known.iter_mut().zip(given) {
            *slot = Some(self.argument_or_unknown(argument));
        }
        for (parameter, argument) in function.parameters.iter().zip(passed) {
            self.learn_from(function, parameter, argument, &mut known);
        }
        let mut arguments: Arguments<'a> = Vec::new();
        for (at, slot) in known.into_iter().enumerate() {
            let argument = match (slot, &parameters[at].default) {
                (Some(argument), _) => argument,
                (None, Some(default)) => {
                    let names = bound(parameters, &arguments, function.name_span);
                    let frame = self.frame(names);
                    self.within(&frame).argument_or_unknown(default)
                }
                (None, None) => return None,
            };
            arguments.push(argument);
        }
        let known = |it: &Argument<'a>| !matches!(it, Argument::Unknown);
        arguments.iter().any(known).then_some(arguments)
    }

    fn learn_from(
        self,
        function: &Function<'a>,
        parameter: &Parameter<'a>,
        passed: &Expr<'a>,
        known: &mut [Option<Argument<'a>>],
    ) {
        if parameter.pointer {
            return;
        }
        if let Some(ty) = self.type_of(passed) {
            self.unify(function, &parameter.ty, &self.closed(&ty), known);
        }
    }

    /// Deduces template parameters in `pattern` from the type `actual`.
    fn unify(
        self,
        function: &Function<'a>,
        pattern: &Path<'a>,
        actual: &Path<'a>,
        known: &mut [Option<Argument<'a>>],
    ) {
        let parameter = |path: &Path<'a>| {
            let plain = path.segments.len() == 1 && path.arguments.is_empty();
            let mut parameters = function.template_parameters.iter();
            parameters.position(|it| plain && it.name == path.name())
        };
        if let Some(at) = parameter(pattern) {
            if known[at].is_none() && actual.name() != "auto" {
                let expr = a2lint_syntax::cpp::Expr {
                    span: actual.span,
                    kind: a2lint_syntax::cpp::ExprKind::Path(actual.clone()),
                };
                known[at] = self.argument(&expr);
            }
            return;
        }
        if pattern.name() != actual.name() {
            return;
        }
        for (inner, argument) in pattern.arguments.iter().zip(&actual.arguments) {
            match (inner.path(), argument.path()) {
                (Some(inner), Some(argument)) => self.unify(function, inner, argument, known),
                (Some(inner), None) => {
                    if let Some(at) = parameter(inner).filter(|&at| known[at].is_none()) {
                        known[at] = self.argument(argument);
                    }
                }
                _ => {}
            }
        }
    }
}
