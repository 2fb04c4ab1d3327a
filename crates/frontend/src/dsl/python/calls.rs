//! Calls: the kind of the callee decides their meaning.

use std::cell::RefCell;
use std::rc::Rc;

use super::super::calls::block_dim;
use super::super::emit::Arguments;
use super::super::facade::Builtin;
use super::super::scalar_calls::number_of;
use super::super::tracer::{Eval, Tracer};
use super::super::unknown::Emission;
use super::super::value::{Context, Function, Kept, KeptCall, Role, Running, Value};
use super::ambient::is_modules;
use super::containers::Hashing;
use super::functions::attributes_of;
use super::native::Site;
use super::objects::{Access, Managed, Partial};
use a2lint_ir::PythonNote;
use a2lint_isa::{Opcode, Receiver};
use a2lint_syntax::python::ast::{self, ExprKind};

impl<'a> Tracer<'a> {
    /// Evaluates a call expression.
    pub fn call(
        &mut self,
        expr: &'a ast::Expr,
        func: &'a ast::Expr,
        args: &'a [ast::Expr],
        keywords: &'a [(Option<ast::Name>, ast::Expr)],
    ) -> Eval<Value<'a>> {
        if let Some(value) = self.call_of_scope(func, args)? {
            return Ok(value);
        }
        let callee = match &func.kind {
            // Not by `eval`: `unknown_call` handles an undefined callee, while `eval` treats an undefined name as a
            // value that may be any object.
            ExprKind::Name(name) => self.name(name, func.span)?,
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
        // Arguments are evaluated even if the callee is unknown, for their effects.
        if callee.is_unknown() || matches!(callee, Value::A5(_)) {
            return self.unknown_call(&callee, func, &arguments, site);
        }
        self.apply(callee, arguments, site)
    }

