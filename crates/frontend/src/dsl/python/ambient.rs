//! Objects that code reaches without being given them: modules by name, and the scopes of the code that is being
//! evaluated.

use super::super::facade::Namespace;
use super::super::tracer::{Eval, Tracer};
use super::super::value::{Frame, Function, Value};
use super::libraries;
use super::native::Site;
use crate::dsl::emit::Arguments;
use a2lint_syntax::python::ast::{ExprKind, StmtKind};

/// `sys.modules`
const MODULES: Namespace = Namespace::Library("sys.modules");
/// Builtins that act on the scope of their caller. If one of them is kept as a value, a later call is not recognised,
/// so all scopes are lost at once.
const SCOPES: &[&str] = &[
    "__builtins__",
    "__import__",
    "eval",
    "exec",
    "globals",
    "locals",
    "vars",
];
/// Attributes through which a function or a stack frame gives access to a scope.
const LEADS: &[&str] = &["__globals__", "f_builtins", "f_globals", "f_locals"];
/// Members of libraries through which any object can be reached.
const SEARCHES: &[(&str, &str)] = &[
    ("gc", "get_objects"),
    ("gc", "get_referents"),
    ("gc", "get_referrers"),
    ("inspect", "getmodule"),
    ("sys", "__dict__"),
];

/// Returns whether a name that is used as a value gives access to scopes.
pub fn is_ambient(name: &str) -> bool {
    SCOPES.contains(&name)
}

/// Returns whether an attribute of an object gives access to scopes.
pub fn leads_to_scopes(object: &Value, name: &str) -> bool {
    match object {
        Value::Namespace(Namespace::Library("builtins")) => is_ambient(name),
        Value::Namespace(Namespace::Library(module)) => SEARCHES.contains(&(module, name)),
        Value::Instance(_) | Value::Class(_) | Value::Module(_) | Value::Namespace(_) => false,
        _ => LEADS.contains(&name),
    }
}

/// Returns whether the value is `sys.modules`.
pub fn is_modules(value: &Value) -> bool {
    matches!(value, Value::Namespace(namespace) if *namespace == MODULES)
}

impl<'a> Tracer<'a> {
    /// Makes the names of all modules and scopes unknown: code that is not followed has access to them.
    pub fn lose_scopes(&mut self) {
        for (_, frame) in &self.loaded {
            frame.lose();
        }
        for (_, frame) in &self.running {
            frame.lose_all();
        }
        self.own_module().lose();
        self.frame.lose_all();
        // Builtins can be rebound through the same objects.
        self.changed.has_lost_builtins = true;
        self.doubt();
    }

