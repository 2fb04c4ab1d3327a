//! The contents of files in projects, each read and parsed once.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use crate::cpp::{CppText, Starts, Tree, defined, includes};
use crate::python::{Import, IsLibrary, PythonText, candidates, member};
use a2lint_source::text::{Slice, SourceText};

/// Size limit in bytes of an imported file.
const MAX_BYTES: usize = 1 << 20;

/// Number of bytes of C++ text after which all parsed files are dropped, to be parsed again when needed.
const MAX_CPP_BYTES: usize = 32 << 20;
/// The same limit in bytes of Python text, whose syntax trees take about forty times as much memory as the text.
const MAX_PYTHON_BYTES: usize = 8 << 20;

/// Maximum number of files that are searched for one definition.
const MAX_SEARCHED: usize = 1_024;

/// Reads a text file of a project with this root; `None` if it does not exist or cannot be read.
pub type Reading = dyn Fn(&Path, &Path) -> Option<String> + Send + Sync;
/// Lists a folder, in order.
pub type Listing = dyn Fn(&Path) -> Folder + Send + Sync;

/// The contents of a folder.
#[derive(Clone, Debug, Default)]
pub struct Folder {
    /// Source files.
    pub sources: Vec<PathBuf>,
    /// Folders to descend into.
    pub folders: Vec<PathBuf>,
    /// Whether it has a file or folder that marks a project or belongs to a build.
    pub is_marked: bool,
    /// Whether it has more source files than are listed.
    pub is_cut: bool,
}

impl From<Vec<PathBuf>> for Folder {
    fn from(sources: Vec<PathBuf>) -> Folder {
        Folder {
            sources,
            ..Folder::default()
        }
    }
}

/// Cached facts about the files of projects, by absolute path.
pub(crate) struct Store {
    read: Box<Reading>,
    list: Box<Listing>,
    is_library: IsLibrary,
    texts: Cached<Option<SourceText>>,
    parsed: Cached<Option<Arc<PythonText>>>,
    listed: Cached<Arc<[PathBuf]>>,
    /// The C++ files below each root.
    trees: Cached<Arc<Tree>>,
    /// The names that C++ files define, in the form of [`defined`].
    defined: Cached<Arc<[String]>>,
    imports: Cached<Arc<Resolved>>,
    /// C++ files, parsed.
    parsed_cpp: Cached<Option<Arc<CppText>>>,
    /// The paths in `#include "…"` lines of C++ files.
    included: Cached<Arc<[String]>>,
    starts: Mutex<Starts>,
    /// Bytes of C++ text parsed since parsed files were last dropped.
    cpp_bytes: AtomicUsize,
    /// Bytes of Python text parsed since parsed files were last dropped.
    python_bytes: AtomicUsize,
    /// Files that are open in an editor, which need not exist on disk.
    open: Cached<()>,
}

/// A cache of values by path.
struct Cached<T>(Mutex<HashMap<PathBuf, T>>);

impl<T: Clone> Cached<T> {
    fn new() -> Self {
        Cached(Mutex::default())
    }

    /// Returns the value of a path, computing it if it is missing. The lock is not held meanwhile, so `find` may use
    /// the cache, and two threads may compute the same value.
    fn get(&self, path: &Path, find: impl FnOnce() -> T) -> T {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(value) = known.get(path) {
            return value.clone();
        }
        drop(known);
        let value = find();
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.entry(path.to_owned()).or_insert(value).clone()
    }

    /// Sets the value of a path, and returns the previous one.
    fn set(&self, path: &Path, value: T) -> Option<T> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.insert(path.to_owned(), value)
    }

    fn paths(&self) -> Vec<PathBuf> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.keys().cloned().collect()
    }

    fn forget(&self, path: &Path) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.remove(path);
    }

    fn retain(&self, is_kept: impl Fn(&Path) -> bool) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.retain(|path, _| is_kept(path));
    }

    fn forget_all(&self) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.clear();
    }
}

impl Store {
    /// Creates an empty store.
    pub fn new(read: Box<Reading>, list: Box<Listing>, is_library: IsLibrary) -> Store {
        Store {
            read,
            list,
            is_library,
            texts: Cached::new(),
            parsed: Cached::new(),
            listed: Cached::new(),
            trees: Cached::new(),
            defined: Cached::new(),
            imports: Cached::new(),
            parsed_cpp: Cached::new(),
            included: Cached::new(),
            starts: Mutex::default(),
            cpp_bytes: AtomicUsize::new(0),
            python_bytes: AtomicUsize::new(0),
            open: Cached::new(),
        }
    }

