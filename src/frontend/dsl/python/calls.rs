//! Calls: what is called decides what they mean.

use std::cell::RefCell;
use std::rc::Rc;

use super::super::calls::block_dim;
use super::super::emit::Arguments;
use super::super::facade::Builtin;
use super::super::scalar_calls::number_of;
use super::super::tracer::{Eval, Tracer};
use super::super::unknown::Emission;
use super::super::value::{Context, Function, Role, Running, Value};
use super::native::Site;
use super::objects::{Managed, Partial};
use crate::ir::NoteKind;
use crate::isa::{Opcode, Receiver};
use crate::syntax::python::ast::{self, ExprKind};

impl<'a> Tracer<'a> {
    /// A call as it is written.
    pub fn call(
        &mut self,
        expr: &'a ast::Expr,
        func: &'a ast::Expr,
        args: &'a [ast::Expr],
        keywords: &'a [(Option<ast::Name>, ast::Expr)],
    ) -> Eval<Value<'a>> {
        if matches!(&func.kind, ExprKind::Name(name) if name == "super") && args.is_empty() {
            return Ok(self.own_super());
        }
        let callee = match &func.kind {
            ExprKind::Name(name) => self.name(name, func.span),
            _ => self.eval(func)?,
        };
        let arguments = self.arguments(args, keywords)?;
        let site = Site {
            span: expr.span,
            name: func.span,
            receiver: match &func.kind {
                ExprKind::Attribute { value, .. } => value.span,
                _ => expr.span,
            },
        };
        if callee.is_unknown() || matches!(callee, Value::A5(_)) {
            return self.unknown_call(&callee, func, &arguments, site);
        }
        self.apply(callee, arguments, site)
    }

    /// Something that nobody knows is called.
    fn unknown_call(
        &mut self,
        callee: &Value<'a>,
        func: &'a ast::Expr,
        arguments: &Arguments<'a>,
        site: Site,
    ) -> Eval<Value<'a>> {
        if matches!(callee, Value::Inert) {
            return Ok(self.inert_call(arguments, site));
        }
        let is_device_code =
            self.is_undefined(func) || matches!(callee, Value::A5(_)) || is_signal(func);
        let emission = match is_device_code {
            true => Emission::Certain,
            false => Emission::Given,
        };
        let name = self.text(func.span);
        let what = || format!("what `{name}` does is not known");
        self.unknown_code(site.span, what, arguments.values(), emission)?;
        Ok(Value::Unknown)
    }

    /// A function of a library that knows nothing of kernels; tensors it may write to.
    fn inert_call(&self, arguments: &Arguments<'a>, site: Site) -> Value<'a> {
        if writes_to_arguments(self.source.slice(site.name), arguments) {
            self.expose(arguments.values());
        }
        Value::Inert
    }

    pub fn arguments(
        &mut self,
        args: &'a [ast::Expr],
        keywords: &'a [(Option<ast::Name>, ast::Expr)],
    ) -> Eval<Arguments<'a>> {
        let mut result = Arguments::default();
        for arg in args {
            if let ExprKind::Starred(inner) = &arg.kind {
                let value = self.eval(inner)?;
                match self.static_items(&value)? {
                    Some(items) => {
                        let items = items.into_iter().map(|item| (item, arg.span));
                        result.positional.extend(items);
                    }
                    None => {
                        result.positional.push((Value::Unknown, arg.span));
                        result.spread.push(value);
                    }
                }
            } else {
                let value = self.eval(arg)?;
                result.positional.push((value, arg.span));
            }
        }
        for (name, expr) in keywords {
            let value = self.eval(expr)?;
            match (name, &value) {
                (Some(name), _) => result.keywords.push((name.text.clone(), value, expr.span)),
                (None, Value::Dict(entries)) => {
                    for (key, item) in entries.borrow().iter() {
                        match key {
                            Value::Str(name) => {
                                let keyword = (name.to_string(), item.clone(), expr.span);
                                result.keywords.push(keyword);
                            }
                            _ => result.spread.push(item.clone()),
                        }
                    }
                }
                (None, _) => result.spread.push(value),
            }
        }
        Ok(result)
    }

    /// Calls a value.
    pub fn apply(
        &mut self,
        callee: Value<'a>,
        arguments: Arguments<'a>,
        site: Site,
    ) -> Eval<Value<'a>> {
        self.step()?;
        match callee {
            Value::Builtin(Builtin::Native(native)) => (native.call)(self, &arguments, site),
            Value::Builtin(builtin) => self.builtin(builtin, arguments, site),
            Value::Function(function) => self.call_function(&function, arguments, site),
            Value::Lambda(lambda) => self.call_lambda(&lambda, arguments, site),
            Value::Partial(partial) => {
                let arguments = completed(&partial, arguments, site);
                self.apply(partial.callee.clone(), arguments, site)
            }
            Value::Class(class) => self.instantiate(&class, arguments, site),
            Value::Instance(instance) => match instance.class.lookup("__call__") {
                Some(call) => {
                    let method = super::objects::bound(call, Value::Instance(instance));
                    self.apply(method, arguments, site)
                }
                None => Ok(Value::Unknown),
            },
            Value::Maker(maker) => self.make(&maker, &arguments),
            Value::Method(method) => {
                let (object, name) = method.as_ref();
                self.method(object.clone(), name, arguments, site)
            }
            // `@auto_sync()`
            Value::Context(context) if matches!(*context, Context::AutoSync(_)) => {
                Ok(match arguments.at(0) {
                    Some(Value::Function(function)) => self.synchronised(function),
                    _ => Value::Unknown,
                })
            }
            // `t.T()`: the older spelling of `t.T`.
            Value::Local(_) | Value::Global(_) if arguments.positional.is_empty() => Ok(callee),
            Value::OpExec(kernel, running) => {
                let running = Running {
                    block_dim: block_dim(&arguments).or(running.block_dim),
                    ..running
                };
                self.record_launch((&kernel, running), &arguments, site)
            }
            // `np.float32(3)`
            Value::DType(dtype) => Ok(number_of(dtype, arguments.at(0))),
            Value::Inert => Ok(self.inert_call(&arguments, site)),
            Value::A5(_) | Value::Foreign | Value::Unknown => {
                let what = || "what this calls is not known".to_owned();
                self.unknown_code(site.span, what, arguments.values(), Emission::Given)?;
                Ok(Value::Unknown)
            }
            _ => Ok(Value::Unknown),
        }
    }

    fn call_function(
        &mut self,
        function: &Rc<Function<'a>>,
        arguments: Arguments<'a>,
        site: Site,
    ) -> Eval<Value<'a>> {
        match function.role {
            Role::Helper if function.is_manager => Ok(Value::Managed(Rc::new(Managed {
                function: function.clone(),
                arguments: RefCell::new(arguments),
            }))),
            Role::Helper => self.inline(function, arguments, site.span),
            Role::Kernel if !self.in_kernel() => {
                let running = Running {
                    block_dim: block_dim(&arguments),
                    ..Running::default()
                };
                self.record_launch((function, running), &arguments, site)
            }
            Role::Kernel | Role::Opaque => {
                let name = function.name.to_string();
                if function.role == Role::Kernel {
                    self.note(site.span, NoteKind::NestedKernel { name: name.clone() });
                }
                let what = || format!("what becomes of `{name}` is not known");
                let own = Value::Function(function.clone());
                let given = arguments.values().chain([&own]);
                self.unknown_code(site.span, what, given, Emission::Given)?;
                Ok(Value::Unknown)
            }
        }
    }

    /// Calls a method of an object, if it has one of that name.
    pub fn call_method(
        &mut self,
        object: &Value<'a>,
        name: &str,
        arguments: Arguments<'a>,
        site: Site,
    ) -> Eval<Option<Value<'a>>> {
        let Value::Instance(instance) = object else {
            return Ok(None);
        };
        let Some(method) = instance.class.lookup(name) else {
            return Ok(None);
        };
        let method = super::objects::bound(method, object.clone());
        Ok(Some(self.apply(method, arguments, site)?))
    }
}

