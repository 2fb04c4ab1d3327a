//! Names from elsewhere: imports.

use super::facade::{self, Facade, Namespace};
use super::python::libraries;
use super::tracer::{Eval, Flow, Tracer};
use super::value::{Context, Value};
use crate::syntax::python::ast;

impl<'a> Tracer<'a> {
    pub fn import(&mut self, names: &'a [ast::ImportName]) -> Eval<()> {
        for import in names {
            if let Some(module) = self.load(&import.name)? {
                self.bind_module(import, module)?;
                continue;
            }
            let value = match (import.name.as_str(), Facade::from_module(&import.name)) {
                ("easyasc", _) => Value::Namespace(Namespace::Package),
                (_, Some(Facade::A2)) if import.alias.is_some() => {
                    Value::Namespace(Namespace::Facade)
                }
                (_, Some(Facade::A2)) => Value::Namespace(Namespace::Package),
                // `import a.b` binds `a`; `import a.b as c` what is in it.
                _ if import.alias.is_some() => libraries::imported(&import.name),
                _ => libraries::imported(import.name.split('.').next().unwrap_or_default()),
            };
            let root = import.name.split('.').next().unwrap_or_default();
            let name = import
                .alias
                .as_ref()
                .map_or(root, |alias| alias.text.as_str());
            self.frame.set(name, value);
        }
        Ok(())
    }

    pub fn import_from(
        &mut self,
        module: &str,
        names: &'a [ast::ImportName],
        star: bool,
    ) -> Eval<()> {
        if self.import_names(module, names, star)? {
            return Ok(());
        }
        let namespace = match (module, Facade::from_module(module)) {
            ("easyasc", _) => Some(Namespace::Package),
            (_, Some(Facade::A2)) => Some(Namespace::Facade),
            _ => libraries::library(module).map(Namespace::Library),
        };
        let is_facade = matches!(namespace, Some(Namespace::Facade | Namespace::Package));
        if star && is_facade {
            self.frame.set_star();
        }
        for import in names {
            let value = namespace
                .and_then(|namespace| facade::attribute(namespace, &import.name))
                .unwrap_or_else(|| libraries::imported_from(module));
            let name = import
                .alias
                .as_ref()
                .map_or(import.name.as_str(), |alias| &alias.text);
            self.frame.set(name, value);
        }
        Ok(())
    }

    /// The body of a function under `@auto_sync()`.
    pub fn auto_synchronised(&mut self, body: &'a [ast::Stmt]) -> Eval<Flow<'a>> {
        self.with_context(&Context::AutoSync(None), &[], body)
    }
}