    /// Sets the text of a Python file to that in an editor. Returns whether it differs from the text before.
    pub fn put(&self, path: &Path, source: Arc<PythonText>) -> bool {
        let is_changed = self.put_text(path, source.text());
        if is_changed {
            self.parsed.set(path, Some(source));
        }
        is_changed
    }

    /// Sets the text of a file in another language.
    pub fn put_text(&self, path: &Path, text: &SourceText) -> bool {
        if self.open.set(path, ()).is_none() {
            self.listed.forget_all();
            self.trees.forget_all();
        }
        let is_same = |before: &SourceText| before.as_str() == text.as_str();
        match self.texts.set(path, Some(text.clone())) {
            Some(Some(before)) if is_same(&before) => return false,
            Some(Some(_)) => self.imports.forget(path),
            // The file is new, so imports that had no file before may refer to it.
            _ => self.imports.forget_all(),
        }
        self.parsed_cpp.forget(path);
        self.included.forget(path);
        self.defined.forget(path);
        true
    }

    /// Forgets a file, so that it is read again; it may have been changed, created or deleted.
    pub fn forget(&self, path: &Path) {
        self.open.forget(path);
        self.texts.forget(path);
        self.parsed.forget(path);
        self.parsed_cpp.forget(path);
        self.included.forget(path);
        self.defined.forget(path);
        self.listed.forget_all();
        self.trees.forget_all();
        self.imports.forget_all();
    }

    /// Drops the parsed form of a file. The text stays, because an editor's is not on disk.
    pub fn let_go(&self, path: &Path) {
        self.parsed.forget(path);
        self.parsed_cpp.forget(path);
    }

    /// Forgets all files but those that are kept.
    pub fn retain(&self, is_kept: impl Fn(&Path) -> bool) {
        self.open.retain(&is_kept);
        self.texts.retain(&is_kept);
        self.parsed.retain(&is_kept);
        self.parsed_cpp.retain(&is_kept);
        self.included.retain(&is_kept);
        self.defined.retain(&is_kept);
        self.listed.forget_all();
        self.trees.forget_all();
        self.imports.forget_all();
    }

    /// Returns the text of a file; `None` if it does not exist or is too large.
    pub fn text(&self, root: &Path, path: &Path) -> Option<SourceText> {
        self.texts.get(path, || {
            let text = (self.read)(root, path).filter(|text| text.len() <= MAX_BYTES);
            text.map(SourceText::new)
        })
    }

    /// Returns a Python file; `None` if it does not exist or is too large.
    pub fn get(&self, root: &Path, path: &Path) -> Option<Arc<PythonText>> {
        self.parsed.get(path, || {
            let text = self.text(root, path)?;
            let bytes = text.as_str().len();
            if self.python_bytes.fetch_add(bytes, Ordering::Relaxed) > MAX_PYTHON_BYTES {
                self.python_bytes.store(bytes, Ordering::Relaxed);
                self.parsed.forget_all();
            }
            Some(Arc::new(PythonText::of(text)))
        })
    }

    /// Returns the paths in the `#include "…"` lines of a C++ file.
    pub fn includes(&self, root: &Path, path: &Path) -> Arc<[String]> {
        self.included.get(path, || {
            let text = self.text(root, path);
            text.map_or_else(|| [].into(), |text| includes(text.as_str()))
        })
    }

    /// Returns a C++ file; `None` if it does not exist or is too large.
    pub fn cpp(&self, root: &Path, path: &Path) -> Option<Arc<CppText>> {
        self.parsed_cpp.get(path, || {
            let text = self.text(root, path)?;
            let bytes = text.as_str().len();
            if self.cpp_bytes.fetch_add(bytes, Ordering::Relaxed) > MAX_CPP_BYTES {
                self.cpp_bytes.store(bytes, Ordering::Relaxed);
                self.parsed_cpp.forget_all();
            }
            let mut starts = self.starts.lock().unwrap_or_else(PoisonError::into_inner);
            let start = starts.of(path, bytes);
            drop(starts);
            Some(Arc::new(match start {
                Some(start) => CppText::of(text, start),
                None => CppText::unread(text),
            }))
        })
    }

