//! Finding source files, deciding whether they concern a2lint, and reading them.

mod ignores;

use std::collections::HashSet;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ignore::WalkBuilder;
use ignores::Ignores;

use crate::disk::{self, Readable, lexically_normal};
use crate::encoding::{self, Unreadable};
use crate::language::Language;
use crate::text::SourceText;

/// Size limit of a source file in bytes.
pub const MAX_BYTES: u64 = 32 << 20;

/// Why a file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum InputError {
    /// The path does not exist.
    #[error("{path}: no such file or directory{hint}")]
    Missing {
        /// The path.
        path: String,
        /// What may have been meant, after `; `; empty if that is not recognised.
        hint: String,
    },
    /// The path cannot be opened or read.
    #[error("cannot read {path}: {cause}")]
    Unreadable {
        /// The path.
        path: String,
        /// The error of the operating system.
        cause: io::Error,
    },
    /// A directory was named where a file is needed.
    #[error("{path} is a directory; name a file")]
    Directory {
        /// The path.
        path: String,
    },
    /// The file is larger than [`MAX_BYTES`].
    #[error("{path}: larger than {} MiB", MAX_BYTES >> 20)]
    TooLarge {
        /// The path.
        path: String,
    },
    /// A link whose name has the extension of a language, to a file with another one.
    #[error("{path} is a link to {there}, which is no file of its kind; name that one")]
    Unlike {
        /// The path.
        path: String,
        /// The target of the link.
        there: String,
    },
    /// A text from standard input, without a name, that is C++.
    #[error(
        "standard input is read as Python, and it is C++: name it, as in `--stdin-filename kernel.cpp`"
    )]
    Unnamed,
    /// The file is not UTF-8.
    #[error("{path}: not UTF-8 (byte offset {offset}); save the file as UTF-8")]
    NotUtf8 {
        /// The path.
        path: String,
        /// Byte offset of the first invalid byte.
        offset: usize,
    },
    /// The encoding is not supported, or the language does not allow it.
    #[error("{path}: not analysed: {reason}")]
    Encoding {
        /// The path.
        path: String,
        /// The encoding, and why it is not read.
        reason: String,
    },
    /// A directory that cannot be walked.
    #[error("cannot walk {path}: {cause}")]
    Walk {
        /// The path.
        path: String,
        /// The error of the walk.
        cause: ignore::Error,
    },
}

/// Says what a path that does not exist may have been meant as.
fn misread(path: &str) -> String {
    let exists = |path: &str| Path::new(path).is_file();
    if path == "-" {
        return "; only `check` reads standard input".to_owned();
    }
    if let Some((file, kernel)) = path.rsplit_once("::")
        && exists(file)
    {
        return format!("; this command takes whole files: leave out `::{kernel}`");
    }
    let lines = path.rsplit_once(':').filter(|(file, _)| exists(file));
    let reversed = lines.and_then(|(_, lines)| {
        let (first, last) = lines.split_once('-')?;
        let [first, last]: [u32; 2] = [first.parse().ok()?, last.parse().ok()?];
        (last < first).then_some((first, last))
    });
    match reversed {
        Some((first, last)) => format!("; lines {first}-{last} end before they begin"),
        None => String::new(),
    }
}

/// A file or text that may be checked.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The place to read it from.
    pub place: Place,
    /// Whether the user named the file itself, rather than a directory that holds it.
    pub explicit: bool,
}

/// The place that a candidate is read from.
#[derive(Clone, Debug)]
pub enum Place {
    /// Standard input, which is reported under this name.
    Stdin(PathBuf),
    /// A file.
    File(PathBuf),
    /// A file that a client of a server names. Anything but a regular file is an error.
    Regular(PathBuf),
    /// A text in memory, which is reported under this path.
    Text(PathBuf, SourceText),
}

impl Candidate {
    /// Returns the path as reports show it.
    pub fn shown(&self) -> String {
        shown(self.path())
    }

    /// Returns the language by the extension of the path; Python with the DSL if the extension is unknown.
    pub fn language(&self) -> Language {
        Language::of_path(self.path()).unwrap_or_default()
    }

    /// Returns whether the candidate is read from standard input.
    pub fn is_stdin(&self) -> bool {
        matches!(self.place, Place::Stdin(_))
    }

    /// Returns the path, or the name for standard input.
    pub fn path(&self) -> &Path {
        match &self.place {
            Place::Stdin(path)
            | Place::File(path)
            | Place::Regular(path)
            | Place::Text(path, _) => path,
        }
    }

