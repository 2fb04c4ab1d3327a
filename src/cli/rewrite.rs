//! Writes to the user's sources.

use std::io::{self, Write};
use std::path::Path;

use a2lint_source::disk::{self, Named};
use a2lint_source::encoding;
use a2lint_source::files::MAX_BYTES;
use a2lint_source::language::Language;

/// Replaces the text of a file atomically. Mode, encoding and line ends are kept, symbolic links within the project
/// are followed, and a file that has changed since it was read is not written.
pub fn rewrite(path: &Path, old: &str, new: &str) -> io::Result<()> {
    let bytes = disk::bytes(path, MAX_BYTES)?;
    let language = Language::of_path(path).unwrap_or_default();
    let encoded = encoding::encode(new, &bytes, language);
    let unchanged = encoding::decode(bytes, language).is_ok_and(|text| text.as_str() == old);
    if !unchanged {
        return Err(io::Error::other("it has changed since it was checked"));
    }
    let encoded = encoded.map_err(io::Error::other)?;
    disk::replace(path, &Named::ByUser, |file| {
        file.write_all(&encoded)?;
        file.sync_all()
    })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn marks_and_line_ends_stay_and_changed_files_are_left_alone() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("k.py");
        fs::write(&path, b"\xef\xbb\xbfa\r\n").expect("a file");
        rewrite(&path, "a\r\n", "b\r\n").expect("a rewrite");
        assert_eq!(fs::read(&path).expect("the file"), b"\xef\xbb\xbfb\r\n");
        let error = rewrite(&path, "a\r\n", "c\r\n").unwrap_err();
        assert!(error.to_string().contains("has changed"), "{error}");
        assert_eq!(fs::read_dir(folder.path()).expect("the folder").count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn modes_and_links_stay() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().expect("a folder");
        let (path, link) = (folder.path().join("k.py"), folder.path().join("link.py"));
        fs::write(&path, "a").expect("a file");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o751)).expect("a mode");
        symlink(&path, &link).expect("a link");
        rewrite(&link, "a", "b").expect("a rewrite");
        assert_eq!(fs::read_to_string(&path).expect("the file"), "b");
        let mode = fs::metadata(&path).expect("the file").permissions().mode();
        assert_eq!(mode & 0o777, 0o751);
        assert!(fs::symlink_metadata(&link).expect("the link").is_symlink());
    }
}
