//! Open documents: their text, their latest snapshot, and pending work.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use tower_lsp::ls_types::{TextDocumentContentChangeEvent, TextDocumentItem, Uri};

use super::cache::Cache;
use super::session::{Links, Session};
use super::settings::{self, Settings};
use super::snapshot::{Assignment, Snapshot};
use super::text::Text;
use a2lint_project::{self as project, Files, Project};
use a2lint_run::Cancel;
use a2lint_source::language::Language;

/// A function that computes and sends an answer from a snapshot; `None` if the document is not open.
pub type Job = Box<dyn FnOnce(Option<Arc<Snapshot>>) + Send>;

/// An open document.
pub struct Document {
    /// The URI.
    pub uri: Uri,
    /// The language as which the document is checked.
    pub language: Language,
    /// The version number, which the client assigns.
    pub version: i32,
    /// The text.
    pub text: Text,
    /// Whether the text has been changed since the document was opened.
    pub is_edited: bool,
    /// The latest complete analysis.
    pub snapshot: Option<Arc<Snapshot>>,
    /// Whether text or settings have changed since the latest analysis was started.
    pub is_stale: bool,
    /// Cancels the running analysis.
    pub running: Option<Cancel>,
    /// Cancels the running replay, which may be of an earlier version.
    pub replaying: Option<Cancel>,
    /// Requests that wait for the analysis of the current text.
    pub waiting: Vec<Job>,
    /// Requests that wait for the replay of the current text.
    pub waiting_for_replay: Vec<Job>,
    /// Cached results for its kernels under the current settings.
    pub cache: Arc<Cache>,
    /// Time of the last request, edit or analysis, as a number that all documents share.
    pub used: u64,
    /// The remains of a published snapshot that was dropped.
    shelved: Option<Shelved>,
    /// The project of the document, for languages with imports or includes.
    pub project: Option<Project>,
}

/// The remains of a dropped snapshot.
struct Shelved {
    /// The other files that the document was checked with.
    around: Vec<PathBuf>,
}

/// Returns the language to check a document as; `None` if it is not checked.
pub fn language(item: &TextDocumentItem) -> Option<Language> {
    // Cells of a notebook share their names, so they cannot be checked one by one.
    if item.uri.scheme().as_str().starts_with("vscode-notebook") {
        return None;
    }
    let named = match item.language_id.as_str() {
        "python" => Some(Language::Easyasc),
        "cpp" | "c" => Some(Language::Cpp),
        "cuda" | "cuda-cpp" => Some(Language::Cuda),
        "pto" => Some(Language::Pto),
        "mlir" => Some(Language::Mlir),
        "ptx" => Some(Language::Ptx),
        _ => None,
    };
    named.or_else(|| Language::of_path(Path::new(item.uri.path().as_str())))
}

/// Returns the project of a file. Paths for people are relative to its root.
fn placed(path: &Path, session: &Session, files: &Arc<Files>) -> Option<Project> {
    let mut folders = session.folders.iter();
    let around = folders.find(|folder| path.starts_with(folder));
    let project = project::of(path, files, around.map(PathBuf::as_path))?;
    Some(Project {
        here: project.root.clone(),
        ..project
    })
}

impl Document {
    /// Returns the task of analysing the current text.
    pub fn assignment(&self, settings: Arc<Settings>, links: Links, cancel: Cancel) -> Assignment {
        Assignment {
            uri: self.uri.clone(),
            language: self.language,
            version: self.version,
            text: self.text.clone(),
            before: self.snapshot.clone(),
            settings,
            cancel,
            cache: self.cache.clone(),
            project: self.project.clone(),
            links,
            follows_headers: true,
        }
    }