    /// Returns the source files of a folder, including those that are only open in an editor.
    pub fn listed(&self, folder: &Path) -> Arc<[PathBuf]> {
        self.listed.get(folder, || {
            let mut paths = (self.list)(folder).sources;
            let open = self.open.paths();
            paths.extend(
                open.into_iter()
                    .filter(|path| path.parent() == Some(folder)),
            );
            paths.sort();
            paths.dedup();
            paths.into()
        })
    }

    /// Returns the C++ files below a root.
    pub fn tree(&self, root: &Path) -> Arc<Tree> {
        self.trees.get(root, || {
            let mut tree = Tree::below(root, &*self.list);
            tree.add(self.open.paths(), root);
            Arc::new(tree)
        })
    }

    /// Returns what the tree of a root leaves out, as a sentence, if it was asked for and leaves something out.
    pub fn left_out(&self, root: &Path) -> Option<String> {
        let trees = self.trees.0.lock().unwrap_or_else(PoisonError::into_inner);
        Some(trees.get(root)?.left_out()?.to_owned())
    }

    /// Returns the names that a C++ file defines, sorted; see [`defined`].
    pub fn defined(&self, root: &Path, path: &Path) -> Arc<[String]> {
        self.defined.get(path, || {
            let text = self.text(root, path);
            text.map_or_else(|| [].into(), |text| defined(text.as_str()).into())
        })
    }

    /// Returns the files below a folder that define a name. `are_hinted` restricts the search to files whose names or
    /// folders suggest such definitions. Searches at most [`MAX_SEARCHED`] files.
    pub fn defining(
        &self,
        root: &Path,
        folder: &Path,
        name: &str,
        are_hinted: bool,
    ) -> Vec<PathBuf> {
        let tree = self.tree(root);
        let asked = match are_hinted {
            true => tree.hinted_inside(folder),
            false => tree.inside(folder),
        };
        let defines = |path: &&PathBuf| {
            let defined = self.defined(root, path);
            defined.binary_search_by(|it| it.as_str().cmp(name)).is_ok()
        };
        let found = asked.iter().take(MAX_SEARCHED).filter(defines);
        found.cloned().collect()
    }

    /// Returns whether a file may import another one: its text contains the name of that file or of its folder, or a
    /// relative import.
    pub fn may_import(&self, root: &Path, path: &Path, other: &Path) -> bool {
        let Some(text) = self.text(root, path) else {
            return false;
        };
        let name = |path: &Path| Some(path.file_stem()?.to_string_lossy().into_owned());
        // A package is imported by the name of its folder, and may re-export its modules.
        let names = [name(other), other.parent().and_then(name)];
        let mut names = names.into_iter().flatten();
        let has = |part: &str| memchr::memmem::find(text.as_str().as_bytes(), part.as_bytes());
        names.any(|name| has(&name).is_some()) || has("from .").is_some()
    }

    /// Returns the files that the imports of a file refer to.
    pub fn imports(&self, root: &Path, path: &Path) -> Arc<Resolved> {
        self.imports.get(path, || {
            let source = self.get(root, path);
            let imports = source.as_ref().map_or(&[][..], |source| source.imports());
            Arc::new(self.resolved(root, path, imports))
        })
    }

    /// Returns the files that a module name may refer to, most likely first; empty for libraries.
    pub fn candidates(&self, module: &str, importer: &Path, root: &Path) -> Vec<PathBuf> {
        candidates(module, importer, root, self.is_library)
    }

    /// Returns the files that imports of a text refer to.
    pub fn resolved(&self, root: &Path, path: &Path, imports: &[Import]) -> Resolved {
        let mut resolved = Resolved::default();
        for import in imports {
            let members = import.names.iter().map(|name| member(&import.module, name));
            // `import a.b` also executes the package `a`.
            let parents = import.module.match_indices('.').filter(|(at, _)| *at > 0);
            let parents = parents.map(|(at, _)| import.module.part(..at).to_owned());
            for module in parents.chain([import.module.clone()]).chain(members) {
                for path in self.candidates(&module, path, root) {
                    if self.text(root, &path).is_none() {
                        resolved.missing.push(path);
                        continue;
                    }
                    if !resolved.found.contains(&path) {
                        resolved.found.push(path);
                    }
                    break;
                }
            }
        }
        resolved
    }
}

/// The files that imports refer to.
#[derive(Default)]
pub(crate) struct Resolved {
    /// Files that exist.
    pub found: Vec<PathBuf>,
    /// More likely candidates that do not exist; creating one would change the result.
    pub missing: Vec<PathBuf>,
}