    /// Reads and decodes the candidate. Of a file that was found rather than named, only the head is read if that
    /// shows that the file is irrelevant.
    pub fn load(&self) -> Result<Loaded, InputError> {
        let bytes = match &self.place {
            Place::Text(_, text) => return Ok(Loaded::Ours(text.clone())),
            Place::Stdin(_) => read_limited(io::stdin().lock(), &self.shown())?,
            Place::Regular(path) => read_file(path, Readable::Regular)?,
            Place::File(path) if self.explicit => read_file(path, Readable::Pipes)?,
            Place::File(path) => {
                let may_concern_us = |head: &[u8]| self.may_concern_us(head);
                match read_if(path, Readable::Regular, may_concern_us)? {
                    Some(bytes) => bytes,
                    None => return Ok(Loaded::Foreign(None)),
                }
            }
        };
        let ours = concerns_us(self.language(), &bytes);
        let is_unnamed = self.is_stdin() && self.path().extension().is_none();
        if !ours && is_unnamed && concerns_us(Language::Cpp, &bytes) {
            return Err(InputError::Unnamed);
        }
        match (ours, decode(bytes, self.language(), &self.shown())) {
            (true, text) => text.map(Loaded::Ours),
            (false, text) => Ok(Loaded::Foreign(text.ok())),
        }
    }

    /// Returns whether the head of a file leaves open that the file is relevant. Python files import modules before
    /// they use them, so the head decides; files of other languages may be relevant because of any line.
    fn may_concern_us(&self, head: &[u8]) -> bool {
        self.language() != Language::Easyasc || imports_easyasc(&encoding::searchable(head))
    }
}

/// The result of loading a candidate.
pub enum Loaded {
    /// A relevant text.
    Ours(SourceText),
    /// A file that is irrelevant to a2lint; its text is given if the whole file was read and could be decoded.
    Foreign(Option<SourceText>),
}

/// Returns the absolute form of a path, without resolving links.
pub fn absolute(path: &Path) -> PathBuf {
    let inside = |path: &Path| path.strip_prefix(".").unwrap_or(path).to_owned();
    let absolute = std::path::absolute(inside(path)).unwrap_or_else(|_| path.to_owned());
    match path.as_os_str().is_empty() || path == Path::new(".") {
        true => std::env::current_dir().unwrap_or(absolute),
        false => lexically_normal(&absolute),
    }
}

/// Returns a path as reports show it: relative to the working directory if it lies below, without a leading `./`,
/// with forward slashes.
pub fn shown(path: &Path) -> String {
    let below = match path.is_absolute() {
        true => std::env::current_dir()
            .ok()
            .and_then(|here| Some(path.strip_prefix(here).ok()?.to_owned())),
        false => None,
    };
    let text = below.as_deref().unwrap_or(path).to_string_lossy();
    let text = match std::path::MAIN_SEPARATOR {
        '/' => text.into_owned(),
        separator => text.replace(separator, "/"),
    };
    text.strip_prefix("./").map(str::to_owned).unwrap_or(text)
}

/// The files found for the arguments of a command, in a fixed order: arguments as given, directories sorted by name.
#[derive(Debug, Default)]
pub struct Discovery {
    /// The files, each once.
    pub candidates: Vec<Candidate>,
    /// Paths that cannot be used, with the reason.
    pub errors: Vec<InputError>,
    /// Warnings about ignore files that were not read.
    pub warnings: Vec<String>,
}

/// A predicate on a path and whether it is a folder: whether walks leave it out.
pub type Excluded = Arc<dyn Fn(&Path, bool) -> bool + Send + Sync>;

/// Finds the files that the arguments name. Walks of folders leave out what `excluded` matches.
pub fn discover(paths: &[PathBuf], stdin_name: Option<&Path>, excluded: &Excluded) -> Discovery {
    let mut discovery = Discovery::default();
    for path in paths {
        if path.as_os_str() == "-" {
            let name = stdin_name.unwrap_or(Path::new("<stdin>")).to_owned();
            discovery.add(Place::Stdin(name), true);
            continue;
        }
        match path.metadata() {
            Ok(metadata) if metadata.is_dir() => discovery.walk(path, excluded.clone()),
            Ok(_) => discovery.add(Place::File(path.clone()), true),
            Err(cause) => discovery.errors.push(open_error(shown(path), cause)),
        }
    }
    if paths.len() > 1 {
        discovery.forget_duplicates();
    }
    discovery
}

impl Discovery {
    fn add(&mut self, place: Place, explicit: bool) {
        self.candidates.push(Candidate { place, explicit });
    }

