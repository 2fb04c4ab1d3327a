//! Include directives, and the files that they refer to.

use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

/// Returns the paths in the `#include "…"` lines of a text.
pub(crate) fn includes(text: &str) -> Arc<[String]> {
    let lines = text.lines().filter_map(|line| {
        let rest = line.trim_start().strip_prefix('#')?.trim_start();
        let rest = rest.strip_prefix("include")?.trim_start();
        let (name, _) = rest.strip_prefix('"')?.split_once('"')?;
        Some(name.to_owned())
    });
    lines.collect()
}

/// Returns the files inside of the project that an include may refer to, most likely first: relative to the including
/// file, to the folders above it, and to `include` and `src` of the root.
pub(super) fn candidates(
    includer: &Path,
    name: &str,
    root: &Path,
) -> impl Iterator<Item = PathBuf> {
    let folders = includer.ancestors().skip(1);
    let folders = folders.take_while(|folder| folder.starts_with(root));
    let folders: Vec<PathBuf> = folders
        .map(Path::to_owned)
        .chain([root.join("include"), root.join("src")])
        .collect();
    let root = root.to_owned();
    let name = name.to_owned();
    let paths = folders
        .into_iter()
        .filter_map(move |folder| normalized(&folder.join(&name)));
    paths.filter(move |path| path.starts_with(&root))
}

/// Resolves `.` and `..` textually; `None` if the path leads above the root of the file system.
pub(super) fn normalized(path: &Path) -> Option<PathBuf> {
    let mut found = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                if !found.pop() {
                    return None;
                }
            }
            part => found.push(part),
        }
    }
    Some(found)
}
