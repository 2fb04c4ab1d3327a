//! The files that a C++ file is compiled with: the headers that it includes, and, for a header, the files that
//! include it and instantiate its templates.

use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use super::includes::{candidates, normalized};
use super::text::CppText;
use crate::files::Project;
use crate::map::SourceMap;
use a2lint_source::language::Language;
use a2lint_source::text::SourceText;

/// Maximum length of a chain of files that include each other.
const MAX_CHAIN: usize = 48;
/// Maximum number of including files that are searched for instances.
const MAX_USERS: usize = 16;
/// Maximum number of files that are tested for including the header.
const MAX_ASKED: usize = 400;
/// Maximum length of a chain of includes from a file to the header.
const MAX_WAY: usize = 3;
/// The languages whose files include each other.
const LANGUAGES: &[Language] = &[Language::Cpp, Language::Cuda];

/// The limits and the strategy of the search for headers.
#[derive(Clone, Copy)]
pub struct Search<'s> {
    /// Maximum number of files that one file is compiled with.
    pub most_files: usize,
    /// Maximum number of bytes of their texts, the file's own included.
    pub most_bytes: usize,
    /// Decides by the include path whether a header that is not found at that path is searched for in the whole
    /// project; `None` to search for no header.
    pub is_searched: Option<&'s dyn Fn(&str) -> bool>,
    /// The name of a folder that the build drops from paths when it copies its files; empty if there is none.
    pub left_out: &'s str,
}

impl Search<'_> {
    /// The default search: a header is only at the path of its include, relative to the file and to the folders above
    /// it.
    pub const NEAR: Search<'static> = Search {
        most_files: 48,
        most_bytes: 1 << 20,
        is_searched: None,
        left_out: "",
    };
}

/// A C++ file with its headers and with the files that include it.
pub struct Headers {
    /// The source map of all these texts.
    pub map: SourceMap,
    own: Arc<CppText>,
    others: Vec<Arc<CppText>>,
    /// The translation units, as indices in order of inclusion; index 0 is the file itself.
    translations: Vec<Vec<usize>>,
    /// The file that an include in a file means, by number.
    included: HashMap<PathBuf, HashMap<String, usize>>,
    paths: Vec<PathBuf>,
}

/// Returns the files around the header at the path of a project that include it, directly or through others, with their
/// texts: sources if there are any.
pub fn including(project: &Project) -> Vec<(PathBuf, SourceText)> {
    let users = Reader::new(project, Search::NEAR, 0).users().into_iter();
    let read = users.filter_map(|path| {
        let text = project.files.cpp(&project.root, &path)?;
        Some((path, text.text().clone()))
    });
    read.collect()
}

/// A file that another one includes.
#[derive(Clone, Copy, Debug)]
pub struct Included<'h> {
    /// The path of the file.
    pub path: &'h Path,
    /// The text of the file.
    pub text: &'h SourceText,
    /// Where its spans start.
    pub base: usize,
}

impl Headers {
    /// Reads the headers of a file, and, if `is_used`, the files that include it.
    pub fn of(source: &SourceText, project: Option<&Project>, is_used: bool) -> Headers {
        Headers::found(source, project, is_used, Search::NEAR)
    }

    /// Reads headers as [`Headers::of`] does, with other limits and another search strategy.
    pub fn found(
        source: &SourceText,
        project: Option<&Project>,
        is_used: bool,
        search: Search<'_>,
    ) -> Headers {
        let own = Arc::new(CppText::of(source.clone(), 0));
        let Some(project) = project else {
            return Headers {
                map: SourceMap::alone(source),
                own,
                others: Vec::new(),
                translations: vec![vec![0]],
                included: HashMap::new(),
                paths: Vec::new(),
            };
        };
        let mut reader = Reader::new(project, search, source.as_str().len());
        let mut translations = vec![reader.translation(&project.path, &own)];
        let users = match is_used {
            true => reader.users(),
            false => Vec::new(),
        };
        for user in users {
            if let Some(text) = project.files.cpp(&project.root, &user) {
                translations.push(reader.translation(&user, &text));
            }
        }
        let others = reader.found.iter();
        let others = others.map(|(path, it)| (path.clone(), it.text().clone(), it.base()));
        let mut map = SourceMap::apart(source, others, (&project.path, &project.here));
        map.not_read = reader.not_read;
        Headers {
            map,
            own,
            included: reader.included,
            paths: reader.found.iter().map(|(path, _)| path.clone()).collect(),
            others: reader.found.into_iter().map(|(_, text)| text).collect(),
            translations,
        }
    }

