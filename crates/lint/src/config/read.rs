//! Reading a configuration from the disk.

use std::io;
use std::path::Path;

use super::PYPROJECT;
use a2lint_source::disk::{self, FileText, Named};

/// Bytes of the largest configuration that is read.
const MAX_CONFIG: u64 = 1 << 20;

/// Reads a configuration.
pub fn read(path: &Path, named: &Named) -> io::Result<FileText> {
    match disk::found_text(path, named, MAX_CONFIG) {
        // The file of other tools may be linked to wherever these like; what it says of us is not taken from there.
        Err(refusal) if disk::is_refusal(&refusal) && path.ends_with(PYPROJECT) => {
            match disk::text(path, MAX_CONFIG)?.contains("a2lint") {
                true => Err(refusal),
                false => Err(io::ErrorKind::NotFound.into()),
            }
        }
        read => read,
    }
}
