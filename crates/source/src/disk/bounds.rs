//! Confines paths that come with a repository to its project, after links are resolved.

use std::path::{Component, Path, PathBuf};
use std::{env, fmt, fs, io};

/// The folder in which git keeps its own files: configuration with credentials, and hooks that git executes.
const GIT: &str = ".git";

/// A path with all links resolved.
pub struct Resolved {
    /// The absolute path without links.
    pub path: PathBuf,
    /// Whether a link was followed below the folder in which the path was found.
    pub is_linked: bool,
}

/// The error for a path that leads out of its project.
#[derive(Debug)]
struct Outside {
    there: PathBuf,
    project: PathBuf,
}

impl fmt::Display for Outside {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (there, project) = (self.there.display(), self.project.display());
        write!(f, "it leads to {there}, outside of the project {project}")
    }
}

impl std::error::Error for Outside {}

/// Returns whether an error reports a path that leads out of its project.
pub fn is_refusal(error: &io::Error) -> bool {
    error.get_ref().is_some_and(|inner| inner.is::<Outside>())
}

/// Resolves the links of a path that was found in `folder`, or that a file of `folder` names. Fails if the path leads
/// out of the project of `folder`.
pub fn resolved(path: &Path, folder: &Path) -> io::Result<Resolved> {
    // Avoids `canonicalize`, which examines every folder above the path: most paths either do not exist or are plain
    // files of the folder.
    let metadata = fs::symlink_metadata(path)?;
    if !metadata.is_symlink() && path.parent() == Some(folder) {
        return Ok(Resolved {
            path: path.to_owned(),
            is_linked: false,
        });
    }
    let folder_there = fs::canonicalize(match folder.as_os_str().is_empty() {
        true => Path::new("."),
        false => folder,
    })?;
    let there = fs::canonicalize(path)?;
    confine(&there, &folder_there)?;
    let expected = match path.strip_prefix(folder) {
        Ok(below) => lexically_normal(&folder_there.join(below)),
        Err(_) => path.to_owned(),
    };
    Ok(Resolved {
        is_linked: there != expected,
        path: there,
    })
}

/// Returns whether a path in a folder stays inside the folder's project after all links are resolved.
pub fn stays(path: &Path, folder: &Path) -> bool {
    path == folder || resolved(path, folder).is_ok()
}

/// Fails if `there` lies outside the project of `folder` or inside its `.git`. Both paths must be free of links.
pub fn confine(there: &Path, folder: &Path) -> io::Result<()> {
    let project = of(folder);
    let below = there.strip_prefix(&project);
    match below.is_ok_and(|below| !below.components().any(|part| part.as_os_str() == GIT)) {
        true => Ok(()),
        false => Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            Outside {
                there: there.to_owned(),
                project,
            },
        )),
    }
}

/// Returns the project of a folder without links: the enclosing repository, else the working directory if it contains
/// the folder, else the folder itself. Neither the root of the disk nor the user's home counts as a project.
fn of(folder: &Path) -> PathBuf {
    let home = env::home_dir().and_then(|home| fs::canonicalize(home).ok());
    let may_be = |project: &Path| project.parent().is_some() && home.as_deref() != Some(project);
    let is_repository =
        // Without this test, a `.git` in the home folder would make every file of the user part of the project.
        |above: &&Path| may_be(above) && fs::symlink_metadata(above.join(GIT)).is_ok();
    if let Some(repository) = folder.ancestors().find(is_repository) {
        return repository.to_owned();
    }
    match env::current_dir().and_then(fs::canonicalize) {
        Ok(here) if may_be(&here) && folder.starts_with(&here) => here,
        _ => folder.to_owned(),
    }
}

/// Removes `..` from a path textually, without looking at the disk.
pub fn lexically_normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                normal.pop();
            }
            part => normal.push(part),
        }
    }
    normal
}
