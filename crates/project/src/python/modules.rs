//! A Python file with the files that it is evaluated with.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::imports::imports_of;
use super::text::PythonText;
use crate::files::Project;
use crate::map::SourceMap;
use a2lint_source::text::{SourceText, Span};
use a2lint_syntax::python::{Syntax, ast};

/// Maximum number of files that one file is evaluated with.
const MAX_FILES: usize = 200;
/// Maximum number of bytes of their texts, the file's own included.
const MAX_BYTES: usize = 4 << 20;
/// Maximum number of files that are searched for imports of the file.
const MAX_ASKED: usize = 400;
/// Maximum number of importing files that are read for launches.
const MAX_IMPORTERS: usize = 20;

/// A Python file with the files that it imports and those that import it.
#[derive(Debug)]
pub struct Modules {
    /// The source map of all these texts.
    pub map: SourceMap,
    /// The syntax of the other files, with spans of the map.
    files: Vec<ast::File>,
    /// The number of files at the start of `files` that the file imports, directly or not; the others are importers
    /// and what they import.
    imported: usize,
    paths: HashMap<PathBuf, usize>,
    /// Indices of the files that import the checked file.
    importers: Vec<usize>,
    project: Option<Project>,
}

/// A file that can be evaluated as a module.
pub struct PythonModule<'a> {
    /// The absolute path.
    pub path: &'a Path,
    /// The syntax, with spans of the map.
    pub file: &'a ast::File,
}

impl Modules {
    /// Creates the modules of a file alone.
    pub fn alone(source: &SourceText) -> Modules {
        Modules {
            map: SourceMap::alone(source),
            files: Vec::new(),
            imported: 0,
            paths: HashMap::new(),
            importers: Vec::new(),
            project: None,
        }
    }

    /// Reads a file with the related files of its project. Returns its own parsed form as well.
    pub fn read(source: &SourceText, project: Option<&Project>) -> (Modules, Arc<PythonText>) {
        let own = match project {
            Some(project) => project.files.own(project, source),
            None => Arc::new(PythonText::of(source.clone())),
        };
        (Modules::of(own.text(), own.syntax(), project), own)
    }

    /// Reads the files related to a file that has been parsed into `syntax`.
    pub fn of(source: &SourceText, syntax: &Syntax, project: Option<&Project>) -> Modules {
        let Some(project) = project else {
            return Modules::alone(source);
        };
        let mut reader = Reader::new(project, source);
        let imports = imports_of(&syntax.file.body);
        reader.follow(
            &project
                .files
                .resolved(&project.root, &project.path, &imports),
        );
        let imported = reader.found.len();
        // Without a kernel in it, launches in other files cannot concern it.
        let importers = match defines_kernels(source.as_str()) {
            true => reader.importers(),
            false => Vec::new(),
        };
        reader.follow(&importers);
        if reader.found.is_empty() {
            let mut alone = Modules::alone(source);
            alone.map.not_read = reader.not_read;
            return alone;
        }
        let found = reader.found.iter();
        let texts = found.map(|(path, text)| (path.clone(), text.text().clone()));
        let mut map = SourceMap::joined(source, texts, (&project.path, &project.here));
        map.not_read = reader.not_read;
        let mut modules = Modules {
            map,
            imported,
            project: Some(project.clone()),
            ..Modules::alone(source)
        };
        for (at, (path, text)) in reader.found.into_iter().enumerate() {
            let mut file = text.syntax().file.clone();
            file.moved(modules.map.base(at) as u32);
            if importers.contains(&path) {
                modules.importers.push(at);
            }
            modules.files.push(file);
            modules.paths.insert(path, at);
        }
        modules
    }

    /// Returns the file that an import refers to, if it can be evaluated: a file with syntax errors cannot.
    pub fn find(&self, module: &str, importer: Option<&Path>) -> Option<Found<'_>> {
        let project = self.project.as_ref()?;
        let importer = importer.unwrap_or(&project.path);
        for path in project.files.candidates(module, importer, &project.root) {
            if path == project.path {
                return Some(Found::Own);
            }
            if let Some((path, &at)) = self.paths.get_key_value(&path) {
                return self.module(path, at).map(Found::Other);
            }
        }
        None
    }

    fn module<'a>(&'a self, path: &'a Path, at: usize) -> Option<PythonModule<'a>> {
        let file = self.files.get(at)?;
        file.errors
            .is_empty()
            .then_some(PythonModule { path, file })
    }

    /// Iterates over the files that import the checked file.
    pub fn importers(&self) -> impl Iterator<Item = PythonModule<'_>> {
        let paths: Vec<&Path> = self.map.others().collect();
        let importers = self.importers.iter();
        importers.filter_map(move |&at| self.module(paths[at], at))
    }

    /// Returns the syntax of another file by its path.
    pub fn file(&self, path: &Path) -> Option<&ast::File> {
        self.paths.get(path).map(|&at| &self.files[at])
    }

    /// Returns the syntax of the other file that contains a span.
    pub fn file_at(&self, span: Span) -> Option<&ast::File> {
        self.map.other_at(span).map(|at| &self.files[at])
    }

    /// Iterates over the texts of the files that the checked file imports, directly or not.
    pub fn imported(&self) -> impl Iterator<Item = &SourceText> {
        self.map.texts().take(self.imported)
    }
}