    /// Evaluates calls whose meaning depends on the calling scope: `super()`, `globals()`, `exec(…)`; `None` for all
    /// others.
    fn call_of_scope(
        &mut self,
        func: &'a ast::Expr,
        args: &'a [ast::Expr],
    ) -> Eval<Option<Value<'a>>> {
        let ExprKind::Name(name) = &func.kind else {
            return Ok(None);
        };
        let is_scope = matches!(
            name.as_str(),
            "super" | "globals" | "locals" | "vars" | "exec" | "eval" | "dir" | "__import__"
        );
        // The file may have a function of its own with that name.
        if !is_scope || self.frame.get(name).is_some() {
            return Ok(None);
        }
        let module = self.frame.module().clone();
        let is_module = self.frame.is(&module);
        Ok(Some(match (name.as_str(), args) {
            ("super", []) => self.own_super(),
            ("super", [owner, object]) => {
                let (owner, object) = (self.eval(owner)?, self.eval(object)?);
                match (owner, &object) {
                    (Value::Class(owner), Value::Instance(_) | Value::Class(_)) => {
                        self.super_of(owner, object)
                    }
                    _ => Value::Unknown,
                }
            }
            ("__import__", [name]) => {
                let name = self.eval(name)?;
                self.imported_by_name(&name)
            }
            ("globals", []) => Value::Names(module),
            // At module level, `locals()` is the dictionary of the module.
            ("locals" | "vars", []) if is_module => Value::Names(module),
            // In a function it is a snapshot of the locals, which is not modelled.
            ("locals" | "vars", []) => Value::Unknown,
            ("vars", [object]) => match self.eval(object)? {
                Value::Instance(instance) if instance.as_tuple().is_none() => {
                    Value::Dict(instance.attributes.clone())
                }
                Value::Module(module) => Value::Names(module),
                function @ (Value::Function(_) | Value::Lambda(_)) => {
                    let names = self.function_attribute(&function, "__dict__")?;
                    names.unwrap_or(Value::Unknown)
                }
                // `vars` of anything else returns its `__dict__`, which can then be changed.
                other => {
                    self.lose(&other)?;
                    if matches!(other, Value::Namespace(_)) {
                        self.lose_scopes();
                    }
                    Value::Unknown
                }
            },
            ("exec" | "eval", _) => {
                for arg in args {
                    let value = self.eval(arg)?;
                    self.lose(&value)?;
                }
                // The text may bind, delete or change anything that is visible here.
                if !self.in_kernel() || name == "exec" {
                    let plain = self.is_plain_text(args);
                    if !plain {
                        self.frame.lose();
                        module.lose();
                    }
                }
                Value::Unknown
            }
            _ => return Ok(None),
        }))
    }

    /// Returns whether the text of an `eval` only reads: it contains no call, no assignment and no `del`.
    fn is_plain_text(&self, args: &[ast::Expr]) -> bool {
        let text = args.first().map(|text| &text.kind);
        match text {
            Some(ExprKind::Str(text)) => {
                !text.contains(['(', '=', ';', '\n']) && !text.contains("del ")
            }
            _ => false,
        }
    }

    /// Calls an unknown value.
    fn unknown_call(
        &mut self,
        callee: &Value<'a>,
        func: &'a ast::Expr,
        arguments: &Arguments<'a>,
        site: Site,
    ) -> Eval<Value<'a>> {
        if matches!(callee, Value::Inert) {
            self.lose_functions(arguments)?;
            return Ok(self.inert_call(arguments, site));
        }
        // An unknown callable may be a bound method of any hidden object, which it may change.
        if let Value::Unknown = callee {
            self.lose(callee)?;
        }
        // An undefined name, a name of A5 and `set`/`wait` are most likely instructions, so they are treated as such.
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

    /// Calls a function of a library that does not concern kernels. It may still write to tensors that it is given.
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
                // Iterating can raise or run code of the file, so it happens where the argument is written.
                match self.static_items(&value)? {
                    Some(items) => {
                        let items = items.into_iter().map(|item| (item, arg.span));
                        result.positional.extend(items);
                    }
                    // One unknown argument in the place of an unknown number of them; binding treats the call as
                    // open.
                    None => {
                        self.hide_items(&value)?;
                        result.positional.push((Value::Unknown, arg.span));
                        result.spread.push(value);
                    }
                }
            } else {
                let value = self.eval(arg)?;
                // A callee that has `sys.modules` can reach every scope.
                if is_modules(&value) {
                    self.lose_scopes();
                }
                result.positional.push((value, arg.span));
            }
        }
        for (name, expr) in keywords {
            let value = self.eval(expr)?;
            match (name, &value) {
                (Some(name), _) => result.keywords.push((name.text.clone(), value, expr.span)),
                // Only a plain dictionary can be expanded here; other mappings are spread as unknown.
                (None, Value::Dict(entries)) => {
                    let Some(known) = entries.known().map(|known| known.to_vec()) else {
                        result.spread.push(value);
                        continue;
                    };
                    for (key, item) in known {
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

    /// Calls a value with evaluated arguments.
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
            // `__code__` or `__defaults__` was assigned, so the body is no longer the one in the file.
            Value::Function(_) | Value::Lambda(_)
                if attributes_of(&callee).is_some_and(|it| it.is_replaced.get()) =>
            {
                self.lose(&callee)?;
                let what = || "its code or its defaults were replaced".to_owned();
                let given = arguments.values().chain([&callee]);
                self.unknown_code(site.span, what, given, Emission::Given)?;
                Ok(Value::Unknown)
            }
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
                    // `__call__` is looked up in the class, never in the instance.
                    self.apply(method, arguments, site)
                }
                // "object is not callable".
                None if instance.class.is_whole => self.throw("TypeError", Value::Unknown),
                None => {
                    self.lose(&Value::Instance(instance))?;
                    self.lost_call(&arguments)
                }
            },
            Value::Maker(maker) => self.make(&maker, &arguments),
            Value::Method(method) => {
                let (object, name) = method.as_ref();
                if let (Value::Function(function), "cache_clear") = (object, name.as_str()) {
                    return Ok(self.clear_cache(function));
                }
                self.method(object.clone(), name, arguments, site)
            }
            // `@auto_sync()`: the context that the call returns is applied as a decorator.
            Value::Context(context) if matches!(*context, Context::AutoSync) => {
                Ok(match arguments.at(0) {
                    Some(Value::Function(function)) => self.synchronised(function),
                    _ => Value::Unknown,
                })
            }
            // `t.T()`: the older spelling of `t.T`.
            Value::Local(_) | Value::Global(_) if arguments.positional.is_empty() => Ok(callee),
            Value::OpExec(kernel, running) => {
                // Options of the call override those of `OpExec`.
                let running = Running {
                    block_dim: block_dim(&arguments).or(running.block_dim),
                    ..running
                };
                self.record_launch((&kernel, running), &arguments, site)
            }
            // `np.float32(3)`.
            Value::DType(dtype) => Ok(number_of(dtype, arguments.at(0))),
            Value::Inert => {
                self.lose_functions(&arguments)?;
                Ok(self.inert_call(&arguments, site))
            }
            Value::None
            | Value::Bool(_)
            | Value::Int(_)
            | Value::Float(_)
            | Value::Str(_)
            | Value::Tuple(_)
            | Value::List(_)
            | Value::Dict(_)
            // None of these types is callable.
            | Value::Set(_) => self.throw("TypeError", Value::Unknown),
            Value::A5(_) | Value::Foreign | Value::Unknown => {
                if let Value::Unknown = callee {
                    self.lose(&callee)?;
                }
                let what = || "what this calls is not known".to_owned();
                self.unknown_code(site.span, what, arguments.values(), Emission::Given)?;
                Ok(Value::Unknown)
            }
            _ => self.lost_call(&arguments),
        }
    }

    /// Makes the functions that a library call receives unknown: a library that leaves containers alone may still
    /// call functions.
    fn lose_functions(&mut self, arguments: &Arguments<'a>) -> Eval<()> {
        let is_called = |value: &&Value<'a>| {
            matches!(
                value,
                Value::Function(_)
                    | Value::Lambda(_)
                    | Value::Partial(_)
                    | Value::Class(_)
                    | Value::Method(_)
                    | Value::Iterator(_)
            )
        };
        let functions: Vec<Value<'a>> = arguments.values().filter(is_called).cloned().collect();
        for function in functions {
            self.lose(&function)?;
        }
        self.doubt();
        Ok(())
    }

    fn call_function(
        &mut self,
        function: &Rc<Function<'a>>,
        arguments: Arguments<'a>,
        site: Site,
    ) -> Eval<Value<'a>> {
        match function.role {
            // A context manager runs when its `with` is entered.
            Role::Helper if function.is_manager => Ok(Value::Managed(Rc::new(Managed {
                function: function.clone(),
                arguments: RefCell::new(arguments),
            }))),
            Role::Helper => match function.cache.clone() {
                Some(cache) => self.call_cached(function, &cache, arguments, site),
                None => self.inline(function, arguments, site.span),
            },
            Role::Kernel if !self.in_kernel() => {
                // Called from host code, a kernel is a launch; called from a kernel, it is a mistake.
                let running = Running {
                    block_dim: block_dim(&arguments),
                    ..Running::default()
                };
                self.record_launch((function, running), &arguments, site)
            }
            Role::Kernel | Role::Opaque => {
                let name = function.name.to_string();
                if function.role == Role::Kernel {
                    self.note(site.span, PythonNote::NestedKernel { name: name.clone() });
                }
                let what = || format!("what becomes of `{name}` is not known");
                let own = Value::Function(function.clone());
                let given = arguments.values().chain([&own]);
                self.unknown_code(site.span, what, given, Emission::Given)?;
                Ok(Value::Unknown)
            }
        }
    }

    /// Calls a function under `functools.lru_cache`: a call with known arguments returns the kept result without
    /// running it.
    fn call_cached(
        &mut self,
        function: &Rc<Function<'a>>,
        cache: &Kept<'a>,
        arguments: Arguments<'a>,
        site: Site,
    ) -> Eval<Value<'a>> {
        let mut key = arguments.plain();
        for (name, value, _) in &arguments.keywords {
            key.extend([Value::str(name), value.clone()]);
        }
        // Arguments are keys of a dictionary.
        for value in &key {
            if self.hashing(value)? == Hashing::Raises {
                return self.throw("TypeError", Value::Unknown);
            }
        }
        let positional = arguments.positional.len();
        // CPython uses a single int or str argument itself as the key, without a wrapping object, so it equals no
        // other key.
        let is_alone = |key: &[Value<'a>], positional: usize| {
            positional == 1 && matches!(key, [Value::Int(_) | Value::Str(_)])
        };
        let known = cache.calls.borrow().to_vec();
        self.charge(known.len())?;
        for (at, kept) in known.into_iter().enumerate() {
            let (other, value) = (&kept.arguments, kept.result);
            // The keys of `f(1)` and `f(a=1)` differ.
            if other.len() != key.len()
                || kept.positional != positional
                || is_alone(other, kept.positional) != is_alone(&key, positional)
            {
                continue;
            }
            let pairs = other.iter().zip(&key);
            let same = pairs.map(|(a, b)| a.is_or_equals(b));
            let same: Vec<Option<bool>> = same.collect();
            if same.contains(&Some(false)) {
                continue;
            }
            if same.contains(&None) {
                // Whether the function runs is unknown, so its effects may or may not happen.
                self.lose(&Value::Function(function.clone()))?;
                return self.lost_call(&arguments);
            }
            if !self.doubts.is_in_region() {
                // A hit moves the result to the end, as the least recently used result is dropped first.
                let mut calls = cache.calls.borrow_mut();
                if at < calls.len() {
                    let used = calls.remove(at);
                    calls.push(used);
                }
            } else if cache.most.is_some() {
                // In a region the order of use is no longer known, so later calls cannot be followed.
                function.attributes.is_replaced.set(true);
            }
            return Ok(value);
        }
        let value = self.inline(function, arguments, site.span)?;
        let is_certain = !self.doubts.is_in_region();
        // In a region the result may or may not be kept.
        let kept = if is_certain {
            value.clone()
        } else {
            Value::Unknown
        };
        let mut calls = cache.calls.borrow_mut();
        calls.push(KeptCall {
            arguments: key,
            positional,
            result: kept,
        });
        if cache.most.is_some_and(|most| calls.len() > most) {
            calls.remove(0);
            if !is_certain {
                function.attributes.is_replaced.set(true);
            }
        }
        Ok(value)
    }

    /// Calls a method of an instance; `None` if its class has no such method.
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
        // Implicit calls look a method up in the class, not in the instance.
        let Some(method) = instance.class.lookup(name) else {
            return Ok(None);
        };
        let method = match method {
            Value::Descriptor(descriptor) => match descriptor.access {
                Access::Static => descriptor.function.clone(),
                Access::Class => {
                    let class = Value::Class(instance.class.clone());
                    super::objects::bound(descriptor.function.clone(), class)
                }
                _ => Value::Unknown,
            },
            method @ (Value::Function(_) | Value::Lambda(_)) => {
                super::objects::bound(method, object.clone())
            }
            Value::Builtin(native) => super::objects::bound(Value::Builtin(native), object.clone()),
            // `__hash__ = None` and the like make the operation a `TypeError`.
            Value::None => return self.throw("TypeError", None),
            other => {
                if other.is_unknown() {
                    self.lose(object)?;
                }
                other
            }
        };
        Ok(Some(self.apply(method, arguments, site)?))
    }
}