    /// Returns the texts of every file, the checked file first.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        let all = std::iter::once(&self.own).chain(&self.others);
        all.map(|it| it.text().as_str())
    }

    /// Returns the file that an include in a file means, if it was read. If a bound kept it from being read,
    /// [`SourceMap::not_read`] says so.
    pub fn included(&self, includer: &Path, name: &str) -> Option<Included<'_>> {
        self.other(*self.included.get(includer)?.get(name)?)
    }

    /// Returns whether an include in a file means the checked file.
    pub fn includes_own(&self, includer: &Path, name: &str) -> bool {
        let names = self.included.get(includer);
        names.and_then(|names| names.get(name)) == Some(&0)
    }

    /// Returns the file that the last of a translation unit's files is: the one that includes the others. `None` for
    /// the checked file.
    pub fn main_of(&self, translation: &[usize]) -> Option<Included<'_>> {
        self.other(*translation.last()?)
    }

    fn other(&self, number: usize) -> Option<Included<'_>> {
        let other = number.checked_sub(1)?;
        let text = self.others.get(other)?;
        Some(Included {
            path: self.paths.get(other)?,
            text: text.text(),
            base: text.base(),
        })
    }

    /// Returns the translation units, each as indices of files in the order of inclusion: first the file with the files
    /// that it includes, then each file that includes it.
    pub fn translations(&self) -> &[Vec<usize>] {
        &self.translations
    }
}

/// Reads the headers of translation units.
struct Reader<'p> {
    project: &'p Project,
    search: Search<'p>,
    found: Vec<(PathBuf, Arc<CppText>)>,
    /// Indices of files by path.
    places: HashMap<PathBuf, usize>,
    bytes: usize,
    /// What includes mean, by number.
    included: HashMap<PathBuf, HashMap<String, usize>>,
    /// Bounds that were met, as clauses.
    not_read: Vec<String>,
}

