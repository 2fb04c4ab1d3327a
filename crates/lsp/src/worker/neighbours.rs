//! Documents that are evaluated with each other's text.

use std::path::{Path, PathBuf};

use tower_lsp::ls_types::{FileChangeType, FileEvent};

use super::Worker;
use crate::document::Document;
use crate::settings;
use crate::snapshot::Snapshot;

impl Worker {
    /// Has the documents analysed anew that are evaluated with one whose text has changed, and those
    /// that it takes in by now.
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

    /// What the editor had of a document is gone; the file on disk counts again.
    pub(super) fn forget_text(&mut self, document: &Document) {
        if let Some(path) = own_path(document) {
            self.files.forget(&path);
            self.outdate_around(&path);
        }
    }

    /// Files have changed on disk. What is open is what the editor says.
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

    /// Reads files again that nobody tells of, where the client does not watch any.
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

    /// A file that comes or goes may change what any import of its project means.
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