    /// Adds the files below a directory whose extensions are those of a language. Symbolic links are not followed, so
    /// cyclic links cannot make the walk endless.
    fn walk(&mut self, root: &Path, excluded: Excluded) {
        let ignores = Arc::new(Ignores::of(root));
        let (top, known) = (root.to_owned(), ignores.clone());
        let is_left_out = move |path: &Path, is_folder: bool| {
            let below = path.strip_prefix(&top).unwrap_or(path);
            known.ignores(below, is_folder) || excluded(path, is_folder)
        };
        let walk = WalkBuilder::new(root)
            .standard_filters(false)
            .sort_by_file_name(|a, b| a.cmp(b))
            .filter_entry(move |entry| {
                // The root itself was named, so no ignore file applies to it.
                entry.depth() == 0 || !is_left_out(entry.path(), is_folder(entry))
            })
            .build();
        for entry in walk {
            match entry {
                Ok(entry) if is_source(&entry) => self.add(Place::File(entry.into_path()), false),
                Ok(_) => {}
                Err(cause) => self.errors.push(InputError::Walk {
                    path: shown(root),
                    cause,
                }),
            }
        }
        self.warnings.extend(ignores.unread());
    }

    /// Keeps the first of several names of one file, as explicit if any of them was.
    fn forget_duplicates(&mut self) {
        let explicit: HashSet<PathBuf> = self
            .candidates
            .iter()
            .filter(|candidate| candidate.explicit)
            .map(identity)
            .collect();
        let mut seen = HashSet::new();
        self.candidates.retain_mut(|candidate| {
            let identity = identity(candidate);
            candidate.explicit |= explicit.contains(&identity);
            seen.insert(identity)
        });
    }
}

/// Returns a key that all names of one file share.
fn identity(candidate: &Candidate) -> PathBuf {
    match &candidate.place {
        Place::Stdin(_) => PathBuf::from("-"),
        Place::File(path) | Place::Regular(path) | Place::Text(path, _) => {
            path.canonicalize().unwrap_or_else(|_| path.clone())
        }
    }
}

fn is_folder(entry: &ignore::DirEntry) -> bool {
    entry.file_type().is_some_and(|kind| kind.is_dir())
}

fn is_source(entry: &ignore::DirEntry) -> bool {
    let is_file = entry.file_type().is_some_and(|kind| kind.is_file());
    is_file && Language::of_path(entry.path()).is_some()
}

/// Returns whether the bytes of a file may hold something to check. Cheap, and without false negatives; the front end
/// decides about the rest.
pub fn concerns_us(language: Language, bytes: &[u8]) -> bool {
    let bytes = &encoding::searchable(bytes);
    match (language, language.markers()) {
        (Language::Easyasc, _) => imports_easyasc(bytes),
        (_, []) => true,
        (_, markers) => markers.iter().any(|marker| contains(bytes, marker)),
    }
}

fn contains(bytes: &[u8], word: &str) -> bool {
    memchr::memmem::find(bytes, word.as_bytes()).is_some()
}

/// Returns whether some line imports easyasc or Ascriptor, or calls `import_module` with a name that contains one of
/// them.
fn imports_easyasc(bytes: &[u8]) -> bool {
    let mentions = |bytes: &[u8]| contains(bytes, "easyasc") || contains(bytes, "ascriptor");
    // One search of the whole text rejects most files before lines are split.
    mentions(bytes)
        && bytes
            .split(|&byte| byte == b'\n' || byte == b'\r')
            .any(|line| {
                let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
                let imports = |statement: &[u8]| {
                    let statement = statement.trim_ascii_start();
                    statement.starts_with(b"import")
                        || statement.starts_with(b"from")
                        || contains(statement, "import_module")
                };
                mentions(line) && line.split(|&byte| byte == b';').any(imports)
            })
}

/// Reads a file that was named on its own, which may be a pipe.
pub fn read_source(path: &Path) -> Result<SourceText, InputError> {
    read_as(path, Readable::Pipes)
}

/// Reads a regular file for a client of a server.
pub fn read_regular(path: &Path) -> Result<SourceText, InputError> {
    read_as(path, Readable::Regular)
}

fn read_as(path: &Path, readable: Readable) -> Result<SourceText, InputError> {
    let language = Language::of_path(path).unwrap_or_default();
    decode(read_file(path, readable)?, language, &shown(path))
}

/// Decodes the bytes of a file; errors carry `path`.
fn decode(bytes: Vec<u8>, language: Language, path: &str) -> Result<SourceText, InputError> {
    let path = path.to_owned();
    encoding::decode(bytes, language).map_err(|error| match error {
        Unreadable::NotUtf8 { offset } => InputError::NotUtf8 { path, offset },
        Unreadable::Encoding(reason) => InputError::Encoding { path, reason },
    })
}

