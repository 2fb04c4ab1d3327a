//! Reading within bounds.

use std::fs::{self, File, FileType};
use std::io::{self, BufReader, Read};
use std::path::Path;
use std::time::{Duration, Instant};

/// How long a pipe may take to come to its end.
const PATIENCE: Duration = Duration::from_secs(60);
/// How long it is waited for somebody to write into a pipe.
const NO_WRITER: Duration = Duration::from_secs(1);
/// How often a pipe is looked at.
const PAUSE: Duration = Duration::from_millis(2);

/// What may be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Readable {
    /// Regular files: what is found, and what clients of servers name.
    Regular,
    /// Pipes, too, as process substitution makes them: what users name on the command line. They have to come to
    /// an end.
    Pipes,
}

/// An open file. Reading never waits for ever.
pub struct Input {
    file: File,
    /// The bytes that it has, where that can be told.
    pub length: Option<u64>,
    opened: Instant,
    /// Whether a pipe has had a writer.
    has_begun: bool,
}

/// Opens a file, which waits for nobody: without a writer, opening a pipe would not end.
pub fn open(path: &Path, readable: Readable) -> io::Result<Input> {
    // Opening a device may already do something.
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
    // It may be another file by now.
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

/// Whether these are pipes.
#[cfg(unix)]
pub fn is_pipe(what: FileType) -> bool {
    std::os::unix::fs::FileTypeExt::is_fifo(&what)
}

/// Whether these are pipes.
#[cfg(not(unix))]
pub fn is_pipe(_: FileType) -> bool {
    false
}

impl Input {
    /// The file itself, which is a regular one.
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
                Ok(0) if !self.has_begun => {}
                // Somebody has it open, and has written nothing yet.
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

/// The text of a regular file of at most `limit` bytes.
pub fn text(path: &Path, limit: u64) -> io::Result<String> {
    String::from_utf8(bytes(path, limit)?)
        .map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "it is not UTF-8"))
}

/// The bytes of a regular file, which are at most `limit`.
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
    input.take(limit + 1).read_to_end(&mut bytes)?;
    match bytes.len() as u64 > limit {
        true => too_large(),
        false => Ok(bytes),
    }
}

/// The bytes of a regular file of at most `limit` bytes whose name is no link; `None` where there is no such file.
pub fn unlinked(path: &Path, limit: u64) -> Option<Vec<u8>> {
    let metadata = fs::symlink_metadata(path).ok()?;
    let is_one = metadata.is_file() && metadata.len() <= limit;
    is_one.then(|| bytes(path, limit).ok()).flatten()
}
