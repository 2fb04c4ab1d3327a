//! Index of the C++ files of a project by path and name, and a search for the names that a file defines.

use std::collections::{HashMap, VecDeque};
use std::path::{Path, PathBuf};

use a2lint_source::language::Language;
use a2lint_source::text::Slice;

use crate::store::Listing;

/// Maximum number of folders of a project that are listed.
const MAX_FOLDERS: usize = 16_384;
/// Maximum number of files of a project that are found.
const MAX_FILES: usize = 65_536;
/// The same for a root that nothing marks as a project: it may be a folder of anything.
const MAX_UNMARKED_FOLDERS: usize = 1_024;
/// A lower-case part of the names of files or folders that usually define the tiling structs of kernels in other
/// folders.
const TILING_HINT: &str = "tiling";

/// The C++ files below a folder.
#[derive(Default)]
pub(crate) struct Tree {
    /// All paths, sorted: the files below a folder are adjacent.
    paths: Vec<PathBuf>,
    /// The same paths by file name.
    by_name: HashMap<String, Vec<PathBuf>>,
    /// The paths with [`TILING_HINT`] in the name of the file or of its folder, sorted.
    hinted: Vec<PathBuf>,
    /// What was not listed, as a sentence.
    left_out: Option<String>,
}

impl Tree {
    /// Finds the files below a root, those of outer folders first. Files beyond the limits are not found.
    pub fn below(root: &Path, list: &Listing) -> Tree {
        let mut open = VecDeque::from([root.to_owned()]);
        let mut paths = Vec::new();
        let mut folders = 0;
        let mut most_folders = MAX_FOLDERS;
        let mut is_cut = false;
        while let Some(folder) = open.pop_front() {
            let listed = list(&folder);
            if folders == 0 && !listed.is_marked {
                most_folders = MAX_UNMARKED_FOLDERS;
            }
            folders += 1;
            is_cut |= listed.is_cut;
            open.extend(listed.folders);
            paths.extend(listed.sources);
            if folders >= most_folders || paths.len() > MAX_FILES {
                is_cut |= !open.is_empty();
                break;
            }
        }
        let left_out = is_cut.then(|| {
            let advice = match most_folders == MAX_UNMARKED_FOLDERS {
                true => ": an empty `a2lint.toml` in the folder of the project says where it is",
                false => "",
            };
            let files = paths.len();
            let root = root.display();
            format!("{root} is too large: {files} files of {folders} folders are known{advice}")
        });
        let mut tree = Tree {
            left_out,
            ..Tree::default()
        };
        tree.add(paths, root);
        tree
    }

    /// Returns what was not listed, as a sentence; `None` if all files are known.
    pub fn left_out(&self) -> Option<&str> {
        self.left_out.as_deref()
    }

    /// Adds the C++ files among `paths` that are below the root.
    pub fn add(&mut self, paths: Vec<PathBuf>, root: &Path) {
        let is_one = |path: &PathBuf| {
            let language = Language::of_path(path);
            path.starts_with(root) && matches!(language, Some(Language::Cpp | Language::Cuda))
        };
        self.paths.extend(paths.into_iter().filter(is_one));
        self.paths.sort();
        self.paths.dedup();
        self.hinted = self
            .paths
            .iter()
            .filter(|path| is_hinted(path))
            .cloned()
            .collect();
        self.by_name.clear();
        for path in &self.paths {
            if let Some(name) = path.file_name().and_then(|it| it.to_str()) {
                let named = self.by_name.entry(name.to_owned()).or_default();
                named.push(path.clone());
            }
        }
    }

    /// Returns the files with this name, in order.
    pub fn named(&self, name: &str) -> &[PathBuf] {
        self.by_name.get(name).map_or(&[], Vec::as_slice)
    }

    /// Returns the files below a folder, in order.
    pub fn inside(&self, folder: &Path) -> &[PathBuf] {
        inside(&self.paths, folder)
    }

    /// Returns the files below a folder whose names contain [`TILING_HINT`], in order.
    pub fn hinted_inside(&self, folder: &Path) -> &[PathBuf] {
        inside(&self.hinted, folder)
    }
}

/// Returns the paths below a folder, from sorted paths.
fn inside<'p>(paths: &'p [PathBuf], folder: &Path) -> &'p [PathBuf] {
    let start = paths.partition_point(|path| path.as_path() < folder);
    let rest = &paths[start..];
    let count = rest.partition_point(|path| path.starts_with(folder));
    &rest[..count]
}

/// Returns whether the name of a file or of its folder contains [`TILING_HINT`].
fn is_hinted(path: &Path) -> bool {
    let has_hint = |path: &Path| {
        let name = path.file_name().and_then(|it| it.to_str());
        name.is_some_and(|it| it.to_ascii_lowercase().contains(TILING_HINT))
    };
    has_hint(path) || path.parent().is_some_and(has_hint)
}

