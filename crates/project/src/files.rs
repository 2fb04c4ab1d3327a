//! The files of projects, with a record of what a check asked of them.

use std::collections::BTreeSet;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use crate::cpp::CppText;
use crate::python::{Import, IsLibrary, PythonText};
use crate::store::{Listing, Reading, Resolved, Store};
use a2lint_source::language::Language;
use a2lint_source::text::SourceText;

/// A question that the check of a file asks about other files. The result of a check depends only on its own text,
/// the settings, and the answers.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Question {
    /// The text of a file.
    Text(PathBuf),
    /// Whether a file is there.
    There(PathBuf),
    /// The sources of a folder.
    Folder(PathBuf),
    /// Whether a text mentions the checked file, as every text does that imports it. Recorded only if it does not.
    Mention(PathBuf),
    /// The imports of a Python file, by name.
    Imports(PathBuf),
    /// The includes of a C++ file, by name.
    Includes(PathBuf),
    /// Which C++ files of the project have this name.
    Named(PathBuf),
    /// Which files below a folder define a name; if the flag is set, only files with a tiling hint in their path count.
    Defined(PathBuf, String, bool),
    /// Which C++ files are below a folder.
    Inside(PathBuf),
}

/// The files of projects, by absolute path. Clones made by [`recording`](Self::recording) share the contents, and
/// each records its own questions.
pub struct Files {
    store: Arc<Store>,
    asked: Option<Mutex<BTreeSet<Question>>>,
}

impl Files {
    /// Creates files of which nothing has been read.
    pub fn new(read: Box<Reading>, list: Box<Listing>, is_library: IsLibrary) -> Files {
        Files {
            store: Arc::new(Store::new(read, list, is_library)),
            asked: None,
        }
    }

    /// Returns the same files with a new record of questions, for one check.
    pub fn recording(&self) -> Files {
        Files {
            store: self.store.clone(),
            asked: Some(Mutex::default()),
        }
    }

    /// Returns the recorded questions; empty without a record.
    pub fn asked(&self) -> BTreeSet<Question> {
        let asked = self.asked.as_ref();
        asked.map_or_else(BTreeSet::new, |asked| {
            asked.lock().unwrap_or_else(PoisonError::into_inner).clone()
        })
    }

    fn note(&self, question: fn(PathBuf) -> Question, path: &Path) {
        self.ask(question(path.to_owned()));
    }

    fn ask(&self, question: Question) {
        if let Some(asked) = &self.asked {
            let mut asked = asked.lock().unwrap_or_else(PoisonError::into_inner);
            asked.insert(question);
        }
    }

    fn note_resolved(&self, resolved: &Resolved) {
        if self.asked.is_some() {
            let paths = resolved.found.iter().chain(&resolved.missing);
            paths.for_each(|path| self.note(Question::There, path));
        }
    }

    /// Sets the text of a Python file to that in an editor. Returns whether it differs from the text before.
    pub fn put(&self, path: &Path, source: Arc<PythonText>) -> bool {
        self.store.put(path, source)
    }

    /// Sets the text of a file in another language, as [`put`](Self::put) does.
    pub fn put_text(&self, path: &Path, text: &SourceText) -> bool {
        self.store.put_text(path, text)
    }

    /// Forgets a file, so that it is read again; it may have been changed, created or deleted.
    pub fn forget(&self, path: &Path) {
        self.store.forget(path);
    }

    /// Drops the parsed form of a file, which is parsed again when needed.
    pub fn let_go(&self, path: &Path) {
        self.store.let_go(path);
    }

    /// Forgets all files but those that are kept.
    pub fn retain(&self, is_kept: impl Fn(&Path) -> bool) {
        self.store.retain(is_kept);
    }

    /// Returns the parsed form of a file that is about to be checked, whose text is `source`. No question is
    /// recorded.
    pub fn own(&self, project: &Project, source: &SourceText) -> Arc<PythonText> {
        let known = self.store.get(&project.root, &project.path);
        let known = known.filter(|known| known.text().as_str() == source.as_str());
        known.unwrap_or_else(|| Arc::new(PythonText::of(source.clone())))
    }

    /// Returns the text of a file; `None` if it does not exist or is too large.
    pub fn text(&self, root: &Path, path: &Path) -> Option<SourceText> {
        self.note(Question::Text, path);
        self.store.text(root, path)
    }

    /// Returns whether a file exists and is not too large.
    pub fn is_there(&self, root: &Path, path: &Path) -> bool {
        self.note(Question::There, path);
        self.store.text(root, path).is_some()
    }

    /// Returns a Python file; `None` if it does not exist or is too large.
    pub(crate) fn get(&self, root: &Path, path: &Path) -> Option<Arc<PythonText>> {
        self.note(Question::Text, path);
        self.store.get(root, path)
    }

