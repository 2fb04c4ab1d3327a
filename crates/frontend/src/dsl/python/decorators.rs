//! Function definitions and decorators.

use std::cell::RefCell;
use std::rc::Rc;

use super::super::emit::Arguments;
use super::super::tracer::{Eval, Tracer};
use super::super::value::{Attributes, Cases, Function, Kept, Making, Role, Value};
use super::functions::{is_usual, update_wrapper};
use super::native::{Native, Site};
use super::objects::{Access, Descriptor, Maker};
use a2lint_ir::BLOCK_DIM;
use a2lint_isa::Dialect;
use a2lint_source::text::Slice;
use a2lint_syntax::python::ast;

/// Longest description of an argument in the name of a kernel's instance.
const MAX_ARGUMENT: usize = 40;
/// Default `maxsize` of `functools.lru_cache`.
const USUAL_RESULTS: usize = 128;

pub const TABLE: &[Native] = &[
    native("functools", "lru_cache", lru_cache),
    native("functools", "cache", |tracer, args, _| match args.at(0) {
        Some(function) => tracer.cached(&function.clone(), None),
        None => tracer.not_followed(),
    }),
    native("functools", "total_ordering", |_, args, _| Ok(same(args))),
    native("functools", "wraps", |_, args, _| Ok(wraps(args))),
    native("functools", "update_wrapper", update_wrapper),
    native("functools", "cached_property", |_, args, _| {
        Ok(descriptor(Access::Cached, args))
    }),
    native("enum", "unique", |_, args, _| Ok(same(args))),
    native("abc", "abstractmethod", |_, args, _| Ok(same(args))),
    native("typing", "final", |_, args, _| Ok(same(args))),
    native("typing", "overload", |_, args, _| Ok(same(args))),
    native("typing", "no_type_check", |_, args, _| Ok(same(args))),
    native("", "property", |_, args, _| {
        Ok(descriptor(Access::Property, args))
    }),
    native("", "staticmethod", |_, args, _| {
        Ok(descriptor(Access::Static, args))
    }),
    native("", "classmethod", |_, args, _| {
        Ok(descriptor(Access::Class, args))
    }),
    native("contextlib", "contextmanager", |tracer, args, _| {
        manager(tracer, args)
    }),
    native("pytest.mark", "parametrize", parametrize),
    native("pytest", "fixture", fixture),
    native("pytest", "param", |_, args, _| {
        // `marks=` and `id=` change no value.
        Ok(maker(Maker::Row(args.plain())))
    }),
    native("pytest.mark", "skip", marked),
    native("pytest.mark", "skipif", marked),
    native("pytest.mark", "slow", marked),
    native("pytest.mark", "xfail", marked),
    native("pytest.mark", "usefixtures", marked),
    native("pytest.mark", "filterwarnings", marked),
    native("pytest.mark", "timeout", marked),
];

const fn native(module: &'static str, name: &'static str, call: super::native::Call) -> Native {
    Native { module, name, call }
}

fn maker(maker: Maker<'_>) -> Value<'_> {
    Value::Maker(Rc::new(maker))
}

/// Evaluates a decorator, with or without arguments, that returns the function unchanged.
fn same<'a>(arguments: &Arguments<'a>) -> Value<'a> {
    match arguments.at(0) {
        Some(value @ (Value::Function(_) | Value::Class(_) | Value::Lambda(_))) => value.clone(),
        Some(value @ (Value::Partial(_) | Value::Descriptor(_) | Value::Builtin(_))) => {
            value.clone()
        }
        // A call with other arguments is a decorator factory (`@final()`).
        Some(value) if value.is_unknown() => Value::Unknown,
        _ => maker(Maker::Same),
    }
}

/// Evaluates a mark of pytest that leaves the test unchanged.
fn marked<'a>(_: &mut Tracer<'a>, args: &Arguments<'a>, _: Site) -> Eval<Value<'a>> {
    Ok(same(args))
}

fn descriptor<'a>(access: Access, arguments: &Arguments<'a>) -> Value<'a> {
    match arguments.at(0) {
        Some(function) => {
            let further = |at: usize, name: &str| {
                // `property(get, None, delete)` leaves the setter out.
                let given = arguments.at(at).or(arguments.keyword(name)).cloned();
                given.filter(|given| !matches!(given, Value::None))
            };
            Value::Descriptor(Rc::new(Descriptor {
                access,
                function: function.clone(),
                setter: further(1, "fset"),
                deleter: further(2, "fdel"),
            }))
        }
        None => Value::Unknown,
    }
}

/// Evaluates `functools.wraps(function)`.
fn wraps<'a>(arguments: &Arguments<'a>) -> Value<'a> {
    let wrapped = match arguments.plain().as_slice() {
        [wrapped] if is_usual(arguments) => Some(wrapped.clone()),
        _ => None,
    };
    maker(Maker::Wrapper(wrapped))
}