    /// Creates a document that was just opened.
    pub fn new(
        item: TextDocumentItem,
        language: Language,
        session: &Session,
        files: &Arc<Files>,
    ) -> Document {
        let encoding = session.encoding;
        let path = settings::path(&item.uri).filter(|_| language != Language::Ptx);
        Document {
            project: path.and_then(|path| placed(&path, session, files)),
            language,
            version: item.version,
            text: Text::new(&item.text, encoding),
            uri: item.uri,
            is_edited: false,
            snapshot: None,
            is_stale: true,
            running: None,
            replaying: None,
            waiting: Vec::new(),
            waiting_for_replay: Vec::new(),
            cache: Arc::default(),
            used: 0,
            shelved: None,
        }
    }

    /// Returns whether the snapshot may be dropped: it is published, and no work is pending.
    pub fn is_idle(&self) -> bool {
        let is_under_way = self.running.is_some() || self.replaying.is_some();
        let is_waited_for = !self.waiting.is_empty() || !self.waiting_for_replay.is_empty();
        self.current().is_some_and(|it| it.is_settled()) && !is_under_way && !is_waited_for
    }

    /// Returns whether it has a snapshot that cannot be dropped, or will have one soon.
    pub fn is_busy(&self) -> bool {
        self.running.is_some() || self.snapshot.is_some() && !self.is_idle()
    }

    /// Drops the snapshot and the cached results.
    pub fn shelve(&mut self) {
        if let Some(snapshot) = self.snapshot.take() {
            self.shelved = Some(Shelved {
                around: snapshot.around(),
            });
            self.cache = Arc::default();
        }
    }

    /// Requests a new analysis if the snapshot was dropped.
    pub fn unshelve(&mut self) {
        self.is_stale |= self.shelved.is_some() && self.running.is_none();
    }

    /// Returns whether the client already has all findings of the text, because only the snapshot was dropped. Resets
    /// that state, so it is called once per analysis.
    pub fn take_is_published(&mut self) -> bool {
        self.shelved.take().is_some()
    }

    /// Applies the changes that lead to a version. Returns `false`, without changing anything, unless the version is
    /// newer than the current one.
    pub fn change(&mut self, version: i32, changes: Vec<TextDocumentContentChangeEvent>) -> bool {
        if version <= self.version {
            return false;
        }
        self.version = version;
        self.is_edited = true;
        self.outdate();
        changes.into_iter().for_each(|change| self.apply(change));
        true
    }

    /// Cancels running work, since text or settings have changed.
    pub fn outdate(&mut self) {
        self.is_stale = true;
        self.shelved = None;
        self.take_back();
    }

    fn take_back(&self) {
        let under_way = [&self.running, &self.replaying];
        under_way.into_iter().flatten().for_each(Cancel::cancel);
    }

    fn apply(&mut self, change: TextDocumentContentChangeEvent) {
        match change.range {
            Some(range) => self.text.replace(self.text.span(range), &change.text),
            None => self.text = Text::new(&change.text, self.text.encoding()),
        }
    }

    /// Cancels all work of the document, and answers its requests.
    pub fn abandon(self) {
        self.take_back();
        let jobs = self.waiting.into_iter().chain(self.waiting_for_replay);
        jobs.for_each(|job| job(None));
    }

    /// Returns the analysis of the current text, if it is complete.
    pub fn current(&self) -> Option<&Arc<Snapshot>> {
        self.snapshot
            .as_ref()
            .filter(|_| !self.is_stale && self.running.is_none())
    }

    /// Returns whether its results depend on the text of a file.
    pub fn holds(&self, path: &Path) -> bool {
        match (&self.snapshot, &self.shelved) {
            (Some(snapshot), _) => snapshot.holds(path),
            (None, Some(shelved)) => shelved.around.iter().any(|other| other == path),
            (None, None) => false,
        }
    }

    /// Returns the snapshot of the current text that is to be replayed, if no replay is running.
    pub fn due(&self) -> Option<&Arc<Snapshot>> {
        let current = self.current().filter(|_| self.replaying.is_none());
        current.filter(|snapshot| !snapshot.is_settled())
    }
}
