//! A file in Python with the files that it is evaluated with.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::imports::imports_of;
use super::text::PythonText;
use crate::files::Project;
use crate::map::SourceMap;
use a2lint_source::text::{SourceText, Span};
use a2lint_syntax::python::{Syntax, ast};

/// Most files that one is evaluated with.
const MAX_FILES: usize = 200;
/// Most bytes of them.
const MAX_BYTES: usize = 4 << 20;
/// Most files that are asked whether they import one.
const MAX_ASKED: usize = 400;
/// Most files that launch kernels of one.
const MAX_IMPORTERS: usize = 20;

/// A file in Python with what it imports and what imports it.
#[derive(Debug)]
pub struct Modules {
    /// The texts of all of them, one after the other.
    pub map: SourceMap,
    /// The syntax of the other files, whose spans are those of the map.
    files: Vec<ast::File>,
    /// How many of them the file imports, directly or through others; the rest only import it.
    imported: usize,
    paths: HashMap<PathBuf, usize>,
    /// Which of them import the file.
    importers: Vec<usize>,
    project: Option<Project>,
}

/// A file that can be evaluated as a module.
pub struct PythonModule<'a> {
    /// Its path.
    pub path: &'a Path,
    /// Its syntax, with spans of the map.
    pub file: &'a ast::File,
}

impl Modules {
    /// A file alone.
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

    /// Reads a file with those of its project. Returns its own syntax beside them.
    pub fn read(source: &SourceText, project: Option<&Project>) -> (Modules, Arc<PythonText>) {
        let own = match project {
            Some(project) => project.files.own(project, source),
            None => Arc::new(PythonText::of(source.clone())),
        };
        (Modules::of(own.text(), own.syntax(), project), own)
    }

    /// A file, whose syntax this is, with those of its project.
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
        let mut map = SourceMap::joined(source, texts, &project.here);
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

    /// The file that an import in a file means, as one that can be evaluated. Text that does not parse
    /// is not.
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

    /// The files that import the file.
    pub fn importers(&self) -> impl Iterator<Item = PythonModule<'_>> {
        let paths: Vec<&Path> = self.map.others().collect();
        let importers = self.importers.iter();
        importers.filter_map(move |&at| self.module(paths[at], at))
    }

    /// The syntax of another file, by its path.
    pub fn file(&self, path: &Path) -> Option<&ast::File> {
        self.paths.get(path).map(|&at| &self.files[at])
    }

    /// The syntax of the file, another than the one that is checked, that a span is in.
    pub fn file_at(&self, span: Span) -> Option<&ast::File> {
        self.map.other_at(span).map(|at| &self.files[at])
    }

    /// The texts of the files that this one imports, directly or through others.
    pub fn imported(&self) -> impl Iterator<Item = &SourceText> {
        self.map.texts().take(self.imported)
    }
}

/// What an import means.
pub enum Found<'m> {
    /// The file that is being checked.
    Own,
    /// Another one.
    Other(PythonModule<'m>),
}

/// Reads the files that others need.
struct Reader<'p> {
    project: &'p Project,
    found: Vec<(PathBuf, Arc<PythonText>)>,
    seen: HashSet<PathBuf>,
    bytes: usize,
    /// Bounds that were met, as clauses.
    not_read: Vec<String>,
}

impl<'p> Reader<'p> {
    /// A reader that has the file itself.
    fn new(project: &'p Project, source: &SourceText) -> Reader<'p> {
        Reader {
            project,
            found: Vec::new(),
            seen: HashSet::from([project.path.clone()]),
            bytes: source.as_str().len(),
            not_read: Vec::new(),
        }
    }

    /// The files among these, with what is in them. The file itself is there already.
    fn read(&self, paths: &[PathBuf]) -> Vec<(PathBuf, Arc<PythonText>)> {
        let others = paths.iter().filter(|path| **path != self.project.path);
        let read = others.filter_map(|path| {
            let source = self.project.files.get(&self.project.root, path)?;
            Some((path.clone(), source))
        });
        read.collect()
    }

    /// Takes a file in; `false` where it is in already, or there is no room.
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

    /// Takes note of a bound that was met.
    fn leave_out(&mut self, what: String) {
        if !self.not_read.contains(&what) {
            self.not_read.push(what);
        }
    }

    /// Takes in these files, and what they import.
    fn follow(&mut self, paths: &[PathBuf]) {
        let mut open = self.read(paths);
        while let Some((path, source)) = open.pop() {
            if self.add(&path, &source) {
                let more = self.project.files.imports(&self.project.root, &path);
                open.extend(self.read(&more.found));
            }
        }
    }

    /// Files that import the file, beside it, above it and in folders of tests.
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

    /// Whether a file imports the file itself, directly or through the package that it is in.
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

/// Whether a text may define kernels, which others may launch.
fn defines_kernels(text: &str) -> bool {
    text.contains("kernel")
}
