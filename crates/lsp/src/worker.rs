//! The worker: the one owner of the documents, and the one who talks to the client.

mod neighbours;
mod progress;
mod replays;
mod workspace;

use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender};
use tower_lsp::Client;
use tower_lsp::ls_types::*;

use super::Options;
use super::diagnostics::diagnostics;
use super::document::{Document, language};
use super::event::{Analysed, Event, Query};
use super::session::{LookedAt, Session, Status};
use super::settings::{self, SECTION, Settings};
use super::snapshot::Snapshot;
use a2lint_frontend::is_library;
use a2lint_project::{self as project, Files};
use a2lint_report::looked_at;
use a2lint_run::Cancel;
use a2lint_source::guard::guard;
use workspace::Workspace;

/// Documents whose snapshots are kept: syntax, traces, replays and proofs take about 2 MB each. Others are analysed
/// again once they are asked about; editors show a few at a time.
const MOST_SNAPSHOTS: usize = 48;
/// Analyses, and replays, that are under way at a time; one more of the document that was used last, which does not
/// wait for others. Each has threads and memories of its own.
const AT_ONCE: usize = 4;
/// How long a client may take to answer a question.
const PATIENCE: Duration = Duration::from_secs(10);
/// Files that settings are kept in, and those that others may import.
const WATCHED_FILES: [&str; 5] = [
    "**/pyproject.toml",
    "**/a2lint.toml",
    "**/*baseline*.json",
    "**/*.py",
    "**/*.{h,hpp,cpp,cc,cce,asc,cu,cuh}",
];

/// Owns the documents and talks to the client.
pub struct Worker {
    client: Client,
    events: UnboundedSender<Event>,
    inbox: UnboundedReceiver<Event>,
    options: Options,
    session: Session,
    documents: HashMap<String, Document>,
    /// The files beside them, those that are open with the text of the editor.
    files: Arc<Files>,
    settings: Arc<Settings>,
    /// The files that nobody has opened.
    workspace: Workspace,
    /// What the client gave for them.
    given: Value,
    /// How often a document was used.
    uses: u64,
    /// Work of our own that has begun, and whether the client shows it already.
    progress: HashMap<ProgressToken, bool>,
}

impl Worker {
    /// A worker for a client; `inbox` is the end of `events`.
    pub fn new(
        client: Client,
        events: UnboundedSender<Event>,
        inbox: UnboundedReceiver<Event>,
        options: Options,
    ) -> Worker {
        Worker {
            client,
            events,
            inbox,
            options,
            session: Session::default(),
            documents: HashMap::new(),
            files: project::files(is_library),
            settings: Arc::default(),
            workspace: Workspace::default(),
            given: Value::Null,
            progress: HashMap::new(),
            uses: 0,
        }
    }

    /// Works until the client has left. Everything that has queued up is taken in before anything
    /// is analysed: of ten edits in a row, the last one's text counts.
    pub async fn run(mut self) {
        while let Some(event) = self.inbox.recv().await {
            self.take(event).await;
            while let Ok(event) = self.inbox.try_recv() {
                self.take(event).await;
            }
            self.start_analyses();
            self.start_replays();
            self.let_go();
            self.start_sweep();
        }
    }

    async fn take(&mut self, event: Event) {
        match event {
            Event::Session(session) => self.begin(*session).await,
            Event::Ready => self.ready(),
            Event::Opened(item) => self.open(item).await,
            Event::Changed(params) => self.change(params).await,
            Event::Closed(uri) => self.close(uri).await,
            Event::SettingsChanged(settings) => self.settings_changed(settings).await,
            Event::SettingsAnswered(settings) => self.adopt(&settings).await,
            Event::FilesChanged => self.files_changed().await,
            Event::NeighboursChanged(changes) => self.neighbours_changed(&changes),
            Event::FoldersChanged(change) => self.folders_changed(&change),
            Event::Swept(swept) => self.swept(swept).await,
            Event::Asked(query) => self.answer(query),
            Event::Analysed(analysed) => self.analysed(analysed).await,
            Event::Replayed(replayed) => self.replayed(replayed).await,
            Event::Progress(token, value) => self.progress(token, value).await,
            Event::OwnProgress(token, begin) => self.create_progress(token, begin),
            Event::ProgressCreated(token, begin) => self.progress_created(token, begin).await,
            Event::Told(kind, text) => self.client.show_message(kind, text).await,
            Event::Logged(kind, text) => self.client.log_message(kind, text).await,
        }
    }

