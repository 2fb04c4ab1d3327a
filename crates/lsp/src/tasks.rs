//! Long-running requests, with progress and cancellation.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use tower_lsp::ls_types::ProgressToken;

use a2lint_run::Cancel;

/// A running request that reports progress and can be cancelled.
pub struct Task {
    /// The token under which progress is reported.
    pub token: Progress,
    /// Set when the client cancels the task.
    pub cancel: Cancel,
    tasks: Tasks,
}

/// The origin of a progress token.
pub enum Progress {
    /// The client has sent the token with its request.
    Given(ProgressToken),
    /// The server has created the token; the client has to be asked to show it.
    Own(ProgressToken),
}

impl Task {
    /// Returns the token under which progress is reported.
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

/// The running tasks by token.
#[derive(Clone, Default)]
pub struct Tasks(Arc<Mutex<Running>>);

#[derive(Default)]
struct Running {
    started: u64,
    tasks: HashMap<ProgressToken, Cancel>,
}

impl Tasks {
    /// Registers a task, under the client's token if there is one.
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

    /// Cancels the task with a token.
    pub fn cancel(&self, token: &ProgressToken) {
        let running = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(cancel) = running.tasks.get(token) {
            cancel.cancel();
        }
    }

    /// Cancels all tasks.
    pub fn cancel_all(&self) {
        let running = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        running.tasks.values().for_each(Cancel::cancel);
    }

    fn forget(&self, token: &ProgressToken) {
        let mut running = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        running.tasks.remove(token);
    }
}
