//! Binding of arguments to parameters, and evaluation of function bodies.

use std::collections::HashSet;
use std::rc::Rc;

use rustc_hash::FxHashSet;

use super::super::branches::{locals_of, one_of};
use super::super::emit::Arguments;
use super::super::items::Defaults;
use super::super::tracer::{Abort, Eval, Flow, Tracer};
use super::super::value::{Frame, Function, Lambda, Value};
use super::generated::Generator;
use super::iterators::{Iterator, State};
use super::native::Site;
use a2lint_source::text::Span;
use a2lint_syntax::python::ast::{self, ParamKind};

/// Nesting depth of device blocks beyond which calls inside of them may nest only `MAX_NESTED_CALLS` deep.
const MAX_DEVICE_DEPTH: u32 = 100;
/// Maximum nesting depth of calls where device blocks nest deeper than `MAX_DEVICE_DEPTH`.
const MAX_NESTED_CALLS: u32 = 20;

impl<'a> Tracer<'a> {
    /// Evaluates the defaults of parameters, in the scope of the definition.
    pub fn defaults(&mut self, params: &'a [ast::Param]) -> Eval<Rc<Defaults<'a>>> {
        let values = params.iter().map(|param| match &param.default {
            Some(default) => self.eval(default).map(Some),
            None => Ok(None),
        });
        Ok(Rc::new(values.collect::<Eval<Defaults<'a>>>()?))
    }

    /// Calls a function of the file; a generator function returns its generator without running.
    pub fn inline(
        &mut self,
        function: &Rc<Function<'a>>,
        arguments: Arguments<'a>,
        call: Span,
    ) -> Eval<Value<'a>> {
        if !function.def.is_generator {
            return self.run(function, arguments, call);
        }
        let generator = Generator::of_function(function, arguments, call);
        Ok(Value::Iterator(Iterator::new(State::Generator(generator))))
    }

    /// Returns the number of statements that the kernel has so far.
    pub fn emitted(&self) -> u32 {
        self.kernel
            .as_ref()
            .map_or(0, |builder| builder.program.stmt_count)
    }

    /// Evaluates the body of a function.
    pub fn run(
        &mut self,
        function: &Rc<Function<'a>>,
        arguments: Arguments<'a>,
        call: Span,
    ) -> Eval<Value<'a>> {
        self.enter()?;
        if self.in_kernel() {
            self.called.insert(function.def.full_span);
        }
        let frame = self.new_frame(function.closure.clone());
        // In a kernel, unbound locals are not followed: both arms of a branch are traced, and a name may be bound in
        // one alone.
        if !self.in_kernel() {
            frame.set_locals(self.locals_of(function.def));
        }
        let caller = std::mem::replace(&mut self.frame, frame.clone());
        // Each function is rewritten or not by its own decorator, whatever its caller is.
        let rewritten = std::mem::replace(&mut self.rewritten, function.rewritten);
        let compiles = self.is_compiled() && self.compiles_call(function, &arguments);
        let compiled = std::mem::replace(&mut self.compiled, compiles);
        // `break` in the callee cannot leave a loop of the caller.
        let loops = std::mem::take(&mut self.loop_kinds);
        let statement = self.kernel.as_ref().map(|builder| builder.statement);
        let origin = self.kernel.as_mut().map(|builder| builder.enter_call(call));
        // Regions that an early `return` has opened end with the call.
        let regions = self.doubts.depth();
        self.doubts.returns.push(Vec::new());
        let depth = self.running.len();
        let flow = self.body(function, arguments, frame, call);
        self.running.truncate(depth);
        let perhaps = self.doubts.returns.pop().unwrap_or_default();
        self.doubts.close(regions);
        if let (Some(builder), Some(origin), Some(statement)) =
            (&mut self.kernel, origin, statement)
        {
            builder.leave_call(origin);
            builder.statement = statement;
        }
        self.frame = caller;
        self.rewritten = rewritten;
        self.compiled = compiled;
        self.loop_kinds = loops;
        self.calls -= 1;
        let value = match flow? {
            Flow::Return(value) => value,
            // In a kernel exceptions are not propagated: the result is unknown and the trace goes on.
            Flow::Raise if self.in_kernel() && !self.doubts.is_stopping => {
                return self.not_followed();
            }
            Flow::Raise if perhaps.is_empty() || self.doubts.is_stopping => {
                return Err(Abort::Raised);
            }
            Flow::Raise => {
                // Code after the call runs only if the call has returned, so the value is one of the early returns.
                self.doubts.raised = None;
                self.doubt();
                perhaps.iter().try_for_each(|value| self.hide(value))?;
                return Ok(one_of(perhaps));
            }
            _ => Value::None,
        };
        Ok(match perhaps.is_empty() {
            true => value,
            // With early returns whose condition is unknown, the value is known only if all are the same.
            false => {
                let values: Vec<Value<'a>> = perhaps.into_iter().chain([value]).collect();
                values.iter().try_for_each(|value| self.hide(value))?;
                one_of(values)
            }
        })
    }

    fn body(
        &mut self,
        function: &Rc<Function<'a>>,
        arguments: Arguments<'a>,
        frame: Frame<'a>,
        call: Span,
    ) -> Eval<Flow<'a>> {
        let def = function.def;
        self.bind_parameters(
            (&def.name.text, &def.params, &function.defaults),
            arguments,
            call,
        )?;
        // Pushed after binding: until then, `super()` and the like belong to the caller.
        self.running.push((function.clone(), frame));
        match function.auto_sync && self.in_kernel() {
            true => self.auto_synchronised(&def.body),
            false => self.block(&def.body),
        }
    }

