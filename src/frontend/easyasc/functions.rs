//! Names from elsewhere: imports, definitions and calls of the file's own functions.

use std::collections::HashSet;
use std::rc::Rc;

use super::facade::{self, Facade, Namespace};
use super::tracer::{Abort, Eval, Flow, Tracer};
use super::value::{Context, Function, Role, Value};
use crate::syntax::python::ast::{self, ExprKind};
use crate::text::Span;

/// Depth of helper calls.
const MAX_CALLS: u32 = 40;

impl<'a> Tracer<'a> {
    pub fn define(&mut self, def: &'a ast::FunctionDef) -> Eval<()> {
        let mut role = Role::Helper;
        let mut auto_sync = false;
        let mut rewritten = false;
        for decorator in &def.decorators {
            match self.decorator(decorator)? {
                Decorator::Kernel => (role, rewritten) = (Role::Kernel, true),
                Decorator::Func => rewritten = true,
                Decorator::AutoSync => auto_sync = true,
                Decorator::Other if role == Role::Helper => role = Role::Opaque,
                Decorator::Other => {}
            }
        }
        self.defined.insert(def.full_span);
        let closure = self.frame.clone();
        let function = Rc::new(Function {
            def,
            closure,
            role,
            auto_sync,
            rewritten,
        });
        if role == Role::Kernel {
            self.kernels.push(function.clone());
        }
        self.frame.set(&def.name.text, Value::Function(function));
        Ok(())
    }

    fn decorator(&mut self, decorator: &'a ast::Expr) -> Eval<Decorator> {
        let callee = match &decorator.kind {
            ExprKind::Call { func, .. } => func,
            _ => decorator,
        };
        Ok(match self.eval(callee)? {
            Value::Builtin(facade::Builtin::KernelDecorator) => Decorator::Kernel,
            Value::Builtin(facade::Builtin::FuncDecorator) => Decorator::Func,
            Value::Builtin(facade::Builtin::AutoSync) => Decorator::AutoSync,
            _ => Decorator::Other,
        })
    }

    pub fn import(&mut self, names: &'a [ast::ImportName]) {
        for import in names {
            let value = match (import.name.as_str(), Facade::from_module(&import.name)) {
                ("easyasc", _) => Value::Namespace(Namespace::Package),
                (_, Some(Facade::A2)) if import.alias.is_some() => {
                    Value::Namespace(Namespace::Facade)
                }
                (_, Some(Facade::A2)) => Value::Namespace(Namespace::Package),
                ("torch", _) => Value::Namespace(Namespace::Torch),
                ("math", _) => Value::Namespace(Namespace::Math),
                _ => imported(&import.name),
            };
            let root = import.name.split('.').next().unwrap_or_default();
            let name = import
                .alias
                .as_ref()
                .map_or(root, |alias| alias.text.as_str());
            self.frame.set(name, value);
        }
    }

    pub fn import_from(&mut self, module: &str, names: &'a [ast::ImportName], star: bool) {
        let namespace = match (module, Facade::from_module(module)) {
            ("easyasc", _) => Some(Namespace::Package),
            (_, Some(Facade::A2)) => Some(Namespace::Facade),
            ("torch", _) => Some(Namespace::Torch),
            ("math", _) => Some(Namespace::Math),
            _ => None,
        };
        let is_facade = matches!(namespace, Some(Namespace::Facade | Namespace::Package));
        self.star |= star && is_facade;
        for import in names {
            let value = namespace
                .and_then(|namespace| facade::attribute(namespace, &import.name))
                .unwrap_or_else(|| imported(module));
            let name = import
                .alias
                .as_ref()
                .map_or(import.name.as_str(), |alias| &alias.text);
            self.frame.set(name, value);
        }
    }

