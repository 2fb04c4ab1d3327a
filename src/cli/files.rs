//! Finding and reading files.

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use ignore::WalkBuilder;

use crate::language::Language;
use crate::text::SourceText;

/// Bytes of the largest file that is read.
pub const MAX_BYTES: u64 = 32 << 20;

/// Why a file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum InputError {
    /// Nothing is there.
    #[error("{path}: no such file or directory")]
    Missing {
        /// The path.
        path: String,
    },
    /// It cannot be opened or read.
    #[error("cannot read {path}: {cause}")]
    Unreadable {
        /// The path.
        path: String,
        /// What the system says.
        cause: io::Error,
    },
    /// A directory where a file is needed.
    #[error("{path} is a directory; name a file")]
    Directory {
        /// The path.
        path: String,
    },
    /// Above [`MAX_BYTES`].
    #[error("{path}: larger than {} MiB", MAX_BYTES >> 20)]
    TooLarge {
        /// The path.
        path: String,
    },
    /// Not text as we know it.
    #[error("{path}: not UTF-8 (byte offset {offset}); save the file as UTF-8")]
    NotUtf8 {
        /// The path.
        path: String,
        /// The first offending byte.
        offset: usize,
    },
    /// A directory that cannot be walked.
    #[error("cannot walk {path}: {cause}")]
    Walk {
        /// The path.
        path: String,
        /// What went wrong.
        cause: ignore::Error,
    },
}

/// Something to check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// Where it is.
    pub place: Place,
    /// Whether the user named it, rather than a directory that holds it.
    pub explicit: bool,
}

/// Where a candidate is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// Standard input, under this name.
    Stdin(PathBuf),
    /// A file.
    File(PathBuf),
}

impl Candidate {
    /// The path as reports show it.
    pub fn shown(&self) -> String {
        match &self.place {
            Place::Stdin(path) | Place::File(path) => shown(path),
        }
    }

    /// Its language, by its name; a name that says nothing means the DSL.
    pub fn language(&self) -> Language {
        match &self.place {
            Place::Stdin(path) | Place::File(path) => Language::of_path(path).unwrap_or_default(),
        }
    }

    /// Its bytes.
    pub fn read(&self) -> Result<Vec<u8>, InputError> {
        match &self.place {
            Place::Stdin(_) => read_limited(io::stdin().lock(), &self.shown()),
            Place::File(path) => read_file(path),
        }
    }
}

/// A path as reports show it: without a leading `./`, with forward slashes.
pub fn shown(path: &Path) -> String {
    let text = path.to_string_lossy();
    let text = match std::path::MAIN_SEPARATOR {
        '/' => text.into_owned(),
        separator => text.replace(separator, "/"),
    };
    text.strip_prefix("./").map(str::to_owned).unwrap_or(text)
}

/// What was found, in a fixed order: arguments as given, directories sorted by name.
#[derive(Debug, Default)]
pub struct Discovery {
    /// Files to look at, each once.
    pub candidates: Vec<Candidate>,
    /// Paths that could not be used.
    pub errors: Vec<InputError>,
}

/// Finds what the arguments name.
pub fn discover(paths: &[PathBuf], stdin_name: Option<&Path>) -> Discovery {
    let mut discovery = Discovery::default();
    for path in paths {
        if path.as_os_str() == "-" {
            let name = stdin_name.unwrap_or(Path::new("<stdin>")).to_owned();
            discovery.add(Place::Stdin(name), true);
            continue;
        }
        match path.metadata() {
            Ok(metadata) if metadata.is_dir() => discovery.walk(path),
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

    /// Adds the files below a directory whose names are of our languages. Symbolic links are not followed, so loops of them
    /// do no harm.
    fn walk(&mut self, root: &Path) {
        let walk = WalkBuilder::new(root)
            .require_git(false)
            .sort_by_file_name(|a, b| a.cmp(b))
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
    }

    /// Keeps the first of several ways to name a file, as explicit if any of them was.
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

/// What two names of one file have in common.
fn identity(candidate: &Candidate) -> PathBuf {
    match &candidate.place {
        Place::Stdin(_) => PathBuf::from("-"),
        Place::File(path) => path.canonicalize().unwrap_or_else(|_| path.clone()),
    }
}

fn is_source(entry: &ignore::DirEntry) -> bool {
    let is_file = entry.file_type().is_some_and(|kind| kind.is_file());
    is_file && Language::of_path(entry.path()).is_some()
}

/// Whether the bytes of a file hold something to check. Cheap, and never wrong about a file that
/// does; what passes is for the front end to judge.
pub fn concerns_us(language: Language, bytes: &[u8]) -> bool {
    match (language, language.markers()) {
        (Language::Easyasc, _) => imports_easyasc(bytes),
        (_, []) => true,
        (_, markers) => markers.iter().any(|marker| contains(bytes, marker)),
    }
}

fn contains(bytes: &[u8], word: &str) -> bool {
    memchr::memmem::find(bytes, word.as_bytes()).is_some()
}

/// Whether some line is an import that mentions easyasc.
fn imports_easyasc(bytes: &[u8]) -> bool {
    let mentions = |bytes: &[u8]| contains(bytes, "easyasc");
    mentions(bytes)
        && bytes.split(|&byte| byte == b'\n').any(|line| {
            let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
            let imports = |statement: &[u8]| {
                let statement = statement.trim_ascii_start();
                statement.starts_with(b"import") || statement.starts_with(b"from")
            };
            mentions(line) && line.split(|&byte| byte == b';').any(imports)
        })
}

/// Reads a file that was named on its own.
pub fn read_source(path: &Path) -> Result<SourceText, InputError> {
    decode(read_file(path)?, &shown(path))
}

/// The text of a file's bytes.
pub fn decode(bytes: Vec<u8>, path: &str) -> Result<SourceText, InputError> {
    SourceText::decode(bytes).map_err(|error| InputError::NotUtf8 {
        path: path.to_owned(),
        offset: error.offset,
    })
}

fn read_file(path: &Path) -> Result<Vec<u8>, InputError> {
    let name = shown(path);
    let file = File::open(path).map_err(|cause| open_error(name.clone(), cause))?;
    let metadata = file
        .metadata()
        .map_err(|cause| open_error(name.clone(), cause))?;
    if metadata.is_dir() {
        return Err(InputError::Directory { path: name });
    }
    if metadata.len() > MAX_BYTES {
        return Err(InputError::TooLarge { path: name });
    }
    read_limited(file, &name)
}

/// Reads to the end, or until too much has come: pipes and devices have no length.
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
        io::ErrorKind::NotFound => InputError::Missing { path },
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