/// Returns the names that a text defines, sorted: classes, also those that a macro `BEGIN_…(Name)` opens, and for each
/// line that starts with an upper-case macro the text `MACRO(name`, with the name folded as by [`folded_name`].
pub fn defined(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for word in ["struct ", "class "] {
        for (at, _) in text.match_indices(word) {
            let before = text.part(..at).chars().next_back();
            if before.is_some_and(is_part) {
                continue;
            }
            let (name, rest) = word_of(text.part(at + word.len()..));
            let rest = rest.trim_start();
            let rest = rest.strip_prefix("final").unwrap_or(rest).trim_start();
            if rest.starts_with(['{', ':']) && !rest.starts_with("::") && !name.is_empty() {
                found.push(name.to_owned());
            }
        }
    }
    for line in text.lines() {
        let (name, rest) = word_of(line);
        let is_macro = name.len() > 2 && !name.contains(|c: char| c.is_ascii_lowercase());
        if let Some(arguments) = rest.strip_prefix('(').filter(|_| is_macro) {
            let (first, rest) = word_of(arguments);
            if rest.trim_start().starts_with([',', ')']) && !first.is_empty() {
                found.push(format!("{name}({}", folded_name(first)));
                if name.starts_with("BEGIN_") {
                    found.push(first.to_owned());
                }
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// Splits a text after its first word.
fn word_of(text: &str) -> (&str, &str) {
    let text = text.trim_start();
    let end = text.find(|c| !is_part(c)).unwrap_or(text.len());
    (text.part(..end), text.part(end..))
}

/// Returns a name in lower case and without underscores, so that its spellings compare equal.
pub fn folded_name(name: &str) -> String {
    let letters = name.chars().filter(|c| *c != '_');
    letters.map(|c| c.to_ascii_lowercase()).collect()
}

fn is_part(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_found_by_name_and_by_folder() {
        let list = |folder: &Path| crate::store::Folder {
            sources: vec![folder.join("tiling.h"), folder.join("notes.py")],
            folders: match folder == Path::new("/p") {
                true => vec!["/p/a".into(), "/p/a-b".into()],
                false => Vec::new(),
            },
            ..Default::default()
        };
        let tree = Tree::below(Path::new("/p"), &list);
        let paths = |paths: &[PathBuf]| paths.iter().map(|it| it.display().to_string()).collect();
        let named: Vec<String> = paths(tree.named("tiling.h"));
        assert_eq!(named, ["/p/a/tiling.h", "/p/a-b/tiling.h", "/p/tiling.h"]);
        let inside: Vec<String> = paths(tree.inside(Path::new("/p/a")));
        assert_eq!(inside, ["/p/a/tiling.h"]);
        assert!(tree.named("notes.py").is_empty());
    }

    #[test]
    fn a_folder_that_nothing_marks_is_listed_in_part() {
        let tree = |is_marked: bool, folders: usize| {
            let list = move |folder: &Path| crate::store::Folder {
                sources: vec![folder.join("a.h")],
                folders: match folder == Path::new("/p") {
                    true => (0..folders).map(|at| format!("/p/{at}").into()).collect(),
                    false => Vec::new(),
                },
                is_marked: is_marked && folder == Path::new("/p"),
                is_cut: false,
            };
            Tree::below(Path::new("/p"), &list)
        };
        let large = tree(false, 4_000);
        assert_eq!(large.named("a.h").len(), MAX_UNMARKED_FOLDERS);
        let left_out = large.left_out().expect("a sentence");
        assert!(left_out.contains("1024 folders"), "{left_out}");
        assert!(left_out.contains("a2lint.toml"), "{left_out}");
        assert_eq!(tree(true, 4_000).named("a.h").len(), 4_001);
        assert_eq!(tree(true, 4_000).left_out(), None);
        assert_eq!(tree(false, 1_023).left_out(), None);
        assert!(tree(false, 1_024).left_out().is_some());
    }

    #[test]
    fn classes_are_found_by_their_definitions() {
        let text = "struct A;\nstruct B { int x; };\nclass C final : public D {};\n\
                    BEGIN_TILING_DEF(Big_E)\nEND_DEF;\nvoid f(struct F x);\n  OP_ADD(AddTwo, 1);\n\
                    using constructor = int; mystruct G { x = MAX(B, 2); F(H);";
        assert_eq!(
            defined(text),
            ["B", "BEGIN_TILING_DEF(bige", "Big_E", "C", "OP_ADD(addtwo"]
        );
    }
}
