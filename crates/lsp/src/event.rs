//! Events that the worker processes.

use std::path::PathBuf;
use std::sync::Arc;

use serde_json::Value;
use tokio::sync::mpsc;
use tower_lsp::ls_types::{
    Diagnostic, DidChangeTextDocumentParams, FileEvent, MessageType, ProgressToken,
    TextDocumentItem, Uri, WorkDoneProgress, WorkDoneProgressBegin, WorkspaceFoldersChangeEvent,
};

use super::document::Job;
use super::session::Session;
use super::snapshot::Snapshot;
use a2lint_lint::check::Conclusion;
use a2lint_run::Cancel;

/// An event, in the order of occurrence.
pub enum Event {
    /// The client has sent `initialize`.
    Session(Box<Session>),
    /// The client has sent `initialized`, so it may receive messages.
    Ready,
    /// A document was opened.
    Opened(TextDocumentItem),
    /// A document was changed.
    Changed(DidChangeTextDocumentParams),
    /// A document was closed.
    Closed(Uri),
    /// The client has reported a change of settings.
    SettingsChanged(Value),
    /// The client's answer to a request for settings.
    SettingsAnswered(Value),
    /// Configuration files may have changed on disk.
    FilesChanged,
    /// Source files have changed on disk, which open documents may import.
    NeighboursChanged(Vec<FileEvent>),
    /// Folders of the workspace were added or removed.
    FoldersChanged(WorkspaceFoldersChangeEvent),
    /// Progress of a check of workspace files.
    Swept(Swept),
    /// A request about a document.
    Query(Query),
    /// An analysis has ended.
    Analysed(Analysed),
    /// A replay has ended.
    Replayed(Replayed),
    /// Progress of a long-running task.
    Progress(ProgressToken, WorkDoneProgress),
    /// The start of a task whose progress uses a token of the server.
    OwnProgress(ProgressToken, WorkDoneProgressBegin),
    /// The client has accepted a token of the server (with the start of its task) or refused it.
    ProgressCreated(ProgressToken, Option<WorkDoneProgressBegin>),
    /// A message for the user.
    Told(MessageType, String),
    /// A message for the log.
    Logged(MessageType, String),
}

/// A request about a document, which is answered on another thread.
pub struct Query {
    /// The document.
    pub uri: Uri,
    /// Computes and sends the answer.
    pub job: Job,
    /// Whether it waits for the replay of the document.
    pub waits_for_replay: bool,
}

/// The end of a replay.
pub struct Replayed {
    /// The snapshot that was replayed.
    pub snapshot: Arc<Snapshot>,
    /// The resulting findings; `None` if the replay was cancelled.
    pub conclusion: Option<Conclusion>,
    /// The message of the panic that ended it, if there was one.
    pub panic: Option<String>,
    /// Identifies the task: the object that would have cancelled it.
    pub cancel: Cancel,
}

/// The end of an analysis.
pub struct Analysed {
    /// The document.
    pub uri: Uri,
    /// The resulting snapshot; `None` if the analysis was cancelled.
    pub snapshot: Option<Arc<Snapshot>>,
    /// The message of the panic that ended it, if there was one.
    pub panic: Option<String>,
    /// Identifies the task: the object that would have cancelled it.
    pub cancel: Cancel,
}

/// The context of computing an answer, besides the document.
pub struct Asking {
    /// Whether the client has cancelled the request.
    pub cancel: Cancel,
    /// The channel to the worker, for progress.
    pub events: mpsc::UnboundedSender<Event>,
}

/// Progress of a sweep.
pub struct Swept {
    /// Identifies the sweep: the object that cancels it.
    pub cancel: Cancel,
    /// The progress.
    pub news: News,
}

/// The steps of a sweep.
pub enum News {
    /// The number of files that will be checked.
    Found(usize),
    /// A file was checked.
    Checked(Checked),
    /// The sweep is complete or was cancelled.
    Ended {
        /// Whether there are more files than the limit.
        is_cut: bool,
        /// Warnings about ignore files that were not read.
        unread: Vec<String>,
    },
}

/// The result of checking a file of the workspace.
pub struct Checked {
    /// The path of the file.
    pub path: PathBuf,
    /// The other files that it was evaluated with.
    pub around: Vec<PathBuf>,
    /// The diagnostics; empty if the file could not be read or is irrelevant.
    pub diagnostics: Vec<Diagnostic>,
    /// The message of the panic that ended it, if there was one.
    pub panic: Option<String>,
}
