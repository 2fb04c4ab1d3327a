//! The folder that contains packs.

use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::{MAX_BYTES, MAX_DAYS, pack};
use a2lint_source::disk::{self, Readable, UNFINISHED, UNFINISHED_END};

/// The default name of the folder.
pub const NAME: &str = ".a2lint_cache";
/// Prefix of the names of packs.
const PREFIX: &str = "checks-";
/// Length of the key after the prefix, in hexadecimal digits.
const KEY: usize = 16;
/// The age after which a temporary file is taken to be abandoned.
const WRITING: Duration = Duration::from_secs(3600);
/// Number of packs of other builds or users that are kept.
const MAX_OTHERS: usize = 1;
/// Files that exclude the folder from git and from backups.
const MARKS: [(&str, &str); 2] = [
    (".gitignore", "# Written by a2lint.\n*\n"),
    (
        "CACHEDIR.TAG",
        "Signature: 8a477f597d28d172789f06886806bc55\n# This folder holds what a2lint has found before.\n",
    ),
];

/// The cache folder. It holds one result file (pack) per user and build of a2lint; `pack` is the name of the file of
/// this user and build.
pub struct Folder {
    path: PathBuf,
    pack: String,
}

impl Folder {
    /// Creates the folder object; the folder need not exist. Fails for a link, which another user may have created
    /// in order to have files written elsewhere.
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

    /// Reads the pack; `None` if it does not exist, is no regular file or is too large.
    pub fn read(&self) -> Option<Vec<u8>> {
        disk::unlinked(&self.path.join(&self.pack), MAX_BYTES)
    }

    /// Replaces the pack as a whole.
    pub fn replace(&self, bytes: &[u8]) -> io::Result<()> {
        // The marks concern everything in their folder, so they are only written to a new one.
        if disk::make_folder(&self.path)? {
            for (name, text) in MARKS {
                disk::create_new(&self.path.join(name), text)?;
            }
        }
        disk::in_place_of(&self.path.join(&self.pack), |file| file.write_all(bytes))?;
        self.tidy();
        Ok(())
    }

    /// Removes packs that are old or exceed the limit, and temporary files of crashed runs. The folder may contain
    /// files of the user, so only files are removed that have the names and the first bytes of packs.
    fn tidy(&self) {
        let entries = fs::read_dir(&self.path).into_iter().flatten().flatten();
        let mut others: Vec<(SystemTime, PathBuf)> = Vec::new();
        for entry in entries {
            let name = entry.file_name();
            let (path, name) = (entry.path(), name.to_string_lossy());
            let metadata = entry.metadata().ok().filter(fs::Metadata::is_file);
            let Some(written) = metadata.and_then(|it| it.modified().ok()) else {
                continue;
            };
            if is_unfinished(&name) {
                if is_older(written, WRITING) && is_ours(&path) {
                    disk::remove(&path);
                }
            } else if is_pack(&name) && name != self.pack.as_str() && is_ours(&path) {
                others.push((written, path));
            }
        }
        // Newest first, so that the oldest packs are removed if there are too many.
        others.sort_by(|a, b| b.cmp(a));
        let days = Duration::from_secs(u64::from(MAX_DAYS) * 86_400);
        for (at, (written, path)) in others.iter().enumerate() {
            if at >= MAX_OTHERS || is_older(*written, days) {
                disk::remove(path);
            }
        }
    }
}

/// Returns whether a name is that of a pack, of any build and user.
fn is_pack(name: &str) -> bool {
    let is_digit = |c: char| matches!(c, '0'..='9' | 'a'..='f');
    let key = name.strip_prefix(PREFIX);
    key.is_some_and(|key| key.len() == KEY && key.chars().all(is_digit))
}

/// Returns whether a name is that of a temporary file.
fn is_unfinished(name: &str) -> bool {
    let middle = name.strip_prefix(UNFINISHED);
    let middle = middle.and_then(|name| name.strip_suffix(UNFINISHED_END));
    middle.is_some_and(|middle| middle.chars().all(|c| c.is_ascii_alphanumeric()))
}

/// Returns whether a file starts with the bytes of a pack.
fn is_ours(path: &Path) -> bool {
    let mut start = Vec::new();
    let input = disk::open(path, Readable::Regular);
    let read = input.and_then(|it| it.take(pack::NAME.len() as u64).read_to_end(&mut start));
    read.is_ok() && start == pack::NAME
}

fn is_older(written: SystemTime, than: Duration) -> bool {
    written.elapsed().is_ok_and(|age| age > than)
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
        let file = fs::File::options().append(true).open(path).expect("a file");
        let then = SystemTime::now() - Duration::from_secs(seconds);
        file.set_modified(then).expect("its owner");
    }

    /// Creates a key from its first letter.
    fn key(first: char) -> String {
        format!("{first}{:0>15}", 1)
    }

    fn pack(first: char) -> String {
        format!("{PREFIX}{}", key(first))
    }

    fn bytes(text: &str) -> Vec<u8> {
        [pack::NAME, text.as_bytes()].concat()
    }

    #[test]
    fn packs_are_replaced_and_old_ones_go() {
        let top = tempfile::tempdir().expect("a folder");
        let path = top.path().join(NAME);
        let folder = |first: char| Folder::at(path.clone(), &key(first)).expect("a folder");
        let write = |first: char| folder(first).replace(&bytes("x")).expect("a pack");
        assert_eq!(folder('a').read(), None);
        folder('a').replace(&bytes("one")).expect("a pack");
        folder('a').replace(&bytes("two")).expect("a pack");
        assert_eq!(folder('a').read(), Some(bytes("two")));
        assert_eq!(names(&path), [".gitignore", "CACHEDIR.TAG", &pack('a')]);
        age(&path.join(pack('a')), 20);
        write('b');
        age(&path.join(pack('b')), 10);
        for name in [".a2lint-x.tmp", ".a2lint-y.tmp"] {
            fs::write(path.join(name), bytes("")).expect("a file");
        }
        age(&path.join(".a2lint-y.tmp"), 7200);
        write('c');
        let left = [
            ".a2lint-x.tmp",
            ".gitignore",
            "CACHEDIR.TAG",
            &pack('b'),
            &pack('c'),
        ];
        assert_eq!(names(&path), left);
        age(&path.join(pack('b')), 86_400 * 40);
        write('c');
        assert!(!names(&path).contains(&pack('b')));
    }

    #[test]
    fn what_is_not_ours_stays() {
        let top = tempfile::tempdir().expect("a folder");
        let own = [
            "checks-1.csv".to_owned(),
            "checks-x.tmp".to_owned(),
            ".a2lint-x.tmp".to_owned(),
            ".a2lint-x.y.tmp".to_owned(),
            pack('d'),
            format!("{}0", pack('e')),
        ];
        for name in &own {
            let is_like_ours = name.contains("x.y") || name.ends_with("10");
            let text = if is_like_ours {
                bytes("")
            } else {
                b"mine".to_vec()
            };
            fs::write(top.path().join(name), text).expect("a file");
            age(&top.path().join(name), 86_400 * 400);
        }
        let folder = Folder::at(top.path().to_owned(), &key('a')).expect("a folder");
        folder.replace(&bytes("x")).expect("a pack");
        let mut expected = own.to_vec();
        expected.push(pack('a'));
        expected.sort();
        // No marks either: they would exclude the user's files from git as well.
        assert_eq!(names(top.path()), expected);
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