    async fn begin(&mut self, session: Session) {
        self.session = session;
        if let Some(options) = self.session.options.take() {
            self.adopt(&options).await;
        }
    }

    /// Registers for what the client tells on request alone, and asks for settings.
    fn ready(&mut self) {
        self.workspace.is_ready = true;
        let mut registrations = Vec::new();
        if self.session.watches_files {
            registrations.push(watch_files());
        }
        if self.session.registers_configuration {
            registrations.push(Registration {
                id: "a2lint-configuration".to_owned(),
                method: "workspace/didChangeConfiguration".to_owned(),
                register_options: Some(json!({"section": SECTION})),
            });
        }
        if !registrations.is_empty() {
            let client = self.client.clone();
            tokio::spawn(async move {
                // A client that refuses goes without.
                let asked = client.register_capability(registrations);
                let _ = tokio::time::timeout(PATIENCE, asked).await;
            });
        }
        self.ask_for_settings();
    }

    /// Asks the client for its settings, and does not wait for the answer.
    fn ask_for_settings(&self) {
        if !self.session.has_configuration {
            return;
        }
        let (client, events) = (self.client.clone(), self.events.clone());
        tokio::spawn(async move {
            let item = ConfigurationItem {
                scope_uri: None,
                section: Some(SECTION.to_owned()),
            };
            let asked = tokio::time::timeout(PATIENCE, client.configuration(vec![item])).await;
            if let Ok(Ok(mut answers)) = asked
                && let Some(settings) = answers.pop()
            {
                let _ = events.send(Event::SettingsAnswered(settings));
            }
        });
    }

    async fn settings_changed(&mut self, settings: Value) {
        // Clients that can be asked send an empty note; the others send everything.
        match self.session.has_configuration {
            true => self.ask_for_settings(),
            false => self.adopt(&settings).await,
        }
    }

    async fn adopt(&mut self, json: &Value) {
        if json.is_null() {
            return;
        }
        let (settings, complaints) = Settings::read(json);
        for complaint in complaints {
            self.client
                .show_message(MessageType::WARNING, complaint)
                .await;
        }
        self.settings = Arc::new(settings);
        self.given = json.clone();
        self.start_over().await;
    }

    /// Has every document analysed anew.
    async fn start_over(&mut self) {
        for document in self.documents.values_mut() {
            document.outdate();
            document.cache = Arc::default();
        }
        self.workspace.start_over();
        if self.session.pulls && !self.documents.is_empty() {
            self.refresh(true, true);
        }
    }

    /// Has the client ask anew for diagnostics, and for the hints and lenses that show verdicts.
    fn refresh(&self, diagnostics: bool, verdicts: bool) {
        let hints = verdicts && self.session.refreshes_hints;
        let lenses = verdicts && self.session.refreshes_lenses;
        let client = self.client.clone();
        tokio::spawn(async move {
            if diagnostics {
                let asked = client.workspace_diagnostic_refresh();
                let _ = tokio::time::timeout(PATIENCE, asked).await;
            }
            if hints {
                let _ = tokio::time::timeout(PATIENCE, client.inlay_hint_refresh()).await;
            }
            if lenses {
                let _ = tokio::time::timeout(PATIENCE, client.code_lens_refresh()).await;
            }
        });
    }