/// Number of bytes in the head of a file, which decides whether the rest is read.
const HEAD: u64 = 64 << 10;

fn read_file(path: &Path, readable: Readable) -> Result<Vec<u8>, InputError> {
    check_link_language(path)?;
    let bytes = read_if(path, readable, |_| true)?;
    Ok(bytes.unwrap_or_default())
}

/// Fails for a link to a file of another language. A shell pattern may have named the link along with all other files
/// of an untrusted folder, and reports quote the text of files, so a link `kernel.py` to a password file must not be
/// read.
fn check_link_language(path: &Path) -> Result<(), InputError> {
    let is_link = path.symlink_metadata().is_ok_and(|it| it.is_symlink());
    let (Some(language), true) = (Language::of_path(path), is_link) else {
        return Ok(());
    };
    let name = shown(path);
    let there = path.canonicalize();
    let there = there.map_err(|cause| open_error(name.clone(), cause))?;
    match Language::of_path(&there) == Some(language) || !there.is_file() {
        true => Ok(()),
        false => Err(InputError::Unlike {
            path: name,
            there: shown(&there),
        }),
    }
}

/// Reads a file if its head is `wanted`; `None` if not. A file of at most [`HEAD`] bytes takes one read.
fn read_if(
    path: &Path,
    readable: Readable,
    wanted: impl Fn(&[u8]) -> bool,
) -> Result<Option<Vec<u8>>, InputError> {
    let name = shown(path);
    let failure = |cause| open_error(name.clone(), cause);
    if path.is_dir() {
        return Err(InputError::Directory { path: name });
    }
    let mut file = disk::open(path, readable).map_err(failure)?;
    // A pipe has no length, and its head could not be read twice.
    let Some(length) = file.length else {
        return read_limited(file, &name).map(Some);
    };
    if length > MAX_BYTES {
        return Err(InputError::TooLarge { path: name });
    }
    let mut bytes = Vec::new();
    let head = file.by_ref().take(length.min(HEAD)).read_to_end(&mut bytes);
    head.map_err(failure)?;
    if !wanted(&bytes) {
        return Ok(None);
    }
    if length > HEAD {
        bytes.extend(read_limited(file, &name)?);
    }
    Ok(Some(bytes))
}

/// Reads to the end, and fails once more than [`MAX_BYTES`] have come: pipes and devices have no length to test
/// before.
fn read_limited(input: impl Read, path: &str) -> Result<Vec<u8>, InputError> {
    let mut bytes = Vec::new();
    let path = path.to_owned();
    match input.take(MAX_BYTES + 1).read_to_end(&mut bytes) {
        Ok(length) if length as u64 > MAX_BYTES => Err(InputError::TooLarge { path }),
        Ok(_) => Ok(bytes),
        Err(cause) => Err(InputError::Unreadable { path, cause }),
    }
}

fn open_error(path: String, cause: io::Error) -> InputError {
    match cause.kind() {
        io::ErrorKind::NotFound => InputError::Missing {
            hint: misread(&path),
            path,
        },
        _ => InputError::Unreadable { path, cause },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn imports_are_told_from_mentions() {
        for text in [
            "from easyasc.a2 import *\n",
            "\u{feff}import easyasc.a3 as ea",
            "try:\n    from easyasc import a2\nexcept ImportError: pass",
            "import os; from easyasc.a5 import kernel",
            "from ascriptor.a2 import kernel",
        ] {
            assert!(imports_easyasc(text.as_bytes()), "{text}");
        }
        for text in ["", "# easyasc\nimport os\n", "x = 'from easyasc'"] {
            assert!(!imports_easyasc(text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn sources_of_other_languages_are_ours_by_extension_or_by_an_instruction() {
        let cuda = b"asm volatile(\"tcgen05.mma.ws.cta_group::1.kind::f16 ...\");";
        assert!(concerns_us(Language::Cuda, cuda));
        assert!(concerns_us(
            Language::Cpp,
            b"AscendC::GatherMask(dst, src, 2);"
        ));
        assert!(!concerns_us(Language::Cpp, b"int main() { return 0; }"));
        assert!(concerns_us(Language::Ptx, b""));
        assert!(!concerns_us(Language::Easyasc, b"import os"));
    }

    #[test]
    fn endless_input_is_refused() {
        let error = read_limited(io::repeat(b'x'), "zero").unwrap_err();
        assert_eq!(error.to_string(), "zero: larger than 32 MiB");
    }
}
