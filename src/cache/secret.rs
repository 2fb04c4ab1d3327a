//! What tells packs that we wrote from those that somebody else did.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use crate::text::Slice;
use etcetera::BaseStrategy;

/// Bytes of a secret.
const BYTES: usize = 32;
/// Its name in the folder for the state of programs.
const NAME: &str = "a2lint/cache.key";
/// What is derived from it, so that it can serve for something else one day.
const PURPOSE: &str = "a2lint 2026-11 results of checks";

/// A secret of the user, as one build uses it.
#[derive(Clone)]
pub struct Key([u8; BYTES]);

impl Key {
    /// The user's, which is made where there is none.
    pub fn of_user(build: &str) -> io::Result<Key> {
        Key::at(&place()?, build)
    }

    /// The one in a file.
    fn at(path: &Path, build: &str) -> io::Result<Key> {
        let secret = match read(path) {
            Err(cause) if cause.kind() == io::ErrorKind::NotFound => made(path)?,
            secret => secret?,
        };
        Ok(Key::of(&secret, build))
    }

    /// From a secret.
    pub fn of(secret: &[u8; BYTES], build: &str) -> Key {
        let mut hasher = blake3::Hasher::new_derive_key(PURPOSE);
        hasher.update(secret).update(build.as_bytes());
        Key(*hasher.finalize().as_bytes())
    }

    /// What only somebody with the key can say about bytes.
    pub fn sign(&self, bytes: &[u8]) -> blake3::Hash {
        blake3::keyed_hash(&self.0, bytes)
    }

    /// A name that no other build and no other user has.
    pub fn name(&self) -> String {
        self.sign(b"name").to_hex().part(..16).to_owned()
    }
}

fn place() -> io::Result<PathBuf> {
    let base = etcetera::choose_base_strategy()
        .map_err(|_| io::Error::new(io::ErrorKind::NotFound, "there is no home folder"))?;
    Ok(base.state_dir().unwrap_or(base.data_dir()).join(NAME))
}

fn read(path: &Path) -> io::Result<[u8; BYTES]> {
    let refused = |why: &str| Err(io::Error::new(io::ErrorKind::InvalidData, why.to_owned()));
    let metadata = fs::symlink_metadata(path)?;
    if !metadata.is_file() || metadata.len() != BYTES as u64 {
        return refused("it is no key");
    }
    #[cfg(unix)]
    if std::os::unix::fs::PermissionsExt::mode(&metadata.permissions()) & 0o077 != 0 {
        return refused("others may read it");
    }
    let mut secret = [0; BYTES];
    File::open(path)?.read_exact(&mut secret)?;
    Ok(secret)
}

/// Makes a secret. Of several that do so at once, one makes it for all.
fn made(path: &Path) -> io::Result<[u8; BYTES]> {
    let mut secret = [0; BYTES];
    getrandom::fill(&mut secret).map_err(io::Error::other)?;
    let folder = path.parent().unwrap_or(path);
    fs::create_dir_all(folder)?;
    // Files for a while are for their user alone.
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(&secret)?;
    match file.persist_noclobber(path) {
        Ok(_) => Ok(secret),
        Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => read(path),
        Err(error) => Err(error.error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_made_once_and_is_for_its_user_alone() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join(NAME);
        let key = Key::at(&path, "a").expect("a key");
        assert_eq!(Key::at(&path, "a").expect("the key").name(), key.name());
        assert_ne!(Key::at(&path, "b").expect("a key").name(), key.name());
        let other = Key::at(&folder.path().join("other"), "a").expect("a key");
        assert_ne!(other.name(), key.name());
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let metadata = fs::metadata(&path).expect("a file");
            assert_eq!(metadata.permissions().mode() & 0o777, 0o600);
            fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).expect("its owner");
            assert!(Key::at(&path, "a").is_err());
        }
        fs::remove_file(&path).expect("a file");
        fs::write(&path, "short").expect("a file");
        assert!(Key::at(&path, "a").is_err());
    }
}
