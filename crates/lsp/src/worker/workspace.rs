//! State of the background check of files that are not open.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};

use tower_lsp::ls_types::{
    FileChangeType, FileEvent, MessageType, ProgressToken, Uri, WorkDoneProgress,
    WorkDoneProgressBegin, WorkDoneProgressEnd, WorkDoneProgressReport,
    WorkspaceFoldersChangeEvent,
};

use super::Worker;
use crate::event::{Checked, News, Swept};
use crate::sweep::{Scope, Sweep};
use crate::{MOST_WORKSPACE_FILES, session, settings};
use a2lint_report::printable;
use a2lint_run::Cancel;

/// Prefix of progress tokens.
const TOKEN: &str = "a2lint/workspace";

/// The state of files that are not open.
#[derive(Default)]
pub struct Workspace {
    /// Whether the client has sent `initialized`, before which nothing may be sent.
    pub is_ready: bool,
    due: Due,
    /// Number of sweeps so far.
    started: u64,
    running: Option<Running>,
    /// The checked files.
    known: HashMap<PathBuf, Known>,
}

#[derive(Default)]
struct Known {
    around: Vec<PathBuf>,
    /// Whether the client shows diagnostics of the file.
    is_shown: bool,
}

/// The files that have to be checked again.
#[derive(Debug, Default)]
enum Due {
    #[default]
    Nothing,
    Files(BTreeSet<PathBuf>),
    Everything,
}

/// A running sweep.
struct Running {
    cancel: Cancel,
    is_whole: bool,
    /// The progress token, if progress is reported.
    token: Option<ProgressToken>,
    found: usize,
    checked: HashSet<PathBuf>,
}

impl Workspace {
    /// Marks all files for a new check, and cancels a running sweep.
    pub fn start_over(&mut self) {
        self.due = Due::Everything;
        if let Some(running) = &self.running {
            running.cancel.cancel();
        }
    }

    /// Marks a changed file, if it has been checked, and the files that were evaluated with it.
    pub fn changed(&mut self, path: Option<PathBuf>) {
        let Some(path) = path else {
            return;
        };
        let is_meant = |own: &Path, known: &Known| own == path || known.around.contains(&path);
        let known = self
            .known
            .iter()
            .filter(|(own, known)| is_meant(own, known));
        let mut known = known.map(|(own, _)| own.clone()).peekable();
        if matches!(self.due, Due::Nothing) && known.peek().is_some() {
            self.due = Due::Files(BTreeSet::new());
        }
        if let Due::Files(files) = &mut self.due {
            files.extend(known);
        }
    }

    /// Processes changes of files on disk. A created or deleted file may change how any import resolves, so all files
    /// are checked again.
    pub fn files_changed(&mut self, changes: &[FileEvent]) {
        for change in changes {
            match change.typ {
                FileChangeType::CHANGED => self.changed(settings::path(&change.uri)),
                _ => self.start_over(),
            }
        }
    }
}

impl Worker {
    pub(super) fn folders_changed(&mut self, change: &WorkspaceFoldersChangeEvent) {
        let removed = session::paths(&change.removed);
        let folders = &mut self.session.folders;
        folders.retain(|folder| !removed.contains(folder));
        folders.extend(session::paths(&change.added));
        self.workspace.start_over();
    }

    /// Starts a sweep over the files that are due, unless one is running.
    pub(super) fn start_sweep(&mut self) {
        let is_on = self.settings.workspace;
        let workspace = &mut self.workspace;
        if !workspace.is_ready || workspace.running.is_some() || (!is_on && workspace.is_clear()) {
            return;
        }
        let scope = match std::mem::take(&mut workspace.due) {
            Due::Nothing => return,
            Due::Files(files) => Scope::Files(files.into_iter().collect()),
            // If the workspace is not to be checked any more, a sweep over no folders withdraws all diagnostics.
            Due::Everything if !is_on => Scope::Folders(Vec::new()),
            Due::Everything => Scope::Folders(self.session.folders.clone()),
        };
        let cancel = Cancel::default();
        let is_whole = matches!(scope, Scope::Folders(_));
        workspace.started += 1;
        let token = ProgressToken::String(format!("{TOKEN}/{}", workspace.started));
        let token = (is_whole && is_on).then_some(token);
        workspace.running = Some(Running {
            cancel: cancel.clone(),
            is_whole,
            token: token.clone(),
            found: 0,
            checked: HashSet::new(),
        });
        let open = self.documents.values();
        let most = self.options.most_workspace_files;
        let sweep = Sweep {
            scope,
            open: open.filter_map(|it| settings::path(&it.uri)).collect(),
            settings: self.settings.clone(),
            session: self.session.clone(),
            most: most.unwrap_or(MOST_WORKSPACE_FILES),
            cancel,
            events: self.events.clone(),
        };
        if let Some(token) = token {
            let begin = WorkDoneProgressBegin {
                title: "Checking the workspace".to_owned(),
                cancellable: Some(false),
                message: None,
                percentage: Some(0),
            };
            self.create_progress(token, begin);
        }
        tokio::task::spawn_blocking(move || sweep.run());
    }

