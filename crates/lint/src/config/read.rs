//! Reading configuration files from the disk.

use std::io;
use std::path::Path;

use super::PYPROJECT;
use a2lint_source::disk::{self, FileText, Named};

/// Size limit of a configuration file in bytes.
const MAX_CONFIG: u64 = 1 << 20;

/// Reads a configuration file.
pub fn read(path: &Path, named: &Named) -> io::Result<FileText> {
    match disk::found_text(path, named, MAX_CONFIG) {
        // A `pyproject.toml` may be a link out of the project for the sake of other tools. It counts as missing,
        // unless it configures a2lint.
        Err(refusal) if disk::is_refusal(&refusal) && path.ends_with(PYPROJECT) => {
            match disk::text(path, MAX_CONFIG)?.contains("a2lint") {
                true => Err(refusal),
                false => Err(io::ErrorKind::NotFound.into()),
            }
        }
        read => read,
    }
}
