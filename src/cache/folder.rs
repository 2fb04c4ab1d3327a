//! The folder that packs stand in.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::{MAX_BYTES, MAX_DAYS};

/// Name of the folder where nobody says another.
pub const NAME: &str = ".a2lint_cache";
/// What names of packs begin with.
const PREFIX: &str = "checks-";
/// What names of packs that are being written end with.
const UNFINISHED: &str = ".tmp";
/// How long a pack may take to be written.
const WRITING: Duration = Duration::from_secs(3600);
/// Packs of other builds, or other users, that are left.
const MAX_OTHERS: usize = 1;
/// What keeps git and programs that make backups away.
const MARKS: [(&str, &str); 2] = [
    (".gitignore", "# Written by a2lint.\n*\n"),
    (
        "CACHEDIR.TAG",
        "Signature: 8a477f597d28d172789f06886806bc55\n# This folder holds what a2lint has found before.\n",
    ),
];

/// A folder with packs, and the name of ours.
pub struct Folder {
    path: PathBuf,
    pack: String,
}

impl Folder {
    /// A folder, which need not be there. A link is refused: somebody else may have put it there, to have us
    /// write where it leads.
    pub fn at(path: PathBuf, key: &str) -> io::Result<Folder> {
        match fs::symlink_metadata(&path) {
            Ok(metadata) if !metadata.is_dir() => {
                return Err(io::Error::new(
                    io::ErrorKind::NotADirectory,
                    "it is no folder",
                ));
            }
            Err(cause) if cause.kind() != io::ErrorKind::NotFound => return Err(cause),
            _ => {}
        }
        Ok(Folder {
            path,
            pack: format!("{PREFIX}{key}"),
        })
    }

    /// The bytes of our pack; `None` where there is none that could be ours.
    pub fn read(&self) -> Option<Vec<u8>> {
        let path = self.path.join(&self.pack);
        let metadata = fs::symlink_metadata(&path).ok()?;
        if !metadata.is_file() || metadata.len() > MAX_BYTES {
            return None;
        }
        let mut bytes = Vec::with_capacity(metadata.len() as usize + 1);
        let file = File::open(&path).ok()?;
        file.take(MAX_BYTES).read_to_end(&mut bytes).ok()?;
        Some(bytes)
    }

    /// Puts our pack in the place of the one before, as a whole.
    pub fn replace(&self, bytes: &[u8]) -> io::Result<()> {
        match fs::create_dir(&self.path) {
            Err(cause) if cause.kind() != io::ErrorKind::AlreadyExists => return Err(cause),
            _ => {}
        }
        for (name, text) in MARKS {
            // One that is there is left alone, whatever it is.
            if let Ok(mut file) = File::create_new(self.path.join(name)) {
                file.write_all(text.as_bytes())?;
            }
        }
        let mut file = tempfile::Builder::new()
            .prefix(PREFIX)
            .suffix(UNFINISHED)
            .tempfile_in(&self.path)?;
        file.write_all(bytes)?;
        file.persist(self.path.join(&self.pack))
            .map_err(|error| error.error)?;
        self.tidy();
        Ok(())
    }

    /// Removes packs that nobody has written for long, or that are one too many, and what crashes left.
    fn tidy(&self) {
        let entries = fs::read_dir(&self.path).into_iter().flatten().flatten();
        let mut others: Vec<(SystemTime, PathBuf)> = Vec::new();
        for entry in entries {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            let is_pack = name.starts_with(PREFIX) && name != self.pack.as_str();
            let metadata = entry.metadata().ok().filter(|it| is_pack && it.is_file());
            let Some(written) = metadata.and_then(|it| it.modified().ok()) else {
                continue;
            };
            match name.ends_with(UNFINISHED) {
                true if is_older(written, WRITING) => remove(&entry.path()),
                true => {}
                false => others.push((written, entry.path())),
            }
        }
        others.sort_by(|a, b| b.cmp(a));
        let days = Duration::from_secs(u64::from(MAX_DAYS) * 86_400);
        for (at, (written, path)) in others.iter().enumerate() {
            if at >= MAX_OTHERS || is_older(*written, days) {
                remove(path);
            }
        }
    }
}

fn is_older(written: SystemTime, than: Duration) -> bool {
    written.elapsed().is_ok_and(|age| age > than)
}

/// Another run may have been faster.
fn remove(path: &Path) {
    let _ = fs::remove_file(path);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(path: &Path) -> Vec<String> {
        let entries = fs::read_dir(path).expect("a folder").flatten();
        let mut names: Vec<String> = entries
            .map(|entry| entry.file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    fn age(path: &Path, seconds: u64) {
        let file = File::options().append(true).open(path).expect("a file");
        let then = SystemTime::now() - Duration::from_secs(seconds);
        file.set_modified(then).expect("its owner");
    }

    #[test]
    fn packs_are_replaced_and_old_ones_go() {
        let top = tempfile::tempdir().expect("a folder");
        let path = top.path().join(NAME);
        let folder = |key: &str| Folder::at(path.clone(), key).expect("a folder");
        assert_eq!(folder("a").read(), None);
        folder("a").replace(b"one").expect("a pack");
        folder("a").replace(b"two").expect("a pack");
        assert_eq!(folder("a").read().as_deref(), Some(&b"two"[..]));
        assert_eq!(names(&path), [".gitignore", "CACHEDIR.TAG", "checks-a"]);
        age(&path.join("checks-a"), 20);
        folder("b").replace(b"b").expect("a pack");
        age(&path.join("checks-b"), 10);
        fs::write(path.join("checks-x.tmp"), "").expect("a file");
        fs::write(path.join("checks-y.tmp"), "").expect("a file");
        age(&path.join("checks-y.tmp"), 7200);
        fs::write(path.join("mine"), "").expect("a file");
        folder("c").replace(b"c").expect("a pack");
        let left = ["checks-b", "checks-c", "checks-x.tmp", "mine"];
        assert_eq!(names(&path)[2..], left);
        age(&path.join("checks-b"), 86_400 * 40);
        folder("c").replace(b"c").expect("a pack");
        assert!(!names(&path).contains(&"checks-b".to_owned()));
    }

    #[cfg(unix)]
    #[test]
    fn links_are_not_followed() {
        let top = tempfile::tempdir().expect("a folder");
        let (real, path) = (top.path().join("real"), top.path().join(NAME));
        fs::create_dir(&real).expect("a folder");
        std::os::unix::fs::symlink(&real, &path).expect("a link");
        assert!(Folder::at(path.clone(), "a").is_err());
        fs::remove_file(&path).expect("a link");
        fs::create_dir(&path).expect("a folder");
        let secret = top.path().join("secret");
        fs::write(&secret, "secret").expect("a file");
        for name in ["checks-a", ".gitignore"] {
            std::os::unix::fs::symlink(&secret, path.join(name)).expect("a link");
        }
        let folder = Folder::at(path.clone(), "a").expect("a folder");
        assert_eq!(folder.read(), None);
        folder.replace(b"new").expect("a pack");
        assert_eq!(fs::read_to_string(&secret).expect("a file"), "secret");
        assert_eq!(folder.read().as_deref(), Some(&b"new"[..]));
    }
}
