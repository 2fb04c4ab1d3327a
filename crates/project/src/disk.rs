//! The files that stand beside those that are checked.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use crate::files::{Files, Project};
use crate::python::IsLibrary;
use a2lint_source::disk;
use a2lint_source::encoding;
use a2lint_source::language::Language;

/// What stands in the root of a project.
const MARKS: &[&str] = &[
    "pyproject.toml",
    "a2lint.toml",
    "setup.py",
    "setup.cfg",
    ".git",
];
/// Folders above a file that are looked at for its project's root.
const MAX_ABOVE: usize = 16;
/// Bytes of the largest file that is read because another one imports it.
const MAX_BYTES: u64 = 1 << 20;
/// Most files of a folder that are listed.
const MAX_LISTED: usize = 2_000;

/// The files of the disk, each read once.
pub fn files(is_library: IsLibrary) -> Arc<Files> {
    reading(is_library, |folder| fs::canonicalize(folder).ok())
}

/// The same; `real` says what a folder is called when no link is on the way.
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
    Arc::new(Files::new(Box::new(read), Box::new(sources), is_library))
}

/// Where a file, by its absolute path, stands; names of files for people start from `here`, the working
/// folder or that of an editor. Without a mark, that folder is the project's root if the file is in it.
pub fn of(path: &Path, files: &Arc<Files>, here: Option<&Path>) -> Option<Project> {
    let root = root(path.parent()?, here);
    Some(Project {
        here: here.unwrap_or(&root).to_owned(),
        root,
        path: path.to_owned(),
        files: files.clone(),
    })
}

/// The root of the project that a folder is in.
fn root(folder: &Path, here: Option<&Path>) -> PathBuf {
    marked(folder).map_or_else(|| unmarked(folder, here), Path::to_owned)
}

/// The projects of one run: folders are looked at once, and taken to stay what they are.
pub struct Projects {
    /// The files of all of them.
    pub files: Arc<Files>,
    here: PathBuf,
    roots: OfFolders<PathBuf>,
}

impl Projects {
    /// Nothing is looked at yet. Names for people start from `here`.
    pub fn new(here: PathBuf, is_library: IsLibrary) -> Projects {
        let known: OfFolders<Option<PathBuf>> = OfFolders::default();
        let real = move |folder: &Path| known.get(folder, || fs::canonicalize(folder).ok());
        Projects {
            files: reading(is_library, real),
            here,
            roots: OfFolders::default(),
        }
    }

    /// Where a file, by its absolute path, stands.
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

/// What is known of folders.
#[derive(Default)]
struct OfFolders<T>(Mutex<HashMap<PathBuf, T>>);

impl<T: Clone> OfFolders<T> {
    /// What is known of a folder, found out first where nothing is.
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

/// The nearest folder, from this one upwards, that has the mark of a root.
pub fn marked(folder: &Path) -> Option<&Path> {
    let mut above = folder.ancestors().take(MAX_ABOVE);
    above.find(|folder| MARKS.iter().any(|mark| folder.join(mark).exists()))
}

/// The root where no folder has a mark: the folder that somebody works in, as long as it is not the whole
/// disk, or the one around the outermost package, whichever is further up.
fn unmarked(folder: &Path, here: Option<&Path>) -> PathBuf {
    let around = outside_of_packages(folder);
    match here {
        Some(here) if here.parent().is_some() && around.starts_with(here) => here.to_owned(),
        _ => around,
    }
}

/// The folder around the outermost package.
fn outside_of_packages(folder: &Path) -> PathBuf {
    let mut above = folder.ancestors().take(MAX_ABOVE);
    let outside = above.find(|folder| !folder.join("__init__.py").is_file());
    outside.unwrap_or(folder).to_owned()
}

/// Whether a file stands below a folder, without a link on the way.
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

/// Whether a file is one of git's, or a hidden one: an `#include` may name anything, and what is found in a text is
/// quoted.
fn is_secret(root: &Path, path: &Path) -> bool {
    let below = path.strip_prefix(root).unwrap_or(path);
    let is_hidden = |name: &OsStr| name.as_encoded_bytes().starts_with(b".");
    path.file_name().is_none_or(is_hidden) || below.components().any(|it| it.as_os_str() == ".git")
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else {
        return Vec::new();
    };
    let is_file = |entry: &fs::DirEntry| entry.file_type().is_ok_and(|kind| kind.is_file());
    let files = entries.filter_map(Result::ok).filter(is_file);
    let paths = files.map(|entry| entry.path());
    let is_source = |path: &PathBuf| Language::of_path(path).is_some();
    let mut paths: Vec<PathBuf> = paths.filter(is_source).collect();
    // Folders have an order of their own.
    paths.sort();
    paths.truncate(MAX_LISTED);
    paths
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folder_somebody_works_in_is_the_root_where_none_is_marked() {
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
        fs::write(above.join("a2lint.toml"), "").expect("a file");
        assert_eq!(root(Some(top.path())), above);
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