    fn locals_of(&mut self, def: &'a ast::FunctionDef) -> Rc<FxHashSet<&'a str>> {
        let known = self.locals.entry(def.full_span);
        known.or_insert_with(|| Rc::new(locals_of(def))).clone()
    }

    fn enter(&mut self) -> Eval<()> {
        // Later passes walk the nesting of device blocks on smaller stacks.
        let builder = self.kernel.as_ref();
        let is_nested = builder.is_some_and(|builder| builder.device_depth() > MAX_DEVICE_DEPTH);
        let is_allowed = !is_nested || self.calls < MAX_NESTED_CALLS;
        if !is_allowed || !self.stack.admits(self.calls) {
            return Err(Abort::Limit("helper calls nest too deeply".into()));
        }
        self.calls += 1;
        Ok(())
    }

    pub fn call_lambda(
        &mut self,
        lambda: &Rc<Lambda<'a>>,
        arguments: Arguments<'a>,
        site: Site,
    ) -> Eval<Value<'a>> {
        self.enter()?;
        // A lambda has a scope of its own, but no early returns or loops that would need saving.
        let frame = self.new_frame(lambda.closure.clone());
        let caller = std::mem::replace(&mut self.frame, frame);
        let bound = self.bind_parameters(
            ("<lambda>", lambda.params, &lambda.defaults),
            arguments,
            site.span,
        );
        let value = bound.and_then(|()| self.eval(lambda.body));
        self.frame = caller;
        self.calls -= 1;
        value
    }

    fn bind_parameters(
        &mut self,
        (name, params, defaults): (&str, &'a [ast::Param], &[Option<Value<'a>>]),
        arguments: Arguments<'a>,
        call: Span,
    ) -> Eval<()> {
        // `*` and `**` of unknown values may bring any argument.
        let is_open = !arguments.spread.is_empty();
        let mut positional = arguments.positional.into_iter();
        let mut bound = HashSet::new();
        let mut rest = None;
        for param in params {
            let text = param.name.text.as_str();
            match param.kind {
                ParamKind::PositionalOnly | ParamKind::Normal => {
                    if let Some((value, _)) = positional.next() {
                        self.frame.set(text, value);
                        bound.insert(text);
                    }
                }
                ParamKind::Args => {
                    let values = positional.by_ref().map(|(value, _)| value).collect();
                    let values = match is_open {
                        true => Value::Unknown,
                        false => Value::tuple(values),
                    };
                    self.frame.set(text, values);
                    bound.insert(text);
                }
                ParamKind::KeywordOnly => {}
                ParamKind::Kwargs => rest = Some(text),
            }
        }
        // With a spread of unknown length, too many arguments are not certain.
        if positional.next().is_some() && !is_open {
            let message = format!("{name}() takes fewer positional arguments");
            self.raise(call, "TypeError", message);
            self.throw("TypeError", ())?;
        }
        let mut further = Vec::new();
        for (keyword, value, _) in arguments.keywords {
            let named = params.iter().find(|param| {
                // Positional-only parameters cannot be given by name.
                let takes = matches!(param.kind, ParamKind::Normal | ParamKind::KeywordOnly);
                takes && param.name.text == keyword
            });
            match named {
                Some(param) => {
                    self.frame.set(&param.name.text, value);
                    // "got multiple values for argument".
                    if !bound.insert(param.name.text.as_str()) && !is_open {
                        self.throw("TypeError", ())?;
                    }
                }
                // `**kwargs` takes the keywords that no parameter has.
                None if rest.is_some() => further.push((Value::str(&keyword), value)),
                None => {
                    let message = format!("{name}() has no parameter `{keyword}`");
                    self.raise(call, "TypeError", message);
                    self.throw("TypeError", ())?;
                }
            }
        }
        if let Some(rest) = rest {
            let all = match is_open {
                true => Value::Unknown,
                false => Value::dict(further),
            };
            self.frame.set(rest, all);
            bound.insert(rest);
        }
        for (at, param) in params.iter().enumerate() {
            let text = param.name.text.as_str();
            if bound.contains(text) {
                continue;
            }
            let value = match defaults.get(at) {
                // An unknown spread may give the parameter, so its default is not certain either.
                _ if is_open => Value::Unknown,
                Some(Some(default)) => default.clone(),
                _ => {
                    let message = format!("{name}() is called without its argument `{text}`");
                    self.raise(call, "TypeError", message);
                    self.throw("TypeError", Value::Unknown)?
                }
            };
            self.frame.set(text, value);
        }
        Ok(())
    }
}