/// The arguments of a call of a partial function.
fn completed<'a>(partial: &Partial<'a>, given: Arguments<'a>, site: Site) -> Arguments<'a> {
    let mut all = Arguments::of(partial.positional.iter().cloned(), site.span);
    all.positional.extend(given.positional);
    for (name, value) in partial.keywords.iter() {
        let Value::Str(name) = name else { continue };
        if !given.keywords.iter().any(|(other, _, _)| **other == **name) {
            all.keywords
                .push((name.to_string(), value.clone(), site.span));
        }
    }
    all.keywords.extend(given.keywords);
    all.spread = given.spread;
    all
}

/// Whether a function of a library writes to what it is given: it says so with an underscore at its end, or takes a
/// place for its result.
fn writes_to_arguments(name: &str, arguments: &Arguments) -> bool {
    name.trim_end().ends_with('_') || arguments.keyword("out").is_some()
}

/// Whether something is called by the name of a method of events or mutexes: nobody knows what it is
/// called on, and it may well be one.
fn is_signal(func: &ast::Expr) -> bool {
    let ExprKind::Attribute { attr, .. } = &func.kind else {
        return false;
    };
    let receivers = [Receiver::Event, Receiver::Mutex].into_iter();
    receivers
        .filter_map(|receiver| Opcode::method(receiver, &attr.text))
        .next()
        .is_some()
}
