//! Import statements.

use super::dialects;
use super::facade::{self, Facade, Namespace};
use super::python::ambient::leads_to_scopes;
use super::python::libraries;
use super::tracer::{Eval, Flow, Tracer};
use super::value::{Context, Role, Value};
use a2lint_syntax::python::ast;

/// Returns the namespace of a module that exists for one function of a facade.
fn shortcut(module: &str) -> Option<Namespace> {
    let (dialect, name) = dialects::shortcut(module)?;
    Some(Namespace::Shortcut(dialect, name))
}

fn is_container_or_plain(value: &Value) -> bool {
    value.is_plain() || matches!(value, Value::List(_) | Value::Dict(_) | Value::Set(_))
}

impl<'a> Tracer<'a> {
    pub fn import(&mut self, names: &'a [ast::ImportName]) -> Eval<()> {
        for import in names {
            // The file may have put an object of its own into `sys.modules`.
            if self.is_module_replaced(&import.name) {
                let root = import.name.split('.').next().unwrap_or_default();
                let name = import.alias.as_ref();
                let name = name.map_or(root, |alias| alias.text.as_str());
                self.doubt();
                self.bind_name(name, Value::Foreign);
                continue;
            }
            // Files of the project come first, as `sys.path` puts the folder of the script before installed packages.
            if let Some(module) = self.load(&import.name)? {
                self.bind_module(import, module)?;
                continue;
            }
            let is_package = !import.name.contains('.');
            let value = match Facade::from_module(&import.name).and_then(Facade::dialect) {
                // `import pkg.a2` binds the package; with `as` it binds the facade itself.
                Some(dialect) if import.alias.is_some() && !is_package => {
                    Value::Namespace(Namespace::Facade(dialect))
                }
                Some(dialect) => Value::Namespace(Namespace::Package(dialect)),
                None if dialects::is_runtime(&import.name) && import.alias.is_some() => {
                    Value::Namespace(Namespace::Runtime)
                }
                None if import.alias.is_some() && shortcut(&import.name).is_some() => {
                    shortcut(&import.name).map_or(Value::Foreign, Value::Namespace)
                }
                // `import a.b` binds `a`; `import a.b as c` binds `a.b`.
                _ if import.alias.is_some() => libraries::imported(&import.name),
                _ => libraries::imported(import.name.split('.').next().unwrap_or_default()),
            };
            let root = import.name.split('.').next().unwrap_or_default();
            let name = import
                .alias
                .as_ref()
                .map_or(root, |alias| alias.text.as_str());
            // The module may not be installed, or raise when it is imported.
            if matches!(value, Value::Foreign) {
                self.doubt();
            }
            self.bind_name(name, value);
        }
        Ok(())
    }

    /// Handles `from module import *` of an unknown module, which may rebind any name.
    fn star_of_unknown(&mut self, module: &str) {
        self.has_open_names = true;
        if let Some(known) = libraries::library(module) {
            self.star_of_library(known);
            return;
        }
        let frame = self.frame.clone();
        for name in frame.own_names() {
            // Functions and classes are kept: a star import that replaces a helper of the file would be unusual, and
            // losing them would lose every kernel.
            let is_value = frame
                .own(&name)
                .is_some_and(|it| is_container_or_plain(&it));
            // Without `__all__`, names with an underscore are not imported.
            if is_value && !name.starts_with('_') {
                frame.set_own(&name, Value::Unknown);
            }
        }
    }

    /// Handles `from math import *`: known members are bound, and builtins that the library also defines become
    /// unknown.
    fn star_of_library(&mut self, library: &'static str) {
        let namespace = Namespace::Library(library);
        for name in libraries::names(library) {
            let value = self.changed_member(namespace, name);
            let value = value.or_else(|| facade::attribute(namespace, name));
            self.bind_name(name, value.unwrap_or(Value::Unknown));
        }
        let is_bound = |wanted: &str| libraries::names(library).any(|name| name == wanted);
        for name in libraries::shadowed(library) {
            if !is_bound(name) {
                self.bind_name(name, Value::Unknown);
            }
        }
        // The library may have further names, also those of functions and classes of the file. Kernels stay: no library
        // has one.
        for name in self.frame.own_names() {
            let is_open = self.frame.own(&name).is_some_and(|value| match value {
                Value::Function(function) => function.role == Role::Helper,
                Value::Class(_) | Value::Lambda(_) | Value::Instance(_) => true,
                other => is_container_or_plain(&other),
            });
            if is_open && !name.starts_with('_') && !is_bound(&name) {
                self.bind_name(&name, Value::Unknown);
            }
        }
    }

    pub fn import_from(
        &mut self,
        module: &str,
        names: &'a [ast::ImportName],
        star: bool,
    ) -> Eval<()> {
        if self.is_module_replaced(module) {
            self.doubt();
            if star {
                // Any name may be bound from here on, so none can be reported as undefined.
                self.has_open_names = true;
            }
            for import in names {
                let alias = import.alias.as_ref();
                let name = alias.map_or(import.name.as_str(), |alias| &alias.text);
                self.bind_name(name, Value::Foreign);
            }
            return Ok(());
        }
        if self.import_names(module, names, star)? {
            return Ok(());
        }
        let dialect = Facade::from_module(module).and_then(Facade::dialect);
        let namespace = match dialect {
            Some(dialect) if module.contains('.') => Some(Namespace::Facade(dialect)),
            Some(dialect) => Some(Namespace::Package(dialect)),
            None if dialects::is_runtime(module) => Some(Namespace::Runtime),
            None => shortcut(module).or_else(|| libraries::library(module).map(Namespace::Library)),
        };
        if let (true, Some(Namespace::Shortcut(dialect, name))) = (star, namespace) {
            let value = facade::facade_name(dialect, name);
            self.frame.set(name, value.unwrap_or(Value::Foreign));
        }
        // A star import of a facade is kept as a flag: binding all of its names would cost more than looking them up.
        match (star, dialect, namespace) {
            (true, Some(dialect), _) => self.frame.set_star(dialect),
            (true, None, Some(Namespace::Shortcut(..))) => {}
            (true, None, _) => self.star_of_unknown(module),
            _ => {}
        }
        if namespace.is_none() && !libraries::is_known(module) {
            self.doubt();
        }
        for import in names {
            // What the program has assigned to a member of a library is what it imports later.
            let known = namespace.and_then(|namespace| {
                let changed = self.changed_member(namespace, &import.name);
                changed.or_else(|| facade::attribute(namespace, &import.name))
            });
            // `from inspect import currentframe` gives access to scopes.
            if known.is_none()
                && namespace.is_some_and(|it| leads_to_scopes(&Value::Namespace(it), &import.name))
            {
                self.lose_scopes();
            }
            if known.is_none() {
                // The module may have no such name, which raises `ImportError`.
                self.doubt();
            }
            let value = known.unwrap_or_else(|| libraries::imported_from(module));
            let name = import
                .alias
                .as_ref()
                .map_or(import.name.as_str(), |alias| &alias.text);
            self.bind_name(name, value);
        }
        Ok(())
    }

    /// Traces the body of a function under `@auto_sync()`.
    pub fn auto_synchronised(&mut self, body: &'a [ast::Stmt]) -> Eval<Flow<'a>> {
        self.with_context(&Context::AutoSync, &[], body)
    }
}
