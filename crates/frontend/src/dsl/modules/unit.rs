//! A file with the files that it is evaluated with.
//!
//! Their texts stand one after the other in one text, so that a span names a place in any of them.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::files::Project;
use super::resolve::{candidates, imports_of};
use super::store::Source;
use a2lint_ir::finding::Elsewhere;
use a2lint_source::text::{Slice, SourceText, Span};
use a2lint_syntax::python::{Syntax, ast};

/// Most files that one is evaluated with.
const MAX_FILES: usize = 200;
/// Most bytes of them.
const MAX_BYTES: usize = 4 << 20;
/// Most files that are asked whether they import one.
const MAX_ASKED: usize = 400;
/// Most files that launch kernels of one.
const MAX_IMPORTERS: usize = 20;

/// A file with what it imports and what imports it.
#[derive(Debug)]
pub struct Unit {
    /// All texts; that of the file itself is first.
    pub source: SourceText,
    /// The text of the file itself.
    pub own: SourceText,
    parts: Vec<Part>,
    /// How many of them the file imports, directly or through others; the rest only import it.
    imported: usize,
    paths: HashMap<PathBuf, usize>,
    /// Which parts import the file.
    importers: Vec<usize>,
    project: Option<Project>,
    /// What of the files around it was not read for the sake of a bound, as clauses.
    pub not_read: Vec<String>,
}

/// Another file.
#[derive(Debug)]
struct Part {
    path: PathBuf,
    text: SourceText,
    span: Span,
    file: ast::File,
}

/// What evaluating another file needs.
pub(in super::super) struct Loading<'a> {
    pub path: &'a Path,
    pub file: &'a ast::File,
}

impl Unit {
    /// A file alone.
    pub fn alone(source: &SourceText) -> Unit {
        Unit {
            source: source.clone(),
            own: source.clone(),
            parts: Vec::new(),
            imported: 0,
            paths: HashMap::new(),
            importers: Vec::new(),
            project: None,
            not_read: Vec::new(),
        }
    }

    /// A file, whose syntax this is, with those of its project.
    pub fn of(source: &SourceText, syntax: &Syntax, project: Option<&Project>) -> Unit {
        let mut unit = Unit::alone(source);
        let Some(project) = project else {
            return unit;
        };
        let (root, files) = (&project.root, &project.files);
        let imports = imports_of(&syntax.file.body);
        let mut reader = Reader {
            project,
            found: Vec::new(),
            seen: HashSet::from([project.path.clone()]),
            bytes: source.as_str().len(),
            not_read: Vec::new(),
        };
        reader.follow(&files.resolved(root, &project.path, &imports));
        unit.imported = reader.found.len();
        let wanted = match defines_kernels(source.as_str()) {
            true => reader.importers(),
            false => Vec::new(),
        };
        reader.follow(&wanted);
        unit.not_read = reader.not_read;
        let found = reader.found;
        if found.is_empty() {
            return unit;
        }
        let mut text = source.as_str().to_owned();
        for (at, (path, part)) in found.into_iter().enumerate() {
            text.push('\n');
            let start = text.len();
            text.push_str(part.text().as_str());
            let mut file = part.syntax().file.clone();
            file.moved(start as u32);
            if wanted.contains(&path) {
                unit.importers.push(at);
            }
            unit.paths.insert(path.clone(), at);
            unit.parts.push(Part {
                path,
                text: part.text().clone(),
                span: Span::new(start, text.len()),
                file,
            });
        }
        unit.source = SourceText::new(text);
        unit.project = Some(project.clone());
        unit
    }