/// Evaluates `functools.lru_cache(maxsize=…)`.
fn lru_cache<'a>(tracer: &mut Tracer<'a>, args: &Arguments<'a>, _: Site) -> Eval<Value<'a>> {
    let typed = args.at(1).or(args.keyword("typed"));
    let is_typed = typed.is_some_and(|typed| typed.truth() != Some(false));
    let most = match args.at(0).or(args.keyword("maxsize")) {
        Some(Value::None) => None,
        Some(Value::Int(most)) => Some(usize::try_from(*most).unwrap_or(0)),
        None => Some(USUAL_RESULTS),
        // `@lru_cache` without parentheses receives the function.
        Some(function @ Value::Function(_)) => {
            return tracer.cached(&function.clone(), Some(USUAL_RESULTS));
        }
        Some(_) => return tracer.lost_call(args),
    };
    // `typed=True` distinguishes `f(1)` from `f(1.0)`, which is not modelled.
    match is_typed || !args.spread.is_empty() {
        true => tracer.lost_call(args),
        false => Ok(maker(Maker::Cached(most))),
    }
}

fn manager<'a>(tracer: &mut Tracer<'a>, arguments: &Arguments<'a>) -> Eval<Value<'a>> {
    match arguments.at(0) {
        Some(Value::Function(wrapped)) => {
            let mut function = Function::clone(wrapped);
            function.is_manager = true;
            function.attributes = tracer.wrapping_attributes(wrapped);
            Ok(Value::Function(Rc::new(function)))
        }
        _ => tracer.lost_call(arguments),
    }
}

/// Evaluates `@pytest.mark.parametrize("M, N", [(64, 64), …])`.
fn parametrize<'a>(tracer: &mut Tracer<'a>, args: &Arguments<'a>, _: Site) -> Eval<Value<'a>> {
    let names = args.at(0).or(args.keyword("argnames")).cloned();
    let names: Vec<String> = match &names {
        Some(Value::Str(names)) => names
            .split(',')
            .map(|name| name.trim().to_owned())
            .collect(),
        Some(list) => {
            let items = tracer.static_items(list)?.unwrap_or_default();
            let text = |item: &Value<'a>| match item {
                Value::Str(text) => Some(text.to_string()),
                _ => None,
            };
            items.iter().filter_map(text).collect()
        }
        None => Vec::new(),
    };
    let values = args.at(1).or(args.keyword("argvalues")).cloned();
    let rows = match &values {
        Some(values) => tracer.static_items(values)?,
        None => None,
    };
    // Unknown cases count as one case with unknown values, so that the test is still evaluated.
    let rows = Rc::new(rows.unwrap_or(vec![Value::Unknown]).into());
    let names = names.into();
    Ok(maker(Maker::Parametrize(Cases { names, rows })))
}

/// Evaluates `@pytest.fixture` and `@pytest.fixture(params=[…])`.
fn fixture<'a>(tracer: &mut Tracer<'a>, args: &Arguments<'a>, _: Site) -> Eval<Value<'a>> {
    let params = match args.keyword("params").cloned() {
        Some(params) => tracer.static_items(&params)?,
        None => None,
    };
    let fixture = Maker::Fixture(params.map(|params| Rc::new(params.into())));
    match args.at(0) {
        Some(Value::Function(_)) => tracer.make(&fixture, args),
        _ => Ok(maker(fixture)),
    }
}

impl<'a> Tracer<'a> {
    pub fn define(&mut self, def: &'a ast::FunctionDef) -> Eval<()> {
        self.defined.insert(def.full_span);
        let defaults = self.defaults(&def.params)?;
        let plain = Rc::new(Function {
            def,
            name: def.name.text.as_str().into(),
            closure: self.frame.for_functions(),
            defaults,
            role: Role::Helper,
            making: Making::default(),
            auto_sync: false,
            rewritten: false,
            is_manager: false,
            is_fixture: false,
            cases: [].into(),
            cache: None,
            attributes: Attributes::new(),
        });
        let value = self.decorated(&def.decorators, Value::Function(plain))?;
        self.bind_name(&def.name.text, value);
        Ok(())
    }