/// Returns the arguments for the function of a `partial`: its own come first, and keywords of the call replace its
/// own.
fn completed<'a>(partial: &Partial<'a>, given: Arguments<'a>, site: Site) -> Arguments<'a> {
    let mut all = Arguments::of(partial.positional.iter().cloned(), site.span);
    all.positional.extend(given.positional);
    all.spread = given.spread;
    match partial.keywords.known() {
        Some(known) => {
            for (name, value) in known.iter() {
                let Value::Str(name) = name else { continue };
                // A keyword that is replaced keeps its place in the order.
                let mut others = given.keywords.iter();
                let other = others.find(|(other, _, _)| **other == **name);
                let value = other.map_or(value, |(_, value, _)| value);
                let keyword = (name.to_string(), value.clone(), site.span);
                all.keywords.push(keyword);
            }
        }
        None => all.spread.push(Value::Dict(partial.keywords.clone())),
    }
    for keyword in given.keywords {
        if !all.keywords.iter().any(|(name, _, _)| *name == keyword.0) {
            all.keywords.push(keyword);
        }
    }
    all
}

/// Returns whether a library function writes to its arguments: by torch's convention of a trailing underscore, or by
/// `out=`.
fn writes_to_arguments(name: &str, arguments: &Arguments) -> bool {
    name.trim_end().ends_with('_') || arguments.keyword("out").is_some()
}

/// Returns whether a callee is an attribute with the name of a method of events or mutexes. The unknown object it is
/// called on may be one.
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
