//! Work that clients see the progress of and can take back.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use tower_lsp::ls_types::ProgressToken;

use a2lint_run::Cancel;

/// Work that shows its progress and can be taken back through it.
pub struct Task {
    /// Where its progress is told.
    pub token: Progress,
    /// Whether it was taken back.
    pub cancel: Cancel,
    tasks: Tasks,
}

/// Where progress is told.
pub enum Progress {
    /// The client has named a token with its request.
    Given(ProgressToken),
    /// The client may show a token of ours.
    Own(ProgressToken),
}

impl Task {
    /// Where its progress is told.
    pub fn token(&self) -> &ProgressToken {
        match &self.token {
            Progress::Given(token) | Progress::Own(token) => token,
        }
    }
}

impl Drop for Task {
    fn drop(&mut self) {
        self.tasks.forget(self.token());
    }
}

/// The work that is under way, by token.
#[derive(Clone, Default)]
pub struct Tasks(Arc<Mutex<Running>>);

#[derive(Default)]
struct Running {
    started: u64,
    tasks: HashMap<ProgressToken, Cancel>,
}

impl Tasks {
    /// Starts a piece of work.
    pub fn start(&self, given: Option<ProgressToken>) -> Task {
        let mut running = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        running.started += 1;
        let token = match given {
            Some(token) => Progress::Given(token),
            None => Progress::Own(ProgressToken::String(format!("a2lint/{}", running.started))),
        };
        let cancel = Cancel::default();
        let task = Task {
            token,
            cancel: cancel.clone(),
            tasks: self.clone(),
        };
        running.tasks.insert(task.token().clone(), cancel);
        task
    }

    /// Takes back the work behind a token.
    pub fn cancel(&self, token: &ProgressToken) {
        let running = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(cancel) = running.tasks.get(token) {
            cancel.cancel();
        }
    }

    /// Takes back everything.
    pub fn cancel_all(&self) {
        let running = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        running.tasks.values().for_each(Cancel::cancel);
    }

    fn forget(&self, token: &ProgressToken) {
        let mut running = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        running.tasks.remove(token);
    }
}
