//! Checks files of the workspace that are not open, one after the other.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::sync::mpsc::UnboundedSender;
use tower_lsp::ls_types::{TextDocumentItem, Uri};

use super::diagnostics::diagnostics;
use super::document::{Document, language};
use super::event::{Checked, Event, News, Swept};
use super::session::Session;
use super::settings::Settings;
use super::snapshot::Assignment;
use a2lint_frontend::is_library;
use a2lint_project::{self as project, Files};
use a2lint_run::Cancel;
use a2lint_source::files::{self, Candidate, Excluded, Loaded, Place};
use a2lint_source::guard::guard;

/// Maximum number of files and folders that are visited to find sources.
const MOST_ENTRIES: usize = 200_000;

/// Delay before a sweep starts. Files often change in batches; a later change cancels the sweep during this time.
const PAUSE: Duration = Duration::from_millis(200);

/// The files to check.
#[derive(Clone, Debug)]
pub enum Scope {
    /// All sources below these folders.
    Folders(Vec<PathBuf>),
    /// These files only.
    Files(Vec<PathBuf>),
}

/// A background check of files of the workspace.
pub struct Sweep {
    /// The files to check.
    pub scope: Scope,
    /// Paths of the open documents, which are left out because the worker checks the editor's text.
    pub open: Vec<PathBuf>,
    /// The settings of the server.
    pub settings: Arc<Settings>,
    /// The capabilities of the client.
    pub session: Session,
    /// Maximum number of files to check.
    pub most: usize,
    /// Cancels the sweep, and identifies it.
    pub cancel: Cancel,
    /// The queue of the worker.
    pub events: UnboundedSender<Event>,
}

impl Sweep {
    /// Checks the files and reports each result to the worker.
    pub fn run(self) {
        std::thread::sleep(PAUSE);
        let found = match &self.scope {
            Scope::Folders(folders) => self.find(folders),
            Scope::Files(paths) => Found {
                candidates: paths.iter().cloned().map(candidate).collect(),
                is_cut: false,
                unread: Vec::new(),
            },
        };
        let Found {
            candidates,
            is_cut,
            unread,
        } = found;
        self.tell(News::Found(candidates.len()));
        // These files are read from disk, even if an editor shows another text of an imported one.
        let files = project::files(is_library);
        for candidate in &candidates {
            if self.cancel.is_cancelled() {
                break;
            }
            let path = files::absolute(candidate.path());
            let checked = match self.open.contains(&path) {
                true => Some(Checked::nothing(&path)),
                false => guard(|| self.check(candidate, &path, &files)).unwrap_or_else(|panic| {
                    Some(Checked {
                        panic: Some(panic),
                        ..Checked::nothing(&path)
                    })
                }),
            };
            if let Some(checked) = checked {
                self.tell(News::Checked(checked));
            }
        }
        self.tell(News::Ended { is_cut, unread });
    }

    fn tell(&self, news: News) {
        let cancel = self.cancel.clone();
        // The worker has ended if the client has disconnected.
        let _ = self.events.send(Event::Swept(Swept { cancel, news }));
    }

    /// Searches folders for sources, up to the limits on files and entries.
    fn find(&self, folders: &[PathBuf]) -> Found {
        let seen = Arc::new(AtomicUsize::new(0));
        let (settings, cancel, count) = (self.settings.clone(), self.cancel.clone(), seen.clone());
        let excluded: Excluded = Arc::new(move |path: &Path, is_folder: bool| {
            // The walk calls this for every entry and does not enter excluded folders, so it can also count entries
            // and end the walk.
            let is_late = count.fetch_add(1, Ordering::Relaxed) >= MOST_ENTRIES;
            is_late || cancel.is_cancelled() || settings.excludes(path, is_folder)
        });
        let discovery = files::discover(folders, None, &excluded);
        let mut candidates = discovery.candidates;
        let is_cut = candidates.len() > self.most || seen.load(Ordering::Relaxed) > MOST_ENTRIES;
        candidates.truncate(self.most);
        Found {
            candidates,
            is_cut,
            unread: discovery.warnings,
        }
    }

    /// Checks a file; `None` if the sweep was cancelled.
    fn check(&self, candidate: &Candidate, path: &Path, files: &Arc<Files>) -> Option<Checked> {
        let nothing = Checked::nothing(path);
        let Ok(Loaded::Ours(text)) = candidate.load() else {
            return Some(nothing);
        };
        let uri = Uri::from_file_path(path)?;
        let item = TextDocumentItem::new(uri, String::new(), 0, text.as_str().to_owned());
        let Some(language) = language(&item) else {
            return Some(nothing);
        };
        let document = Document::new(item, language, &self.session, files);
        let (settings, links) = (self.settings.clone(), self.session.links);
        let assignment = Assignment {
            follows_headers: false,
            ..document.assignment(settings, links, self.cancel.clone())
        };
        let snapshot = assignment.run()?;
        if !snapshot.is_settled() {
            snapshot.settle(snapshot.replay(&self.cancel)?);
        }
        Some(Checked {
            around: snapshot.around(),
            diagnostics: diagnostics(&snapshot),
            ..nothing
        })
    }
}

impl Checked {
    fn nothing(path: &Path) -> Checked {
        Checked {
            path: path.to_owned(),
            around: Vec::new(),
            diagnostics: Vec::new(),
            panic: None,
        }
    }
}

/// The sources that a search found.
struct Found {
    candidates: Vec<Candidate>,
    /// Whether a limit cut the search off.
    is_cut: bool,
    /// Warnings on ignore files and folders that could not be read.
    unread: Vec<String>,
}

/// Returns the candidate for a path. Its content decides whether it is a source for the linter.
fn candidate(path: PathBuf) -> Candidate {
    Candidate {
        place: Place::File(path),
        explicit: false,
    }
}
