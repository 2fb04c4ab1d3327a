//! The folder that packs stand in.

use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::{MAX_BYTES, MAX_DAYS, pack};
use a2lint_source::disk::{self, Readable, UNFINISHED, UNFINISHED_END};

/// Name of the folder where nobody says another.
pub const NAME: &str = ".a2lint_cache";
/// What names of packs begin with.
const PREFIX: &str = "checks-";
/// Letters after that.
const KEY: usize = 16;
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
        disk::unlinked(&self.path.join(&self.pack), MAX_BYTES)
    }

    /// Puts our pack in the place of the one before, as a whole.
    pub fn replace(&self, bytes: &[u8]) -> io::Result<()> {
        // The marks hold of all that stands in a folder: they are for one that holds nothing else.
        if disk::make_folder(&self.path)? {
            for (name, text) in MARKS {
                disk::create_new(&self.path.join(name), text)?;
            }
        }
        disk::in_place_of(&self.path.join(&self.pack), |file| file.write_all(bytes))?;
        self.tidy();
        Ok(())
    }

    /// Removes packs that have not been written for long or exceed the limit, and what crashes left. The folder may
    /// be one with files of the user's: what is removed has the name that we give, and begins as we begin.
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
        others.sort_by(|a, b| b.cmp(a));
        let days = Duration::from_secs(u64::from(MAX_DAYS) * 86_400);
        for (at, (written, path)) in others.iter().enumerate() {
            if at >= MAX_OTHERS || is_older(*written, days) {
                disk::remove(path);
            }
        }
    }
}

/// Whether this is the name of a pack, of whatever build and user.
fn is_pack(name: &str) -> bool {
    let is_digit = |c: char| matches!(c, '0'..='9' | 'a'..='f');
    let key = name.strip_prefix(PREFIX);
    key.is_some_and(|key| key.len() == KEY && key.chars().all(is_digit))
}

/// Whether this is the name of a pack that is being written.
fn is_unfinished(name: &str) -> bool {
    let middle = name.strip_prefix(UNFINISHED);
    let middle = middle.and_then(|name| name.strip_suffix(UNFINISHED_END));
    middle.is_some_and(|middle| middle.chars().all(|c| c.is_ascii_alphanumeric()))
}

/// Whether a file begins as packs do.
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

    /// A key, by its first letter.
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
        // No mark either: what keeps git away from our files would keep it away from the user's.
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
