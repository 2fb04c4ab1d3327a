//! Documents that depend on the text of other documents.

use std::path::{Path, PathBuf};

use tower_lsp::ls_types::{FileChangeType, FileEvent};

use super::Worker;
use crate::document::Document;
use crate::settings;
use crate::snapshot::Snapshot;

impl Worker {
    /// Marks documents for a new analysis if they were evaluated with the file at `path`, whose text has changed, or
    /// if the changed document was evaluated with them.
    pub(super) fn tell_neighbours(&mut self, path: &Path, changed: &Snapshot) {
        for document in self.documents.values_mut() {
            let Some(other) = own_path(document).filter(|other| other != path) else {
                continue;
            };
            let holds = document.holds(path);
            if holds || changed.holds(&other) {
                document.outdate();
            }
        }
    }

    /// Forgets the editor's text of a closed document: the file on disk counts again.
    pub(super) fn forget_text(&mut self, document: &Document) {
        if let Some(path) = own_path(document) {
            self.files.forget(&path);
            self.outdate_around(&path);
        }
    }

    /// Processes changes of files on disk. Open documents are left out, because the editor's text counts.
    pub(super) fn neighbours_changed(&mut self, changes: &[FileEvent]) {
        self.workspace.files_changed(changes);
        for change in changes {
            let Some(path) = settings::path(&change.uri).filter(|path| !self.is_open(path)) else {
                continue;
            };
            self.files.forget(&path);
            match change.typ {
                FileChangeType::CHANGED => self.outdate_around(&path),
                _ => self.outdate_project(&path),
            }
        }
    }

    /// Drops the cached files, if the client does not watch files and so sends no notifications of changes.
    pub(super) fn look_again(&mut self) {
        if self.session.watches_files {
            return;
        }
        let open: Vec<PathBuf> = self.documents.values().filter_map(own_path).collect();
        self.files.retain(|path| open.iter().any(|it| it == path));
    }

    pub(super) fn is_open(&self, path: &Path) -> bool {
        let mut documents = self.documents.values();
        documents.any(|document| settings::path(&document.uri).is_some_and(|it| it == path))
    }

    fn outdate_around(&mut self, path: &Path) {
        let documents = self.documents.values_mut();
        let around = documents.filter(|document| document.holds(path));
        around.for_each(Document::outdate);
    }

    /// Marks the documents of a project for a new analysis: a created or deleted file may change how any of its
    /// imports resolves.
    fn outdate_project(&mut self, path: &Path) {
        for document in self.documents.values_mut() {
            let project = document.project.as_ref();
            if project.is_some_and(|project| path.starts_with(&project.root)) {
                document.outdate();
            }
        }
    }
}

fn own_path(document: &Document) -> Option<PathBuf> {
    let project = document.project.as_ref();
    project.map(|project| project.path.clone())
}
