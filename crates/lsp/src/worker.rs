//! The worker: it owns the documents, and it alone sends to the client.

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
use a2lint_report::standing;
use a2lint_run::Cancel;
use a2lint_source::guard::guard;
use workspace::Workspace;

/// Maximum number of documents whose snapshots are kept. Syntax, trace, replays and proofs take about 2 MB each.
/// Other documents are analysed again when a request needs them; editors show a few at a time.
const MOST_SNAPSHOTS: usize = 48;
/// Maximum number of analyses, and of replays, that run at the same time. The document that was used last gets one
/// more, so that it does not wait for others. Each analysis has threads and memory of its own.
const AT_ONCE: usize = 4;
/// Maximum time for the client to answer a request of the server.
const PATIENCE: Duration = Duration::from_secs(10);
/// Patterns of the files that the client watches: configuration, baselines, and sources that others may import.
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
    /// The project's files, where open documents have the editor's text.
    files: Arc<Files>,
    settings: Arc<Settings>,
    /// The state of files that are not open.
    workspace: Workspace,
    /// The settings as the client sent them, from which changed configuration is read again.
    given: Value,
    /// Number of uses of documents so far, a logical clock for least-recently-used order.
    uses: u64,
    /// Running work under tokens of the server; the value says whether the client shows it already.
    progress: HashMap<ProgressToken, bool>,
}

impl Worker {
    /// Creates a worker for a client; `inbox` receives from `events`.
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

    /// Processes events until the client has disconnected. All queued events are processed before an analysis starts,
    /// so that only the last of several queued edits is analysed.
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
            Event::Query(query) => self.answer(query),
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

    /// Registers for file and settings notifications, and requests the settings.
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
                // The server works without the notifications if the client refuses.
                let asked = client.register_capability(registrations);
                let _ = tokio::time::timeout(PATIENCE, asked).await;
            });
        }
        self.ask_for_settings();
    }

    /// Requests the client's settings without waiting for the answer, which arrives as an event.
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
        // Clients that answer `workspace/configuration` send an empty notification; others send all settings.
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

    /// Marks every document for a new analysis, with an empty cache.
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

    /// Asks the client to request diagnostics again, and the inlay hints and code lenses that show verdicts.
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

    /// Reads configuration files again, under the same editor settings.
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
            // No document needs the cached files any more.
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
            Some(snapshot) if snapshot.is_settled() || !query.waits_for_replay => {
                tokio::task::spawn_blocking(move || (query.job)(Some(snapshot)));
            }
            _ if query.waits_for_replay => document.waiting_for_replay.push(query.job),
            _ => document.waiting.push(query.job),
        }
    }

    /// Drops the least recently used snapshots beyond `MOST_SNAPSHOTS`.
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

    /// Starts the analyses that are due. A document has one analysis at a time: a cancelled one ends soon, and its
    /// event makes the worker call this again. New documents wait while `MOST_SNAPSHOTS` documents are busy, so that
    /// snapshots are not created faster than they are replayed and dropped.
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
            // The analysis belongs to a document that was closed and opened again in the meantime.
            return;
        }
        document.running = None;
        let Some(snapshot) = analysed.snapshot else {
            // The analysis was cancelled, so this version still has to be analysed.
            document.is_stale = true;
            return;
        };
        // The text has changed during the analysis. The analysis of the new version will publish.
        if document.is_stale {
            return;
        }
        // If the text has not changed since the last publication, the client already has these findings.
        let is_published = document.take_is_published();
        // The former snapshot is dropped at the end of this function, after the client has its answer: dropping a
        // large syntax tree takes time.
        let _former = document.snapshot.replace(snapshot.clone());
        let path = document
            .project
            .as_ref()
            .map(|project| project.path.clone());
        let mut jobs = std::mem::take(&mut document.waiting);
        if snapshot.is_settled() {
            jobs.append(&mut document.waiting_for_replay);
        }
        for job in jobs {
            let snapshot = snapshot.clone();
            tokio::task::spawn_blocking(move || job(Some(snapshot)));
        }
        if !is_published {
            self.publish(&snapshot).await;
            self.tell_status(&snapshot).await;
        }
        if let Some(path) = path.filter(|_| snapshot.is_changed) {
            self.tell_neighbours(&path, &snapshot);
        }
    }

    /// Sends the verdicts on the kernels of a document, if the client shows them.
    async fn tell_status(&mut self, snapshot: &Snapshot) {
        if self.session.shows_status {
            let text = standing::line(snapshot.found(), snapshot.records());
            let uri = snapshot.uri.clone();
            let status = Status { uri, text };
            self.client.send_notification::<LookedAt>(status).await;
        }
    }

    /// Publishes the diagnostics of a document, unless the client requests them itself.
    async fn publish(&mut self, snapshot: &Snapshot) {
        if self.session.pulls {
            return;
        }
        let (uri, version) = (snapshot.uri.clone(), Some(snapshot.version));
        let found = diagnostics(snapshot);
        self.client.publish_diagnostics(uri, found, version).await;
    }
}

/// Returns the documents that are due, those used last first.
fn by_use(
    documents: &mut HashMap<String, Document>,
    is_due: impl Fn(&Document) -> bool,
) -> Vec<&mut Document> {
    let due = documents.values_mut().filter(|document| is_due(document));
    let mut due: Vec<&mut Document> = due.collect();
    due.sort_by_key(|document| Reverse(document.used));
    due
}

/// Returns whether an analysis or replay of a document may start while `running` others run. `last` is the latest use
/// of any document.
fn may_start(document: &Document, running: usize, last: u64) -> bool {
    let limit = AT_ONCE + usize::from(document.used == last);
    running < limit
}

/// Returns the registration for changes of files.
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
