//! Open documents: their text, their syntax tree and what is known of them.

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

/// Computes and sends an answer, given what is known of the document: nothing where it is not open.
pub type Job = Box<dyn FnOnce(Option<Arc<Snapshot>>) + Send>;

/// An open document.
pub struct Document {
    /// Its name.
    pub uri: Uri,
    /// The language it is checked in.
    pub language: Language,
    /// The number that the client gave its text.
    pub version: i32,
    /// Its text.
    pub text: Text,
    /// Whether its text is another one than it was opened with.
    pub is_edited: bool,
    /// The latest finished analysis.
    pub snapshot: Option<Arc<Snapshot>>,
    /// Whether text or settings have changed since the latest analysis was started.
    pub is_stale: bool,
    /// The analysis that is under way.
    pub running: Option<Cancel>,
    /// The replay that is under way, of this version or of one before.
    pub replaying: Option<Cancel>,
    /// Requests that wait for the analysis of this text.
    pub waiting: Vec<Job>,
    /// Requests that wait for the replay of this text.
    pub patient: Vec<Job>,
    /// What is remembered of its kernels under the current settings.
    pub cache: Arc<Cache>,
    /// When it was last asked about, edited or analysed, in the order of all documents.
    pub used: u64,
    /// What is left of its snapshot, if that was let go since it was published.
    shelved: Option<Shelved>,
    /// Where it stands in its project, if it is in a language where that matters.
    pub project: Option<Project>,
}

/// What is left of a snapshot that was let go.
struct Shelved {
    /// The other files that it was found with.
    around: Vec<PathBuf>,
}

/// The language that a document is checked in; `None` where it is not.
pub fn language(item: &TextDocumentItem) -> Option<Language> {
    // Cells of a notebook are no files of their own: names of one live in another.
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

/// Where a file stands; names start from its project's root.
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
    /// The analysis of the document as it is now.
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
        }
    }

    /// A document that was just opened.
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
            patient: Vec::new(),
            cache: Arc::default(),
            used: 0,
            shelved: None,
        }
    }

    /// Whether its snapshot may be let go: it is published, and nothing is under way.
    pub fn is_idle(&self) -> bool {
        let is_under_way = self.running.is_some() || self.replaying.is_some();
        let is_waited_for = !self.waiting.is_empty() || !self.patient.is_empty();
        self.current().is_some_and(|it| it.is_settled()) && !is_under_way && !is_waited_for
    }

    /// Whether it has a snapshot that cannot be let go, or will have one soon.
    pub fn is_busy(&self) -> bool {
        self.running.is_some() || self.snapshot.is_some() && !self.is_idle()
    }

    /// Lets its snapshot go, and what is remembered of its kernels.
    pub fn shelve(&mut self) {
        if let Some(snapshot) = self.snapshot.take() {
            self.shelved = Some(Shelved {
                around: snapshot.around(),
            });
            self.cache = Arc::default();
        }
    }

    /// Has a document analysed again whose snapshot was let go and is asked for.
    pub fn unshelve(&mut self) {
        self.is_stale |= self.shelved.is_some() && self.running.is_none();
    }

    /// Whether the client has everything that is found in the text already. Asked once for an analysis.
    pub fn take_is_published(&mut self) -> bool {
        self.shelved.take().is_some()
    }

    /// Applies the changes that lead to a version. Those of a version that the document already
    /// has, or has left behind, are old news: `false`.
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

    /// Takes back what is under way: text or settings are other ones now.
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

    /// Ends everything that is under way about the document.
    pub fn abandon(self) {
        self.take_back();
        let jobs = self.waiting.into_iter().chain(self.patient);
        jobs.for_each(|job| job(None));
    }

    /// The analysis of the text as it is now.
    pub fn current(&self) -> Option<&Arc<Snapshot>> {
        self.snapshot
            .as_ref()
            .filter(|_| !self.is_stale && self.running.is_none())
    }

    /// Whether what is known of it was found with the text of a file.
    pub fn holds(&self, path: &Path) -> bool {
        match (&self.snapshot, &self.shelved) {
            (Some(snapshot), _) => snapshot.holds(path),
            (None, Some(shelved)) => shelved.around.iter().any(|other| other == path),
            (None, None) => false,
        }
    }

    /// What is known of the text as it is now and is still to be replayed, if nothing is being
    /// replayed.
    pub fn due(&self) -> Option<&Arc<Snapshot>> {
        let current = self.current().filter(|_| self.replaying.is_none());
        current.filter(|snapshot| !snapshot.is_settled())
    }
}
