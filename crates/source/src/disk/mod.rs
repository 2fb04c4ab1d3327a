//! Access to the disk: the only code that opens or writes files of a user.
//!
//! The author of a repository is not trusted: its files may be links to anything, pipes without a writer and devices
//! without an end. So each access says who named the file ([`Named`]): a file that was merely found may not lead out
//! of its project, and is read up to a limit.

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
    /// The user, who may name any file.
    ByUser,
    /// A file that was found in this folder or that a file of this folder names; it must lie in the folder's project.
    In(PathBuf),
}

/// The text of a file, and whether a link led to it.
#[derive(Clone, Debug)]
pub struct FileText {
    /// The text.
    pub text: String,
    /// Whether a link led to the file. It may be any file then, so its text must not be quoted.
    pub is_linked: bool,
}

/// Reads the text of a file of at most `limit` bytes. A file that the user did not name must lie in its project.
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
