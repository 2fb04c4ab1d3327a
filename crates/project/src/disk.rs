//! The project of a file on disk, and reading its files.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use crate::files::{Files, Project};
use crate::python::IsLibrary;
use crate::store::Folder;
use a2lint_source::disk;
use a2lint_source::encoding;
use a2lint_source::language::Language;

/// Files and folders that mark the root of a project.
const MARKS: &[&str] = &[
    "pyproject.toml",
    "a2lint.toml",
    "setup.py",
    "setup.cfg",
    ".git",
];
/// Number of folders above a file that are searched for the root of its project.
const MAX_ABOVE: usize = 16;
/// Size limit in bytes of an imported file.
const MAX_BYTES: u64 = 1 << 20;
/// Maximum number of files listed for a folder.
const MAX_LISTED: usize = 2_000;

/// Creates the files of the disk, each read once.
pub fn files(is_library: IsLibrary) -> Arc<Files> {
    reading(is_library, |folder| fs::canonicalize(folder).ok())
}

/// As [`files`]; `real` returns a folder with links resolved.
fn reading(
    is_library: IsLibrary,
    real: impl Fn(&Path) -> Option<PathBuf> + Send + Sync + 'static,
) -> Arc<Files> {
    let read = move |root: &Path, path: &Path| match is_inside(root, path, &real) {
        true => {
            let bytes = disk::bytes(path, MAX_BYTES).ok()?;
            let language = Language::of_path(path).unwrap_or_default();
            let text = encoding::decode(bytes, language).ok()?;
            Some(text.as_str().to_owned())
        }
        false => None,
    };
    Arc::new(Files::new(Box::new(read), Box::new(listed), is_library))
}

/// Returns the project of a file, given by its absolute path. Paths for people are relative to `here`: the working
/// directory, or the workspace of an editor. Without a marked root, `here` is the root if it contains the file.
pub fn of(path: &Path, files: &Arc<Files>, here: Option<&Path>) -> Option<Project> {
    let root = root(path.parent()?, here);
    Some(Project {
        here: here.unwrap_or(&root).to_owned(),
        root,
        path: path.to_owned(),
        files: files.clone(),
    })
}

/// Returns the root of the project of a folder.
fn root(folder: &Path, here: Option<&Path>) -> PathBuf {
    marked(folder).map_or_else(|| unmarked(folder, here), Path::to_owned)
}

/// The projects of one run. Each folder is examined once and assumed not to change.
pub struct Projects {
    /// The files of all projects.
    pub files: Arc<Files>,
    here: PathBuf,
    roots: OfFolders<PathBuf>,
}

impl Projects {
    /// Creates an empty cache. Paths for people are relative to `here`.
    pub fn new(here: PathBuf, is_library: IsLibrary) -> Projects {
        let known: OfFolders<Option<PathBuf>> = OfFolders::default();
        let real = move |folder: &Path| known.get(folder, || fs::canonicalize(folder).ok());
        Projects {
            files: reading(is_library, real),
            here,
            roots: OfFolders::default(),
        }
    }

    /// Returns the project of a file, given by its absolute path.
    pub fn of(&self, path: &Path) -> Option<Project> {
        let folder = path.parent()?;
        Some(Project {
            root: self.roots.get(folder, || root(folder, Some(&self.here))),
            here: self.here.clone(),
            path: path.to_owned(),
            files: self.files.clone(),
        })
    }
}

/// A cache of values by folder.
#[derive(Default)]
struct OfFolders<T>(Mutex<HashMap<PathBuf, T>>);

impl<T: Clone> OfFolders<T> {
    /// Returns the value of a folder, computing it on the first call.
    fn get(&self, folder: &Path, find: impl FnOnce() -> T) -> T {
        let known = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(value) = known().get(folder) {
            return value.clone();
        }
        let value = find();
        known().insert(folder.to_owned(), value.clone());
        value
    }
}

/// Returns the nearest folder, from this one upwards, with the mark of a root.
pub fn marked(folder: &Path) -> Option<&Path> {
    let mut above = folder.ancestors().take(MAX_ABOVE);
    above.find(|folder| MARKS.iter().any(|mark| folder.join(mark).exists()))
}

/// Returns the root if no folder is marked: `here` if it contains the packages around the folder and is not the root
/// of the disk, else the folder around the outermost package, or the outermost folder of the build.
fn unmarked(folder: &Path, here: Option<&Path>) -> PathBuf {
    let around = outermost_of_build(&outside_of_packages(folder));
    match here {
        Some(here) if here.parent().is_some() && around.starts_with(here) => here.to_owned(),
        _ => around,
    }
}