    pub(super) async fn swept(&mut self, swept: Swept) {
        let running = self.workspace.running.as_mut();
        let Some(running) = running.filter(|it| it.cancel.is(&swept.cancel)) else {
            return;
        };
        match swept.news {
            News::Found(count) => running.found = count,
            News::Checked(checked) => self.checked(checked).await,
            News::Ended { is_cut, unread } => self.sweep_ended(is_cut, unread).await,
        }
    }

    async fn checked(&mut self, checked: Checked) {
        if let Some(panic) = checked.panic {
            let name = checked.path.display();
            let text = format!("{name} was not checked, a defect of a2lint: {panic}");
            self.client.log_message(MessageType::ERROR, text).await;
        }
        let Some(running) = &mut self.workspace.running else {
            return;
        };
        running.checked.insert(checked.path.clone());
        let (done, all) = (running.checked.len(), running.found.max(1));
        if let Some(token) = running.token.clone() {
            let report = WorkDoneProgressReport {
                cancellable: Some(false),
                message: Some(format!("{done} of {all} files")),
                percentage: Some((done * 100 / all).min(100) as u32),
            };
            self.progress(token, WorkDoneProgress::Report(report)).await;
        }
        // Open documents are analysed by the worker with the editor's text.
        let is_open = self.is_open(&checked.path);
        let is_shown = !is_open && !checked.diagnostics.is_empty();
        let known = Known {
            around: checked.around,
            is_shown,
        };
        let before = self.workspace.known.insert(checked.path.clone(), known);
        if !is_open
            && (is_shown || before.is_some_and(|it| it.is_shown))
            && let Some(uri) = Uri::from_file_path(&checked.path)
        {
            self.client
                .publish_diagnostics(uri, checked.diagnostics, None)
                .await;
        }
    }

    async fn sweep_ended(&mut self, is_cut: bool, unread: Vec<String>) {
        let Some(running) = self.workspace.running.take() else {
            return;
        };
        if !running.is_whole {
            return;
        }
        if let Some(token) = running.token {
            let end = WorkDoneProgressEnd { message: None };
            self.progress(token, WorkDoneProgress::End(end)).await;
        }
        if running.cancel.is_cancelled() {
            return;
        }
        let known = self.workspace.known.keys();
        let gone = known.filter(|path| !running.checked.contains(*path));
        let gone: Vec<PathBuf> = gone.cloned().collect();
        for path in gone {
            self.withdraw(&path).await;
            self.workspace.known.remove(&path);
        }
        for text in unread {
            let text = printable(&text).into_owned();
            self.client.log_message(MessageType::WARNING, text).await;
        }
        if is_cut {
            let text = format!(
                "a2lint looked at the first {} source files of the workspace; there are more. \
                 `a2lint check` in a terminal looks at all of them.",
                running.found
            );
            self.client.show_message(MessageType::WARNING, text).await;
        }
    }

    /// Hands a file over to the document that was opened for it. Clients that request diagnostics would show both
    /// sets, so the old ones are withdrawn; for other clients, the document's diagnostics replace them.
    pub(super) async fn take_over(&mut self, uri: &Uri) {
        let Some(path) = settings::path(uri) else {
            return;
        };
        if self.session.pulls {
            self.withdraw(&path).await;
        } else if let Some(known) = self.workspace.known.get_mut(&path) {
            known.is_shown = false;
        }
    }

    async fn withdraw(&mut self, path: &Path) {
        let known = self.workspace.known.get_mut(path);
        let is_shown = known.is_some_and(|it| std::mem::take(&mut it.is_shown));
        if is_shown && let Some(uri) = Uri::from_file_path(path) {
            self.client.publish_diagnostics(uri, Vec::new(), None).await;
        }
    }
}

impl Workspace {
    /// Returns whether no file has been checked.
    fn is_clear(&self) -> bool {
        self.known.is_empty()
    }
}
