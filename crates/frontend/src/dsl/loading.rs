//! Other files of the project: each is evaluated once, at its first import.

use std::path::Path;

use super::python::attributes::module_member;
use super::tracer::{Eval, Tracer};
use super::value::{Frame, Value};
use a2lint_project::{Found, PythonModule};
use a2lint_syntax::python::ast;

/// Maximum depth of files that import each other.
const MAX_NESTED: usize = 30;

impl<'a> Tracer<'a> {
    /// Returns the path of the file whose code is being evaluated; `None` for the checked file.
    fn current_file(&self) -> Option<&'a Path> {
        let module = self.frame.module();
        let mut loaded = self.loaded.iter();
        let found = loaded.find(|(_, frame)| frame.is(module));
        found.map(|(path, _)| *path)
    }

    /// Returns the syntax of another file, by its scope.
    pub fn file_of(&self, module: &Frame<'a>) -> Option<&'a ast::File> {
        let (path, _) = self.loaded.iter().find(|(_, frame)| frame.is(module))?;
        self.modules.file(path)
    }

    /// Loads a module of the project; `None` if it is no file of the project.
    pub fn load(&mut self, module: &str) -> Eval<Option<Frame<'a>>> {
        // `import __main__` gives the program itself: the checked file, or the importer that runs it.
        if module == "__main__" {
            let current = self.frame.module();
            let is_main = current.own("__name__").is_none();
            return Ok(Some(if is_main {
                current.clone()
            } else {
                self.own_module()
            }));
        }
        let modules = self.modules;
        match modules.find(module, self.current_file()) {
            None => Ok(None),
            Some(Found::Own) => Ok(Some(self.own_module())),
            Some(Found::Other(other)) => self.loaded_file(&other).map(Some),
        }
    }

    fn loaded_file(&mut self, other: &PythonModule<'a>) -> Eval<Frame<'a>> {
        let mut loaded = self.loaded.iter();
        // As in CPython, a module that is being imported is found half-initialised by a circular import.
        if let Some((_, frame)) = loaded.find(|(path, _)| *path == other.path) {
            return Ok(frame.clone());
        }
        let frame = self.new_module(other);
        let stem = other.path.file_stem().unwrap_or_default();
        frame.set("__name__", Value::str(&stem.to_string_lossy()));
        self.nested_files += 1;
        // Beyond the bound the module stays empty; its names are then unknown rather than missing.
        let done = match self.nested_files > MAX_NESTED {
            true => Ok(()),
            false => self.evaluate_file(&frame, |tracer| tracer.module_block(&other.file.body)),
        };
        self.nested_files -= 1;
        done?;
        Ok(frame)
    }

    fn new_module(&mut self, other: &PythonModule<'a>) -> Frame<'a> {
        let frame = self.new_root();
        self.loaded.push((other.path, frame.clone()));
        frame
    }

    /// Evaluates code of another file as module code, whatever is being traced.
    fn evaluate_file(
        &mut self,
        frame: &Frame<'a>,
        evaluate: impl FnOnce(&mut Self) -> Eval<()>,
    ) -> Eval<()> {
        let caller = std::mem::replace(&mut self.frame, frame.clone());
        // Everything that belongs to the importing code is set aside: an exception or a `yield` of the other file
        // must not reach it.
        let kernel = self.kernel.take();
        let rewritten = std::mem::replace(&mut self.rewritten, false);
        let yields = std::mem::take(&mut self.yields);
        let running = std::mem::take(&mut self.running);
        let doubts = std::mem::take(&mut self.doubts);
        let done = evaluate(self);
        self.frame = caller;
        self.kernel = kernel;
        self.rewritten = rewritten;
        self.yields = yields;
        self.running = running;
        self.doubts = doubts;
        done
    }

    /// Evaluates the files that import this one, as programs and as tests, for the launches that they make.
    pub fn run_importers(&mut self) -> Eval<()> {
        let modules = self.modules;
        for importer in modules.importers() {
            let frame = self.new_module(&importer);
            self.evaluate_file(&frame, |tracer| {
                tracer.module_block(&importer.file.body)?;
                tracer.run_tests(&importer.file.body)
            })?;
        }
        Ok(())
    }

    /// Binds the names of `import a.b` and `import a.b as c`.
    pub fn bind_module(&mut self, import: &'a ast::ImportName, module: Frame<'a>) -> Eval<()> {
        if let Some(alias) = &import.alias {
            self.frame.set(&alias.text, Value::Module(module));
            return Ok(());
        }
        // `a` is bound, with `b` as its attribute.
        let parts: Vec<&str> = import.name.split('.').collect();
        let mut inner = module;
        for at in (1..parts.len()).rev() {
            let outer = match self.load(&parts[..at].join("."))? {
                Some(package) => package,
                // A namespace package (a folder without `__init__.py`) has no file; an earlier import may have bound
                // it.
                None => match self.frame.own(parts[0]) {
                    Some(Value::Module(package)) if at == 1 => package,
                    _ => self.new_root(),
                },
            };
            outer.set(parts[at], Value::Module(inner));
            inner = outer;
        }
        self.frame.set(parts[0], Value::Module(inner));
        Ok(())
    }

    /// Handles `from a.b import c`; returns `false` if `a.b` is no file of the project.
    pub fn import_names(
        &mut self,
        module: &str,
        names: &'a [ast::ImportName],
        star: bool,
    ) -> Eval<bool> {
        let source = self.load(module)?;
        if let (Some(source), true) = (&source, star) {
            self.import_all(source);
            return Ok(true);
        }
        let mut is_known = source.is_some();
        for import in names {
            let own = source
                .as_ref()
                .map(|source| module_member(source, &import.name));
            let value = match own {
                // An attribute of the package has precedence over a submodule of that name, as in CPython.
                Some(value) if !matches!(value, Value::Unknown) => value,
                // `from package import module`
                _ => {
                    let between = if module.ends_with('.') { "" } else { "." };
                    match self.load(&format!("{module}{between}{}", import.name))? {
                        Some(inner) => {
                            is_known = true;
                            Value::Module(inner)
                        }
                        // A submodule that is not among the files of the project: the name exists, but its value is
                        // unknown.
                        None if is_known => Value::Unknown,
                        None => return Ok(false),
                    }
                }
            };
            let alias = import.alias.as_ref();
            let name = alias.map_or(import.name.as_str(), |alias| &alias.text);
            self.frame.set(name, value);
        }
        Ok(is_known)
    }

    fn import_all(&mut self, source: &Frame<'a>) {
        // Without `__all__`, a star import takes the names without a leading underscore.
        let listed = match source.own("__all__") {
            Some(Value::List(names)) => names.known().map(|names| names.to_vec()),
            Some(Value::Tuple(names)) => Some(names.to_vec()),
            _ => None,
        };
        // A file that re-exports a facade by `*` passes its names on.
        if let (None, Some(dialect)) = (&listed, source.star()) {
            self.frame.set_star(dialect);
        }
        for name in source.own_names() {
            let is_listed = match &listed {
                Some(listed) => listed
                    .iter()
                    .any(|it| matches!(it, Value::Str(it) if **it == *name)),
                None => !name.starts_with('_'),
            };
            if is_listed {
                self.frame.set(&name, module_member(source, &name));
            }
        }
    }
}
