//! Reading files that somebody else has put there.
//!
//! Sources have rules of their own (`files`); this is for configuration and baselines, which
//! are found rather than named and must not be able to stall or swamp the one who finds them.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

/// Bytes of the largest configuration that is read.
pub const MAX_CONFIG: u64 = 1 << 20;
/// Bytes of the largest baseline that is read.
pub const MAX_BASELINE: u64 = 64 << 20;

/// The text of a configuration.
pub fn config(path: &Path) -> io::Result<String> {
    text(path, MAX_CONFIG)
}

/// Refuses what is no regular file, without opening it: a pipe may never begin and a device never end.
pub fn regular(path: &Path) -> io::Result<()> {
    match fs::metadata(path)?.is_file() {
        true => Ok(()),
        false => Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "not a regular file",
        )),
    }
}

/// The text of a file of at most `limit` bytes. Pipes and devices are refused without being opened:
/// they may never end, or never begin.
pub fn text(path: &Path, limit: u64) -> io::Result<String> {
    let refused = |why: String| Err(io::Error::new(io::ErrorKind::InvalidInput, why));
    regular(path)?;
    let mut text = String::new();
    let mut input = File::open(path)?.take(limit + 1);
    input.read_to_string(&mut text)?;
    match text.len() as u64 > limit {
        true => refused(format!("larger than {} MiB", limit >> 20)),
        false => Ok(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_text_of_reasonable_size_is_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a2lint.toml");
        let error = |path: &Path| config(path).expect_err("a refusal").to_string();
        assert_eq!(error(folder.path()), "not a regular file");
        let file = File::create(&path).expect("a file");
        file.set_len(MAX_CONFIG).expect("a sparse file");
        assert_eq!(config(&path).expect("its text").len() as u64, MAX_CONFIG);
        file.set_len(1 << 40).expect("a sparse file");
        assert_eq!(error(&path), "larger than 1 MiB");
        fs::write(&path, [0xFF]).expect("a file");
        assert!(error(&path).contains("UTF-8"));
        #[cfg(unix)]
        assert_eq!(error(Path::new("/dev/zero")), "not a regular file");
    }
}
