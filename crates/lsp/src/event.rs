//! What the worker hears of.

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

/// Something that the worker acts on, in the order in which it happened.
pub enum Event {
    /// The client has said who it is.
    Session(Box<Session>),
    /// The client is ready to be talked to.
    Ready,
    /// A document was opened.
    Opened(TextDocumentItem),
    /// A document was changed.
    Changed(DidChangeTextDocumentParams),
    /// A document was closed.
    Closed(Uri),
    /// The client says that settings have changed.
    SettingsChanged(Value),
    /// The client's answer when asked for settings.
    SettingsAnswered(Value),
    /// Configuration may have changed on disk.
    FilesChanged,
    /// Files that others may import have changed on disk.
    NeighboursChanged(Vec<FileEvent>),
    /// Folders were added to the workspace, others removed.
    FoldersChanged(WorkspaceFoldersChangeEvent),
    /// A file of the workspace was checked, or the last one was.
    Swept(Swept),
    /// A request about a document.
    Asked(Query),
    /// An analysis has ended.
    Analysed(Analysed),
    /// A replay has ended.
    Replayed(Replayed),
    /// News of a long piece of work.
    Progress(ProgressToken, WorkDoneProgress),
    /// Work begins that the client may show under a token of ours.
    OwnProgress(ProgressToken, WorkDoneProgressBegin),
    /// The client shows, or does not show, work under a token of ours.
    ProgressCreated(ProgressToken, Option<WorkDoneProgressBegin>),
    /// Something that the user should read.
    Told(MessageType, String),
    /// Something for the log.
    Logged(MessageType, String),
}

/// A request about a document; it is answered off the worker.
pub struct Query {
    /// The document.
    pub uri: Uri,
    /// Computes and sends the answer.
    pub job: Job,
    /// Whether it waits until everything is found that can be.
    pub is_patient: bool,
}

/// The end of a replay.
pub struct Replayed {
    /// What was replayed.
    pub snapshot: Arc<Snapshot>,
    /// What was found then; `None` where it was taken back.
    pub conclusion: Option<Conclusion>,
    /// The panic it ended with, if it did.
    pub panic: Option<String>,
    /// What it could be taken back with: tells it from others.
    pub cancel: Cancel,
}

/// The end of an analysis.
pub struct Analysed {
    /// The document.
    pub uri: Uri,
    /// What came of it; `None` where it was taken back.
    pub snapshot: Option<Arc<Snapshot>>,
    /// The panic it ended with, if it did.
    pub panic: Option<String>,
    /// What it could be taken back with: tells it from others.
    pub cancel: Cancel,
}

/// What an answer is computed with, besides the document.
pub struct Asking {
    /// Tells that nobody waits for the answer any more.
    pub cancel: Cancel,
    /// The way to the worker, for news on the way.
    pub events: mpsc::UnboundedSender<Event>,
}

/// News of a sweep.
pub struct Swept {
    /// Tells it from others.
    pub cancel: Cancel,
    /// What has happened.
    pub news: News,
}

/// What happens in a sweep.
pub enum News {
    /// So many files will be checked.
    Found(usize),
    /// A file was checked.
    Checked(Checked),
    /// Nothing more comes.
    Ended {
        /// Whether there were more files than are checked.
        is_cut: bool,
        /// What was not read of what leaves files out.
        unread: Vec<String>,
    },
}

/// A file that was checked.
pub struct Checked {
    /// Its path.
    pub path: PathBuf,
    /// The other files that it was evaluated with.
    pub around: Vec<PathBuf>,
    /// What was found in it; nothing where it could not be read or is none of ours.
    pub diagnostics: Vec<Diagnostic>,
    /// The panic that it ended with, if it did.
    pub panic: Option<String>,
}