/// The file that an import refers to.
pub enum Found<'m> {
    /// The file that is being checked.
    Own,
    /// Another file.
    Other(PythonModule<'m>),
}

/// Reads related files within bounds.
struct Reader<'p> {
    project: &'p Project,
    found: Vec<(PathBuf, Arc<PythonText>)>,
    seen: HashSet<PathBuf>,
    bytes: usize,
    /// Bounds that were exceeded, as clauses for the user.
    not_read: Vec<String>,
}

impl<'p> Reader<'p> {
    /// Creates a reader that has only the checked file.
    fn new(project: &'p Project, source: &SourceText) -> Reader<'p> {
        Reader {
            project,
            found: Vec::new(),
            seen: HashSet::from([project.path.clone()]),
            bytes: source.as_str().len(),
            not_read: Vec::new(),
        }
    }

    /// Reads those of the paths that exist, except for the checked file.
    fn read(&self, paths: &[PathBuf]) -> Vec<(PathBuf, Arc<PythonText>)> {
        let others = paths.iter().filter(|path| **path != self.project.path);
        let read = others.filter_map(|path| {
            let source = self.project.files.get(&self.project.root, path)?;
            Some((path.clone(), source))
        });
        read.collect()
    }

    /// Adds a file. Returns whether it was added: it may be known already, or exceed a bound.
    fn add(&mut self, path: &Path, source: &Arc<PythonText>) -> bool {
        if self.seen.contains(path) {
            return false;
        }
        if self.found.len() >= MAX_FILES {
            self.leave_out(format!("imports lead to more than {MAX_FILES} files"));
            return false;
        }
        if self.bytes + source.text().as_str().len() > MAX_BYTES {
            let most = MAX_BYTES >> 20;
            self.leave_out(format!("imports lead to more than {most} MB of text"));
            return false;
        }
        self.seen.insert(path.to_owned());
        self.bytes += source.text().as_str().len();
        self.found.push((path.to_owned(), source.clone()));
        true
    }

    /// Records a bound that was exceeded.
    fn leave_out(&mut self, what: String) {
        if !self.not_read.contains(&what) {
            self.not_read.push(what);
        }
    }

    /// Adds files and, recursively, the files that they import.
    fn follow(&mut self, paths: &[PathBuf]) {
        let mut open = self.read(paths);
        while let Some((path, source)) = open.pop() {
            if self.add(&path, &source) {
                let more = self.project.files.imports(&self.project.root, &path);
                open.extend(self.read(&more.found));
            }
        }
    }

    /// Returns the files that import the checked file, in its folder, in the folders above and in their `tests`
    /// folders.
    fn importers(&mut self) -> Vec<PathBuf> {
        let (project, root) = (self.project, &self.project.root);
        let own = &project.path;
        let above = own.ancestors().skip(1);
        let above = above.take_while(|folder| folder.starts_with(root));
        let folders = above.flat_map(|folder| [folder.to_owned(), folder.join("tests")]);
        let mut found: Vec<PathBuf> = Vec::new();
        let mut asked = HashSet::from([own.clone()]);
        for folder in folders {
            for path in project.files.list(&folder).iter() {
                if !asked.insert(path.clone()) {
                    continue;
                }
                // One more, for the checked file itself.
                if asked.len() > MAX_ASKED + 1 {
                    let what = "of the files around it, only the first";
                    self.leave_out(format!("{what} {MAX_ASKED} were searched for launches"));
                    return found;
                }
                if !self.reaches(path) {
                    continue;
                }
                if found.len() >= MAX_IMPORTERS {
                    let what = "of the files that import it, only the first";
                    self.leave_out(format!("{what} {MAX_IMPORTERS} were read for launches"));
                    return found;
                }
                found.push(path.clone());
            }
        }
        found
    }

    /// Returns whether a file imports the checked file, directly or through a package.
    fn reaches(&self, path: &Path) -> bool {
        let (root, own) = (&self.project.root, &self.project.path);
        if !self.project.files.may_import(root, path, own) {
            return false;
        }
        let imports = self.project.files.imports(root, path);
        let imports = &imports.found;
        let mut packages = imports.iter().filter(|path| path.ends_with("__init__.py"));
        let through = |package: &PathBuf| {
            let imports = self.project.files.imports(root, package);
            imports.found.contains(own)
        };
        imports.contains(own) || packages.any(through)
    }
}

/// Returns whether a text may define kernels.
fn defines_kernels(text: &str) -> bool {
    text.contains("kernel")
}
