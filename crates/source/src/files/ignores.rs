//! Patterns of `.gitignore`, `.ignore` and git's `info/exclude`, which leave files out of a walk.
//!
//! The walker could read these files by itself, but it opens anything of that name: a device without an end, a pipe
//! without a writer, a file outside of the repository. So they are read here, within bounds. A file that is not read
//! is reported, and its folder is checked without it.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use ignore::gitignore::{Gitignore, GitignoreBuilder};

use super::shown;
use crate::disk::{self, Named};

/// Size limit of one ignore file in bytes.
const MAX_BYTES: u64 = 128 << 10;
/// Limit of the total size of the ignore files of one walk, in bytes. Compiled patterns take about a hundred times as
/// much memory as their text.
const MAX_ALL: u64 = 1 << 20;
/// Size limit in bytes of a `.git` file, which points a worktree to its folder.
const MAX_POINTER: u64 = 4 << 10;
/// Number of unread files that warnings name; further ones are only counted.
const MAX_NAMED: usize = 20;

/// The ignore files of a walk, read when the walk enters their folders.
pub struct Ignores {
    /// The root of the walk, with links resolved.
    root: PathBuf,
    /// The user's global ignore file. It is trusted wherever it lies, since it does not come with a repository.
    global: Gitignore,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// The folder whose ignore files were read last; those of the folders above it have been read before.
    at: PathBuf,
    /// The folders with ignore files, from the outermost one to `at`.
    levels: Vec<Level>,
    /// Total size of the ignore files read so far, in bytes.
    bytes: u64,
    /// Warnings about unread files.
    unread: Vec<String>,
    /// Number of unread files beyond [`MAX_NAMED`].
    unnamed: usize,
}

/// The ignore files of a folder: `.ignore`, `.gitignore`, `info/exclude`, in order of precedence.
struct Level {
    folder: PathBuf,
    lists: [Gitignore; 3],
}

impl Ignores {
    /// Reads the ignore files of a folder that will be walked, and of the folders above it.
    pub fn of(root: &Path) -> Ignores {
        let root = std::fs::canonicalize(root).unwrap_or_else(|_| super::absolute(root));
        let mut state = State::default();
        let mut above: Vec<&Path> = root.ancestors().collect();
        while let Some(folder) = above.pop() {
            state.enter(folder);
        }
        Ignores {
            root,
            global: Gitignore::global().0,
            state: Mutex::new(state),
        }
    }

    /// Returns whether the walk leaves out a path, given relative to the root. Expected in the order of a walk (a
    /// folder before its contents): folders that the walk has left are forgotten.
    pub fn ignores(&self, below: &Path, is_folder: bool) -> bool {
        let path = self.root.join(below);
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.go_to(path.parent().unwrap_or(&self.root));
        let of_kind = |kind: usize| {
            let levels = state.levels.iter().rev();
            let mut matches = levels.map(|level| level.lists[kind].matched(&path, is_folder));
            matches.find(|it| !it.is_none())
        };
        // As in git, a kind of file decides over the next kind, and an inner folder over an outer one. Files whose
        // names begin with a dot are left out unless a pattern says otherwise.
        let decided = (0..3).find_map(of_kind);
        let decided = decided.unwrap_or_else(|| self.global.matched(&path, is_folder));
        let name = path.file_name().unwrap_or_default();
        let is_hidden = name.as_encoded_bytes().starts_with(b".");
        decided.is_ignore() || (decided.is_none() && is_hidden)
    }

    /// Returns the warnings about ignore files that were not read.
    pub fn unread(&self) -> Vec<String> {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let more = format!("{} more ignore files not read", state.unnamed);
        let more = (state.unnamed > 0).then_some(more);
        state.unread.iter().cloned().chain(more).collect()
    }
}

impl State {
    /// Reads the ignore files on the way to a folder, and drops those of folders that do not contain it.
    fn go_to(&mut self, folder: &Path) {
        if self.at == folder {
            return;
        }
        self.levels
            .retain(|level| folder.starts_with(&level.folder));
        let known = |above: &&Path| !self.at.starts_with(above);
        let mut new: Vec<&Path> = folder.ancestors().take_while(known).collect();
        while let Some(folder) = new.pop() {
            self.enter(folder);
        }
        self.at = folder.to_owned();
    }

    fn enter(&mut self, folder: &Path) {
        let found = |name: &str| {
            let path = folder.join(name);
            // Most folders have no such file, and this test is cheaper than resolving links.
            std::fs::symlink_metadata(&path).ok()?;
            let text = disk::found_text(&path, &Named::In(folder.to_owned()), MAX_BYTES);
            let text = text.map(|found| found.text);
            Some((path, text.map_err(|cause| cause.to_string())))
        };
        let texts = [found(".ignore"), found(".gitignore"), excluded(folder)];
        let lists = texts.map(|text| match text {
            Some((path, text)) => self.list(folder, &path, text),
            None => Gitignore::empty(),
        });
        if lists.iter().any(|list| !list.is_empty()) {
            self.levels.push(Level {
                folder: folder.to_owned(),
                lists,
            });
        }
        self.at = folder.to_owned();
    }

    /// Compiles the patterns of a file; invalid lines are skipped, as in git.
    fn list(&mut self, folder: &Path, path: &Path, text: Result<String, String>) -> Gitignore {
        let patterns = text.and_then(|text| {
            self.bytes += text.len() as u64;
            if self.bytes > MAX_ALL {
                return Err(format!("more than {} MiB of them", MAX_ALL >> 20));
            }
            let mut builder = GitignoreBuilder::new(folder);
            for line in text.strip_prefix('\u{feff}').unwrap_or(&text).lines() {
                let _ = builder.add_line(None, line);
            }
            builder.build().map_err(|_| "too many patterns".to_owned())
        });
        patterns.unwrap_or_else(|why| {
            match self.unread.len() < MAX_NAMED {
                true => self
                    .unread
                    .push(format!("{}: ignore file not read: {why}", shown(path))),
                false => self.unnamed += 1,
            }
            Gitignore::empty()
        })
    }
}