/// Returns the folder around the outermost package (folder with `__init__.py`).
fn outside_of_packages(folder: &Path) -> PathBuf {
    let mut above = folder.ancestors().take(MAX_ABOVE);
    let outside = above.find(|folder| !folder.join("__init__.py").is_file());
    outside.unwrap_or(folder).to_owned()
}

/// Returns the outermost folder of the build that a folder belongs to (an operator and its repository, from the folder
/// of its kernel): all folders from its parent on have a `CMakeLists.txt`.
fn outermost_of_build(folder: &Path) -> PathBuf {
    let above = folder.ancestors().take(MAX_ABOVE).skip(1);
    let built = above.take_while(|folder| folder.join("CMakeLists.txt").is_file());
    built.last().unwrap_or(folder).to_owned()
}

/// Returns whether a file is below a folder and no link is on the way. Both must be resolved, because `root` itself may
/// be reached by a link.
fn is_inside(root: &Path, path: &Path, real: impl Fn(&Path) -> Option<PathBuf>) -> bool {
    let is_file = fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_file());
    let Some(folder) = path.parent().filter(|_| is_file && !is_secret(root, path)) else {
        return false;
    };
    let (Some(root_there), Some(there)) = (real(root), real(folder)) else {
        return false;
    };
    let below = folder.strip_prefix(root);
    below.is_ok_and(|below| root_there.join(below) == there)
}

/// Returns whether a file belongs to git or is hidden. Such files are not read, because an `#include` may name any
/// file, and reports quote the text of files.
fn is_secret(root: &Path, path: &Path) -> bool {
    let below = path.strip_prefix(root).unwrap_or(path);
    path.file_name().is_none_or(is_hidden) || below.components().any(|it| it.as_os_str() == ".git")
}

/// Returns whether a file or folder with this name is hidden.
fn is_hidden(name: &OsStr) -> bool {
    name.as_encoded_bytes().starts_with(b".")
}

/// Lists the sources of a folder and its folders that are not hidden. Skips links.
fn listed(folder: &Path) -> Folder {
    let Ok(entries) = fs::read_dir(folder) else {
        return Folder::default();
    };
    let mut found = Folder::default();
    for entry in entries.filter_map(Result::ok) {
        let Ok(kind) = entry.file_type() else {
            continue;
        };
        let path = entry.path();
        if kind.is_file() && Language::of_path(&path).is_some() {
            found.sources.push(path);
        } else if kind.is_dir() && !is_hidden(&entry.file_name()) {
            found.folders.push(path);
        }
    }
    // The order of directory entries depends on the file system.
    found.sources.sort();
    found.sources.truncate(MAX_LISTED);
    found.folders.sort();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_working_directory_is_the_root_if_no_folder_is_marked() {
        let top = tempfile::tempdir().expect("a folder");
        let above = top.path().join("kernels");
        let folder = above.join("npu/a5");
        fs::create_dir_all(&folder).expect("folders");
        let file = folder.join("k.cpp");
        let root =
            |here: Option<&Path>| of(&file, &files(|_| false), here).expect("a project").root;
        assert_eq!(root(Some(&above)), above);
        assert_eq!(root(Some(&top.path().join("elsewhere"))), folder);
        assert_eq!(root(Some(Path::new("/"))), folder);
        assert_eq!(root(None), folder);
        fs::write(folder.join("__init__.py"), "").expect("a file");
        assert_eq!(root(Some(&folder)), above.join("npu"));
        fs::write(above.join("npu/CMakeLists.txt"), "").expect("a file");
        fs::write(above.join("CMakeLists.txt"), "").expect("a file");
        assert_eq!(root(Some(&folder)), above);
        fs::write(above.join("npu/a2lint.toml"), "").expect("a file");
        assert_eq!(root(Some(top.path())), above.join("npu"));
    }

    #[test]
    fn what_is_hidden_is_not_read() {
        let top = tempfile::tempdir().expect("a folder");
        fs::create_dir_all(top.path().join(".git/hooks")).expect("folders");
        for name in ["k.h", ".env", ".git/config", ".git/hooks/k.h"] {
            fs::write(top.path().join(name), "secret").expect("a file");
        }
        let files = files(|_| false);
        let is_read = |name: &str| files.text(top.path(), &top.path().join(name)).is_some();
        assert!(is_read("k.h"));
        assert!(!is_read(".env") && !is_read(".git/config") && !is_read(".git/hooks/k.h"));
        assert!(!is_read("../../etc/passwd"));
    }
}
