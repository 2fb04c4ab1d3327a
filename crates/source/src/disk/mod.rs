//! The disk. No other code opens a file of a user, and none writes one.
//!
//! The author of a repository is not trusted: its files may be links to anything, pipes without a writer and devices
//! without an end. So each access says who named the file ([`Named`]): what is only found may not lead out of its
//! project, and is read as far as a limit.

mod bounds;
mod read;
mod write;

pub use bounds::{is_refusal, lexically_normal, stays};
pub use read::{Readable, bytes, open, text, unlinked};
pub use write::{
    UNFINISHED, UNFINISHED_END, create_new, create_private, in_place_of, make_folder, remove,
    replace,
};

use std::io;
use std::path::{Path, PathBuf};

/// Who named a file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Named {
    /// The user: it may stand anywhere.
    ByUser,
    /// Nobody, or a file of this folder: it has to stand in the folder's project.
    In(PathBuf),
}

/// The text of a file, and how it was found.
#[derive(Clone, Debug)]
pub struct FileText {
    /// The text.
    pub text: String,
    /// Whether it was found through a link. It may be anything then, and is not quoted.
    pub is_linked: bool,
}

/// The text of a file of at most `limit` bytes, which has to stand where its name may lead.
pub fn found_text(path: &Path, named: &Named, limit: u64) -> io::Result<FileText> {
    match named {
        Named::ByUser => Ok(FileText {
            text: text(path, limit)?,
            is_linked: false,
        }),
        Named::In(folder) => {
            let there = bounds::resolved(path, folder)?;
            Ok(FileText {
                text: text(&there.path, limit)?,
                is_linked: there.is_linked,
            })
        }
    }
}

#[cfg(test)]
mod tests;