    /// Configuration is read anew, under the same settings.
    async fn files_changed(&mut self) {
        let (settings, _) = Settings::read(&self.given);
        self.settings = Arc::new(settings);
        self.start_over().await;
    }

    async fn open(&mut self, item: TextDocumentItem) {
        let Some(language) = language(&item) else {
            return;
        };
        self.look_again();
        self.take_over(&item.uri).await;
        let mut document = Document::new(item, language, &self.session, &self.files);
        self.uses += 1;
        document.used = self.uses;
        let before = self.documents.insert(document.uri.to_string(), document);
        if let Some(before) = before {
            before.abandon();
        }
    }

    async fn change(&mut self, params: DidChangeTextDocumentParams) {
        let uri = params.text_document.uri;
        let version = params.text_document.version;
        let Some(document) = self.documents.get_mut(uri.as_str()) else {
            return;
        };
        self.uses += 1;
        document.used = self.uses;
        if !document.change(version, params.content_changes) {
            let text = format!(
                "{}: version {version} came behind version {} and was passed over",
                uri.as_str(),
                document.version
            );
            self.client.log_message(MessageType::WARNING, text).await;
        }
    }

    async fn close(&mut self, uri: Uri) {
        let Some(document) = self.documents.remove(uri.as_str()) else {
            return;
        };
        self.forget_text(&document);
        document.abandon();
        if self.documents.is_empty() {
            // What was read for the sake of documents.
            self.files.retain(|_| false);
        }
        self.workspace.changed(settings::path(&uri));
        if !self.session.pulls {
            self.client.publish_diagnostics(uri, Vec::new(), None).await;
        }
    }

    fn answer(&mut self, query: Query) {
        let Some(document) = self.documents.get_mut(query.uri.as_str()) else {
            return (query.job)(None);
        };
        self.uses += 1;
        document.used = self.uses;
        document.unshelve();
        match document.current().cloned() {
            Some(snapshot) if snapshot.is_settled() || !query.is_patient => {
                tokio::task::spawn_blocking(move || (query.job)(Some(snapshot)));
            }
            _ if query.is_patient => document.patient.push(query.job),
            _ => document.waiting.push(query.job),
        }
    }

    /// Lets go of the snapshots of documents that were not used for the longest time, beyond so many.
    fn let_go(&mut self) {
        let kept = self.documents.values().filter(|it| it.snapshot.is_some());
        let excess = kept.count().saturating_sub(MOST_SNAPSHOTS);
        if excess == 0 {
            return;
        }
        let idle = self.documents.values_mut().filter(|it| it.is_idle());
        let mut idle: Vec<&mut Document> = idle.collect();
        idle.sort_by_key(|document| document.used);
        for document in idle.into_iter().take(excess) {
            document.shelve();
            if let Some(project) = &document.project {
                self.files.let_go(&project.path);
            }
        }
    }

    /// Starts what is due. A document has one analysis at a time: one that was taken back ends
    /// soon, and its end brings the worker here again. Snapshots are not made faster than they are replayed and let
    /// go.
    fn start_analyses(&mut self) {
        let documents = self.documents.values();
        let mut running = documents.filter(|it| it.running.is_some()).count();
        let mut busy = self.documents.values().filter(|it| it.is_busy()).count();
        let due = |it: &Document| it.is_stale && it.running.is_none();
        for document in by_use(&mut self.documents, due) {
            let is_new = !document.is_busy();
            let has_room = !is_new || busy < MOST_SNAPSHOTS;
            if !may_start(document, running, self.uses) || !has_room {
                continue;
            }
            running += 1;
            busy += usize::from(is_new);
            let cancel = Cancel::default();
            document.is_stale = false;
            document.running = Some(cancel.clone());
            let settings = self.settings.clone();
            let assignment = document.assignment(settings, self.session.links, cancel);
            let (uri, events) = (document.uri.clone(), self.events.clone());
            tokio::task::spawn_blocking(move || {
                let (snapshot, panic) = match guard(|| assignment.run()) {
                    Ok(snapshot) => (snapshot, None),
                    Err(panic) => (Some(assignment.empty()), Some(panic)),
                };
                let snapshot = snapshot.map(Arc::new);
                let _ = events.send(Event::Analysed(Analysed {
                    uri,
                    snapshot,
                    panic,
                    cancel: assignment.into_cancel(),
                }));
            });
        }
    }