    /// Applies decorators to a value, the last one first. A function under an unknown decorator cannot be followed; a
    /// kernel stays a kernel.
    pub fn decorated(
        &mut self,
        decorators: &'a [ast::Expr],
        mut value: Value<'a>,
    ) -> Eval<Value<'a>> {
        // All decorator expressions are evaluated from top to bottom before any is applied.
        let mut makers = Vec::with_capacity(decorators.len());
        for decorator in decorators {
            makers.push((self.eval(decorator)?, decorator));
        }
        for (maker, decorator) in makers.into_iter().rev() {
            let arguments = Arguments::of([value.clone()], decorator.span);
            let made = self.apply(maker, arguments, Site::at(decorator.span))?;
            value = match (made.is_unknown(), &value) {
                // Losing a kernel because of an unknown outer decorator would hide it from all checks.
                (true, Value::Function(function)) => match function.role {
                    Role::Kernel => value,
                    Role::Helper | Role::Opaque => Value::Function(Rc::new(Function {
                        role: Role::Opaque,
                        ..Function::clone(function)
                    })),
                },
                _ => made,
            };
        }
        Ok(value)
    }

    /// Wraps a function in `functools.lru_cache`; at most `most` results are kept.
    fn cached(&mut self, function: &Value<'a>, most: Option<usize>) -> Eval<Value<'a>> {
        Ok(match function {
            Value::Function(wrapped) => {
                let mut function = Function::clone(wrapped);
                function.cache = Some(Rc::new(Kept {
                    calls: RefCell::default(),
                    most,
                }));
                function.attributes = self.wrapping_attributes(wrapped);
                Value::Function(Rc::new(function))
            }
            other => {
                self.lose(other)?;
                return self.not_followed();
            }
        })
    }

    /// Returns a function under `@auto_sync()`. If it is a recorded kernel, that kernel is replaced.
    pub fn synchronised(&mut self, function: &Rc<Function<'a>>) -> Value<'a> {
        let synchronised = Rc::new(Function {
            auto_sync: true,
            ..Function::clone(function)
        });
        // `@auto_sync` may be applied outside of `@kernel`.
        let mut kernels = self.kernels.iter_mut();
        if let Some(kernel) = kernels.find(|kernel| Rc::ptr_eq(kernel, function)) {
            *kernel = synchronised.clone();
        }
        Value::Function(synchronised)
    }

    /// Applies a decorator that is a value.
    pub fn make(&mut self, maker: &Maker<'a>, arguments: &Arguments<'a>) -> Eval<Value<'a>> {
        let Some(given) = arguments.at(0) else {
            return Ok(Value::Unknown);
        };
        if let Maker::Wrapper(wrapped) = maker {
            let known = wrapped.clone().unwrap_or(Value::Unknown);
            self.wrap(given, &known, wrapped.is_some())?;
            return Ok(given.clone());
        }
        // Wrapping keeps the function object and only sets its attributes.
        let function = match given {
            Value::Function(function) => Function::clone(function),
            other => {
                return match maker {
                    Maker::Same => Ok(other.clone()),
                    Maker::Data(options) => self.as_data(other.clone(), *options),
                    _ => {
                        self.lose(&other.clone())?;
                        self.not_followed()
                    }
                };
            }
        };
        Ok(Value::Function(Rc::new(match maker {
            Maker::Same => function,
            Maker::Kernel(making) => return Ok(self.kernel_of(&function, making)),
            Maker::Func => Function {
                rewritten: true,
                ..function
            },
            Maker::Parametrize(cases) => Function {
                // `parametrize` decorators multiply; the innermost comes first.
                cases: function.cases.iter().chain([cases]).cloned().collect(),
                ..function
            },
            Maker::Fixture(params) => Function {
                is_fixture: true,
                cases: match params {
                    Some(rows) => [Cases {
                        names: ["request".to_owned()].into(),
                        rows: rows.clone(),
                    }]
                    .into(),
                    None => [].into(),
                },
                ..function
            },
            Maker::Data(_) | Maker::Row(_) => return self.not_followed(),
            Maker::Setter(property, is_setter) => {
                let accessor = Some(Value::Function(Rc::new(function)));
                // A setter makes a new property with the same getter.
                let (setter, deleter) = match is_setter {
                    true => (accessor, property.deleter.clone()),
                    false => (property.setter.clone(), accessor),
                };
                return Ok(Value::Descriptor(Rc::new(Descriptor {
                    access: property.access,
                    function: property.function.clone(),
                    setter,
                    deleter,
                })));
            }
            Maker::Cached(most) => return self.cached(given, *most),
            Maker::Wrapper(_) => return Ok(given.clone()),
        })))
    }

    /// Evaluates `kernel(function)` and `kernel(mode="vec")`.
    pub fn kernel_decorator(&mut self, dialect: Dialect, arguments: &Arguments<'a>) -> Value<'a> {
        let making = Making {
            dialect,
            mode: match arguments.keyword("mode") {
                Some(Value::Str(mode)) => Some(mode.to_string()),
                _ => None,
            },
            block_dim: super::super::calls::block_dim(arguments),
            block_dim_text: match arguments.keyword(BLOCK_DIM) {
                Some(Value::Str(text)) => Some(text.to_string()),
                _ => None,
            },
        };
        match arguments.at(0) {
            Some(Value::Function(function)) => self.kernel_of(&Function::clone(function), &making),
            Some(_) => Value::Unknown,
            None => maker(Maker::Kernel(making)),
        }
    }

    /// Evaluates `func` and `func()`.
    pub fn func_decorator(&mut self, arguments: &Arguments<'a>) -> Eval<Value<'a>> {
        match arguments.at(0) {
            Some(Value::Function(_)) => self.make(&Maker::Func, arguments),
            _ => Ok(maker(Maker::Func)),
        }
    }

    /// Makes a kernel with the body of a function.
    fn kernel_of(&mut self, function: &Function<'a>, making: &Making) -> Value<'a> {
        let kernel = Rc::new(Function {
            name: match super::super::dialects::is_compiled(making.dialect) {
                true => self.own_name(function),
                false => self.instance_name(function),
            },
            role: Role::Kernel,
            making: making.clone(),
            rewritten: true,
            ..function.clone()
        });
        // A kernel that is made while another is traced belongs to that trace alone.
        if !self.in_kernel() {
            self.kernels.push(kernel.clone());
        }
        Value::Function(kernel)
    }

    /// Returns the name of a kernel in a compiled dialect: the function's own, with arguments only for a further
    /// instance.
    fn own_name(&self, function: &Function<'a>) -> Rc<str> {
        let own: Rc<str> = function.def.name.text.as_str().into();
        let instance = self.instance_name(function);
        let suffix = instance.find('[').map(|at| instance.part(at..));
        let mut others = self.kernels.iter();
        // The same definition in another call of the factory has another closure.
        let is_first =
            !others.any(|kernel| kernel.name == own && !kernel.closure.is(&function.closure));
        match suffix {
            // Kernels for a2 and a3 are the same, so the device is left out.
            Some(suffix) if !is_first && !names_only_devices(suffix) => {
                format!("{own}{suffix}").into()
            }
            _ => own,
        }
    }

    /// Returns the name of a kernel: `build[T=64]` if a call of `build` makes it.
    fn instance_name(&self, function: &Function<'a>) -> Rc<str> {
        let own = &function.def.name.text;
        let mut callers = self.running.iter().rev();
        // The innermost running function that encloses the definition is the factory.
        let builder = callers.find(|(_, frame)| function.closure.is_within(frame));
        let is_called = |(builder, _): &&(Rc<Function<'a>>, _)| {
            // Evaluated only for its definitions, the factory has made-up arguments, which must not be shown.
            !builder.def.params.is_empty() && !self.is_looking
        };
        let Some((builder, frame)) = builder.filter(is_called) else {
            return own.as_str().into();
        };
        let params = builder.def.params.iter();
        let arguments = params
            .filter(|param| param.name.text != "self")
            .map(|param| {
                let value = frame.own(&param.name.text).unwrap_or(Value::Unknown);
                format!("{}={}", param.name.text, describe(&value))
            });
        let arguments: Vec<String> = arguments.collect();
        // If a factory makes several kernels, the arguments alone would not tell them apart.
        let several = kernels_in(&builder.def.body) > 1;
        let suffix = if several {
            format!(".{own}")
        } else {
            String::new()
        };
        format!(
            "{}[{}]{suffix}",
            builder.def.name.text,
            arguments.join(", ")
        )
        .into()
    }
}

/// Returns whether all arguments in a suffix such as `[device=a2]` are devices whose kernels are the same.
fn names_only_devices(suffix: &str) -> bool {
    let end = suffix.find(']').unwrap_or(suffix.len());
    let mut arguments = suffix.part(1..end).split(", ");
    arguments.all(|argument| matches!(argument.split_once('='), Some((_, "a2" | "a3"))))
}

/// Returns the number of decorated functions in a body.
fn kernels_in(body: &[ast::Stmt]) -> usize {
    let functions = body.iter().filter(|stmt| match &stmt.kind {
        ast::StmtKind::Function(def) => !def.decorators.is_empty(),
        _ => false,
    });
    functions.count()
}

/// Returns a short description of a value.
fn describe(value: &Value) -> String {
    let text = match value {
        Value::DType(dtype) => dtype.name().to_owned(),
        Value::Str(text) => text.to_string(),
        Value::Instance(instance) => {
            let attributes = instance.attributes.ever();
            let parts = attributes.iter().map(|(name, value)| match name {
                Value::Str(name) => format!("{name}={}", super::text::plain(value)),
                _ => String::new(),
            });
            let parts: Vec<String> = parts.collect();
            format!("{}({})", instance.class.name, parts.join(", "))
        }
        other => super::text::plain(other),
    };
    match text.chars().count() > MAX_ARGUMENT {
        true => text.chars().take(MAX_ARGUMENT - 1).chain(['…']).collect(),
        false => text,
    }
}
