//! Writing files: each is replaced as a whole, and never through a link that came with a repository.

use std::fs::{self, File, Metadata};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::Named;
use super::bounds::confine;
use super::read::is_pipe;

/// Prefix of the names of temporary files, which hold a file until it is complete.
pub const UNFINISHED: &str = ".a2lint-";
/// Suffix of the names of temporary files.
pub const UNFINISHED_END: &str = ".tmp";
/// Mode of a new file before the user's umask applies.
#[cfg(unix)]
const MODE: u32 = 0o666;

/// The place that a name resolves to.
enum Target {
    /// A regular file, which is replaced.
    File(PathBuf),
    /// A pipe or a device that the user named, which is appended to.
    Stream(PathBuf),
}

/// Writes a file as a whole: the old content stays until the new one is complete, and the mode is kept.
///
/// A link is not followed if the user did not name it, and has to lie in the project. A link that the user named is
/// followed inside of its project, and to the pipes and devices of the system.
pub fn replace(
    path: &Path,
    named: &Named,
    content: impl Fn(&mut File) -> io::Result<()>,
) -> io::Result<()> {
    let target = match named {
        Named::ByUser => given(path)?,
        Named::In(folder) => Target::File(found(path, folder)?),
    };
    match target {
        Target::Stream(path) => content(&mut stream(&path)?),
        Target::File(path) => match in_place_of(&path, &content) {
            // A file on a bind mount, or in a folder without write permission, can only be overwritten.
            Err(cause) if *named == Named::ByUser && has_no_room(&cause) => {
                over(&path, cause, &content)
            }
            written => written,
        },
    }
}

/// Resolves a name that the user gave.
fn given(path: &Path) -> io::Result<Target> {
    let folder = folder_of(path)?;
    let place = folder.join(path.file_name().ok_or_else(no_name)?);
    let Ok(metadata) = fs::symlink_metadata(&place) else {
        return Ok(Target::File(place));
    };
    // `/dev/stdout` is a link to a file that is already open, which may lie outside of any project.
    let is_of_system = ["/dev", "/proc"].iter().any(|it| folder.starts_with(it));
    if !metadata.is_symlink() {
        return kept(place, &metadata);
    }
    if is_of_system {
        return Ok(Target::Stream(place));
    }
    let there = fs::canonicalize(&place)?;
    confine(&there, &folder)?;
    let metadata = fs::metadata(&there)?;
    kept(there, &metadata)
}

fn kept(path: PathBuf, metadata: &Metadata) -> io::Result<Target> {
    match metadata.is_file() {
        true => Ok(Target::File(path)),
        false if metadata.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        false => Ok(Target::Stream(path)),
    }
}

/// Resolves a name that came with a repository.
fn found(path: &Path, folder: &Path) -> io::Result<PathBuf> {
    let place = folder_of(path)?.join(path.file_name().ok_or_else(no_name)?);
    confine(&place, &fs::canonicalize(folder)?)?;
    match fs::symlink_metadata(&place) {
        Ok(metadata) if !metadata.is_file() && !metadata.is_symlink() => Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "not a regular file",
        )),
        _ => Ok(place),
    }
}

/// Returns the folder of a file, with links resolved.
fn folder_of(path: &Path) -> io::Result<PathBuf> {
    let folder = path.parent().filter(|it| !it.as_os_str().is_empty());
    fs::canonicalize(folder.unwrap_or(Path::new(".")))
}

fn no_name() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, "it names no file")
}

/// Opens a pipe, a device or standard output for appending. Fails if a pipe has no reader: a blocking open would wait
/// for one for ever.
fn stream(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.append(true);
    #[cfg(unix)]
    {
        use rustix::fs::{OFlags, fcntl_setfl};
        use std::os::unix::fs::OpenOptionsExt;
        options.custom_flags((OFlags::NONBLOCK | OFlags::NOCTTY).bits() as i32);
        let file = options.open(path)?;
        if is_pipe(file.metadata()?.file_type()) {
            // Writes block from here on; only opening must not.
            fcntl_setfl(&file, OFlags::APPEND)?;
        }
        Ok(file)
    }
    #[cfg(not(unix))]
    options.open(path)
}

