//! The key that results of checks are signed with: packs that this user's key has not signed are ignored.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use a2lint_source::text::Slice;
use etcetera::BaseStrategy;

use a2lint_source::disk;

/// Bytes of the secret that the key is derived from.
const BYTES: usize = 32;
/// Path of the secret's file in the user's state folder.
const NAME: &str = "a2lint/cache.key";
/// Context of the key derivation: a key for another purpose would have another one.
const PURPOSE: &str = "a2lint 2026-11 results of checks";

/// Signing key of one user and one build.
#[derive(Clone)]
pub struct Key([u8; BYTES]);

impl Key {
    /// Returns the user's key; its secret is created if there is none. Fails if the state folder lies in `project`,
    /// whose files others may have written: they could know a secret there.
    pub fn of_user(build: &str, project: Option<&Path>) -> io::Result<Key> {
        let place = place()?;
        let is_inside = |project: &Path| real(&place).starts_with(real(project));
        match project.is_some_and(is_inside) {
            true => refused("the folder for the state of programs is in the project"),
            false => Key::at(&place, build),
        }
    }

    /// Returns the key whose secret is in a file, which is created if it does not exist.
    fn at(path: &Path, build: &str) -> io::Result<Key> {
        let secret = match read(path) {
            Err(cause) if cause.kind() == io::ErrorKind::NotFound => made(path)?,
            secret => secret?,
        };
        Ok(Key::of(&secret, build))
    }

    /// Derives the key of a build from a secret.
    pub fn of(secret: &[u8; BYTES], build: &str) -> Key {
        let mut hasher = blake3::Hasher::new_derive_key(PURPOSE);
        hasher.update(secret).update(build.as_bytes());
        Key(*hasher.finalize().as_bytes())
    }

    /// Returns the keyed hash of bytes, which cannot be computed without the key.
    pub fn sign(&self, bytes: &[u8]) -> blake3::Hash {
        blake3::keyed_hash(&self.0, bytes)
    }

    /// Returns a name for packs that differs for every build and user.
    pub fn name(&self) -> String {
        self.sign(b"name").to_hex().part(..16).to_owned()
    }
}

fn place() -> io::Result<PathBuf> {
    let base = etcetera::choose_base_strategy()
        .map_err(|_| io::Error::new(io::ErrorKind::NotFound, "there is no home folder"))?;
    let place = base.state_dir().unwrap_or(base.data_dir()).join(NAME);
    match place.is_absolute() {
        true => Ok(place),
        // A relative path would give another key in each working folder, and could lie in a project.
        false => refused("the home folder is no absolute path"),
    }
}

/// Resolves the links of a path, as far as it exists.
fn real(path: &Path) -> PathBuf {
    let mut known = path.ancestors();
    let real = known.find_map(|above| Some((above, fs::canonicalize(above).ok()?)));
    let joined = real.and_then(|(above, real)| Some(real.join(path.strip_prefix(above).ok()?)));
    joined.unwrap_or_else(|| path.to_owned())
}

fn refused<T>(why: &str) -> io::Result<T> {
    Err(io::Error::new(io::ErrorKind::InvalidData, why))
}

fn read(path: &Path) -> io::Result<[u8; BYTES]> {
    let metadata = fs::symlink_metadata(path)?;
    if !metadata.is_file() || metadata.len() != BYTES as u64 {
        return refused("it is no key");
    }
    #[cfg(unix)]
    if std::os::unix::fs::PermissionsExt::mode(&metadata.permissions()) & 0o077 != 0 {
        return refused("others may read the key");
    }
    // Root can read files of every user, so that a readable key need not be its own.
    #[cfg(unix)]
    if std::os::unix::fs::MetadataExt::uid(&metadata) != rustix::process::geteuid().as_raw() {
        return refused("the key is somebody else's");
    }
    let bytes = disk::bytes(path, BYTES as u64)?;
    bytes.try_into().or_else(|_| refused("it is no key"))
}

/// Creates the secret. If several processes do so at once, all use the file of the first.
fn made(path: &Path) -> io::Result<[u8; BYTES]> {
    let mut secret = [0; BYTES];
    getrandom::fill(&mut secret).map_err(io::Error::other)?;
    match disk::create_private(path, &secret) {
        Ok(()) => Ok(secret),
        Err(cause) if cause.kind() == io::ErrorKind::AlreadyExists => read(path),
        Err(cause) => Err(cause),
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

    /// Only root can change the owner of a file, so other users skip this test.
    #[test]
    #[cfg(unix)]
    fn the_key_of_another_user_is_not_taken() {
        use std::os::unix::fs::chown;
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join(NAME);
        Key::at(&path, "a").expect("a key");
        if chown(&path, Some(12_345), None).is_ok() {
            let error = Key::at(&path, "a").map(|_| ()).expect_err("a refusal");
            assert_eq!(error.to_string(), "the key is somebody else's");
        }
    }

    #[test]
    fn a_key_in_the_project_is_not_taken() {
        let place = place().expect("a home");
        let error = Key::of_user("a", place.parent()).map(|_| ());
        let error = error.expect_err("a refusal").to_string();
        assert!(error.contains("is in the project"), "{error}");
    }
}