    /// The body of a function under `@auto_sync()`.
    pub fn auto_synchronised(&mut self, body: &'a [ast::Stmt]) -> Eval<Flow<'a>> {
        self.with_context(&Context::AutoSync(None), &[], body)
    }

    /// Calls a function of the file with bound arguments.
    pub fn inline(
        &mut self,
        function: &Rc<Function<'a>>,
        args: Vec<(Value<'a>, Span)>,
        keywords: Vec<(String, Value<'a>, Span)>,
        call: Span,
    ) -> Eval<Value<'a>> {
        if self.calls >= MAX_CALLS {
            return Err(Abort("helper calls nest too deeply".into()));
        }
        self.calls += 1;
        if self.in_kernel() {
            self.called.insert(function.def.full_span);
        }
        let frame = self.new_frame(function.closure.clone());
        let caller = std::mem::replace(&mut self.frame, frame);
        let rewritten = std::mem::replace(&mut self.rewritten, function.rewritten);
        let statement = self.kernel.as_ref().map(|builder| builder.statement);
        let origin = self.kernel.as_mut().map(|builder| builder.enter_call(call));
        self.bind_parameters(function.def, args, keywords, call)?;
        let flow = match function.auto_sync && self.in_kernel() {
            true => self.auto_synchronised(&function.def.body)?,
            false => self.block(&function.def.body)?,
        };
        if let (Some(builder), Some(origin), Some(statement)) =
            (&mut self.kernel, origin, statement)
        {
            builder.leave_call(origin);
            builder.statement = statement;
        }
        self.frame = caller;
        self.rewritten = rewritten;
        self.calls -= 1;
        Ok(match flow {
            Flow::Return(value) => value,
            _ => Value::None,
        })
    }

    fn bind_parameters(
        &mut self,
        def: &'a ast::FunctionDef,
        args: Vec<(Value<'a>, Span)>,
        keywords: Vec<(String, Value<'a>, Span)>,
        call: Span,
    ) -> Eval<()> {
        let mut args = args.into_iter();
        let mut bound = HashSet::new();
        for param in &def.params {
            match param.kind {
                ast::ParamKind::Normal => {
                    if let Some((value, _)) = args.next() {
                        self.frame.set(&param.name.text, value);
                        bound.insert(param.name.text.as_str());
                    }
                }
                ast::ParamKind::Args => {
                    let rest = args.by_ref().map(|(value, _)| value).collect();
                    self.frame.set(&param.name.text, Value::tuple(rest));
                    bound.insert(param.name.text.as_str());
                }
                ast::ParamKind::KeywordOnly => {}
                ast::ParamKind::Kwargs => self.frame.set(&param.name.text, Value::Unknown),
            }
        }
        if args.next().is_some() {
            let name = &def.name.text;
            self.raise(
                call,
                "TypeError",
                format!("{name}() takes fewer positional arguments"),
            );
        }
        for (name, value, _) in &keywords {
            self.frame.set(name, value.clone());
            bound.insert(name.as_str());
        }
        for param in &def.params {
            if bound.contains(param.name.text.as_str()) || param.kind == ast::ParamKind::Kwargs {
                continue;
            }
            let value = match &param.default {
                Some(default) => self.eval(default)?,
                None => {
                    let (function, missing) = (&def.name.text, &param.name.text);
                    let message =
                        format!("{function}() is called without its argument `{missing}`");
                    self.raise(call, "TypeError", message);
                    Value::Unknown
                }
            };
            self.frame.set(&param.name.text, value);
        }
        Ok(())
    }
}

/// Libraries that know nothing of kernels: what their functions are given, they leave alone.
const INERT: &[&str] = &[
    "argparse",
    "cmath",
    "datetime",
    "decimal",
    "fractions",
    "gc",
    "json",
    "logging",
    "math",
    "matplotlib",
    "numbers",
    "numpy",
    "os",
    "pandas",
    "pathlib",
    "platform",
    "pprint",
    "pytest",
    "random",
    "re",
    "scipy",
    "statistics",
    "string",
    "sys",
    "tempfile",
    "textwrap",
    "time",
    "torch",
    "traceback",
    "typing",
    "unittest",
    "uuid",
    "warnings",
];

/// An object of a module that is not evaluated.
fn imported<'a>(module: &str) -> Value<'a> {
    let root = module.split('.').next().unwrap_or_default();
    match INERT.contains(&root) {
        true => Value::Inert,
        false => Value::Foreign,
    }
}

/// What a decorator is.
enum Decorator {
    Kernel,
    Func,
    AutoSync,
    Other,
}
