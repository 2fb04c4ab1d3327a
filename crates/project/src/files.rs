//! What files of a project are asked for, and by whom.

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

/// Something that a file's check asks of the files around it. What it comes to depends on nothing else but its
/// own text and the settings.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Question {
    /// The text of a file.
    Text(PathBuf),
    /// Whether a file is there.
    There(PathBuf),
    /// The sources of a folder.
    Folder(PathBuf),
    /// Whether a text mentions the file that is checked; written down where it does not.
    Mention(PathBuf),
    /// What a file imports, by name.
    Imports(PathBuf),
    /// What a file in C++ includes, by name.
    Includes(PathBuf),
}

/// The files of projects, by absolute path. Clones know the same, and each writes down what it is asked.
pub struct Files {
    store: Arc<Store>,
    asked: Option<Mutex<BTreeSet<Question>>>,
}

impl Files {
    /// Nothing is read yet.
    pub fn new(read: Box<Reading>, list: Box<Listing>, is_library: IsLibrary) -> Files {
        Files {
            store: Arc::new(Store::new(read, list, is_library)),
            asked: None,
        }
    }

    /// The same files, for one check: what it asks is written down.
    pub fn recording(&self) -> Files {
        Files {
            store: self.store.clone(),
            asked: Some(Mutex::default()),
        }
    }

    /// What was asked; nothing where it is not written down.
    pub fn asked(&self) -> BTreeSet<Question> {
        let asked = self.asked.as_ref();
        asked.map_or_else(BTreeSet::new, |asked| {
            asked.lock().unwrap_or_else(PoisonError::into_inner).clone()
        })
    }

    fn note(&self, question: fn(PathBuf) -> Question, path: &Path) {
        if let Some(asked) = &self.asked {
            let mut asked = asked.lock().unwrap_or_else(PoisonError::into_inner);
            asked.insert(question(path.to_owned()));
        }
    }

    fn note_resolved(&self, resolved: &Resolved) {
        if self.asked.is_some() {
            let paths = resolved.found.iter().chain(&resolved.missing);
            paths.for_each(|path| self.note(Question::There, path));
        }
    }

    /// Takes the text of a file as it is in an editor. Returns whether it is another one than before.
    pub fn put(&self, path: &Path, source: Arc<PythonText>) -> bool {
        self.store.put(path, source)
    }

    /// The same of a file in another language.
    pub fn put_text(&self, path: &Path, text: &SourceText) -> bool {
        self.store.put_text(path, text)
    }

    /// Forgets what is known of a file: it is read again, and may be gone or new.
    pub fn forget(&self, path: &Path) {
        self.store.forget(path);
    }

    /// Lets go of what a text was parsed into; it is parsed again where it is needed.
    pub fn let_go(&self, path: &Path) {
        self.store.let_go(path);
    }

    /// Forgets everything but some files.
    pub fn retain(&self, is_kept: impl Fn(&Path) -> bool) {
        self.store.retain(is_kept);
    }

    /// A file that is about to be checked, parsed once for everybody. Its text is given: nothing is asked.
    pub fn own(&self, project: &Project, source: &SourceText) -> Arc<PythonText> {
        let known = self.store.get(&project.root, &project.path);
        let known = known.filter(|known| known.text().as_str() == source.as_str());
        known.unwrap_or_else(|| Arc::new(PythonText::of(source.clone())))
    }

    /// The text of a file, if it is there and of reasonable size.
    pub fn text(&self, root: &Path, path: &Path) -> Option<SourceText> {
        self.note(Question::Text, path);
        self.store.text(root, path)
    }

    /// Whether a file is there and of reasonable size.
    pub fn is_there(&self, root: &Path, path: &Path) -> bool {
        self.note(Question::There, path);
        self.store.text(root, path).is_some()
    }

    /// A file, if it is there and of reasonable size.
    pub(crate) fn get(&self, root: &Path, path: &Path) -> Option<Arc<PythonText>> {
        self.note(Question::Text, path);
        self.store.get(root, path)
    }

    /// What a file in C++ includes, by name.
    pub fn includes(&self, root: &Path, path: &Path) -> Arc<[String]> {
        self.note(Question::Includes, path);
        self.store.includes(root, path)
    }

    /// A file in C++, if it is there and of reasonable size.
    pub fn cpp(&self, root: &Path, path: &Path) -> Option<Arc<CppText>> {
        self.note(Question::Text, path);
        self.store.cpp(root, path)
    }

    /// The Python files of a folder.
    pub(crate) fn list(&self, folder: &Path) -> Vec<PathBuf> {
        self.list_of(folder, &[Language::Easyasc])
    }

    /// The files of a folder in these languages.
    pub fn list_of(&self, folder: &Path, languages: &[Language]) -> Vec<PathBuf> {
        let listed = self.listed(folder);
        let is_one =
            |path: &&PathBuf| Language::of_path(path).is_some_and(|it| languages.contains(&it));
        listed.iter().filter(is_one).cloned().collect()
    }

    /// The sources of a folder.
    pub fn listed(&self, folder: &Path) -> Arc<[PathBuf]> {
        self.note(Question::Folder, folder);
        self.store.listed(folder)
    }

    /// Whether a file may import another one: its text is looked at, and not parsed.
    pub fn may_import(&self, root: &Path, path: &Path, other: &Path) -> bool {
        let may = self.store.may_import(root, path, other);
        if !may {
            self.note(Question::Mention, path);
        }
        may
    }

    /// The files that a module may be, the likeliest first; none for libraries. Nothing is asked.
    pub(crate) fn candidates(&self, module: &str, importer: &Path, root: &Path) -> Vec<PathBuf> {
        self.store.candidates(module, importer, root)
    }

    /// What a file imports, as a text: equal texts import the same by name.
    pub fn imports_text(&self, root: &Path, path: &Path) -> String {
        self.note(Question::Imports, path);
        let source = self.store.get(root, path);
        source.map_or_else(String::new, |source| source.imports_text())
    }

    /// The files that a file imports.
    pub(crate) fn imports(&self, root: &Path, path: &Path) -> Arc<Resolved> {
        self.note(Question::Imports, path);
        let resolved = self.store.imports(root, path);
        self.note_resolved(&resolved);
        resolved
    }

    /// The files that imports in a text, which is given, mean.
    pub(crate) fn resolved(&self, root: &Path, path: &Path, imports: &[Import]) -> Vec<PathBuf> {
        let resolved = self.store.resolved(root, path, imports);
        self.note_resolved(&resolved);
        resolved.found
    }
}

/// Where a file stands in its project.
#[derive(Clone)]
pub struct Project {
    /// The folder that nothing outside of is read.
    pub root: PathBuf,
    /// The file itself, by its absolute path.
    pub path: PathBuf,
    /// The folder that names of files for people start from.
    pub here: PathBuf,
    /// What can be read.
    pub files: Arc<Files>,
}

impl fmt::Debug for Project {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // All of it: this tells settings from each other.
        write!(f, "{:?} in {:?} from {:?}", self.path, self.root, self.here)
    }
}

impl PartialEq for Project {
    fn eq(&self, other: &Project) -> bool {
        (&self.path, &self.root, &self.here) == (&other.path, &other.root, &other.here)
            && Arc::ptr_eq(&self.files, &other.files)
    }
}