    /// The file that an import in a file means, as one that can be evaluated. Text that does not parse
    /// is not.
    pub(in super::super) fn find(
        &self,
        module: &str,
        importer: Option<&Path>,
    ) -> Option<Found<'_>> {
        let project = self.project.as_ref()?;
        let importer = importer.unwrap_or(&project.path);
        for path in candidates(module, importer, &project.root) {
            if path == project.path {
                return Some(Found::Own);
            }
            if let Some(&at) = self.paths.get(&path) {
                return self.loading(at).map(Found::Other);
            }
        }
        None
    }

    fn loading(&self, at: usize) -> Option<Loading<'_>> {
        let part = self.parts.get(at)?;
        part.file.errors.is_empty().then_some(Loading {
            path: &part.path,
            file: &part.file,
        })
    }

    /// The files that import the file.
    pub(in super::super) fn importers(&self) -> impl Iterator<Item = Loading<'_>> {
        self.importers.iter().filter_map(|&at| self.loading(at))
    }

    /// Whether a place is in the file itself.
    pub fn is_own(&self, span: Span) -> bool {
        span.end as usize <= self.own.as_str().len()
    }

    /// A text in which lines of other files are named by file.
    pub fn in_words(&self, text: &str) -> String {
        let own_lines = self.own.line_index(self.own.as_str().len() as u32) + 1;
        let mut words = String::new();
        let mut rest = text;
        while let Some(at) = rest.find("line ") {
            let (before, after) = rest.split_at(at + "line ".len());
            let digits = after
                .find(|c: char| !c.is_ascii_digit())
                .unwrap_or(after.len());
            let line = after.part(..digits).parse::<usize>().ok();
            let span = line.filter(|line| *line > own_lines);
            let span = span.and_then(|line| self.source.line_span(line - 1));
            match span.and_then(|span| self.place(span)) {
                Some(place) => {
                    words.push_str(before.strip_suffix("line ").unwrap_or(before));
                    words.push_str(&place);
                }
                None => {
                    words.push_str(before);
                    words.push_str(after.part(..digits));
                }
            }
            rest = after.part(digits..);
        }
        words.push_str(rest);
        words
    }

    /// Where a place in another file is: `common/tiles.py:12`.
    pub fn place(&self, span: Span) -> Option<String> {
        let found = self.elsewhere(span)?;
        let line = found.source.line_index(found.span.start) + 1;
        Some(format!("{}:{line}", found.shown))
    }

    /// A place in another file.
    pub fn elsewhere(&self, span: Span) -> Option<Elsewhere> {
        let part = self.part_at(span)?;
        let here = &self.project.as_ref()?.here;
        let shown = part.path.strip_prefix(here).unwrap_or(&part.path);
        Some(Elsewhere {
            path: part.path.clone(),
            shown: shown.display().to_string(),
            source: part.text.clone(),
            span: Span {
                start: span.start - part.span.start,
                end: span.end.min(part.span.end) - part.span.start,
            },
            labels: Vec::new(),
        })
    }

    /// The syntax of another file, by its path.
    pub(in super::super) fn file(&self, path: &Path) -> Option<&ast::File> {
        let at = self.paths.get(path)?;
        self.parts.get(*at).map(|part| &part.file)
    }

    /// The syntax of the file, another than the one that is checked, that a place is in.
    pub(in super::super) fn file_at(&self, span: Span) -> Option<&ast::File> {
        self.part_at(span).map(|part| &part.file)
    }

    fn part_at(&self, span: Span) -> Option<&Part> {
        let mut parts = self.parts.iter();
        parts.find(|part| part.span.start <= span.start && span.start <= part.span.end)
    }

    /// Whether a file takes part.
    pub fn holds(&self, path: &Path) -> bool {
        self.paths.contains_key(path)
    }

    /// The other files that take part.
    pub fn others(&self) -> impl Iterator<Item = &Path> {
        self.parts.iter().map(|part| part.path.as_path())
    }

    /// The texts of the files that this one imports, directly or through others.
    pub fn imported(&self) -> impl Iterator<Item = &SourceText> {
        self.parts[..self.imported].iter().map(|part| &part.text)
    }
}

/// What an import means.
pub(in super::super) enum Found<'u> {
    /// The file that is being checked.
    Own,
    Other(Loading<'u>),
}

/// Reads the files that others need.
struct Reader<'p> {
    project: &'p Project,
    found: Vec<(PathBuf, Arc<Source>)>,
    seen: HashSet<PathBuf>,
    bytes: usize,
    /// Bounds that were met, as clauses.
    not_read: Vec<String>,
}

impl Reader<'_> {
    /// The files among these, with what is in them. The file itself is there already.
    fn read(&self, paths: &[PathBuf]) -> Vec<(PathBuf, Arc<Source>)> {
        let others = paths.iter().filter(|path| **path != self.project.path);
        let read = others.filter_map(|path| {
            let source = self.project.files.get(&self.project.root, path)?;
            Some((path.clone(), source))
        });
        read.collect()
    }

    /// Takes a file in; `false` where it is in already, or there is no room.
    fn add(&mut self, path: &Path, source: &Arc<Source>) -> bool {
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
