//! Reading files within bounds of size and time.

use std::fs::{self, File, FileType};
use std::io::{self, BufReader, Read};
use std::path::Path;
use std::time::{Duration, Instant};

/// The time after which reading a pipe fails if its writer has not closed it.
const PATIENCE: Duration = Duration::from_secs(60);
/// The time after which reading a pipe fails if no process has opened it for writing.
const NO_WRITER: Duration = Duration::from_secs(1);
/// The interval at which a pipe is polled.
const PAUSE: Duration = Duration::from_millis(2);

/// Which kinds of file may be opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Readable {
    /// Regular files only, for files that are found and files that clients of servers name.
    Regular,
    /// Regular files and pipes, for files that users name on the command line (process substitution makes pipes). A
    /// pipe has to end within `PATIENCE`.
    Pipes,
}

/// An open file whose reads never block for ever.
pub struct Input {
    file: File,
    /// The length in bytes; `None` for a pipe.
    pub length: Option<u64>,
    opened: Instant,
    /// Whether a writer of the pipe has been observed.
    has_begun: bool,
}

/// Opens a file without blocking. A blocking open of a pipe would wait for a writer that may never come.
pub fn open(path: &Path, readable: Readable) -> io::Result<Input> {
    // Before the file is opened, since opening a device may already have an effect.
    admit(fs::metadata(path)?.file_type(), readable)?;
    let mut options = File::options();
    options.read(true);
    #[cfg(unix)]
    {
        use rustix::fs::OFlags;
        use std::os::unix::fs::OpenOptionsExt;
        options.custom_flags((OFlags::NONBLOCK | OFlags::NOCTTY).bits() as i32);
    }
    let file = options.open(path)?;
    // The path may have been replaced by another file since the first test.
    let metadata = file.metadata()?;
    admit(metadata.file_type(), readable)?;
    Ok(Input {
        length: metadata.is_file().then_some(metadata.len()),
        file,
        opened: Instant::now(),
        has_begun: false,
    })
}

fn admit(what: FileType, readable: Readable) -> io::Result<()> {
    let why = match readable {
        _ if what.is_file() => return Ok(()),
        Readable::Pipes if is_pipe(what) => return Ok(()),
        Readable::Pipes if !what.is_dir() => {
            "not a regular file; a device may have no end, and standard input goes by `-`"
        }
        _ => "not a regular file",
    };
    Err(io::Error::new(io::ErrorKind::InvalidInput, why))
}

/// Returns whether a file is a named pipe.
#[cfg(unix)]
pub fn is_pipe(what: FileType) -> bool {
    std::os::unix::fs::FileTypeExt::is_fifo(&what)
}

/// Returns whether a file is a named pipe; never on this system.
#[cfg(not(unix))]
pub fn is_pipe(_: FileType) -> bool {
    false
}

impl Input {
    /// Returns the file itself, which must be a regular one, for seeking.
    pub fn into_seekable(self) -> BufReader<File> {
        BufReader::new(self.file)
    }
}

impl Read for Input {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.length.is_some() {
            return self.file.read(buffer);
        }
        loop {
            let waited = self.opened.elapsed();
            let late = |why: &str| Err(io::Error::new(io::ErrorKind::TimedOut, why));
            match self.file.read(buffer) {
                Ok(0) if !self.has_begun && waited >= NO_WRITER => {
                    return late("a pipe that nothing writes to");
                }
                // A pipe without a writer reads as empty, just as one whose writer has closed it.
                Ok(0) if !self.has_begun => {}
                // A writer has opened the pipe but written nothing yet.
                Err(cause) if cause.kind() == io::ErrorKind::WouldBlock => {
                    self.has_begun = true;
                    if waited >= PATIENCE {
                        return late("a pipe that has not come to its end within 60 s");
                    }
                }
                result => {
                    self.has_begun = true;
                    return result;
                }
            }
            std::thread::sleep(PAUSE);
        }
    }
}

/// Reads the text of a regular file of at most `limit` bytes.
pub fn text(path: &Path, limit: u64) -> io::Result<String> {
    String::from_utf8(bytes(path, limit)?)
        .map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "it is not UTF-8"))
}

/// Reads a regular file of at most `limit` bytes.
pub fn bytes(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let input = open(path, Readable::Regular)?;
    let too_large = || {
        let size = match limit >> 20 {
            0 => format!("{} KiB", limit >> 10),
            mebibytes => format!("{mebibytes} MiB"),
        };
        let why = format!("larger than {size}");
        Err(io::Error::new(io::ErrorKind::InvalidInput, why))
    };
    if input.length.is_some_and(|length| length > limit) {
        return too_large();
    }
    let mut bytes = Vec::new();
    // The length is not trusted: the file may grow while it is read.
    input.take(limit + 1).read_to_end(&mut bytes)?;
    match bytes.len() as u64 > limit {
        true => too_large(),
        false => Ok(bytes),
    }
}

/// Reads a regular file of at most `limit` bytes whose name is no link; `None` if there is no such file.
pub fn unlinked(path: &Path, limit: u64) -> Option<Vec<u8>> {
    let metadata = fs::symlink_metadata(path).ok()?;
    let is_one = metadata.is_file() && metadata.len() <= limit;
    is_one.then(|| bytes(path, limit).ok()).flatten()
}