    /// Returns the module with this name; `None` if it is unknown.
    fn module_of_name(&self, name: &str) -> Option<Value<'a>> {
        if self.is_module_replaced(name) {
            return None;
        }
        // A file of the project has no `__name__` of its own only if it is the program.
        let current = self.frame.module().clone();
        let own = current.own("__name__");
        let is_own = match &own {
            None => name == "__main__",
            Some(Value::Str(own)) => **own == *name,
            Some(_) => return None,
        };
        if is_own {
            return Some(Value::Module(current));
        }
        if name == "__main__" {
            return Some(Value::Module(self.own_module()));
        }
        libraries::library(name).map(|name| Value::Namespace(Namespace::Library(name)))
    }

    /// Returns the module for `importlib.import_module(name)` and `__import__(name)`, if the name is no file of the
    /// project.
    pub fn imported_by_name(&mut self, name: &Value<'a>) -> Value<'a> {
        let module = match name {
            Value::Str(name) => match self.module_of_name(name) {
                // It is imported if it is installed; otherwise this raises.
                None => return self.doubtful(libraries::imported(name)),
                module => module,
            },
            _ => None,
        };
        module.unwrap_or_else(|| {
            self.lose_scopes();
            Value::Unknown
        })
    }

    /// Evaluates `sys.modules[name]`.
    pub fn item_of_modules(&mut self, name: &Value<'a>) -> Value<'a> {
        let module = match name {
            Value::Str(name) => self.module_of_name(name),
            _ => None,
        };
        module.unwrap_or_else(|| {
            self.lose_scopes();
            Value::Unknown
        })
    }

    /// Handles `sys.modules[name] = module` and `del sys.modules[name]`.
    pub fn replace_module(&mut self, name: &Value<'a>) {
        self.doubt();
        match name {
            // Only a module that is not a file of the project is recorded by its name: for files, any scope may refer
            // to it.
            Value::Str(name) if !matches!(self.module_of_name(name), Some(Value::Module(_))) => {
                self.changed.modules.push(name.clone());
            }
            _ => self.lose_scopes(),
        }
    }

    /// Returns whether a module, or a package that contains it, may have been replaced in `sys.modules`.
    pub fn is_module_replaced(&self, module: &str) -> bool {
        let is_in = |name: &str| {
            let rest = module.strip_prefix(name);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        self.changed.modules.iter().any(|name| is_in(name))
    }

    /// Calls a method of `sys.modules`.
    pub fn method_of_modules(
        &mut self,
        name: &str,
        arguments: &Arguments<'a>,
        _: Site,
    ) -> Eval<Value<'a>> {
        match (name, arguments.plain().as_slice()) {
            ("get", [name @ Value::Str(_)] | [name @ Value::Str(_), _]) => {
                Ok(self.item_of_modules(name))
            }
            ("keys" | "__contains__" | "__len__", _) => self.not_followed(),
            _ => {
                self.lose_scopes();
                self.lost_call(arguments)
            }
        }
    }

    /// Calls a method of `globals()`, `vars(module)` or `module.__dict__`.
    pub fn method_of_names(
        &mut self,
        frame: &Frame<'a>,
        name: &str,
        arguments: &Arguments<'a>,
    ) -> Eval<Value<'a>> {
        let given = arguments.plain();
        let is_plain = arguments.spread.is_empty();
        match (name, given.as_slice()) {
            // Dunder names (`__name__`, `__file__`) exist in every module without being bound by it.
            ("get", [Value::Str(name)] | [Value::Str(name), _])
                if is_plain && !name.starts_with("__") =>
            {
                let default = given.get(1).cloned().unwrap_or(Value::None);
                return Ok(frame.own(name).unwrap_or(default));
            }
            ("update", [] | [_]) if is_plain && !frame.is_lost() => {
                let mut entries = Vec::new();
                let is_known = match given.first() {
                    Some(more) => self.take_entries_of(more, &mut entries)?,
                    None => true,
                };
                for (name, value, _) in &arguments.keywords {
                    // `update` binds in order, so nothing may be bound before all entries are known.
                    entries.push((Value::str(name), value.clone()));
                }
                let are_names = entries.iter().all(|(key, _)| matches!(key, Value::Str(_)));
                if is_known && are_names {
                    for (key, value) in entries {
                        if let Value::Str(key) = key {
                            self.bind_in(frame, &key, value);
                        }
                    }
                    return Ok(Value::None);
                }
            }
            _ => {}
        }
        // Any other method may change any name of the scope.
        frame.lose();
        self.lost_call(arguments)
    }

    /// Handles the creation of an object whose class has `__del__`: when the method runs is unknown, so everything
    /// that it can reach is unknown from here on. Returns whether the method does anything.
    pub fn has_finalizer(&mut self, method: &Value<'a>, site: Site) -> Eval<bool> {
        if let Value::Function(function) = method
            && does_nothing(function)
        {
            return Ok(false);
        }
        if self.in_kernel() {
            self.note_unknown(site.span, "when `__del__` of this object runs is not known");
        }
        self.lose(method)?;
        if let Value::Function(function) = method {
            function.closure.lose_all();
        }
        self.lose_scopes();
        Ok(true)
    }
}

/// Returns whether the body of a function is empty.
fn does_nothing(function: &Function) -> bool {
    function.def.body.iter().all(|stmt| match &stmt.kind {
        StmtKind::Pass => true,
        StmtKind::Expr(expr) => matches!(expr.kind, ExprKind::Str(_) | ExprKind::Ellipsis),
        _ => false,
    })
}
