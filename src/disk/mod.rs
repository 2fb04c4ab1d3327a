//! The disk. No other code opens a file of a user, and none writes one.
//!
//! A repository is written by somebody else: its files may be links to anything, pipes without a writer and devices
//! without an end. So each access says who named the file ([`Named`]): what is only found may not lead out of its
//! project, and is read as far as a limit.

mod bounds;
mod read;
mod write;

pub use bounds::{lexically_normal, stays};
pub use read::{Readable, bytes, open, text, unlinked};
pub use write::{
    UNFINISHED, UNFINISHED_END, create_new, create_private, in_place_of, make_folder, remove,
    replace,
};

use std::io;
use std::path::{Path, PathBuf};

use crate::baseline::Baseline;
use crate::config::{FileText, GivenBaseline, PYPROJECT};

/// Bytes of the largest configuration that is read.
pub const MAX_CONFIG: u64 = 1 << 20;
/// Bytes of the largest baseline that is read.
pub const MAX_BASELINE: u64 = 64 << 20;

/// Who named a file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Named {
    /// The user: it may stand anywhere.
    ByUser,
    /// Nobody, or a file of this folder: it has to stand in the folder's project.
    In(PathBuf),
}

/// Reads a configuration.
pub fn config(path: &Path, named: &Named) -> io::Result<FileText> {
    let folder = match named {
        Named::ByUser => {
            let text = text(path, MAX_CONFIG)?;
            return Ok(FileText {
                text,
                is_linked: false,
            });
        }
        Named::In(folder) => folder,
    };
    match bounds::resolved(path, folder) {
        Ok(there) => Ok(FileText {
            text: text(&there.path, MAX_CONFIG)?,
            is_linked: there.is_linked,
        }),
        // The file of other tools may be linked to wherever these like; what it says of us is not taken from there.
        Err(refusal) if bounds::is_refusal(&refusal) && path.ends_with(PYPROJECT) => {
            match text(path, MAX_CONFIG)?.contains("a2lint") {
                true => Err(refusal),
                false => Err(io::ErrorKind::NotFound.into()),
            }
        }
        Err(cause) => Err(cause),
    }
}

/// Reads a baseline; an error says why it cannot be used.
pub fn baseline(given: &GivenBaseline) -> Result<Baseline, String> {
    let text = found_text(&given.path, &given.named, MAX_BASELINE);
    Baseline::parse(&text.map_err(|cause| cause.to_string())?)
}

/// The text of a file of at most `limit` bytes, which has to stand where its name may lead.
pub fn found_text(path: &Path, named: &Named, limit: u64) -> io::Result<String> {
    match named {
        Named::ByUser => text(path, limit),
        Named::In(folder) => text(&bounds::resolved(path, folder)?.path, limit),
    }
}

#[cfg(test)]
mod tests;