/// The path of an ignore file that exists, and its text or the reason why it was not read.
type Found = Option<(PathBuf, Result<String, String>)>;

/// Reads `info/exclude` of the repository whose root is a folder. Git never writes links there, so a link is not
/// followed.
fn excluded(folder: &Path) -> Found {
    let git = folder.join(".git");
    let metadata = std::fs::symlink_metadata(&git).ok()?;
    let shared = match metadata.is_dir() {
        true => git,
        false => shared_by_worktrees(folder, &git)?,
    };
    let path = shared.join("info/exclude");
    std::fs::symlink_metadata(&path).ok()?;
    let bytes = disk::unlinked(&path, MAX_BYTES);
    let text = bytes.map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    Some((
        path,
        text.ok_or_else(|| "not a regular file, or too large".to_owned()),
    ))
}

/// Returns the `.git` folder that a worktree shares with others, which the worktree's `.git` file leads to.
fn shared_by_worktrees(folder: &Path, git: &Path) -> Option<PathBuf> {
    let line = |path: &Path| {
        let text = String::from_utf8(disk::unlinked(path, MAX_POINTER)?).ok()?;
        Some(text.lines().next()?.to_owned())
    };
    let own = folder.join(line(git)?.strip_prefix("gitdir: ")?);
    Some(match line(&own.join("commondir")) {
        Some(shared) => own.join(shared),
        None => own,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn project(files: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("a folder");
        for (name, text) in files {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().expect("a folder")).expect("folders");
            fs::write(path, text).expect("a file");
        }
        folder
    }

    #[test]
    fn lists_weigh_as_git_has_them() {
        let folder = project(&[
            (".gitignore", "\u{feff}*.log\n/top\nsub/deep/\n!.kept\n[\n"),
            (".ignore", "!b.log\n"),
            (".git/info/exclude", "mine\n"),
            ("sub/.gitignore", "!c.log\n"),
        ]);
        let ignores = Ignores::of(folder.path());
        let left_out = |below: &str| ignores.ignores(Path::new(below), false);
        assert!(left_out("a.log") && !left_out("b.log") && left_out("sub/a.log"));
        assert!(!left_out("sub/c.log") && left_out("sub/mine"));
        assert!(left_out("top") && !left_out("sub/top"));
        assert!(ignores.ignores(Path::new("sub/deep"), true) && !left_out("sub/deep"));
        assert!(left_out(".hidden") && !left_out(".kept") && left_out("c.log"));
        assert_eq!(ignores.unread(), [""; 0]);
        // The ignore files above the root of the walk apply, too.
        let ignores = Ignores::of(&folder.path().join("sub"));
        assert!(ignores.ignores(Path::new("a.log"), false));
        assert!(!ignores.ignores(Path::new("c.log"), false));
    }

    #[test]
    fn a_worktree_has_the_list_of_its_repository() {
        let folder = project(&[
            ("main/.git/info/exclude", "mine\n"),
            ("main/.git/worktrees/w/commondir", "../..\n"),
            ("w/.git", "gitdir: ../main/.git/worktrees/w\n"),
        ]);
        let ignores = Ignores::of(&folder.path().join("w"));
        assert!(ignores.ignores(Path::new("mine"), false));
        assert!(!ignores.ignores(Path::new("other"), false));
    }

    #[test]
    #[cfg(unix)]
    fn what_cannot_be_read_within_bounds_is_told() {
        let folder = project(&[
            ("secret", "*.py\n"),
            ("in/.git/info/x", ""),
            ("in/long/.ignore", ""),
        ]);
        let inside = folder.path().join("in");
        let link = |to: &str, name: &str| {
            std::os::unix::fs::symlink(to, inside.join(name)).expect("a link");
        };
        link("/dev/zero", ".ignore");
        link("../secret", ".gitignore");
        link("/dev/zero", ".git/info/exclude");
        let long = fs::File::options()
            .write(true)
            .open(inside.join("long/.ignore"));
        long.expect("a file")
            .set_len(1 << 40)
            .expect("a sparse file");
        let ignores = Ignores::of(&inside);
        assert!(!ignores.ignores(Path::new("k.py"), false));
        assert!(!ignores.ignores(Path::new("long/k.py"), false));
        let unread = ignores.unread();
        let why = [
            "outside of the project",
            "outside of the project",
            "regular",
            "128 KiB",
        ];
        assert_eq!(unread.len(), why.len(), "{unread:?}");
        for (unread, why) in unread.iter().zip(why) {
            assert!(
                unread.contains("ignore file not read: ") && unread.contains(why),
                "{unread}"
            );
        }
    }

    #[test]
    fn patterns_have_bounds_together() {
        let line = "abcdefg\n";
        let text = line.repeat(MAX_BYTES as usize / line.len());
        let names: Vec<String> = (0..30).map(|at| format!("{at}/.ignore")).collect();
        let files: Vec<(&str, &str)> = names
            .iter()
            .map(|name| (name.as_str(), &text[..]))
            .collect();
        let folder = project(&files);
        let ignores = Ignores::of(folder.path());
        for at in 0..30 {
            ignores.ignores(&Path::new(&at.to_string()).join("k.py"), false);
        }
        let unread = ignores.unread();
        assert_eq!(unread.len(), MAX_NAMED + 1, "{unread:?}");
        assert!(
            unread[MAX_NAMED].ends_with("more ignore files not read"),
            "{unread:?}"
        );
    }
}
