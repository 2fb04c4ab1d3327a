//! Where a name that came with a repository may lead.

use std::path::{Component, Path, PathBuf};
use std::{env, fmt, fs, io};

/// What git keeps its own files in: configuration with credentials, hooks that it executes.
const GIT: &str = ".git";

/// Where a path leads.
pub struct Resolved {
    /// Its path without links.
    pub path: PathBuf,
    /// Whether a link was on the way, below the folder that it was found in.
    pub is_linked: bool,
}

/// A path that leads out of its project.
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

/// Whether an error says that a path leads out of its project.
pub fn is_refusal(error: &io::Error) -> bool {
    error.get_ref().is_some_and(|inner| inner.is::<Outside>())
}

/// Follows the links of a path that was found in a folder, or that a file of this folder gives. An error where it
/// leads out of the folder's project.
pub fn resolved(path: &Path, folder: &Path) -> io::Result<Resolved> {
    // Most files are not there or are files of the folder. Following links looks at every folder above them.
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

/// Whether a path in a folder stays in the folder's project, after all links.
pub fn stays(path: &Path, folder: &Path) -> bool {
    path == folder || resolved(path, folder).is_ok()
}

/// An error where a path without links stands outside of the project of a folder without links, or where only git
/// writes.
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

/// The project of a folder without links: its repository or, where there is none, the working folder around it, or
/// else the folder itself. The whole disk and the folder of a user are no projects.
fn of(folder: &Path) -> PathBuf {
    let home = env::home_dir().and_then(|home| fs::canonicalize(home).ok());
    let may_be = |project: &Path| project.parent().is_some() && home.as_deref() != Some(project);
    let is_repository =
        |above: &&Path| may_be(above) && fs::symlink_metadata(above.join(GIT)).is_ok();
    if let Some(repository) = folder.ancestors().find(is_repository) {
        return repository.to_owned();
    }
    match env::current_dir().and_then(fs::canonicalize) {
        Ok(here) if may_be(&here) && folder.starts_with(&here) => here,
        _ => folder.to_owned(),
    }
}

/// A path without `..`, as far as that can be told without looking.
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