    async fn analysed(&mut self, analysed: Analysed) {
        if let Some(panic) = analysed.panic {
            let text = format!(
                "{} was not checked, a defect of a2lint: {panic}",
                analysed.uri.as_str()
            );
            self.client.log_message(MessageType::ERROR, text).await;
        }
        let Some(document) = self.documents.get_mut(analysed.uri.as_str()) else {
            return;
        };
        let is_own = document
            .running
            .as_ref()
            .is_some_and(|it| it.is(&analysed.cancel));
        if !is_own {
            // Of a document that was closed and opened again meanwhile.
            return;
        }
        document.running = None;
        let Some(snapshot) = analysed.snapshot else {
            document.is_stale = true;
            return;
        };
        if document.is_stale {
            return;
        }
        // Of a text that has not changed since, the client has all that is found.
        let is_published = document.take_is_published();
        // Dropped when the client has been served: it is as large as the text has nodes.
        let _former = document.snapshot.replace(snapshot.clone());
        let path = document
            .project
            .as_ref()
            .map(|project| project.path.clone());
        let mut jobs = std::mem::take(&mut document.waiting);
        if snapshot.is_settled() {
            jobs.append(&mut document.patient);
        }
        for job in jobs {
            let snapshot = snapshot.clone();
            tokio::task::spawn_blocking(move || job(Some(snapshot)));
        }
        if !is_published {
            self.publish(&snapshot).await;
            self.tell_status(&snapshot).await;
        }
        if let Some(path) = path.filter(|_| snapshot.is_news) {
            self.tell_neighbours(&path, &snapshot);
        }
    }

    /// Says what is known of the kernels of a document, where somebody shows that.
    async fn tell_status(&mut self, snapshot: &Snapshot) {
        if self.session.shows_status {
            let text = looked_at::line(snapshot.records(), snapshot.findings());
            let uri = snapshot.uri.clone();
            let status = Status { uri, text };
            self.client.send_notification::<LookedAt>(status).await;
        }
    }

    /// Sends what is known to be wrong, unless the client asks for that itself.
    async fn publish(&mut self, snapshot: &Snapshot) {
        if self.session.pulls {
            return;
        }
        let (uri, version) = (snapshot.uri.clone(), Some(snapshot.version));
        let found = diagnostics(snapshot);
        self.client.publish_diagnostics(uri, found, version).await;
    }
}

/// Documents of which something is due, those used last first.
fn by_use(
    documents: &mut HashMap<String, Document>,
    is_due: impl Fn(&Document) -> bool,
) -> Vec<&mut Document> {
    let due = documents.values_mut().filter(|document| is_due(document));
    let mut due: Vec<&mut Document> = due.collect();
    due.sort_by_key(|document| Reverse(document.used));
    due
}

/// Whether an analysis or a replay of a document may start beside those that run. `last` is the latest use of all.
fn may_start(document: &Document, running: usize, last: u64) -> bool {
    let limit = AT_ONCE + usize::from(document.used == last);
    running < limit
}

/// Asks to be told of changed files.
fn watch_files() -> Registration {
    let watchers = WATCHED_FILES.map(|pattern| FileSystemWatcher {
        glob_pattern: GlobPattern::String(pattern.to_owned()),
        kind: None,
    });
    let options = DidChangeWatchedFilesRegistrationOptions {
        watchers: watchers.to_vec(),
    };
    Registration {
        id: "a2lint-files".to_owned(),
        method: "workspace/didChangeWatchedFiles".to_owned(),
        register_options: serde_json::to_value(options).ok(),
    }
}