/// Replaces a file, or the link of this name, by a new file.
pub fn in_place_of(path: &Path, content: impl Fn(&mut File) -> io::Result<()>) -> io::Result<()> {
    let old = fs::symlink_metadata(path).ok().filter(Metadata::is_file);
    if old.as_ref().is_some_and(|old| old.permissions().readonly()) {
        return Err(io::ErrorKind::PermissionDenied.into());
    }
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    builder.prefix(UNFINISHED).suffix(UNFINISHED_END);
    #[cfg(unix)]
    let mode = <fs::Permissions as std::os::unix::fs::PermissionsExt>::from_mode(MODE);
    #[cfg(unix)]
    builder.permissions(mode);
    let mut file = builder.tempfile_in(folder)?;
    content(file.as_file_mut())?;
    if let Some(old) = old {
        #[cfg(unix)]
        keep_owner(file.as_file(), &old);
        file.as_file().set_permissions(old.permissions())?;
    }
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

/// Gives the new file the owner of the old one. It takes effect for root only, since others rewrite their own files.
#[cfg(unix)]
fn keep_owner(file: &File, old: &Metadata) {
    use std::os::unix::fs::{MetadataExt, fchown};
    let is_other = |new: Metadata| (new.uid(), new.gid()) != (old.uid(), old.gid());
    if file.metadata().is_ok_and(is_other) {
        let _ = fchown(file, Some(old.uid()), Some(old.gid()));
    }
}

/// Returns whether an error means that the folder accepts no new file, although existing files in it may be writable.
fn has_no_room(cause: &io::Error) -> bool {
    use io::ErrorKind::{PermissionDenied, ReadOnlyFilesystem, ResourceBusy};
    matches!(
        cause.kind(),
        PermissionDenied | ReadOnlyFilesystem | ResourceBusy
    )
}

/// Overwrites a file that the user named and that cannot be replaced; `cause` is returned if this fails, too.
fn over(
    path: &Path,
    cause: io::Error,
    content: impl Fn(&mut File) -> io::Result<()>,
) -> io::Result<()> {
    let mut options = File::options();
    options.write(true).truncate(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        // The path was resolved before, so a link here was put in its place since.
        options.custom_flags(rustix::fs::OFlags::NOFOLLOW.bits() as i32);
    }
    match options.open(path) {
        Ok(mut file) => content(&mut file),
        Err(_) => Err(cause),
    }
}

/// Creates a file that only its user can read, and the folders above it. Fails if the file exists.
pub fn create_private(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = path.parent().unwrap_or(path);
    fs::create_dir_all(folder)?;
    // Temporary files have mode 0600, which `persist_noclobber` keeps.
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(bytes)?;
    file.persist_noclobber(path).map_err(|error| error.error)?;
    Ok(())
}

/// Creates a file, and the folders above it, unless something of this name exists. Returns whether it is new.
pub fn create_new(path: &Path, text: &str) -> io::Result<bool> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    match File::create_new(path) {
        Ok(mut file) => file.write_all(text.as_bytes()).map(|()| true),
        Err(cause) if cause.kind() == io::ErrorKind::AlreadyExists => Ok(false),
        Err(cause) => Err(cause),
    }
}

/// Creates a folder. Returns whether it is new.
pub fn make_folder(path: &Path) -> io::Result<bool> {
    match fs::create_dir(path) {
        Ok(()) => Ok(true),
        Err(cause) if cause.kind() == io::ErrorKind::AlreadyExists => Ok(false),
        Err(cause) => Err(cause),
    }
}

/// Removes a file, or the link of this name. Errors are ignored, since another run may have removed it already.
pub fn remove(path: &Path) {
    let _ = fs::remove_file(path);
}