    /// Returns the paths in the `#include "…"` lines of a C++ file.
    pub fn includes(&self, root: &Path, path: &Path) -> Arc<[String]> {
        self.note(Question::Includes, path);
        self.store.includes(root, path)
    }

    /// Returns a C++ file; `None` if it does not exist or is too large.
    pub fn cpp(&self, root: &Path, path: &Path) -> Option<Arc<CppText>> {
        self.note(Question::Text, path);
        self.store.cpp(root, path)
    }

    /// Returns the Python files of a folder.
    pub(crate) fn list(&self, folder: &Path) -> Vec<PathBuf> {
        self.list_of(folder, &[Language::Easyasc])
    }

    /// Returns the files of a folder in these languages.
    pub fn list_of(&self, folder: &Path, languages: &[Language]) -> Vec<PathBuf> {
        let listed = self.listed(folder);
        let is_one =
            |path: &&PathBuf| Language::of_path(path).is_some_and(|it| languages.contains(&it));
        listed.iter().filter(is_one).cloned().collect()
    }

    /// Returns the source files of a folder.
    pub fn listed(&self, folder: &Path) -> Arc<[PathBuf]> {
        self.note(Question::Folder, folder);
        self.store.listed(folder)
    }

    /// Returns the C++ files of a project with this file name.
    pub fn named(&self, root: &Path, name: &str) -> Vec<PathBuf> {
        self.note(Question::Named, Path::new(name));
        self.store.tree(root).named(name).to_vec()
    }

    /// Returns which files of a project no search has looked at, as a sentence; `None` if searches looked at all.
    pub fn left_out(&self, root: &Path) -> Option<String> {
        self.store.left_out(root)
    }

    /// Returns the C++ files of a project below a folder, in order.
    pub fn inside(&self, root: &Path, folder: &Path) -> Vec<PathBuf> {
        self.note(Question::Inside, folder);
        self.store.tree(root).inside(folder).to_vec()
    }

    /// Returns the files below a folder that define a name: a class or a macro declaration, in the form of
    /// [`defined`](crate::defined). `are_hinted` restricts the search to files whose names suggest such definitions,
    /// for large folders.
    pub fn defining(
        &self,
        root: &Path,
        folder: &Path,
        name: &str,
        are_hinted: bool,
    ) -> Vec<PathBuf> {
        self.ask(Question::Defined(
            folder.to_owned(),
            name.to_owned(),
            are_hinted,
        ));
        self.store.defining(root, folder, name, are_hinted)
    }

    /// Returns whether a file may import another one, judged by a search in its text. Recorded only if not: otherwise
    /// the caller asks for its imports, which is recorded.
    pub fn may_import(&self, root: &Path, path: &Path, other: &Path) -> bool {
        let may = self.store.may_import(root, path, other);
        if !may {
            self.note(Question::Mention, path);
        }
        may
    }

    /// Returns the files that a module name may refer to, most likely first; empty for libraries. No question is
    /// recorded.
    pub(crate) fn candidates(&self, module: &str, importer: &Path, root: &Path) -> Vec<PathBuf> {
        self.store.candidates(module, importer, root)
    }

    /// Returns the imports of a file as a string, which is equal for equal imports.
    pub fn imports_text(&self, root: &Path, path: &Path) -> String {
        self.note(Question::Imports, path);
        let source = self.store.get(root, path);
        source.map_or_else(String::new, |source| source.imports_text())
    }

    /// Returns the files that a file imports.
    pub(crate) fn imports(&self, root: &Path, path: &Path) -> Arc<Resolved> {
        self.note(Question::Imports, path);
        let resolved = self.store.imports(root, path);
        self.note_resolved(&resolved);
        resolved
    }

    /// Returns the files that the imports of a text refer to, where `path` is the file of the text.
    pub(crate) fn resolved(&self, root: &Path, path: &Path, imports: &[Import]) -> Vec<PathBuf> {
        let resolved = self.store.resolved(root, path, imports);
        self.note_resolved(&resolved);
        resolved.found
    }
}

/// A file and its project.
#[derive(Clone)]
pub struct Project {
    /// The root; no file outside of it is read.
    pub root: PathBuf,
    /// The absolute path of the file.
    pub path: PathBuf,
    /// The folder to which paths for people are relative.
    pub here: PathBuf,
    /// The files of the project.
    pub files: Arc<Files>,
}

impl fmt::Debug for Project {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Everything that distinguishes projects: caches compare settings by this text.
        write!(f, "{:?} in {:?} from {:?}", self.path, self.root, self.here)
    }
}

impl PartialEq for Project {
    fn eq(&self, other: &Project) -> bool {
        (&self.path, &self.root, &self.here) == (&other.path, &other.root, &other.here)
            && Arc::ptr_eq(&self.files, &other.files)
    }
}