impl<'p> Reader<'p> {
    /// Creates a reader for a file of this many bytes, at the path of the project.
    fn new(project: &'p Project, search: Search<'p>, bytes: usize) -> Reader<'p> {
        Reader {
            project,
            search,
            found: Vec::new(),
            places: HashMap::from([(project.path.clone(), 0)]),
            bytes,
            included: HashMap::new(),
            not_read: Vec::new(),
        }
    }

    /// Returns the indices of a file and its headers, each file after those that it includes.
    fn translation(&mut self, path: &Path, text: &Arc<CppText>) -> Vec<usize> {
        let mut order = Vec::new();
        self.follow(path, text, &mut order, &mut Vec::new());
        order
    }

    /// Appends a file after the files that it includes. Include cycles are cut.
    fn follow(
        &mut self,
        path: &Path,
        text: &Arc<CppText>,
        order: &mut Vec<usize>,
        open: &mut Vec<PathBuf>,
    ) {
        let Some(place) = self.place(path, text) else {
            return;
        };
        if order.contains(&place) || open.iter().any(|it| it == path) {
            return;
        }
        open.push(path.to_owned());
        if open.len() <= MAX_CHAIN {
            for name in text.includes() {
                match self.included(path, name) {
                    Some((found, text)) => {
                        self.follow(&found, &text, order, open);
                        self.note_included(path, name, &found);
                    }
                    None if self.is_outside(path, name) => self.leave_out(format!(
                        "`{name}` is outside of the project, whose root `a2lint.toml` or `.git` marks"
                    )),
                    None => {}
                }
            }
        }
        open.pop();
        order.push(place);
    }

    /// Notes what an include means, where that was read.
    fn note_included(&mut self, includer: &Path, name: &str, found: &Path) {
        if let Some(&place) = self.places.get(found) {
            let names = self.included.entry(includer.to_owned()).or_default();
            names.insert(name.to_owned(), place);
        }
    }

    /// Adds a file unless it is known, and returns its number; `None` if a bound leaves no room for it.
    fn place(&mut self, path: &Path, text: &Arc<CppText>) -> Option<usize> {
        if let Some(&place) = self.places.get(path) {
            return Some(place);
        }
        let bytes = text.text().as_str().len();
        let most = self.search.most_files;
        if self.found.len() >= most {
            self.leave_out(format!("includes lead to more than {most} files"));
            return None;
        }
        if self.bytes + bytes > self.search.most_bytes {
            let most = self.search.most_bytes >> 20;
            self.leave_out(format!("includes lead to more than {most} MB of text"));
            return None;
        }
        if !text.is_placed {
            let name = path.file_name().unwrap_or_default().display();
            self.leave_out(format!("`{name}` is too large to be read"));
            return None;
        }
        self.bytes += bytes;
        self.found.push((path.to_owned(), text.clone()));
        let place = self.found.len();
        self.places.insert(path.to_owned(), place);
        Some(place)
    }

    fn leave_out(&mut self, what: String) {
        if !self.not_read.contains(&what) {
            self.not_read.push(what);
        }
    }

    /// Returns the file that an include directive refers to.
    fn included(&mut self, includer: &Path, name: &str) -> Option<(PathBuf, Arc<CppText>)> {
        let project = self.project;
        let found = candidates(includer, name, &project.root).find_map(|path| {
            let text = project.files.cpp(&project.root, &path)?;
            Some((path, text))
        });
        let found = found.or_else(|| self.searched(includer, name));
        // A file that includes itself would only repeat it.
        found.filter(|(path, _)| *path != project.path || includer != project.path)
    }

    /// Searches the project for a header, since the include paths of the build are unknown. A file matches if its path
    /// ends with the path in the include. Of several matches, the one that shares most folders with the including file
    /// is chosen, then with the checked file, then one in a folder of the same name: code of the device lies in other
    /// folders than code of the host.
    fn searched(&mut self, includer: &Path, name: &str) -> Option<(PathBuf, Arc<CppText>)> {
        let is_searched = self.search.is_searched?;
        if !is_searched(name) {
            return None;
        }
        let project = self.project;
        let is_step =
            |part: &Component<'_>| matches!(part, Component::CurDir | Component::ParentDir);
        let tail: PathBuf = Path::new(name).components().skip_while(is_step).collect();
        let files = &project.files;
        let mut found = files.named(&project.root, tail.file_name()?.to_str()?);
        let left_out = self.search.left_out;
        let is_meant = |path: &Path| {
            let shorter = || {
                path.iter()
                    .filter(|it| *it != left_out)
                    .collect::<PathBuf>()
            };
            path.ends_with(&tail) || shorter().ends_with(&tail)
        };
        found.retain(|path| is_meant(path) && path != includer);
        let rank = |path: &Path| {
            let of = |other: &Path| common_components(path, other);
            let folder = |path: &Path| {
                path.parent()
                    .and_then(Path::file_name)
                    .map(ToOwned::to_owned)
            };
            let is_of_kind = folder(path) == folder(includer);
            (of(includer), of(&project.path), is_of_kind)
        };
        let most = found.iter().map(|path| rank(path)).max()?;
        found.retain(|path| rank(path) == most);
        let mut texts = found.into_iter().filter_map(|path| {
            let text = files.cpp(&project.root, &path)?;
            Some((path, text))
        });
        let first = texts.next()?;
        let is_same = |text: &CppText| text.text().as_str() == first.1.text().as_str();
        if texts.all(|(_, text)| is_same(&text)) {
            return Some(first);
        }
        self.leave_out(format!(
            "which file `{name}` is is not known: several of the project have that name"
        ));
        None
    }

    /// Returns whether an include path, as written, leaves the project.
    fn is_outside(&self, includer: &Path, name: &str) -> bool {
        let meant = includer
            .parent()
            .map(|folder| normalized(&folder.join(name)));
        let is_inside = |path: &PathBuf| path.starts_with(&self.project.root);
        name.starts_with("..") && !meant.flatten().as_ref().is_some_and(is_inside)
    }

    /// Returns files in the folder of the header and above that include it, directly or through others. If some are
    /// sources, only those are returned, since their translation units contain the headers.
    fn users(&mut self) -> Vec<PathBuf> {
        let project = self.project;
        let is_header = |path: &PathBuf| {
            let extension = path.extension().and_then(|it| it.to_str());
            matches!(extension, Some("h" | "hpp" | "cuh"))
        };
        if !is_header(&project.path) {
            return Vec::new();
        }
        let mut around: Vec<PathBuf> = Vec::new();
        let above = project.path.ancestors().skip(1);
        for folder in above.take_while(|folder| folder.starts_with(&project.root)) {
            for path in project.files.list_of(folder, LANGUAGES) {
                if around.len() >= MAX_ASKED {
                    let what = "of the files around it, only the first";
                    self.leave_out(format!("{what} {MAX_ASKED} were searched for instances"));
                    break;
                }
                around.push(path);
            }
        }
        let mut found: Vec<PathBuf> = Vec::new();
        let mut last = vec![project.path.clone()];
        for _ in 0..MAX_WAY {
            let mut next = Vec::new();
            for path in &around {
                if *path == project.path || found.contains(path) || next.contains(path) {
                    continue;
                }
                if last.iter().any(|wanted| self.includes(path, wanted)) {
                    next.push(path.clone());
                }
            }
            found.extend(next.iter().cloned());
            last = next;
        }
        if !found.iter().all(is_header) {
            found.retain(|path| !is_header(path));
        }
        if found.len() > MAX_USERS {
            found.truncate(MAX_USERS);
            let what = "of the files that include it, only the first";
            self.leave_out(format!("{what} {MAX_USERS} were searched for instances"));
        }
        found
    }

    /// Returns whether a file includes another one directly.
    fn includes(&self, path: &Path, wanted: &Path) -> bool {
        let project = self.project;
        let name = wanted.file_name().and_then(|name| name.to_str());
        let Some(name) = name else {
            return false;
        };
        let names = project.files.includes(&project.root, path);
        // Comparing names first avoids looking for most files.
        let mut names = names.iter().filter(|it| it.ends_with(name));
        let is_there = |path: &PathBuf| project.files.is_there(&project.root, path);
        names.any(|name| {
            let found = candidates(path, name, &project.root).find(is_there);
            found.as_deref() == Some(wanted)
        })
    }
}

/// Returns the number of leading path components that two paths share.
fn common_components(a: &Path, b: &Path) -> usize {
    let pairs = a.components().zip(b.components());
    pairs.take_while(|(a, b)| a == b).count()
}
