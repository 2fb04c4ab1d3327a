//! Files of the workspace that nobody has opened: found, checked one after the other, told of.

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
use a2lint_frontend::is_library;
use a2lint_project::{self as project, Files};
use a2lint_run::Cancel;
use a2lint_source::files::{self, Candidate, Excluded, Loaded, Place};
use a2lint_source::guard::guard;

/// Files and folders that are looked at to find sources.
const MOST_ENTRIES: usize = 200_000;

/// How long nothing changes before a sweep begins: files come and go in numbers.
const PAUSE: Duration = Duration::from_millis(200);

/// What is to be checked.
#[derive(Clone, Debug)]
pub enum Scope {
    /// What is below these folders.
    Folders(Vec<PathBuf>),
    /// These files.
    Files(Vec<PathBuf>),
}

/// A sweep over files of the workspace.
pub struct Sweep {
    /// What is to be checked.
    pub scope: Scope,
    /// Files that are open, which are checked as the editor has them.
    pub open: Vec<PathBuf>,
    /// What is found is found under these.
    pub settings: Arc<Settings>,
    /// What was agreed on with the client.
    pub session: Session,
    /// Most files that are checked.
    pub most: usize,
    /// Takes it back, and tells it from others.
    pub cancel: Cancel,
    /// The way to the worker.
    pub events: UnboundedSender<Event>,
}

impl Sweep {
    /// Does the work.
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
        // What is on disk, also where an editor shows another text.
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
        // The client may have left.
        let _ = self.events.send(Event::Swept(Swept { cancel, news }));
    }

    /// The sources below folders that are not too many, and whether there are more.
    fn find(&self, folders: &[PathBuf]) -> Found {
        let seen = Arc::new(AtomicUsize::new(0));
        let (settings, cancel, count) = (self.settings.clone(), self.cancel.clone(), seen.clone());
        let excluded: Excluded = Arc::new(move |path: &Path, is_folder: bool| {
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

    /// What is found in a file; nothing where the work was taken back.
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
        let snapshot = document
            .assignment(settings, links, self.cancel.clone())
            .run()?;
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

/// What is to be checked.
struct Found {
    candidates: Vec<Candidate>,
    /// Whether there are more.
    is_cut: bool,
    /// What was not read of what leaves files out.
    unread: Vec<String>,
}

/// A file that may or may not be ours.
fn candidate(path: PathBuf) -> Candidate {
    Candidate {
        place: Place::File(path),
        explicit: false,
    }
}
